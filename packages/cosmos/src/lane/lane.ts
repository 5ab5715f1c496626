import type { ContainerRange } from '../account/container-range.ts'
import { MAX_BATCH_BYTES, MAX_OPERATIONS } from '../batch/limits.ts'
import type { Pending } from '../batch/pending.ts'
import type { Prices } from '../governor/prices.ts'
import type { RangeGovernor } from '../governor/range-governor.ts'
import { Deque } from './deque.ts'
import { LaneCounts } from './lane-counts.ts'

/** The queue of one range. Only the first operation of a document stands in it; those behind wait in the register. */
export class Lane {
  readonly range: ContainerRange
  readonly governor: RangeGovernor
  readonly counts: LaneCounts = new LaneCounts()
  readonly ready: Deque<Pending> = new Deque()
  /** Lanes of ranges that this one came from, as long as they have requests out. */
  parents: readonly Lane[] = []
  /** Requests that are out. */
  inFlight = 0
  /** Bytes of all operations, on their way or waiting anywhere, that belong to this lane. */
  bytes = 0
  /** The range is no longer listed: what comes back goes elsewhere. */
  isRetired = false
  /** The service says that the range is not here, and the list of ranges is being read. */
  isMoving = false
  isPumpQueued = false
  /** Requests in a row that failed as a whole. */
  failures = 0
  /** Times in a row that the range was not where it was. */
  moves = 0
  cancelWake: (() => void) | undefined
  readonly #prices: Prices
  #readyBytes = 0
  #readyRu = 0
  #groups = 0

  constructor(range: ContainerRange, governor: RangeGovernor, prices: Prices) {
    this.range = range
    this.governor = governor
    this.#prices = prices
  }

  /** Whether what waits fills a batch: by count, bytes, or RU. */
  get isFull(): boolean {
    return (
      this.ready.size >= MAX_OPERATIONS ||
      this.#readyBytes >= MAX_BATCH_BYTES ||
      this.#readyRu >= this.governor.purse.batchRu ||
      this.#groups > 0
    )
  }

  push(pending: Pending): void {
    this.#weigh(pending)
    this.ready.push(pending)
  }

  /** Puts operations back at the head, in their order. */
  giveBack(operations: readonly Pending[]): void {
    for (let index = operations.length - 1; index >= 0; index--) {
      this.#weigh(operations[index])
      this.ready.unshift(operations[index])
    }
  }

  /** How many from the head make the next batch: as many as the limits allow, at least one; an atomic batch travels alone. */
  nextCount(): number {
    const { ready } = this
    const most = Math.min(ready.size, MAX_OPERATIONS)
    const { batchRu } = this.governor.purse
    let bytes = 0
    let ru = 0
    for (let count = 0; count < most; count++) {
      const pending = ready.at(count)
      bytes += pending.bytes
      ru += pending.weightRu
      if (pending.group !== undefined) return Math.max(1, count)
      if (count > 0 && (bytes > MAX_BATCH_BYTES || ru > batchRu)) return count
    }
    return most
  }

  /** RU that the first `count` will probably cost. */
  costOf(count: number): number {
    let ru = 0
    for (let index = 0; index < count; index++) ru += this.ready.at(index).weightRu
    return ru
  }

  take(count: number): Pending[] {
    const taken: Pending[] = []
    for (let index = 0; index < count; index++) taken.push(this.#takeOne())
    return taken
  }

  /** Empties the queue, in order. */
  takeAll(): Pending[] {
    return this.take(this.ready.size)
  }

  #takeOne(): Pending {
    const pending = this.ready.shift()!
    this.#readyBytes -= pending.bytes
    this.#readyRu -= pending.weightRu
    if (pending.group !== undefined) this.#groups--
    return pending
  }

  /** A body was replaced while its operation waited here. */
  reweigh(pending: Pending, previousBytes: number): void {
    this.#readyBytes += pending.bytes - previousBytes
    const weightRu = this.#priceOf(pending)
    this.#readyRu += weightRu - pending.weightRu
    pending.weightRu = weightRu
  }

  #weigh(pending: Pending): void {
    pending.weightRu = this.#priceOf(pending)
    this.#readyBytes += pending.bytes
    this.#readyRu += pending.weightRu
    if (pending.group !== undefined) this.#groups++
  }

  #priceOf(pending: Pending): number {
    if (pending.isConfirming) return this.#prices.estimate('Read', pending.bytes)
    if (pending.group === undefined) return this.#prices.estimate(pending.type, pending.bytes)
    return pending.group.parts.reduce((sum, part) => sum + this.#prices.estimate(part.type, part.bytes), 0)
  }
}
