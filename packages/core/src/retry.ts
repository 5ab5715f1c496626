import { type Clock, type StopSignal, waitFor } from './clock.ts'
import { createRunTime, type RunTime } from './run-time.ts'

/**
 * How the wait between two attempts grows: the limit starts at `firstMs` and doubles with each attempt, up to `maxMs`.
 */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
  /**
   * Returns random numbers from 0 up to, but not including, 1. With it, each wait is a random part of the limit ("full
   * jitter"), so that many clients do not retry at the same moment. Without it, each wait is the limit itself, which is
   * constant if `firstMs` equals `maxMs`.
   */
  readonly random?: (() => number) | undefined
}

const MAX_DOUBLINGS = 20

/** Milliseconds to wait after the attempt with this number; the first one has the number 0. Never less than 1. */
export function backoffMs(attempt: number, { firstMs, maxMs, random }: Backoff): number {
  const limit = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, MAX_DOUBLINGS))
  return random === undefined ? Math.max(1, limit) : 1 + random() * limit
}

export interface RetryOptions {
  readonly clock: Clock
  readonly backoff: Backoff
  /** Whether another attempt can succeed after this error. Default: always. */
  readonly isRetriable?: (error: unknown) => boolean
  /**
   * Wait that the error itself requests, for example by `x-ms-retry-after-ms`; undefined: the wait according to
   * `backoff`.
   */
  readonly retryAfterMs?: (error: unknown) => number | undefined
  /**
   * Throws the last error instead of waiting beyond this time after the first error, without the time in which the
   * process did not run. Default: no limit.
   */
  readonly timeoutMs?: number
  /** Ends the waiting; a running attempt has to watch the signal itself. */
  readonly signal?: StopSignal | undefined
  /** Called before each wait, to log or count it. */
  readonly onRetry?: (error: unknown, waitMs: number, attempt: number) => void
}

/**
 * Repeats an operation until it succeeds, an error is not retriable, or the time is over. Passes the number of the
 * attempt to the operation, starting at 0.
 */
export async function retry<T>(operation: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, backoff, timeoutMs = Number.POSITIVE_INFINITY, signal } = options
  let failing: RunTime | undefined
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return await operation(attempt)
      } catch (error) {
        if (signal?.aborted === true || options.isRetriable?.(error) === false) throw error
        const waitMs = options.retryAfterMs?.(error) ?? backoffMs(attempt, backoff)
        // without a limit, the time does not matter
        if (timeoutMs < Number.POSITIVE_INFINITY) failing ??= createRunTime(clock, timeoutMs, clock.schedule)
        if (failing !== undefined && failing.ms() + waitMs > timeoutMs) throw error
        options.onRetry?.(error, waitMs, attempt)
        await waitFor(waitMs, clock, signal)
      }
    }
  } finally {
    failing?.stop()
  }
}
