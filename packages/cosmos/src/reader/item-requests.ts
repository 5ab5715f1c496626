import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Account } from '../client/account.ts'

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
  const settings = { keepAlive: true }
  const agents = { http: new HttpAgent(settings), https: account.agent ?? new HttpsAgent(settings) }
  const sign = account.signer()
  const place = `dbs/${encodeURIComponent(account.database)}/colls/${encodeURIComponent(account.container)}/docs`

  async function send(request: ItemRequest, signal: AbortSignal | undefined): Promise<ItemAnswer> {
    const { verb, id } = request
    const link = id === undefined ? account.resourceLink : `${account.resourceLink}/docs/${id}`
    const signed = await sign(verb, 'docs', link)
    const url = new URL(id === undefined ? place : `${place}/${encodeURIComponent(id)}`, await account.readEndpoint())
    signal?.throwIfAborted()
    return exchange(url, request, { ...FIXED_HEADERS, ...signed, ...request.headers }, signal)
  }

  function exchange(
    url: URL,
    { verb, body }: ItemRequest,
    headers: Record<string, string>,
    signal: AbortSignal | undefined
  ): Promise<ItemAnswer> {
    return new Promise((resolve, reject) => {
      const isTls = url.protocol === 'https:'
      const options = { method: verb, headers, agent: isTls ? agents.https : agents.http, ...(signal === undefined ? {} : { signal }) }
      const call = isTls ? requestHttps(url, options) : requestHttp(url, options)
      const late = setTimeout(() => call.destroy(new NoAnswer(`no answer in ${timeoutMs} ms`)), timeoutMs)
      call.once('response', (response) => {
        readAnswer(response).then(resolve, reject)
      })
      call.once('error', reject)
      call.once('close', () => clearTimeout(late))
      call.end(body)
    })
  }

  return {
    send,
    close: () => {
      agents.http.destroy()
      // a given agent is closed by its owner
      if (account.agent === undefined) agents.https.destroy()
    }
  }
}

const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'x-ms-version': '2020-07-15',
  accept: 'application/json',
  'x-ms-cosmos-sdk-supportedcapabilities': '1',
  'user-agent': 'keystamp'
}

class NoAnswer extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

async function readAnswer(response: IncomingMessage): Promise<ItemAnswer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { statusCode = 0, headers } = response
  return {
    status: statusCode,
    subStatus: numberIn(headers['x-ms-substatus']) ?? 0,
    chargeRu: numberIn(headers['x-ms-request-charge']) ?? 0,
    retryAfterMs: numberIn(headers['x-ms-retry-after-ms']),
    activityId: textIn(headers['x-ms-activity-id']),
    continuation: textIn(headers['x-ms-continuation']) || undefined,
    body: parse(Buffer.concat(chunks).toString())
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

function textIn(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

function numberIn(header: string | string[] | undefined): number | undefined {
  const number = Number(textIn(header) ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
}
