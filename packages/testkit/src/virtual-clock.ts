/**
 * A clock whose time only passes when a test advances it. Calls that are due at the same time run in the order in which
 * they were scheduled.
 */
export class VirtualClock {
  #nowMs = 0
  #order = 0
  #due: { readonly atMs: number; readonly order: number; readonly call: () => void }[] = []

  readonly now = (): number => this.#nowMs

  readonly schedule = (ms: number, call: () => void): (() => void) => {
    const entry = { atMs: this.#nowMs + (ms > 0 ? Math.max(ms, MIN_MS) : 0), order: this.#order++, call }
    this.#due.push(entry)
    return () => {
      this.#due = this.#due.filter((other) => other !== entry)
    }
  }

  readonly scheduleIdly = (ms: number, call: () => void): (() => void) => this.schedule(ms, call)

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.schedule(ms, resolve))
  }

  /** Runs until `isDone` or until the time `maxMs`; returns false if no call is left to run. */
  async runUntil(isDone: () => boolean, maxMs: number): Promise<boolean> {
    for (;;) {
      await microtasks()
      if (isDone()) return true
      const next = this.#due.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)[0]
      if (next === undefined || next.atMs > maxMs) return false
      this.#due = this.#due.filter((other) => other !== next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.call()
    }
  }
}

// As with real timers, a wait is never so short that rounding removes it: such a wait would be requested again and
// again.
const MIN_MS = 0.001

/** Runs the callbacks of settled promises, and those of the promises that they settle. */
function microtasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
