/** The request units that a range may be sent. */
export interface RuBudget {
  /** Most that one batch may cost; infinite where no budget is known. */
  readonly batchRu: number
  /** Milliseconds until this much can be paid; 0 for now. Infinite where only a call back will tell. */
  readonly waitMs: (nowMs: number, costRu: number) => number
  /** What can be paid now of a batch that costs this much and has to wait only because the second is almost spent; 0 for nothing worth a request. */
  readonly partRu: (nowMs: number, costRu: number) => number
  readonly pay: (nowMs: number, costRu: number) => void
  /** Gives back what was paid too much, or takes what was paid too little. */
  readonly correct: (nowMs: number, ru: number) => void
  /** Returns a payment of the moment `paidMs` whose request was never sent. */
  readonly refund: (paidMs: number, nowMs: number, ru: number) => void
}

/** What was paid for one request, and when. */
export interface Payment {
  readonly budget: RuBudget
  readonly ru: number
  readonly atMs: number
}

/** For ranges of which no budget is known: what the service refuses is the only limit. */
export const UNLIMITED: RuBudget = {
  batchRu: Number.POSITIVE_INFINITY,
  waitMs: () => 0,
  partRu: () => 0,
  pay: () => undefined,
  correct: () => undefined,
  refund: () => undefined
}
