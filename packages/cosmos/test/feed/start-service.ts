import { afterEach } from 'vitest'
import { type ChangeFeed, type ChangeFeedOptions, openChangeFeed } from '../../src/index.ts'
import { type Received, startServer } from '../client/start-server.ts'

/** An answer of the service. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Closes the connection, after the body if there is one. */
  readonly isCut?: boolean
}

/** A service with one container of one physical partition, which answers reads as the test says. */
export interface ScriptedService {
  readonly feed: ChangeFeed
  /** Requests for documents, in order. */
  readonly received: readonly Received[]
  /** The container, whose resource id a test may change. */
  readonly container: { rid: string }
  /** The account, whose regions a test may change. */
  readonly account: { writableLocations?: readonly object[] }
}

export const WHOLE = { min: '', max: 'FF' } as const

/** Starts services for the tests of one file. Each ends with its test. */
export function useServices(): (
  answers: readonly ScriptedAnswer[],
  options?: Partial<ChangeFeedOptions>
) => Promise<ScriptedService> {
  const stops: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })
  return async (answers, options) => {
    const received: Received[] = []
    const container = { rid: 'container-1' }
    const account = {}
    const server = await startServer((one) => {
      const { url = '' } = one.request
      if (!/\/docs(?:\/|$)/.test(url))
        return send(one, { body: JSON.stringify(metadataOf(url, container.rid, account)) })
      // the last answer is that to all later requests
      const answer = answers[Math.min(received.length, answers.length - 1)]
      received.push(one)
      send(one, answer)
    })
    stops.push(server.stop)
    const feed = await openChangeFeed({
      endpoint: server.endpoint,
      key: 'a2V5',
      database: 'd',
      container: 'c',
      metadataBy: 'direct',
      ...options
    })
    stops.push(feed.close)
    return { feed, received, container, account }
  }
}

function metadataOf(url: string, rid: string, account: object): object {
  if (url.endsWith('/pkranges')) {
    const range = { id: '0', minInclusive: '', maxExclusive: 'FF', parents: [] }
    return { PartitionKeyRanges: [range] }
  }
  if (url.endsWith('/c')) return { _rid: rid, partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } }
  return account
}

function send({ response }: Received, { status = 200, headers = {}, body, isCut = false }: ScriptedAnswer): void {
  if (isCut && body === undefined) return void response.destroy()
  response.writeHead(status, isCut ? { ...headers, 'content-length': '1000' } : headers)
  if (isCut) response.write(body, () => response.destroy())
  else response.end(body)
}

/** A page of documents. */
export function pageOf(...ids: readonly string[]): ScriptedAnswer {
  const documents = ids.map((id) => ({ id, pk: 'k', _etag: '"e"', _ts: 1, _lsn: 1 }))
  const body = JSON.stringify({ _rid: 'x', Documents: documents, _count: ids.length })
  return { body, headers: { etag: '"7"', 'x-ms-request-charge': '2.5', 'x-ms-session-token': '0:-1#7' } }
}

export const END: ScriptedAnswer = { status: 304, headers: { etag: '"7"', 'x-ms-request-charge': '1' } }
