import type { ThrottleOptions } from './throttle-options.ts'

/** The request units that a range may spend in a second. */
export class Budget {
  readonly #options: ThrottleOptions
  #ruPerSecond: number
  #left: number
  #refilledMs: number
  #saved = 0
  #burstThisSecond = 0

  constructor(ruPerSecond: number, options: ThrottleOptions, nowMs: number) {
    this.#options = options
    this.#ruPerSecond = ruPerSecond
    this.#left = ruPerSecond
    this.#refilledMs = nowMs
  }

  get ruPerSecond(): number {
    return this.#ruPerSecond
  }

  /** Changes the rate at once; RU that were spent in this second still count. */
  resize(ruPerSecond: number, nowMs: number): void {
    this.#refill(nowMs)
    this.#left += ruPerSecond - this.#ruPerSecond
    this.#ruPerSecond = ruPerSecond
  }

  /** Whether an operation of this charge may run now; if so, deducts the charge. */
  take(nowMs: number, chargeRu: number, isLowPriority: boolean): boolean {
    this.#refill(nowMs)
    if (isLowPriority && this.#options.priority === true && this.#left * 3 < this.#ruPerSecond) return false
    if (!this.#affords(chargeRu) && !this.#takeFromSaved(chargeRu)) return false
    this.#left -= chargeRu
    return true
  }

  /** Deducts a charge without a check: its request was admitted as a whole. */
  force(nowMs: number, chargeRu: number): void {
    this.#refill(nowMs)
    this.#left -= chargeRu
  }

  /** Milliseconds until the next operation may run. */
  waitMs(nowMs: number): number {
    if (this.#options.window !== 'token-bucket') return this.#restOfSecond(nowMs)
    // an empty bucket admits nothing, so the bucket must earn a little more than the debt
    return Math.floor((Math.max(0, -this.#left) / this.#ruPerSecond) * 1000 + ROUNDING_MS) + 1
  }

  /** Milliseconds that the overdraft takes to earn. */
  overdraftMs(): number {
    return Math.max(1, Math.ceil((Math.max(0, -this.#left) / this.#ruPerSecond) * 1000))
  }

  #affords(chargeRu: number): boolean {
    if (this.#options.overdraw !== false) return this.#left > 0
    // an operation that costs more than a whole second would otherwise never run
    return this.#left >= chargeRu || this.#left >= this.#ruPerSecond
  }

  #takeFromSaved(chargeRu: number): boolean {
    if (
      this.#saved <= 0 ||
      this.#saved < chargeRu ||
      this.#burstThisSecond + chargeRu > BURST_RU_PER_SECOND - this.#ruPerSecond
    )
      return false
    this.#saved -= chargeRu
    this.#burstThisSecond += chargeRu
    this.#left += chargeRu
    return true
  }

  #refill(nowMs: number): void {
    if (this.#options.window === 'token-bucket') this.#flowBack(nowMs)
    else this.#beginSecond(nowMs)
  }

  #flowBack(nowMs: number): void {
    const earned = (Math.max(0, nowMs - this.#refilledMs) / 1000) * this.#ruPerSecond
    this.#refilledMs = nowMs
    this.#left = Math.min(this.#ruPerSecond, this.#left + earned)
  }

  #beginSecond(nowMs: number): void {
    const seconds = Math.floor(nowMs / 1000) - Math.floor(this.#refilledMs / 1000)
    if (seconds === 0) return
    this.#refilledMs = nowMs
    this.#save(seconds)
    this.#burstThisSecond = 0
    const debt = this.#options.debt === 'carried' ? Math.min(0, this.#left) : 0
    this.#left = Math.min(this.#ruPerSecond, debt + Math.max(1, seconds) * this.#ruPerSecond)
  }

  #save(seconds: number): void {
    if (this.#options.burst !== true || this.#ruPerSecond >= BURST_RU_PER_SECOND) return
    const idle = Math.max(0, this.#left) + (seconds - 1) * this.#ruPerSecond
    this.#saved = Math.min(this.#saved + idle, BURST_SECONDS * this.#ruPerSecond)
  }

  #restOfSecond(nowMs: number): number {
    const seconds = this.#left < 0 && this.#options.debt === 'carried' ? Math.floor(-this.#left / this.#ruPerSecond) : 0
    return Math.max(1, 1000 - Math.floor(nowMs % 1000)) + seconds * 1000
  }
}

// compensates rounding errors, which can make a sum slightly less than a whole millisecond
const ROUNDING_MS = 0.001

const BURST_RU_PER_SECOND = 3000
const BURST_SECONDS = 300
