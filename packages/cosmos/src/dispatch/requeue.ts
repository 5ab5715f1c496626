import type { Pending } from './pending-operation.ts'
import type { Clock } from '../budget/clock.ts'
import type { Lane } from './lane.ts'
import type { Flushes } from './completion.ts'
import type { Register } from './document-order.ts'
import type { RouteTable } from './route-table.ts'

export interface ReturnsOptions {
  readonly register: Register
  readonly table: RouteTable
  readonly flushes: Flushes
  readonly clock: Clock
  readonly wake: (lane: Lane) => void
}

/** Brings operations that came back unapplied to the head of the lane that is theirs now. */
export class Returns {
  readonly #options: ReturnsOptions
  readonly #delayed: Set<() => void> = new Set()
  #isStopped = false

  constructor(options: ReturnsOptions) {
    this.#options = options
  }

  giveBack(from: Lane, operations: readonly Pending[]): void {
    if (operations.length === 0 || this.#isStopped) return
    for (const pending of operations) {
      pending.state = 'queued'
      if (pending.next !== undefined && pending.isPlain) this.#giveWay(pending)
    }
    if (!from.isRetired) return this.#giveTo(from, operations)
    // by position, so that the order is kept in each of the lanes that took over
    for (let index = operations.length - 1; index >= 0; index--) {
      const lane = this.#options.table.laneOf(operations[index])
      this.#giveTo(lane, [operations[index]])
      this.#options.wake(lane)
    }
  }

  /** Gives one back after a while. */
  delay(pending: Pending, ms: number): void {
    pending.state = 'delayed'
    const cancel = this.#options.clock.schedule(ms, () => {
      this.#delayed.delete(cancel)
      const lane = this.#options.table.laneOf(pending)
      this.giveBack(lane, [pending])
      this.#options.wake(lane)
    })
    this.#delayed.add(cancel)
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#delayed) cancel()
  }

  #giveTo(lane: Lane, operations: readonly Pending[]): void {
    const { current } = this.#options.flushes
    lane.giveBack(
      operations,
      operations.some(({ epoch }) => epoch !== current)
    )
  }

  #giveWay(pending: Pending): void {
    for (const later of this.#options.register.giveWay(pending)) {
      pending.supersedeBy(later)
      pending.home!.counts.superseded++
    }
  }
}
