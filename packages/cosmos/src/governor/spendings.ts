import type { LedgerReport } from '../lease/ledger.ts'

interface Spending {
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
export class Spendings {
  #recent: Spending[] = []
  #payments: { readonly of: Spending; readonly ru: number; readonly leasedRu: number }[] = []
  #dearness = 1

  /** How many times its price an operation is charged: prices are those of the moment when operations were queued. */
  get dearness(): number {
    return this.#dearness
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
    for (const spending of untold) spending.isTold = true
    return untold.map(({ id, afterMs, chargedRu, openRu }) => ({ id, afterMs, ru: Math.max(0, chargedRu + openRu * this.#dearness) }))
  }

  // what was throttled is charged little, which says nothing of prices
  #learn(dearness: number): void {
    const rate = dearness > this.#dearness ? RISING_RATE : FALLING_RATE
    this.#dearness = Math.min(MOST, Math.max(1, this.#dearness + (dearness - this.#dearness) * rate))
  }
}

const SECOND_MS = 1100
// what is spent too much cannot be taken back, what is asked for too much is given back
const RISING_RATE = 0.5
const FALLING_RATE = 0.1
const MOST = 3
