import { type Backoff, type Clock, retry } from '@keystamp/core/internal'
import type { Account } from '../client/account.ts'
import type { ContainerGuard } from '../client/container-guard.ts'
import { CosmosError, errorOfAnswer } from '../client/cosmos-error.ts'
import { stringIn } from '../client/http-client.ts'
import {
  createRetryingRequests,
  type ItemAnswer,
  type ItemClient,
  type ItemRequest,
  type RetriedAnswer
} from '../reader/retrying-requests.ts'
import type { RangePace } from './feed-pace.ts'

/** Counters of the reads of a container, which only grow. */
export interface FeedCounters {
  /** Requests, including repeated ones. */
  requests: number
  chargeRu: number
  /** Answers with the status 429. */
  throttled: number
  /** Requests without a readable answer, and answers with another temporary status. */
  failed: number
  /** Milliseconds for which requests have waited for their share of the throughput, all together. */
  pacedMs: number
}

/** A failure after which a read was repeated. */
export interface FeedFailure {
  /** Sentence with the cause. */
  readonly message: string
  /** `performance.now()` at the failure. */
  readonly atMs: number
}

/** A read, and the part of the throughput that it uses. */
export interface FeedRequest {
  /** Part of error messages, such as "reading the change feed of range 0". */
  readonly what: string
  readonly request: Omit<ItemRequest, 'rid'>
  readonly pace: RangePace
  /** RU that the request is expected to cost. */
  readonly expectedRu: number
  readonly signal: AbortSignal
}

interface FeedRequestsOptions {
  readonly account: Account
  readonly client: ItemClient
  readonly guard: ContainerGuard
  /** Resource id of the container. */
  readonly rid: string
  readonly retryForMs: number
  readonly clock: Clock
  readonly random: () => number
}

/** Sends the reads of one container at their pace, counts them, and repeats them after temporary failures. */
export class FeedRequests {
  readonly counters: FeedCounters = { requests: 0, chargeRu: 0, throttled: 0, failed: 0, pacedMs: 0 }
  lastFailure: FeedFailure | undefined
  /** Moments at which the requests without an answer were sent, in order. */
  readonly #sent: Set<{ readonly atMs: number }> = new Set()
  readonly #options: FeedRequestsOptions

  constructor(options: FeedRequestsOptions) {
    this.#options = options
  }

  /** When the oldest request without an answer was sent. */
  get unansweredSinceMs(): number | undefined {
    const [oldest] = this.#sent
    return oldest?.atMs
  }

  /**
   * Returns the final answer; or an error after which the caller must find the range again and send another request.
   * Throws CONTAINER_RECREATED if the answer is from another container with the same name.
   */
  async send({ what, request, pace, expectedRu, signal }: FeedRequest): Promise<RetriedAnswer | CosmosError> {
    const { account, guard, rid, retryForMs, clock, random } = this.#options
    const send = createRetryingRequests({
      account,
      client: this.#paced(pace, expectedRu),
      retryForMs,
      clock,
      random,
      waitsForThroughput: true,
      onFailure: (error) => this.#fail(error)
    })
    const answer = await send(what, { ...request, rid }, signal)
    const { status, subStatus } = answer
    const answeredBy = stringIn(answer.headers['x-ms-content-path'])
    const isOurs = answeredBy === undefined || (await guard.confirm(answeredBy))
    if (!isOurs || status === 400 || (status === 410 && subStatus === NAME_IS_STALE)) {
      // the guard may have ended all reads
      signal.throwIfAborted()
      const failure = await retriableErrorOf(guard.check())
      if (failure instanceof CosmosError) return failure
    }
    if (isOurs && status !== 400 && status !== 410) return answer
    // 400: the service had a stale name, since the container is the same
    return errorOfAnswer(what, { ...answer, status: 410 })
  }

  /** Repeats an operation while it returns an error. Throws the last one after `retryForMs`. */
  untilFound<T>(operation: () => Promise<T | CosmosError>, signal: AbortSignal): Promise<T> {
    const { retryForMs, clock, random } = this.#options
    let returned: CosmosError | undefined
    return retry(
      async () => {
        const result = await operation()
        if (!(result instanceof CosmosError)) return result
        returned = result
        throw result
      },
      {
        clock,
        signal,
        backoff: { ...BACKOFF, random },
        timeoutMs: retryForMs,
        isRetriable: (error) => error === returned,
        onRetry: () => this.#fail(returned!)
      }
    )
  }

  #paced(pace: RangePace, expectedRu: number): ItemClient {
    const { client } = this.#options
    return {
      close: client.close,
      send: async (request, signal) => {
        const askedMs = this.#options.clock.now()
        await pace.take(expectedRu, signal)
        const sent = { atMs: this.#options.clock.now() }
        this.counters.pacedMs += sent.atMs - askedMs
        this.#sent.add(sent)
        // a request without an answer may have been charged, too
        let chargeRu = expectedRu
        this.counters.requests++
        try {
          const answer = await client.send(request, signal)
          ;({ chargeRu } = answer)
          this.#count(answer)
          return answer
        } catch (error) {
          this.counters.failed++
          throw error
        } finally {
          this.#sent.delete(sent)
          pace.correct(expectedRu, chargeRu)
        }
      }
    }
  }

  #fail({ message }: CosmosError): void {
    this.lastFailure = { message, atMs: this.#options.clock.now() }
  }

  #count({ status, chargeRu }: ItemAnswer): void {
    this.counters.chargeRu += chargeRu
    if (status === 429) this.counters.throttled++
    else if (status >= 400 && status !== 404) this.counters.failed++
  }
}

/** Waits for a read of metadata. Returns its error if it is temporary. */
export async function retriableErrorOf<T>(reading: Promise<T>): Promise<T | CosmosError> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof CosmosError && error.retriable) return error
    throw error
  }
}

const BACKOFF: Backoff = { firstMs: 100, maxMs: 2000 }
/** Sub-status of 410: the name of the container may have another resource id. */
const NAME_IS_STALE = 1000
