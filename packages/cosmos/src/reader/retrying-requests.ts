import { urlToHttpOptions } from 'node:url'
import { type Backoff, type Clock, retry } from '@keystamp/core/internal'
import type { Account } from '../client/account.ts'
import { CosmosError, errorOfAnswer, errorWithoutAnswer } from '../client/cosmos-error.ts'
import { createHttpClient, type HttpAnswer, stringIn } from '../client/http-client.ts'

interface RetryingRequestsOptions {
  readonly account: Account
  readonly client: ItemClient
  /** Time for which one request is retried. */
  readonly retryForMs: number
  readonly clock: Clock
  readonly random: () => number
}

/** The final answer to a request: an item, a page, a missing item, or a range that has moved. */
export interface RetriedAnswer extends ItemAnswer {
  /** Number of requests. */
  readonly requests: number
  /** RU of all these requests. */
  readonly chargeRu: number
}

export type RequestItem = (
  what: string,
  request: ItemRequest,
  signal: AbortSignal | undefined
) => Promise<RetriedAnswer>

/**
 * Creates a function that repeats a read until it has a final answer. Reads can be repeated safely. Returns 2xx, 404
 * for an item, and 410 for a range that the caller must route again. Throws for permanent errors, and for temporary
 * errors that last longer than `retryForMs`.
 */
export function createRetryingRequests({
  account,
  client,
  retryForMs,
  clock,
  random
}: RetryingRequestsOptions): RequestItem {
  return async (what, request, signal) => {
    let requests = 0
    let chargeRu = 0
    let isRenewed = false
    try {
      return await retry(attempt, {
        clock,
        signal,
        backoff: { ...BACKOFF, random },
        timeoutMs: retryForMs,
        isRetriable: (error) => error instanceof CosmosError && error.retriable,
        retryAfterMs: (error) => (error as CosmosError).retryAfterMs,
        onRetry: (error) => {
          if ((error as CosmosError).statusCode === 403) account.refreshEndpoints()
        }
      })
    } catch (error) {
      // throws the caller's reason unchanged, which may be any value
      signal?.throwIfAborted()
      throw error
    }

    async function attempt(): Promise<RetriedAnswer> {
      requests++
      const answer = await sendOnce(what, request, signal)
      if (!(answer instanceof CosmosError)) {
        chargeRu += answer.chargeRu
        if (isSettled(answer, request)) return { ...answer, requests, chargeRu }
      }
      const error = answer instanceof CosmosError ? answer : errorOf(what, answer, request)
      if (error.statusCode !== 401 || isRenewed) throw error
      isRenewed = true
      account.renewSignatures()
      return attempt()
    }
  }

  async function sendOnce(
    what: string,
    request: ItemRequest,
    signal: AbortSignal | undefined
  ): Promise<ItemAnswer | CosmosError> {
    try {
      return await client.send(request, signal)
    } catch (error) {
      signal?.throwIfAborted()
      return errorWithoutAnswer(what, error)
    }
  }
}

// a page that is not JSON is incomplete, or comes from a proxy
function errorOf(what: string, answer: ItemAnswer, { blames }: ItemRequest): CosmosError {
  if (answer.status === 400 && blames !== undefined) return refusedQuery(what, answer, blames)
  return answer.status === 200
    ? errorWithoutAnswer(what, { code: 'an answer that is not JSON' })
    : errorOfAnswer(what, answer)
}

function refusedQuery(what: string, answer: ItemAnswer, blames: string): CosmosError {
  const { status: statusCode, subStatus, activityId, body } = answer
  const reason = reasonIn(body)
  const said = reason === undefined ? '' : ` Cosmos DB says: ${reason}`
  return new CosmosError('COSMOS_REFUSED', `Cosmos DB answered 400 to ${what}: check ${blames}.${said}`, {
    statusCode,
    subStatus,
    activityId
  })
}

// keys are parameters, so the message of the service contains only the caller's own condition
function reasonIn(body: unknown): string | undefined {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  if (typeof message !== 'string') return undefined
  const errors = [...message.matchAll(/"message"\s*:\s*("(?:[^"\\]|\\.)*")/g)].map(
    ([, text]) => JSON.parse(text) as string
  )
  const whole = errors.length > 0 ? errors.join(' ') : message.split(/\r?\n|,? ?ActivityId/, 1)[0]
  return whole.length > MAX_REASON ? `${whole.slice(0, MAX_REASON)}...` : whole
}

const MAX_REASON = 300

function isSettled({ status, subStatus, body }: ItemAnswer, { id }: ItemRequest): boolean {
  if (status === 200) return body !== undefined
  if (status === 404) return id !== undefined && subStatus === 0
  return status === 410 && id === undefined && MOVED.has(subStatus)
}

/**
 * Sub-statuses of 410: the container was created again, the range no longer exists, or the range is being split or
 * moved.
 */
const MOVED: ReadonlySet<number> = new Set([1000, 1002, 1007, 1008])

const BACKOFF: Backoff = { firstMs: 100, maxMs: 2000 }

/** A request for one item or for a query of the container. */
interface ItemRequest {
  readonly verb: 'GET' | 'POST'
  /** Id of an item; undefined for a query. */
  readonly id?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Option of the caller that the error for a 400 names. */
  readonly blames?: string
}

/** A successful or failed answer. */
interface ItemAnswer {
  readonly status: number
  readonly subStatus: number
  readonly chargeRu: number
  readonly retryAfterMs: number | undefined
  readonly activityId: string | undefined
  readonly continuation: string | undefined
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown
}

/** Sends requests for items over connections that are kept alive. */
interface ItemClient {
  /** Rejects if no complete answer arrives, or if `signal` aborts. */
  readonly send: (request: ItemRequest, signal: AbortSignal | undefined) => Promise<ItemAnswer>
  readonly close: () => void
}

/** Creates a client that signs requests for the account. It does not retry. */
export function createItemClient(account: Account, timeoutMs: number): ItemClient {
  const client = createHttpClient(account.agent)
  const sign = account.signer()
  const itemsPath = `dbs/${encodeURIComponent(account.database)}/colls/${encodeURIComponent(account.container)}/docs`

  async function send(request: ItemRequest, signal: AbortSignal | undefined): Promise<ItemAnswer> {
    const { verb, id } = request
    const link = id === undefined ? account.resourceLink : `${account.resourceLink}/docs/${id}`
    const signed = await sign(verb, 'docs', link)
    const url = new URL(
      id === undefined ? itemsPath : `${itemsPath}/${encodeURIComponent(id)}`,
      await account.readEndpoint()
    )
    signal?.throwIfAborted()
    const headers = { ...FIXED_HEADERS, ...signed, ...request.headers }
    const { body } = request
    return toItemAnswer(
      await client.send({ target: urlToHttpOptions(url), method: verb, headers, body, signal, timeoutMs })
    )
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

// the answer of a proxy may not be JSON
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
