import type { ContainerRange } from '../account/container-range.ts'
import type { Clock } from '../governor/clock.ts'
import { backoffMs, REQUEST_BACKOFF } from '../lane/backoff.ts'
import type { Lane } from '../lane/lane.ts'

export interface MoverOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  readonly apply: (ranges: readonly ContainerRange[]) => void
  readonly wake: (lane: Lane) => void
}

/** Follows ranges that moved: reads the list anew, and holds back the lanes of those that are not where they were. */
export class Mover {
  readonly #options: MoverOptions
  readonly #cancels: Set<() => void> = new Set()
  #isStopped = false

  constructor(options: MoverOptions) {
    this.#options = options
  }

  /** Holds a lane back until the list has been read; after a wait where the new ranges may not be listed yet, or were not. */
  follow(lane: Lane, isMoving: boolean): void {
    if (lane.isMoving || lane.isRetired) return
    lane.isMoving = true
    lane.cancelWake?.()
    lane.cancelWake = undefined
    const isFirst = lane.moves === 0 && !isMoving
    lane.moves++
    if (isFirst) void this.#refresh(lane)
    else this.#later(backoffMs(lane.moves, this.#options.random, REQUEST_BACKOFF), () => void this.#refresh(lane))
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#cancels) cancel()
  }

  async #refresh(lane: Lane): Promise<void> {
    // another lane's answer may have brought the new list in the meantime
    if (lane.isRetired) return
    try {
      const ranges = await this.#options.refreshRanges()
      if (this.#isStopped) return
      this.#options.apply(ranges)
    } catch {
      // a list that cannot be read is asked for by the next 410, whose number counts against the deadline of the operations
      if (this.#isStopped) return
    }
    lane.isMoving = false
    if (!lane.isRetired) this.#options.wake(lane)
  }

  #later(ms: number, call: () => void): void {
    const cancel = this.#options.clock.schedule(ms, () => {
      this.#cancels.delete(cancel)
      call()
    })
    this.#cancels.add(cancel)
  }
}
