/** Request units that may be sent to a range. */
export interface RuBudget {
  /** Upper bound for the cost of a batch; infinite if no budget is known. */
  readonly batchRu: number
  /**
   * Milliseconds until the budget can pay this cost; 0 if it can pay now. Infinity if the budget will call `wake`
   * instead.
   */
  readonly waitMs: (nowMs: number, costRu: number) => number
  /**
   * RU that the budget can pay now for a part of a batch of this cost, if the batch waits only because the current
   * second is almost spent. 0 if a part is not worth a request.
   */
  readonly partRu: (nowMs: number, costRu: number) => number
  readonly pay: (nowMs: number, costRu: number) => void
  /** Gives back RU that were paid in excess; a negative number takes missing RU. */
  readonly correct: (nowMs: number, ru: number) => void
  /** Gives back a payment that was made at `paidMs` and whose request was never sent. */
  readonly refund: (paidMs: number, nowMs: number, ru: number) => void
}

/** RU that were paid for one request, and the time of the payment. */
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
 * An RU budget that fills evenly with time, a little slower than the RU per second. After a late timer, it pays the RU
 * that were left over. But no sliding second pays more than the RU per second, except for one operation that costs
 * more.
 */
export class LocalRuBudget implements RuBudget {
  readonly #ruPerSecond: number
  readonly #spent: SpentLastSecond = new SpentLastSecond()
  #level: number
  #filledMs: number
  /**
   * RU that are added after the first answer, which shows the cost of operations. Before that answer, a full budget
   * could pay for too many operations.
   */
  #withheldRu: number

  /** `isFirst`: nothing was spent on the range before, so the budget starts with unused RU, as after a stall. */
  constructor(ruPerSecond: number, nowMs: number, { isFirst = false }: { readonly isFirst?: boolean } = {}) {
    this.#ruPerSecond = ruPerSecond
    this.#level = this.batchRu
    this.#filledMs = nowMs
    this.#withheldRu = isFirst ? ruPerSecond * (STALL_SHARE - BATCH_SHARE) : 0
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
    // with a wait below the clock's resolution, a timer would fire at once, again and again
    return waitMs > 0 ? Math.max(waitMs, MIN_WAIT_MS) : 0
  }

  // batches of equal size rarely fill a second exactly: without smaller batches, up to one batch of each second would
  // be left over
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
    this.#level = Math.min(this.#level + ru + this.#withheldRu, this.#ruPerSecond * STALL_SHARE)
    this.#withheldRu = 0
    this.#spent.correct(ru)
  }

  refund(paidMs: number, nowMs: number, ru: number): void {
    this.#fill(nowMs, 0)
    this.#level = Math.min(this.#level + ru, this.#ruPerSecond * STALL_SHARE)
    this.#spent.refund(paidMs, ru)
  }

  // one operation may cost more than the budget can hold: for this operation, the maximum of the budget is its cost
  #fill(nowMs: number, costRu: number): void {
    const earned = (Math.max(0, nowMs - this.#filledMs) / 1000) * this.#ruPerSecond * PACE
    this.#filledMs = nowMs
    const max = Math.max(this.#ruPerSecond * STALL_SHARE, costRu)
    if (this.#level < max) this.#level = Math.min(max, this.#level + earned)
  }
}

// Cosmos DB counts with its own clock, and a late request counts for the next second. With a pace of exactly the
// budget, every second second would exceed it.
const PACE = 0.985
/**
 * Share of a second's budget that a batch may cost. The documented limit is a twentieth; the share is smaller, because
 * learned prices are not exact.
 */
const BATCH_SHARE = 0.04
/** Share of a second's budget that can be spent at once after a stall. */
const STALL_SHARE = 0.12
/** The smallest part of a batch that is worth a request. */
const MIN_PART = 0.25
const ROUNDING_RU = 1e-6
const MIN_WAIT_MS = 0.001

/** Payments of the last second. */
class SpentLastSecond {
  #payments: { readonly atMs: number; ru: number }[] = []
  #first = 0
  #sum = 0

  add(nowMs: number, ru: number): void {
    this.#forget(nowMs)
    this.#payments.push({ atMs: nowMs, ru })
    this.#sum += ru
  }

  /** Lowers the last payment by `ru`; a negative number raises it. */
  correct(ru: number): void {
    if (this.#first === this.#payments.length) return
    this.#payments[this.#payments.length - 1].ru -= ru
    this.#sum -= ru
  }

  /** Gives back RU that were paid at `paidMs`. A payment that is older than a second no longer counts. */
  refund(paidMs: number, ru: number): void {
    let leftRu = ru
    for (let at = this.#payments.length - 1; at >= this.#first && this.#payments[at].atMs >= paidMs; at--) {
      const payment = this.#payments[at]
      if (payment.atMs !== paidMs) continue
      // a correction may already have lowered this payment: a negative payment would let the next second spend too much
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

  /** Milliseconds until at most `maxRu` of the last second is spent; for a negative `maxRu`, until nothing is spent. */
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

  // also removes the rounding errors of the sum
  #clear(): void {
    this.#payments = []
    this.#first = 0
    this.#sum = 0
  }
}

const SECOND_MS = 1000
const KEPT = 256
