import { urlToHttpOptions } from 'node:url'
import type { Account } from '../client/account.ts'
import { createHttpClient, type HttpAnswer, stringIn } from '../client/http-client.ts'

/** One request to the container's items. */
export interface ItemRequest {
  readonly verb: 'GET' | 'POST'
  /** Id of an item; without it the request goes to all items. */
  readonly id?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The caller's option that caused the query, named in the error of a 400. */
  readonly blames?: string
}

/** An answer, successful or not. */
export interface ItemAnswer {
  readonly status: number
  readonly subStatus: number
  readonly chargeRu: number
  readonly retryAfterMs: number | undefined
  readonly activityId: string | undefined
  readonly continuation: string | undefined
  /** The parsed body; undefined where it is not JSON. */
  readonly body: unknown
}

/** Sends requests over connections that are kept alive. */
export interface ItemClient {
  /** Rejects when no whole answer arrived, or when `signal` is aborted. */
  readonly send: (request: ItemRequest, signal: AbortSignal | undefined) => Promise<ItemAnswer>
  readonly close: () => void
}

/** Sends requests with the account's signature, without retries. */
export function createItemClient(account: Account, timeoutMs: number): ItemClient {
  const client = createHttpClient(account.agent)
  const sign = account.signer()
  const place = `dbs/${encodeURIComponent(account.database)}/colls/${encodeURIComponent(account.container)}/docs`

  async function send(request: ItemRequest, signal: AbortSignal | undefined): Promise<ItemAnswer> {
    const { verb, id } = request
    const link = id === undefined ? account.resourceLink : `${account.resourceLink}/docs/${id}`
    const signed = await sign(verb, 'docs', link)
    const url = new URL(id === undefined ? place : `${place}/${encodeURIComponent(id)}`, await account.readEndpoint())
    signal?.throwIfAborted()
    const headers = { ...FIXED_HEADERS, ...signed, ...request.headers }
    const { body } = request
    return toItemAnswer(await client.send({ target: urlToHttpOptions(url), method: verb, headers, body, signal, timeoutMs }))
  }

  return { send, close: client.close }
}

const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'x-ms-version': '2020-07-15',
  accept: 'application/json',
  'x-ms-cosmos-sdk-supportedcapabilities': '1',
  'user-agent': 'keystamp'
}

function toItemAnswer({ status, headers, text }: HttpAnswer): ItemAnswer {
  return {
    status,
    subStatus: numberIn(headers['x-ms-substatus']) ?? 0,
    chargeRu: numberIn(headers['x-ms-request-charge']) ?? 0,
    retryAfterMs: numberIn(headers['x-ms-retry-after-ms']),
    activityId: stringIn(headers['x-ms-activity-id']),
    continuation: stringIn(headers['x-ms-continuation']),
    body: parse(text)
  }
}

// a proxy may answer with something else
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function numberIn(header: string | string[] | undefined): number | undefined {
  const number = Number(stringIn(header) ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
}
