import type { Lease, RuGrant } from './lease.ts'
import type { LedgerReport } from './ledger.ts'
import type { RuBudget } from './ru-budget.ts'

/** The part of a lease that grants RU. */
export type RuLease = Pick<Lease, 'ask' | 'report' | 'correct'>

export interface SharedRuBudgetOptions {
  readonly lease: RuLease
  readonly rangeId: string
  readonly ruPerSecond: number
  /** Called when a grant has arrived. */
  readonly wake: () => void
}

/** An RU budget that gets its RU from a lease, batch by batch. Gives unspent RU back. */
export class SharedRuBudget implements RuBudget {
  readonly #options: SharedRuBudgetOptions
  readonly #usage: GrantUsage = new GrantUsage()
  #grant: RuGrant | undefined
  /** RU that are left of the grant, in estimated RU. */
  #left = 0
  /** Factor by which the grant exceeded the estimated cost. */
  #costFactor = 1
  #isRequesting = false
  /** True if the rest of the grant was offered for a part of a batch. */
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
    if (!this.#isOffered && leftRu >= costRu * MIN_PART) return RETRY_MS
    if (!this.#isRequesting) void this.#request(costRu)
    return Number.POSITIVE_INFINITY
  }

  partRu(nowMs: number, costRu: number): number {
    const leftRu = this.#leftRu(nowMs)
    if (this.#grant === undefined || nowMs < this.#grant.fromMs || this.#isOffered || leftRu < costRu * MIN_PART)
      return 0
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
    const reports = restRu < -ruPerSecond * REPORTED_SHARE ? this.#usage.reports() : []
    if (reports.length > 0) lease.report(rangeId, reports)
  }

  refund(_paidMs: number, _nowMs: number, ru: number): void {
    this.#options.lease.correct(this.#options.rangeId, this.#usage.refund(ru))
  }

  /** RU that are left of the grant; 0 after its validity. */
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

  async #request(costRu: number): Promise<void> {
    this.#isRequesting = true
    // a part is useless for one large operation, and if a part was offered before and no operation could be sent
    const minPart = this.#isOffered || costRu > this.batchRu ? 1 : MIN_PART
    this.#close()
    this.#costFactor = this.#usage.costFactor
    const { lease, rangeId, ruPerSecond } = this.#options
    const minRu = costRu * minPart * this.#costFactor
    const maxRu = Math.max(costRu, ruPerSecond * REQUESTED_SHARE) * this.#costFactor
    const reports = (): readonly LedgerReport[] => this.#usage.reports()
    const granted = await lease.ask(rangeId, { minRu, maxRu, reports }).catch(() => undefined)
    this.#isRequesting = false
    // a closed lease grants nothing
    if (granted === undefined) return
    this.#grant = granted
    this.#left = granted.ru / this.#costFactor
    this.#isOffered = false
    this.#usage.open(granted)
    this.#options.wake()
  }
}

/**
 * Share of a second's budget that a batch may cost. The documented limit is a twentieth; the share is smaller, because
 * learned prices are not exact.
 */
const BATCH_SHARE = 0.04
/**
 * Share of a second's budget that is requested if a batch costs less, so that not every single operation needs a
 * request.
 */
const REQUESTED_SHARE = 0.01
/** The smallest part of a batch that is worth a request. */
const MIN_PART = 0.25
/** If a batch costs this part of a second's budget more than its payment, the ledger gets a report at once. */
const REPORTED_SHARE = 0.005
const RETRY_MS = 1
const ROUNDING_RU = 1e-6

interface GrantRecord {
  readonly id: string
  readonly countedUntilMs: number
  afterMs: number
  /** RU that were charged. */
  chargedRu: number
  /** RU that were paid and not charged yet. */
  openRu: number
  /** True if no more RU of the grant will be spent. */
  isClosed: boolean
  isReported: boolean
}

/** Use of the grants of the last second, for the reports to the ledger. */
export class GrantUsage {
  #recent: GrantRecord[] = []
  #payments: { readonly of: GrantRecord; readonly ru: number; readonly leasedRu: number }[] = []
  #costFactor = 1

  /**
   * Factor by which charges exceed estimated prices. Prices are estimated when operations are queued, so charges can
   * differ.
   */
  get costFactor(): number {
    return this.#costFactor
  }

  /** Starts a new grant. */
  open({ id, untilMs }: { readonly id: string; readonly untilMs: number }): void {
    this.#recent = this.#recent.filter(({ countedUntilMs }) => countedUntilMs > untilMs)
    this.#payments = this.#payments.filter(({ of }) => of.countedUntilMs > untilMs)
    this.#recent.push({
      id,
      countedUntilMs: untilMs + SECOND_MS,
      afterMs: 0,
      chargedRu: 0,
      openRu: 0,
      isClosed: false,
      isReported: false
    })
  }

  /** Ends the newest grant. */
  close(): void {
    const newest = this.#recent.at(-1)
    if (newest !== undefined) newest.isClosed = true
  }

  /**
   * Records a payment from the newest grant, made `afterMs` after the grant began; `leasedRu` is its part of the lease.
   */
  pay(afterMs: number, ru: number, leasedRu: number): void {
    const newest = this.#recent.at(-1)
    if (newest === undefined) return
    newest.openRu += ru
    newest.afterMs = Math.max(newest.afterMs, afterMs)
    this.#payments.push({ of: newest, ru, leasedRu })
  }

  /**
   * Lowers the oldest payment by `ru`; a negative number raises it. Returns the leased RU of the payment minus its
   * charge.
   */
  correct(ru: number): number {
    const payment = this.#payments.shift()
    if (payment === undefined) return ru
    const chargedRu = payment.ru - ru
    payment.of.openRu -= payment.ru
    payment.of.chargedRu += chargedRu
    payment.of.isReported = false
    if (payment.ru > 0) this.#learn(chargedRu / payment.ru)
    return payment.leasedRu - chargedRu
  }

  /** Removes a payment whose request was not sent. Learns no price. Returns its leased RU. */
  refund(ru: number): number {
    const at = this.#payments.findIndex((payment) => payment.ru === ru)
    if (at < 0) return 0
    const [payment] = this.#payments.splice(at, 1)
    payment.of.openRu -= ru
    payment.of.isReported = false
    return payment.leasedRu
  }

  /** Returns the reports that the ledger does not have yet. */
  reports(): readonly LedgerReport[] {
    const unreported = this.#recent.filter(({ isReported, isClosed }) => isClosed && !isReported)
    for (const record of unreported) record.isReported = true
    return unreported.map(({ id, afterMs, chargedRu, openRu }) => ({
      id,
      afterMs,
      ru: Math.max(0, chargedRu + openRu * this.#costFactor)
    }))
  }

  // a throttled request is charged little, which says nothing about prices
  #learn(costFactor: number): void {
    const rate = costFactor > this.#costFactor ? RISING_RATE : FALLING_RATE
    this.#costFactor = Math.min(MAX_COST_FACTOR, Math.max(1, this.#costFactor + (costFactor - this.#costFactor) * rate))
  }
}

const SECOND_MS = 1100
// rises faster than it falls: overspent RU cannot be taken back, but unspent RU are given back
const RISING_RATE = 0.5
const FALLING_RATE = 0.1
const MAX_COST_FACTOR = 3
