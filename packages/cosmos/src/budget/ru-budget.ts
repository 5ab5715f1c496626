/** Request units that may be sent to a range. */
export interface RuBudget {
  /** Upper bound for the cost of a batch; infinite where no budget is known. */
  readonly batchRu: number
  /** Milliseconds until this cost can be paid; 0 for now. Infinite where the budget calls back instead. */
  readonly waitMs: (nowMs: number, costRu: number) => number
  /**
   * RU that can be paid now for a part of a batch of this cost, where the batch waits only because the second is almost spent; 0 where a part is
   * not worth a request.
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
