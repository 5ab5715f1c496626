import type { Account } from '../client/account.ts'
import { CosmosError, errorOfAnswer, errorWithoutAnswer } from '../client/cosmos-error.ts'
import type { ItemAnswer, ItemRequest, ItemClient } from './item-requests.ts'

/** Options of retrying requests. */
export interface RetryOptions {
  readonly account: Account
  readonly client: ItemClient
  /** How long one request is retried. */
  readonly retryForMs: number
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** The final answer of a request: an item, a page, no such item, or a range that has moved. */
export interface RetriedAnswer extends ItemAnswer {
  /** Number of requests. */
  readonly requests: number
  /** RU of all requests. */
  readonly chargeRu: number
}

export type RequestItem = (what: string, request: ItemRequest, signal: AbortSignal | undefined) => Promise<RetriedAnswer>

/**
 * Repeats a read until it is answered: reading twice does no harm. Returns 2xx, 404 of an item, and 410 of a range, which the caller
 * must route again. Throws for errors that waiting does not fix, or does not fix in time.
 */
export function createRetryingRequests({ account, client, retryForMs, now, random, sleep }: RetryOptions): RequestItem {
  return async (what, request, signal) => {
    const deadlineMs = now() + retryForMs
    let chargeRu = 0
    let isRenewed = false
    for (let requests = 1; ; requests++) {
      const answer = await sendOnce(what, request, signal)
      if (!(answer instanceof CosmosError)) {
        chargeRu += answer.chargeRu
        if (isSettled(answer, request)) return { ...answer, requests, chargeRu }
      }
      const error = answer instanceof CosmosError ? answer : errorOf(what, answer, request)
      if (error.statusCode === 401 && !isRenewed) {
        isRenewed = true
        account.renewSignatures()
        continue
      }
      const waitMs = error.retryAfterMs ?? backoffMs(requests, random)
      if (!error.retriable || now() + waitMs > deadlineMs) throw error
      if (error.statusCode === 403) account.refreshEndpoints()
      await sleep(waitMs, signal)
    }
  }

  async function sendOnce(what: string, request: ItemRequest, signal: AbortSignal | undefined): Promise<ItemAnswer | CosmosError> {
    try {
      return await client.send(request, signal)
    } catch (error) {
      signal?.throwIfAborted()
      return errorWithoutAnswer(what, error)
    }
  }
}

// a page that is not JSON was truncated, or comes from a proxy
function errorOf(what: string, answer: ItemAnswer, { blames }: ItemRequest): CosmosError {
  if (answer.status === 400 && blames !== undefined) return refusedQuery(what, answer, blames)
  return answer.status === 200 ? errorWithoutAnswer(what, { code: 'an answer that is no JSON' }) : errorOfAnswer(what, answer)
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

// values are parameters, so the message of the service holds only the caller's own condition
function reasonIn(body: unknown): string | undefined {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  if (typeof message !== 'string') return undefined
  const errors = [...message.matchAll(/"message"\s*:\s*("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text) as string)
  const whole = errors.length > 0 ? errors.join(' ') : message.split(/\r?\n|,? ?ActivityId/, 1)[0]
  return whole.length > MAX_REASON ? `${whole.slice(0, MAX_REASON)}...` : whole
}

const MAX_REASON = 300

function isSettled({ status, subStatus, body }: ItemAnswer, { id }: ItemRequest): boolean {
  if (status === 200) return body !== undefined
  if (status === 404) return id !== undefined && subStatus === 0
  return status === 410 && id === undefined && MOVED.has(subStatus)
}

/** The container was created again, or the range is gone, or is being split or moved. */
const MOVED: ReadonlySet<number> = new Set([1000, 1002, 1007, 1008])

const FIRST_MS = 50
const MAX_MS = 2000

function backoffMs(requests: number, random: () => number): number {
  return random() * Math.min(MAX_MS, FIRST_MS * 2 ** requests)
}
