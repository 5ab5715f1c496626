import type { Purse } from './purse.ts'
import type { Lease, RuGrant } from '../lease/lease.ts'
import type { LedgerReport } from '../lease/ledger.ts'
import { Spendings } from './spendings.ts'

/** Where request units are leased from. */
export type RuLease = Pick<Lease, 'ask' | 'tell' | 'correct'>

export interface LeasedPurseOptions {
  readonly lease: RuLease
  readonly rangeId: string
  readonly ruPerSecond: number
  /** Called when what was asked for has come. */
  readonly wake: () => void
}

/** A purse that is filled from a lease, a batch at a time; what is not spent in its time is given back. */
export class LeasedPurse implements Purse {
  readonly #options: LeasedPurseOptions
  readonly #spendings: Spendings = new Spendings()
  #grant: RuGrant | undefined
  /** What is left of it, in prices. */
  #left = 0
  /** How much it was asked for beyond the price. */
  #dearness = 1
  #isAsking = false
  /** What there is was offered for a part of a batch. */
  #isOffered = false

  constructor(options: LeasedPurseOptions) {
    this.#options = options
  }

  get batchRu(): number {
    return (this.#options.ruPerSecond * BATCH_SHARE) / this.#spendings.dearness
  }

  waitMs(nowMs: number, costRu: number): number {
    const leftRu = this.#leftRu(nowMs)
    if (this.#grant !== undefined && nowMs < this.#grant.fromMs) return this.#grant.fromMs - nowMs
    if (leftRu >= costRu - ROUNDING_RU) return 0
    if (!this.#isOffered && leftRu >= costRu * LEAST_PART) return ASK_AGAIN_MS
    if (!this.#isAsking) void this.#ask(costRu)
    return Number.POSITIVE_INFINITY
  }

  partRu(nowMs: number, costRu: number): number {
    const leftRu = this.#leftRu(nowMs)
    if (this.#grant === undefined || nowMs < this.#grant.fromMs || this.#isOffered || leftRu < costRu * LEAST_PART) return 0
    this.#isOffered = true
    return leftRu
  }

  pay(nowMs: number, costRu: number): void {
    this.#left -= costRu
    this.#isOffered = false
    if (this.#grant !== undefined) this.#spendings.pay(nowMs - this.#grant.startMs, costRu, costRu * this.#dearness)
  }

  correct(_nowMs: number, ru: number): void {
    const { lease, rangeId, ruPerSecond } = this.#options
    const restRu = this.#spendings.correct(ru)
    lease.correct(rangeId, restRu)
    const reports = restRu < -ruPerSecond * TOLD_SHARE ? this.#spendings.reports() : []
    if (reports.length > 0) lease.tell(rangeId, reports)
  }

  refund(_paidMs: number, _nowMs: number, ru: number): void {
    this.#options.lease.correct(this.#options.rangeId, this.#spendings.refund(ru))
  }

  /** What is left of the grant; what has not been spent in its time is nothing. */
  #leftRu(nowMs: number): number {
    if (this.#grant !== undefined && nowMs > this.#grant.untilMs) this.#close()
    return this.#left
  }

  #close(): void {
    if (this.#left > 0) this.#options.lease.correct(this.#options.rangeId, this.#left * this.#dearness)
    this.#spendings.close()
    this.#grant = undefined
    this.#left = 0
  }

  async #ask(costRu: number): Promise<void> {
    this.#isAsking = true
    // a part is of no use to one large operation, nor where there was one that nothing could be sent for
    const leastPart = this.#isOffered || costRu > this.batchRu ? 1 : LEAST_PART
    this.#close()
    this.#dearness = this.#spendings.dearness
    const { lease, rangeId, ruPerSecond } = this.#options
    const leastRu = costRu * leastPart * this.#dearness
    const mostRu = Math.max(costRu, ruPerSecond * ASKED_SHARE) * this.#dearness
    const reports = (): readonly LedgerReport[] => this.#spendings.reports()
    const granted = await lease.ask(rangeId, { leastRu, mostRu, reports }).catch(() => undefined)
    this.#isAsking = false
    // a lease that was closed gives nothing, and nobody is woken for it
    if (granted === undefined) return
    this.#grant = granted
    this.#left = granted.ru / this.#dearness
    this.#isOffered = false
    this.#spendings.open(granted)
    this.#options.wake()
  }
}

/** Share of a second's budget that a batch may cost; a twentieth is promised, and what is learned of prices is not exact. */
const BATCH_SHARE = 0.04
/** Share of a second's budget that is asked for where a batch costs less, so that lone operations do not have to ask each. */
const ASKED_SHARE = 0.01
/** Less than this part of a batch is not worth a request. */
const LEAST_PART = 0.25
/** Who spent this part of a second more than was leased tells the others at once. */
const TOLD_SHARE = 0.005
const ASK_AGAIN_MS = 1
const ROUNDING_RU = 1e-6
