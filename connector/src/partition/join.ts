import type { Clock } from '../lifecycle/clock.ts'

/** Time from one join of the group to the next rebalance. Requests and waits that began in it are dropped when it ends. */
export class Join {
  hasEnded = false
  readonly #clock: Pick<Clock, 'schedule'>
  readonly #cancels: Set<() => void> = new Set()

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock
  }

  /** Resolves after `ms`, and never where the join ends before. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.hasEnded) return
      const cancel = this.#clock.schedule(ms, () => {
        this.#cancels.delete(cancel)
        resolve()
      })
      this.#cancels.add(cancel)
    })
  }

  end(): void {
    this.hasEnded = true
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
  }
}
