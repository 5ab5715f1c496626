import type { Purse } from './purse.ts'

/** Where request units are leased from. */
export interface RuLease {
  /** Gives what was asked for, at once or later; 0 when there will be nothing any more. */
  readonly take: (rangeId: string, ru: number) => number | Promise<number>
  readonly correct: (rangeId: string, ru: number) => void
}

export interface LeasedPurseOptions {
  readonly lease: RuLease
  readonly rangeId: string
  readonly ruPerSecond: number
  /** Called when what was asked for has come. */
  readonly wake: () => void
}

/** A purse that is filled from a lease, one batch ahead at most. */
export class LeasedPurse implements Purse {
  readonly batchRu: number
  readonly #options: LeasedPurseOptions
  #level = 0
  #isAsking = false

  constructor(options: LeasedPurseOptions) {
    this.#options = options
    this.batchRu = options.ruPerSecond * BATCH_SHARE
  }

  waitMs(_nowMs: number, costRu: number): number {
    if (this.#level < costRu && !this.#isAsking) this.#ask(costRu - this.#level)
    return this.#level >= costRu - ROUNDING_RU ? 0 : Number.POSITIVE_INFINITY
  }

  // what is there is kept for the whole batch, which waits for no more than the next slice
  partRu(): number {
    return 0
  }

  pay(_nowMs: number, costRu: number): void {
    this.#level -= costRu
  }

  correct(_nowMs: number, ru: number): void {
    this.#options.lease.correct(this.#options.rangeId, ru)
  }

  #ask(ru: number): void {
    const granted = this.#options.lease.take(this.#options.rangeId, ru)
    if (typeof granted === 'number') this.#level += granted
    else void this.#wait(granted)
  }

  async #wait(granted: Promise<number>): Promise<void> {
    this.#isAsking = true
    // a lease that was closed gives nothing, and nobody is woken for it
    const ru = await granted.catch(() => 0)
    this.#isAsking = false
    this.#level += ru
    if (ru > 0) this.#options.wake()
  }
}

const BATCH_SHARE = 0.05
/** What a lease gave at once may be short of what was asked by a rounding: nothing is asked for then, and nobody would be woken. */
const ROUNDING_RU = 1e-6
