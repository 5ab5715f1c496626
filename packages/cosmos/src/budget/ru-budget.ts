/** Request units that may be sent to a range. */
export interface RuBudget {
  /** Upper bound for the cost of a batch; infinite where no budget is known. */
  readonly batchRu: number
  /** Milliseconds until this cost can be paid; 0 for now. Infinite where the budget calls back instead. */
  readonly waitMs: (nowMs: number, costRu: number) => number
  /**
   * RU that can be paid now for a part of a batch of this cost, where the batch waits only because the second is almost
   * spent; 0 where a part is not worth a request.
   */
  readonly partRu: (nowMs: number, costRu: number) => number
  readonly pay: (nowMs: number, costRu: number) => void
  /** Returns what was paid too much; a negative number takes what was paid too little. */
  readonly correct: (nowMs: number, ru: number) => void
  /** Returns a payment of the moment `paidMs` whose request was never sent. */
  readonly refund: (paidMs: number, nowMs: number, ru: number) => void
}

/** RU that were paid for one request, and when. */
export interface Payment {
  readonly budget: RuBudget
  readonly ru: number
  readonly atMs: number
}

/** For ranges without a known budget: only throttling limits them. */
export const UNLIMITED: RuBudget = {
  batchRu: Number.POSITIVE_INFINITY,
  waitMs: () => 0,
  partRu: () => 0,
  pay: () => undefined,
  correct: () => undefined,
  refund: () => undefined
}

/**
 * An RU budget that fills with time, evenly and a little slower than the RU per second. It makes up for what a late
 * timer left over, but in no sliding second does it pay more than the RU per second, except for one operation that
 * costs more than that.
 */
export class LocalRuBudget implements RuBudget {
  readonly #ruPerSecond: number
  readonly #spent: SpentLastSecond = new SpentLastSecond()
  #level: number
  #filledMs: number
  /**
   * Added after the first answer, which shows what operations cost: before that, a full budget would pay for too many.
   */
  #heldBackRu: number

  /**
   * With `isFirst` nothing was spent on the range before: the budget makes up for the time before, as after a stall.
   */
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
    // rounding errors are not worth a wait
    const shortRu = costRu - this.#level - ROUNDING_RU
    const shortMs = (shortRu / (this.#ruPerSecond * PACE)) * 1000
    const waitMs = Math.max(shortMs, this.#spent.waitMs(nowMs, this.#ruPerSecond - costRu + ROUNDING_RU))
    // below the clock's resolution a timer would fire immediately and spin
    return waitMs > 0 ? Math.max(waitMs, MIN_WAIT_MS) : 0
  }

  // batches of one size seldom fill a second exactly: without a smaller batch now and then, up to one batch of each
  // second would be left over
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

  // one operation may cost more than the whole budget: for this operation only, the budget is larger
  #fill(nowMs: number, costRu: number): void {
    const earned = (Math.max(0, nowMs - this.#filledMs) / 1000) * this.#ruPerSecond * PACE
    this.#filledMs = nowMs
    const most = Math.max(this.#ruPerSecond * MADE_UP_SHARE, costRu)
    if (this.#level < most) this.#level = Math.min(most, this.#level + earned)
  }
}

// Cosmos DB counts by its own clock: a late request falls into the next second, so a pace of exactly the budget
// overdraws every other second.
const PACE = 0.985
/**
 * Share of a second's budget that a batch may cost: the documented limit is a twentieth, and learned prices are not
 * exact.
 */
const BATCH_SHARE = 0.04
/** Share of a second's budget that is made up for after a stall. */
const MADE_UP_SHARE = 0.12
/** The smallest part of a batch that is worth a request. */
const MIN_PART = 0.25
const ROUNDING_RU = 1e-6
const MIN_WAIT_MS = 0.001

/** RU spent within the last second, payment by payment. */
class SpentLastSecond {
  #payments: { readonly atMs: number; ru: number }[] = []
  #first = 0
  #sum = 0

  add(nowMs: number, ru: number): void {
    this.#forget(nowMs)
    this.#payments.push({ atMs: nowMs, ru })
    this.#sum += ru
  }

  /** Corrects the last payment by what it was too high; a negative number means too low. */
  correct(ru: number): void {
    if (this.#first === this.#payments.length) return
    this.#payments[this.#payments.length - 1].ru -= ru
    this.#sum -= ru
  }

  /** Returns RU that were paid at a moment; a payment that is older than a second does not count any more. */
  refund(paidMs: number, ru: number): void {
    let leftRu = ru
    for (let at = this.#payments.length - 1; at >= this.#first && this.#payments[at].atMs >= paidMs; at--) {
      const payment = this.#payments[at]
      if (payment.atMs !== paidMs) continue
      // a correction may have taken some of it already: a payment below zero would let the next second spend too much
      const partRu = Math.min(leftRu, Math.max(0, payment.ru))
      payment.ru -= partRu
      this.#sum -= partRu
      leftRu -= partRu
    }
  }

  /** RU that were spent within the last second. */
  sumRu(nowMs: number): number {
    this.#forget(nowMs)
    return this.#sum
  }

  /** Milliseconds until no more than `maxRu` was spent within the last second, or until nothing was. */
  waitMs(nowMs: number, maxRu: number): number {
    this.#forget(nowMs)
    let left = this.#sum
    let at = this.#first
    while (left > maxRu && at < this.#payments.length) left -= this.#payments[at++].ru
    return at === this.#first ? 0 : this.#payments[at - 1].atMs + SECOND_MS - nowMs
  }

  #forget(nowMs: number): void {
    while (this.#first < this.#payments.length && this.#payments[this.#first].atMs + SECOND_MS <= nowMs)
      this.#sum -= this.#payments[this.#first++].ru
    if (this.#first === this.#payments.length) this.#clear()
    else if (this.#first > KEPT) this.#payments = this.#payments.slice(this.#first)
    if (this.#first > KEPT) this.#first = 0
  }

  // drops the sum of rounding errors
  #clear(): void {
    this.#payments = []
    this.#first = 0
    this.#sum = 0
  }
}

const SECOND_MS = 1000
const KEPT = 256
