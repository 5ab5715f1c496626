import { Concurrency } from './concurrency.ts'
import type { Purse } from './purse.ts'

/** How much of the service a range may be asked for, and when. */
export class RangeGovernor {
  readonly concurrency: Concurrency = new Concurrency()
  purse: Purse
  #pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor(purse: Purse) {
    this.purse = purse
  }

  /** Sends nothing before this moment; the latest of several holds. */
  pauseUntil(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, ms)
  }

  /** Milliseconds that are left of a pause. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.#pausedUntilMs - nowMs)
  }

  /** Being throttled: one pause for the range, however many operations were told to wait, and fewer requests at once. */
  throttled(nowMs: number, retryAfterMs: number): void {
    if (this.pauseMs(nowMs) === 0) this.concurrency.decrease()
    this.pauseUntil(nowMs + retryAfterMs)
  }
}
