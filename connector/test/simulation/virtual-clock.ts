import type { Clock } from '../../src/lifecycle/clock.ts'

interface Timer {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
}

/** Clock that advances only in `runUntil`. */
export class VirtualClock implements Clock {
  #nowMs = 0
  #order = 0
  readonly #timers: Set<Timer> = new Set()

  /** Number of pending timers, which would keep a process alive. */
  get pending(): number {
    return this.#timers.size
  }

  now = (): number => this.#nowMs

  schedule = (ms: number, run: () => void): (() => void) => {
    const timer = { atMs: this.#nowMs + Math.max(0, ms), order: this.#order++, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Runs all timers that are due until `untilMs`. Promises settle after each timer. */
  async runUntil(untilMs: number): Promise<void> {
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#timers.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
      await turn()
    }
    this.#nowMs = untilMs
    await turn()
  }

  #next(untilMs: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.atMs > untilMs) continue
      if (first === undefined || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order))
        first = timer
    }
    return first
  }
}

/** Resolves when all promises that can settle have settled. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
