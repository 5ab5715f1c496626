import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseQuery, planQuery, QueryError, runQuery } from '../../src/query/index.ts'

/** A minimal Cosmos DB server, which answers only query plans and queries of single ranges. */
export interface PlannedContainer {
  readonly endpoint: string
  /** The queries that clients have sent to single ranges. */
  readonly asked: string[]
  readonly close: () => Promise<void>
}

/**
 * Serves the documents, one list for each range. A query without a range is refused, so that clients need the plan.
 */
export const servePlannedContainer = async (ranges: readonly (readonly unknown[])[]): Promise<PlannedContainer> => {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const answerWith = (body: string): void => {
      const { status, headers, answer } = respond({ request, body, ranges, asked, endpoint: endpointOf(server) })
      response.writeHead(status, { 'content-type': 'application/json', 'x-ms-request-charge': '1', ...headers })
      response.end(status === 304 ? undefined : JSON.stringify(answer))
    }
    void readBody(request).then(answerWith)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { endpoint: endpointOf(server), asked, close }
}

const endpointOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

interface Call {
  readonly request: IncomingMessage
  readonly body: string
  readonly ranges: readonly (readonly unknown[])[]
  readonly asked: string[]
  readonly endpoint: string
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly answer: unknown
}

const RESOURCE = 'AAAAAYAAAAE='

const COLLECTION = {
  id: 'c',
  _rid: RESOURCE,
  _self: 'dbs/AAAAAQ==/colls/AAAAAYAAAAE=/',
  partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }
}

const respond = (call: Call): Answer => {
  const path = (call.request.url ?? '').replace(/\/$/, '')
  if (path === '') return { status: 200, answer: account(call.endpoint) }
  if (path === '/dbs/d') return { status: 200, answer: { id: 'd', _rid: 'AAAAAQ==', _self: 'dbs/AAAAAQ==/' } }
  if (path.endsWith('/pkranges')) return rangeFeed(call)
  return path.endsWith('/docs') ? answerQuery(call) : { status: 200, answer: COLLECTION }
}

const account = (endpoint: string): unknown => {
  const locations = [{ name: 'here', databaseAccountEndpoint: endpoint }]
  return {
    id: 'planned',
    writableLocations: locations,
    readableLocations: locations,
    userConsistencyPolicy: { defaultConsistencyLevel: 'Session' }
  }
}

const rangeFeed = ({ request, ranges }: Call): Answer => {
  if (request.headers['if-none-match'] === '"1"') return { status: 304, headers: { etag: '"1"' }, answer: undefined }
  const borders = ['', ...ranges.slice(1).map((_, index) => `0${index + 1}`), 'FF']
  const feed = ranges.map((_, index) => ({
    id: String(index),
    minInclusive: borders[index],
    maxExclusive: borders[index + 1]
  }))
  return {
    status: 200,
    headers: { etag: '"1"' },
    answer: { _rid: RESOURCE, PartitionKeyRanges: feed, _count: feed.length }
  }
}

const answerQuery = ({ request, body, ranges, asked }: Call): Answer => {
  try {
    const { query, parameters = [] } = JSON.parse(body) as {
      query: string
      parameters?: { name: string; value: unknown }[]
    }
    const values = new Map(parameters.map(({ name, value }) => [name, value]))
    const features = request.headers['x-ms-cosmos-supported-query-features']
    if (features !== undefined) return { status: 200, answer: planQuery(parseQuery(query), String(features), values) }
    const range = request.headers['x-ms-documentdb-partitionkeyrangeid']
    if (range === undefined) return NOT_SERVABLE
    asked.push(query)
    const rows = runQuery(parseQuery(query), { documents: ranges[Number(range)], parameters: values })
    return { status: 200, answer: { _rid: RESOURCE, Documents: rows, _count: rows.length } }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return { status: error.status, answer: { code: 'BadRequest', message: error.message } }
  }
}

const NOT_SERVABLE: Answer = {
  status: 400,
  headers: { 'x-ms-substatus': '1004' },
  answer: {
    code: 'BadRequest',
    message: 'The provided cross partition query can not be directly served by the gateway.',
    additionalErrorInfo: '{}'
  }
}
