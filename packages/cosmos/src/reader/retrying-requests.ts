import { urlToHttpOptions } from 'node:url'
import { type Backoff, backoffMs, type Clock, retry, waitFor } from '@keystamp/core/internal'
import type { Account } from '../client/account.ts'
import { CosmosError, errorOfAnswer, errorWithoutAnswer } from '../client/cosmos-error.ts'
import { type AnswerBuffer, createHttpClient, type HttpAnswer, stringIn } from '../client/http-client.ts'

interface RetryingRequestsOptions {
  readonly account: Account
  readonly client: ItemClient
  /** Time for which one request is retried. */
  readonly retryForMs: number
  readonly clock: Clock
  readonly random: () => number
  /** Whether throttling is no failure: throttled requests are repeated without a time limit. Default: false. */
  readonly waitsForThroughput?: boolean
  /** Called with each failure after which the request is repeated. */
  readonly onFailure?: (error: CosmosError) => void
}

/** The final answer to a request: an item, a page, a missing item, an end, or a range that has moved. */
export interface RetriedAnswer extends ItemAnswer {
  /** Number of requests. */
  readonly requests: number
  /** RU of all these requests. */
  readonly chargeRu: number
  /** RU of the last request. */
  readonly lastChargeRu: number
}

export type RequestItem = (
  what: string,
  request: ItemRequest,
  signal: AbortSignal | undefined
) => Promise<RetriedAnswer>

/**
 * Creates a function that repeats a read until it has a final answer. Reads can be repeated safely. Returns 2xx, 304,
 * 404 for an item, 410 for a range that the caller must route again, and 400/1024 for a request that names a container
 * by its resource id. Throws for permanent errors, and for temporary errors that last longer than `retryForMs`.
 */
export function createRetryingRequests({
  account,
  client,
  retryForMs,
  clock,
  random,
  waitsForThroughput = false,
  onFailure
}: RetryingRequestsOptions): RequestItem {
  return async (what, request, signal) => {
    let requests = 0
    let chargeRu = 0
    let isRenewed = false
    try {
      for (let throttles = 0; ; throttles++) {
        const answer = await retryFailures()
        if (!(answer instanceof CosmosError)) return answer
        await waitFor(throttledMs(answer, throttles, random), clock, signal)
      }
    } catch (error) {
      // throws the caller's reason unchanged, which may be any value
      signal?.throwIfAborted()
      throw error
    }

    /** Repeats the request after failures. Returns the error of a throttled request if it is no failure. */
    function retryFailures(): Promise<RetriedAnswer | CosmosError> {
      return retry(() => (waitsForThroughput ? attempt().catch(throttlingOf) : attempt()), {
        clock,
        signal,
        backoff: { ...BACKOFF, random },
        timeoutMs: retryForMs,
        isRetriable: (error) => error instanceof CosmosError && error.retriable,
        retryAfterMs: (error) => (error as CosmosError).retryAfterMs,
        onRetry: (error) => {
          onFailure?.(error as CosmosError)
          if ((error as CosmosError).statusCode === 403) account.refreshEndpoints()
        }
      })
    }

    async function attempt(): Promise<RetriedAnswer> {
      requests++
      const answer = await sendOnce(what, request, signal)
      if (!(answer instanceof CosmosError)) {
        chargeRu += answer.chargeRu
        if (isSettled(answer, request)) return { ...answer, requests, chargeRu, lastChargeRu: answer.chargeRu }
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

function throttlingOf(error: unknown): CosmosError {
  if (error instanceof CosmosError && error.statusCode === THROTTLED) return error
  throw error
}

/** Wait after a throttled request. Cosmos DB may ask for no wait again and again, so the least wait grows. */
function throttledMs({ retryAfterMs }: CosmosError, throttles: number, random: () => number): number {
  const minMs = Math.min(MIN_THROTTLE_MS, 2 ** throttles)
  return Math.max(minMs, retryAfterMs ?? backoffMs(throttles, { ...BACKOFF, random }))
}

const THROTTLED = 429
const MIN_THROTTLE_MS = 16

// a page that is not JSON is incomplete, or comes from a proxy
function errorOf(what: string, answer: ItemAnswer, { blames, isCurrent }: ItemRequest): CosmosError {
  if (isCurrent?.(answer) === false) return errorOfAnswer(what, { ...answer, status: 404, subStatus: BEHIND })
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

function isSettled(answer: ItemAnswer, { id, isCurrent, rid }: ItemRequest): boolean {
  const { status, subStatus, body } = answer
  if (isCurrent?.(answer) === false) return false
  if (status === 200) return body !== undefined
  if (status === 304) return true
  if (status === 400) return rid !== undefined && subStatus === OTHER_CONTAINER
  if (status === 404) return id !== undefined && subStatus === 0
  return status === 410 && id === undefined && MOVED.has(subStatus)
}

/** Sub-status of 404: the replica does not have the changes of the session token yet. */
const BEHIND = 1002
/** Sub-status of 400: the request was for an earlier container of the same name. */
const OTHER_CONTAINER = 1024

/**
 * Sub-statuses of 410: the container was created again, the range no longer exists, or the range is being split or
 * moved.
 */
const MOVED: ReadonlySet<number> = new Set([1000, 1002, 1007, 1008])

const BACKOFF: Backoff = { firstMs: 100, maxMs: 2000 }

/** A request for one item, a query, or a page of a feed of the container. */
export interface ItemRequest {
  /** A DELETE is sent to the region for writes. */
  readonly verb: 'GET' | 'POST' | 'DELETE'
  /** Id of an item; undefined for a query. */
  readonly id?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Option of the caller that the error for a 400 names. */
  readonly blames?: string
  /** Resource id that the container must have. */
  readonly rid?: string
  /** Reads the body of a 200; undefined if it is incomplete. Default: parses the JSON. */
  readonly read?: (bytes: Buffer) => unknown
  /** False if the answer is older than the caller needs, so that the request is repeated. */
  readonly isCurrent?: (answer: Pick<ItemAnswer, 'status' | 'headers'>) => boolean
  /** Takes the body of the answer. Default: new memory. */
  readonly buffer?: AnswerBuffer | undefined
}

/** A successful or failed answer. */
export interface ItemAnswer {
  readonly status: number
  readonly subStatus: number
  readonly chargeRu: number
  readonly retryAfterMs: number | undefined
  readonly activityId: string | undefined
  readonly continuation: string | undefined
  readonly headers: HttpAnswer['headers']
  /** The body as `read` of the request returns it; undefined if it cannot be read. */
  readonly body: unknown
}

/** Sends requests for items over connections that are kept alive. */
export interface ItemClient {
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
      await (verb === 'DELETE' ? account.writeEndpoint() : account.readEndpoint())
    )
    signal?.throwIfAborted()
    const { body, rid, read, buffer } = request
    const headers = { ...FIXED_HEADERS, ...signed, ...(rid === undefined ? {} : { [RID]: rid }), ...request.headers }
    const target = urlToHttpOptions(url)
    return toItemAnswer(await client.send({ target, method: verb, headers, body, signal, timeoutMs, buffer }), read)
  }

  return { send, close: client.close }
}

const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'x-ms-version': '2020-07-15',
  accept: 'application/json',
  'x-ms-cosmos-sdk-supportedcapabilities': '1',
  'user-agent': 'keystamp'
}

const RID = 'x-ms-cosmos-intended-collection-rid'

function toItemAnswer(answer: HttpAnswer, read: ItemRequest['read']): ItemAnswer {
  const { status, headers } = answer
  return {
    status,
    subStatus: numberIn(headers['x-ms-substatus']) ?? 0,
    chargeRu: numberIn(headers['x-ms-request-charge']) ?? 0,
    retryAfterMs: numberIn(headers['x-ms-retry-after-ms']),
    activityId: stringIn(headers['x-ms-activity-id']),
    continuation: stringIn(headers['x-ms-continuation']),
    headers,
    body: status === 200 && read !== undefined ? read(answer.bytes) : parse(answer.text)
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
