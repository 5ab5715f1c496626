import type { Purse } from './purse.ts'

/**
 * A purse that time fills. In any sliding second no more leaves it than a second's budget and one batch:
 * it holds one batch and what pacing a little below the budget leaves over, which makes up for timers that come late.
 */
export class TimedPurse implements Purse {
  readonly #ruPerSecond: number
  #level: number
  #filledMs: number

  constructor(ruPerSecond: number, nowMs: number) {
    this.#ruPerSecond = ruPerSecond
    this.#level = this.#capacity
    this.#filledMs = nowMs
  }

  get batchRu(): number {
    return this.#ruPerSecond * BATCH_SHARE
  }

  waitMs(nowMs: number, costRu: number): number {
    this.#fill(nowMs, costRu)
    if (this.#level >= costRu) return 0
    return ((costRu - this.#level) / (this.#ruPerSecond * PACE)) * 1000
  }

  pay(nowMs: number, costRu: number): void {
    this.#fill(nowMs, costRu)
    this.#level -= costRu
  }

  correct(nowMs: number, ru: number): void {
    this.#fill(nowMs, 0)
    this.#level = Math.min(this.#level + ru, this.#capacity)
  }

  get #capacity(): number {
    return this.#ruPerSecond * (MOST_SHARE + 1 - PACE)
  }

  // one operation may cost more than a batch should: for that one, and no longer, the purse holds more
  #fill(nowMs: number, costRu: number): void {
    const earned = (Math.max(0, nowMs - this.#filledMs) / 1000) * this.#ruPerSecond * PACE
    this.#filledMs = nowMs
    const most = Math.max(this.#capacity, costRu)
    if (this.#level < most) this.#level = Math.min(most, this.#level + earned)
  }
}

// The service counts by its own clock: what arrives late falls into the next second, so a pace of exactly the budget overdraws every other second.
const PACE = 0.985
/** Share of a second that a batch may cost at most. */
const MOST_SHARE = 0.05
const BATCH_SHARE = 0.04
