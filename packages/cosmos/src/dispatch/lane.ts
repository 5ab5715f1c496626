import { type Prices, RangeGovernor } from '../budget/range-governor.ts'
import { UNLIMITED } from '../budget/ru-budget.ts'
import type { ContainerRange } from '../client/container.ts'
import { MAX_BATCH_BYTES, MAX_OPERATIONS } from './batch-encoder.ts'
import { isBehind } from '../client/session-token.ts'
import { LaneCounts } from './outcome.ts'
import { elementsOf, type OperationType, type PendingOperation } from './pending-operation.ts'

/**
 * The queue of one range. It contains only the first operation of each document; later operations wait in the document
 * order.
 */
export class Lane {
  readonly range: ContainerRange
  readonly governor: RangeGovernor = new RangeGovernor(UNLIMITED)
  readonly counts: LaneCounts = new LaneCounts()
  readonly ready: Deque<PendingOperation> = new Deque()
  /** Lanes of ranges that were split or merged into this one, while they have requests in flight. */
  parents: readonly Lane[] = []
  /** Requests in flight. */
  inFlight = 0
  /** Operations without an outcome: in the queue, in flight, or waiting. */
  pending = 0
  /** Bytes of the pending operations, if a byte budget counts them. */
  bytes = 0
  /** True if the range is no longer listed: its operations move to other lanes. */
  isRetired = false
  /** True if the range has moved and the list of ranges is being read. */
  isMoving = false
  isPumpQueued = false
  /** True while the throttle watch counts the keys of the lane. */
  isWatched = false
  /** True if the lane waits until its budget calls `wake`. */
  isWaitingForBudget = false
  /** Number of consecutive requests that failed as a whole. */
  failures = 0
  /** Number of consecutive answers with throttled operations. */
  throttles = 0
  /** Number of consecutive answers after which the list of ranges was read. */
  moves = 0
  /** Session token of the last answer, with which a read finds what that answer was based on. */
  sessionToken: string | undefined
  cancelWake: (() => void) | undefined
  readonly #prices: Prices
  #readyBytes = 0
  #readyRu = 0
  #groups = 0
  /** Number of operations from the head that are sent without waiting for a full batch. */
  #expedited = 0

  constructor(range: ContainerRange, prices: Prices) {
    this.range = range
    this.#prices = prices
  }

  /** Whether the queue fills a batch: by count, bytes, or RU. */
  get isFull(): boolean {
    return (
      this.ready.size >= MAX_OPERATIONS ||
      this.#readyBytes >= MAX_BATCH_BYTES ||
      this.#readyRu >= this.governor.budget.batchRu ||
      this.#groups > 0
    )
  }

  /** Whether the lane has operations that a caller waits for. */
  get isExpedited(): boolean {
    return this.#expedited > 0
  }

  /** Whether the lane waits for its budget or for the end of a pause. */
  get isWaiting(): boolean {
    return this.cancelWake !== undefined || this.isWaitingForBudget
  }

  /**
   * Whether more operations would be useful: the queue has less than a batch; or, if the lane waits for its budget,
   * less than a reserve of some batches.
   */
  get hasDemand(): boolean {
    if (!this.isFull) return true
    return this.isWaiting && this.#groups === 0 && this.#readyRu < this.governor.budget.batchRu * KEPT_BATCHES
  }

  /** Remembers a session token, unless a newer one is known: answers arrive in any order. */
  sawToken(token: string): void {
    if (this.sessionToken === undefined || !isBehind(token, this.sessionToken)) this.sessionToken = token
  }

  /** Sends all queued operations without waiting for full batches. */
  expedite(): void {
    this.#expedited = this.ready.size
  }

  push(pending: PendingOperation): void {
    this.#weigh(pending)
    this.ready.push(pending)
  }

  /** Puts operations back to the head, in order. */
  requeue(operations: readonly PendingOperation[], isExpedited: boolean): void {
    for (let index = operations.length - 1; index >= 0; index--) {
      this.#weigh(operations[index])
      this.ready.unshift(operations[index])
    }
    if (isExpedited || this.#expedited > 0) this.#expedited += operations.length
  }

  /**
   * Number of operations in the next batch: as many as the limits allow, but at least one. An atomic batch is sent
   * alone.
   */
  nextCount(): number {
    const { ready } = this
    const max = Math.min(ready.size, MAX_OPERATIONS)
    const { batchRu } = this.governor.budget
    let bytes = 0
    let ru = 0
    for (let count = 0; count < max; count++) {
      const pending = ready.at(count)
      bytes += pending.bytes
      ru += this.#renewPrice(pending)
      if (pending.group !== undefined) return Math.max(1, count)
      if (count > 0 && (bytes > MAX_BATCH_BYTES || ru > batchRu)) return count
    }
    return max
  }

  /** Number of operations from the head that `maxRu` pays for; ends before an atomic batch. */
  countWithin(maxRu: number): number {
    const { ready } = this
    let ru = 0
    for (let count = 0; count < ready.size; count++) {
      const pending = ready.at(count)
      ru += pending.weightRu
      if (ru > maxRu || pending.group !== undefined) return count
    }
    return ready.size
  }

  /** Estimated RU of the first `count` operations. */
  costOf(count: number): number {
    let ru = 0
    for (let index = 0; index < count; index++) ru += this.ready.at(index).weightRu
    return ru
  }

  take(count: number): PendingOperation[] {
    const taken: PendingOperation[] = []
    for (let index = 0; index < count; index++) taken.push(this.#takeOne())
    return taken
  }

  /** Empties the queue, in order. */
  takeAll(): PendingOperation[] {
    return this.take(this.ready.size)
  }

  #takeOne(): PendingOperation {
    const pending = this.ready.shift()!
    this.#readyBytes -= pending.bytes
    this.#readyRu -= pending.weightRu
    if (pending.group !== undefined) this.#groups--
    if (this.#expedited > 0) this.#expedited--
    return pending
  }

  /** Called when the body of a queued operation was replaced. */
  reweigh(pending: PendingOperation, previousBytes: number): void {
    this.#readyBytes += pending.bytes - previousBytes
    this.#renewPrice(pending)
  }

  #weigh(pending: PendingOperation): void {
    pending.weightRu = this.#priceOf(pending)
    this.#readyBytes += pending.bytes
    this.#readyRu += pending.weightRu
    if (pending.group !== undefined) this.#groups++
  }

  /** Uses prices that were learned while the operation was queued. */
  #renewPrice(pending: PendingOperation): number {
    const weightRu = this.#priceOf(pending)
    this.#readyRu += weightRu - pending.weightRu
    pending.weightRu = weightRu
    return weightRu
  }

  #priceOf(pending: PendingOperation): number {
    if (pending.group === undefined) return this.#prices.estimate(typeOf(pending), pending.bytes)
    return elementsOf([pending]).reduce((sum, part) => sum + this.#prices.estimate(typeOf(part), part.bytes), 0)
  }
}

function typeOf({ isReading, type }: PendingOperation): OperationType | 'Read' {
  return isReading ? 'Read' : type
}

/**
 * Number of batches that a lane may queue while it waits for its budget, so that it has operations to send while
 * callers pause.
 */
const KEPT_BATCHES = 12

/** A queue that can take items back at its head. */
export class Deque<T extends object> {
  #items: (T | undefined)[] = Array.from({ length: FIRST_CAPACITY })
  #head = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Returns the item at a position from the head. The item must exist. */
  at(position: number): T {
    return this.#items[(this.#head + position) & (this.#items.length - 1)]!
  }

  push(item: T): void {
    if (this.#size === this.#items.length) this.#grow()
    this.#items[(this.#head + this.#size) & (this.#items.length - 1)] = item
    this.#size++
  }

  unshift(item: T): void {
    if (this.#size === this.#items.length) this.#grow()
    this.#head = (this.#head - 1) & (this.#items.length - 1)
    this.#items[this.#head] = item
    this.#size++
  }

  shift(): T | undefined {
    if (this.#size === 0) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#items.length - 1)
    this.#size--
    if (this.#size === 0 && this.#items.length > KEPT_CAPACITY) this.#reset()
    return item
  }

  // releases the memory of a burst
  #reset(): void {
    this.#items = Array.from({ length: FIRST_CAPACITY })
    this.#head = 0
  }

  // keeps the capacity a power of two
  #grow(): void {
    const items: (T | undefined)[] = Array.from({ length: this.#items.length * 2 })
    for (let position = 0; position < this.#size; position++) items[position] = this.at(position)
    this.#items = items
    this.#head = 0
  }
}

const FIRST_CAPACITY = 16
const KEPT_CAPACITY = 4096
