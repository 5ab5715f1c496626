import type { RuBudget } from './ru-budget.ts'

/**
 * A budget that time fills, evenly and a little slower than the budget. What a late timer left over is made up for,
 * but in no sliding second does more leave it than the budget, or than one operation that costs more than that.
 */
export class LocalRuBudget implements RuBudget {
  readonly #ruPerSecond: number
  readonly #spent: SpentLastSecond = new SpentLastSecond()
  #level: number
  #filledMs: number
  /** Added once the first answer tells what operations cost: before that, a full budget would pay for too many. */
  #heldBackRu: number

  /** `isFirst`: nothing was spent on the range before, so that the budget makes up for the time before it as for a stall. */
  constructor(ruPerSecond: number, nowMs: number, { isFirst = false }: { readonly isFirst?: boolean } = {}) {
    this.#ruPerSecond = ruPerSecond
    this.#level = this.batchRu
    this.#filledMs = nowMs
    this.#heldBackRu = isFirst ? ruPerSecond * (MADE_UP_SHARE - BATCH_SHARE) : 0
  }

  get batchRu(): number {
    return this.#ruPerSecond * BATCH_SHARE
  }

  waitMs(nowMs: number, costRu: number): number {
    this.#fill(nowMs, costRu)
    // what rounding leaves is nothing to wait for
    const shortRu = costRu - this.#level - ROUNDING_RU
    const shortMs = (shortRu / (this.#ruPerSecond * PACE)) * 1000
    const waitMs = Math.max(shortMs, this.#spent.waitMs(nowMs, this.#ruPerSecond - costRu + ROUNDING_RU))
    // a clock that has run for a while cannot tell less: whoever waits for that would ask again in the same moment, for ever
    return waitMs > 0 ? Math.max(waitMs, MIN_WAIT_MS) : 0
  }

  // batches of one size seldom fill a second: without a smaller one now and then, up to a batch of each second would be left over
  partRu(nowMs: number, costRu: number): number {
    const leftRu = Math.min(this.#level, this.#ruPerSecond - this.#spent.sumRu(nowMs))
    return this.#level >= costRu && leftRu >= costRu * MIN_PART ? leftRu : 0
  }

  pay(nowMs: number, costRu: number): void {
    this.#fill(nowMs, costRu)
    this.#level -= costRu
    this.#spent.add(nowMs, costRu)
  }

  correct(nowMs: number, ru: number): void {
    this.#fill(nowMs, 0)
    this.#level = Math.min(this.#level + ru + this.#heldBackRu, this.#ruPerSecond * MADE_UP_SHARE)
    this.#heldBackRu = 0
    this.#spent.correct(ru)
  }

  refund(paidMs: number, nowMs: number, ru: number): void {
    this.#fill(nowMs, 0)
    this.#level = Math.min(this.#level + ru, this.#ruPerSecond * MADE_UP_SHARE)
    this.#spent.refund(paidMs, ru)
  }

  // one operation may cost more than the budget holds: for that one, and no longer, it holds more
  #fill(nowMs: number, costRu: number): void {
    const earned = (Math.max(0, nowMs - this.#filledMs) / 1000) * this.#ruPerSecond * PACE
    this.#filledMs = nowMs
    const most = Math.max(this.#ruPerSecond * MADE_UP_SHARE, costRu)
    if (this.#level < most) this.#level = Math.min(most, this.#level + earned)
  }
}

// The service counts by its own clock: what arrives late falls into the next second, so a pace of exactly the budget overdraws every other second.
const PACE = 0.985
/** Share of a second's budget that a batch may cost; a twentieth is promised, and what is learned of prices is not exact. */
const BATCH_SHARE = 0.04
/** Share of a second's budget that is made up for after a stall. */
const MADE_UP_SHARE = 0.12
/** Less than this part of a batch is not worth a request. */
const MIN_PART = 0.25
const ROUNDING_RU = 1e-6
const MIN_WAIT_MS = 0.001

/** What was spent within the last second, payment by payment. */
export class SpentLastSecond {
  #payments: { readonly atMs: number; ru: number }[] = []
  #first = 0
  #sum = 0

  add(nowMs: number, ru: number): void {
    this.#forget(nowMs)
    this.#payments.push({ atMs: nowMs, ru })
    this.#sum += ru
  }

  /** The last payment was so much too high; a negative number says too low. */
  correct(ru: number): void {
    if (this.#first === this.#payments.length) return
    this.#payments[this.#payments.length - 1].ru -= ru
    this.#sum -= ru
  }

  /** Returns what was paid at a moment; a payment that is older than a second does not count any more. */
  refund(paidMs: number, ru: number): void {
    let leftRu = ru
    for (let at = this.#payments.length - 1; at >= this.#first && this.#payments[at].atMs >= paidMs; at--) {
      const payment = this.#payments[at]
      if (payment.atMs !== paidMs) continue
      // A correction may have taken some of it already: a payment below zero would let the next second spend too much.
      const partRu = Math.min(leftRu, Math.max(0, payment.ru))
      payment.ru -= partRu
      this.#sum -= partRu
      leftRu -= partRu
    }
  }

  /** What was spent within the last second. */
  sumRu(nowMs: number): number {
    this.#forget(nowMs)
    return this.#sum
  }

  /** Milliseconds until no more than `mostRu` was spent within the last second, or until nothing was. */
  waitMs(nowMs: number, mostRu: number): number {
    this.#forget(nowMs)
    let left = this.#sum
    let at = this.#first
    while (left > mostRu && at < this.#payments.length) left -= this.#payments[at++].ru
    return at === this.#first ? 0 : this.#payments[at - 1].atMs + SECOND_MS - nowMs
  }

  #forget(nowMs: number): void {
    while (this.#first < this.#payments.length && this.#payments[this.#first].atMs + SECOND_MS <= nowMs)
      this.#sum -= this.#payments[this.#first++].ru
    if (this.#first === this.#payments.length) this.#clear()
    else if (this.#first > KEPT) this.#payments = this.#payments.slice(this.#first)
    if (this.#first > KEPT) this.#first = 0
  }

  // what adding and taking away leaves of rounding does not add up
  #clear(): void {
    this.#payments = []
    this.#first = 0
    this.#sum = 0
  }
}

const SECOND_MS = 1000
const KEPT = 256
