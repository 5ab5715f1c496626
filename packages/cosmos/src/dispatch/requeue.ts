import type { PendingOperation } from './pending-operation.ts'
import type { Clock } from '../budget/clock.ts'
import type { Lane } from './lane.ts'
import type { FlushTracker } from './completion.ts'
import type { DocumentOrder } from './document-order.ts'
import type { RouteTable } from './route-table.ts'

export interface RequeueOptions {
  readonly documentOrder: DocumentOrder
  readonly table: RouteTable
  readonly flushes: FlushTracker
  readonly clock: Clock
  readonly wake: (lane: Lane) => void
}

/** Puts operations that were not applied back at the head of their lane. */
export class Requeue {
  readonly #options: RequeueOptions
  readonly #delayed: Set<() => void> = new Set()
  #isStopped = false

  constructor(options: RequeueOptions) {
    this.#options = options
  }

  requeue(from: Lane, operations: readonly PendingOperation[]): void {
    if (operations.length === 0 || this.#isStopped) return
    for (const pending of operations) {
      pending.on('requeue')
      if (pending.next !== undefined && pending.isPlain) this.#coalesceLaterUpserts(pending)
    }
    if (!from.isRetired) return this.#requeueTo(from, operations)
    // by key, so that the order is kept in each of the successors
    for (let index = operations.length - 1; index >= 0; index--) {
      const lane = this.#options.table.laneOf(operations[index])
      this.#requeueTo(lane, [operations[index]])
      this.#options.wake(lane)
    }
  }

  /** Requeues one operation after a delay. */
  delay(pending: PendingOperation, ms: number): void {
    pending.on('delay')
    const cancel = this.#options.clock.schedule(ms, () => {
      this.#delayed.delete(cancel)
      const lane = this.#options.table.laneOf(pending)
      this.requeue(lane, [pending])
      this.#options.wake(lane)
    })
    this.#delayed.add(cancel)
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#delayed) cancel()
  }

  #requeueTo(lane: Lane, operations: readonly PendingOperation[]): void {
    const { current } = this.#options.flushes
    lane.requeue(
      operations,
      operations.some(({ epoch }) => epoch !== current)
    )
  }

  #coalesceLaterUpserts(pending: PendingOperation): void {
    for (const later of this.#options.documentOrder.absorbLaterUpserts(pending)) {
      pending.supersedeBy(later)
      pending.lane!.counts.superseded++
    }
  }
}
