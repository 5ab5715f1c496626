import type { SystemClock } from '@keystamp/core/internal'

/**
 * A clock that stands still until it is told to go on; what is due at one moment runs in the order in which it was
 * asked for.
 */
export class VirtualClock implements SystemClock {
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

  /** Runs until nothing is due or the moment is reached; false when nothing is left to run. */
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

// as with the machine's timers, a wait is never so short that rounding loses it: such a wait would be asked for again
// for ever
const MIN_MS = 0.001

/** Runs the callbacks of settled promises. */
async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve()
}
