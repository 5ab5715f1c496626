import type { RuBudget } from './ru-budget.ts'

/** How much of the service a range may be asked for, and when. */
export class RangeGovernor {
  readonly concurrency: Concurrency = new Concurrency()
  budget: RuBudget
  #pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor(budget: RuBudget) {
    this.budget = budget
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

/** How many requests may be out at once: one more for each good round, half as many after being throttled. */
export class Concurrency {
  #limit = START
  #isLearning = true
  #bestMs = Number.POSITIVE_INFINITY

  get limit(): number {
    return Math.floor(this.#limit)
  }

  /** A request was answered without a word of throttling, and it was one of as many as were allowed. */
  increase(): void {
    this.#limit = Math.min(MOST, this.#limit + (this.#isLearning ? 1 : 1 / this.#limit))
  }

  /**
   * The same for a batch that was as large as batches can be, so that nothing holds the range back but how soon it answers. That is good
   * only while answers come about as soon as they ever did: more requests would wait elsewhere, and all that they hold with them.
   */
  answeredWhole(latencyMs: number): void {
    this.#bestMs = Math.min(latencyMs, this.#bestMs * FORGETTING)
    if (latencyMs > this.#bestMs * LATE + LATE_MS) this.#ease()
    else this.increase()
  }

  decrease(): void {
    this.#isLearning = false
    this.#limit = Math.max(1, this.#limit / 2)
  }

  // one late answer says little, a round of them says one request too many
  #ease(): void {
    this.#isLearning = false
    if (this.#limit > EASED) this.#limit = Math.max(EASED, this.#limit - 1 / 2)
  }
}

const START = 2
const MOST = 32
const EASED = 4
/** An answer that took so many times the best, and a little, waited in line somewhere. */
const LATE = 2
const LATE_MS = 2
/** What was best once need not be possible for ever: it is forgotten over some thousand answers. */
const FORGETTING = 1.0005
