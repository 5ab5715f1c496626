import type { Lease, RuGrant } from './lease.ts'
import type { LedgerReport } from './ledger.ts'
import type { RuBudget } from './ru-budget.ts'

/** Where request units are leased from. */
export type RuLease = Pick<Lease, 'ask' | 'tell' | 'correct'>

export interface SharedRuBudgetOptions {
  readonly lease: RuLease
  readonly rangeId: string
  readonly ruPerSecond: number
  /** Called when what was asked for has come. */
  readonly wake: () => void
}

/** A budget that is filled from a lease, a batch at a time; what is not spent in its time is given back. */
export class SharedRuBudget implements RuBudget {
  readonly #options: SharedRuBudgetOptions
  readonly #usage: GrantUsage = new GrantUsage()
  #grant: RuGrant | undefined
  /** What is left of it, in prices. */
  #left = 0
  /** How much it was asked for beyond the price. */
  #costFactor = 1
  #isAsking = false
  /** What there is was offered for a part of a batch. */
  #isOffered = false

  constructor(options: SharedRuBudgetOptions) {
    this.#options = options
  }

  get batchRu(): number {
    return (this.#options.ruPerSecond * BATCH_SHARE) / this.#usage.costFactor
  }

  waitMs(nowMs: number, costRu: number): number {
    const leftRu = this.#leftRu(nowMs)
    if (this.#grant !== undefined && nowMs < this.#grant.fromMs) return this.#grant.fromMs - nowMs
    if (leftRu >= costRu - ROUNDING_RU) return 0
    if (!this.#isOffered && leftRu >= costRu * MIN_PART) return ASK_AGAIN_MS
    if (!this.#isAsking) void this.#ask(costRu)
    return Number.POSITIVE_INFINITY
  }

  partRu(nowMs: number, costRu: number): number {
    const leftRu = this.#leftRu(nowMs)
    if (this.#grant === undefined || nowMs < this.#grant.fromMs || this.#isOffered || leftRu < costRu * MIN_PART) return 0
    this.#isOffered = true
    return leftRu
  }

  pay(nowMs: number, costRu: number): void {
    this.#left -= costRu
    this.#isOffered = false
    if (this.#grant !== undefined) this.#usage.pay(nowMs - this.#grant.startMs, costRu, costRu * this.#costFactor)
  }

  correct(_nowMs: number, ru: number): void {
    const { lease, rangeId, ruPerSecond } = this.#options
    const restRu = this.#usage.correct(ru)
    lease.correct(rangeId, restRu)
    const reports = restRu < -ruPerSecond * TOLD_SHARE ? this.#usage.reports() : []
    if (reports.length > 0) lease.tell(rangeId, reports)
  }

  refund(_paidMs: number, _nowMs: number, ru: number): void {
    this.#options.lease.correct(this.#options.rangeId, this.#usage.refund(ru))
  }

  /** What is left of the grant; what has not been spent in its time is nothing. */
  #leftRu(nowMs: number): number {
    if (this.#grant !== undefined && nowMs > this.#grant.untilMs) this.#close()
    return this.#left
  }

  #close(): void {
    if (this.#left > 0) this.#options.lease.correct(this.#options.rangeId, this.#left * this.#costFactor)
    this.#usage.close()
    this.#grant = undefined
    this.#left = 0
  }

  async #ask(costRu: number): Promise<void> {
    this.#isAsking = true
    // a part is of no use to one large operation, nor where there was one that nothing could be sent for
    const leastPart = this.#isOffered || costRu > this.batchRu ? 1 : MIN_PART
    this.#close()
    this.#costFactor = this.#usage.costFactor
    const { lease, rangeId, ruPerSecond } = this.#options
    const leastRu = costRu * leastPart * this.#costFactor
    const mostRu = Math.max(costRu, ruPerSecond * ASKED_SHARE) * this.#costFactor
    const reports = (): readonly LedgerReport[] => this.#usage.reports()
    const granted = await lease.ask(rangeId, { leastRu, mostRu, reports }).catch(() => undefined)
    this.#isAsking = false
    // a lease that was closed gives nothing, and nobody is woken for it
    if (granted === undefined) return
    this.#grant = granted
    this.#left = granted.ru / this.#costFactor
    this.#isOffered = false
    this.#usage.open(granted)
    this.#options.wake()
  }
}

/** Share of a second's budget that a batch may cost; a twentieth is promised, and what is learned of prices is not exact. */
const BATCH_SHARE = 0.04
/** Share of a second's budget that is asked for where a batch costs less, so that lone operations do not have to ask each. */
const ASKED_SHARE = 0.01
/** Less than this part of a batch is not worth a request. */
const MIN_PART = 0.25
/** Who spent this part of a second more than was leased tells the others at once. */
const TOLD_SHARE = 0.005
const ASK_AGAIN_MS = 1
const ROUNDING_RU = 1e-6

interface GrantRecord {
  readonly id: string
  readonly countedUntilMs: number
  afterMs: number
  /** What was charged. */
  chargedRu: number
  /** What was paid and not charged yet. */
  openRu: number
  /** Nothing of it will be spent any more. */
  isClosed: boolean
  isTold: boolean
}

/** What the grants of the last second were used for, as far as the lease has to be told. */
export class GrantUsage {
  #recent: GrantRecord[] = []
  #payments: { readonly of: GrantRecord; readonly ru: number; readonly leasedRu: number }[] = []
  #costFactor = 1

  /** How many times its price an operation is charged: prices are those of the moment when operations were queued. */
  get costFactor(): number {
    return this.#costFactor
  }

  /** A grant has come; nothing of it is spent yet. */
  open({ id, untilMs }: { readonly id: string; readonly untilMs: number }): void {
    this.#recent = this.#recent.filter(({ countedUntilMs }) => countedUntilMs > untilMs)
    this.#payments = this.#payments.filter(({ of }) => of.countedUntilMs > untilMs)
    this.#recent.push({ id, countedUntilMs: untilMs + SECOND_MS, afterMs: 0, chargedRu: 0, openRu: 0, isClosed: false, isTold: false })
  }

  /** Nothing more is spent of the newest grant. */
  close(): void {
    const newest = this.#recent.at(-1)
    if (newest !== undefined) newest.isClosed = true
  }

  /** So much of the newest grant was paid, so long after it began, and more was leased for it. */
  pay(afterMs: number, ru: number, leasedRu: number): void {
    const newest = this.#recent.at(-1)
    if (newest === undefined) return
    newest.openRu += ru
    newest.afterMs = Math.max(newest.afterMs, afterMs)
    this.#payments.push({ of: newest, ru, leasedRu })
  }

  /** A payment, the oldest as a rule, was so much too high; a negative number says too low. Gives the same of what was leased for it. */
  correct(ru: number): number {
    const payment = this.#payments.shift()
    if (payment === undefined) return ru
    const chargedRu = payment.ru - ru
    payment.of.openRu -= payment.ru
    payment.of.chargedRu += chargedRu
    payment.of.isTold = false
    if (payment.ru > 0) this.#learn(chargedRu / payment.ru)
    return payment.leasedRu - chargedRu
  }

  /** A payment was for nothing, which teaches nothing about prices. Gives what was leased for it. */
  refund(ru: number): number {
    const at = this.#payments.findIndex((payment) => payment.ru === ru)
    if (at < 0) return 0
    const [payment] = this.#payments.splice(at, 1)
    payment.of.openRu -= ru
    payment.of.isTold = false
    return payment.leasedRu
  }

  /** What the lease does not know yet. */
  reports(): readonly LedgerReport[] {
    const untold = this.#recent.filter(({ isTold, isClosed }) => isClosed && !isTold)
    for (const record of untold) record.isTold = true
    return untold.map(({ id, afterMs, chargedRu, openRu }) => ({ id, afterMs, ru: Math.max(0, chargedRu + openRu * this.#costFactor) }))
  }

  // what was throttled is charged little, which says nothing of prices
  #learn(costFactor: number): void {
    const rate = costFactor > this.#costFactor ? RISING_RATE : FALLING_RATE
    this.#costFactor = Math.min(MOST, Math.max(1, this.#costFactor + (costFactor - this.#costFactor) * rate))
  }
}

const SECOND_MS = 1100
// what is spent too much cannot be taken back, what is asked for too much is given back
const RISING_RATE = 0.5
const FALLING_RATE = 0.1
const MOST = 3
