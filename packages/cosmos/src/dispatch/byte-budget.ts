import type { Clock } from '@keystamp/core/internal'
import type { Lane } from './lane.ts'
import type { LaneUsage } from './pending-operation.ts'

interface ByteBudgetOptions {
  readonly maxBytes: number
  /** Whether any lane has demand for more operations. */
  readonly isWanted: () => boolean
  readonly clock: Pick<Clock, 'schedule'>
}

/** Callers that wait for capacity in one lane. */
interface Line {
  readonly lane: LaneUsage
  readonly waiting: (() => void)[]
  /** Bytes that admitted callers will probably add. */
  expected: number
}

/** Limits the bytes of pending operations, in total and for each lane. Callers wait for capacity. */
export class ByteBudget {
  readonly maxBytes: number
  readonly #options: ByteBudgetOptions
  /** Lines in the order in which they are served. */
  readonly #lines: Map<LaneUsage, Line> = new Map()
  #waiting = 0
  #bytes = 0
  #operations = 0
  #expected = 0
  #lanes = 1
  #isResetting = false

  constructor(options: ByteBudgetOptions) {
    this.maxBytes = options.maxBytes
    this.#options = options
  }

  get bytes(): number {
    return this.#bytes
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Maximum bytes of one lane, so that a slow lane does not use up the capacity of the others. */
  get laneBytes(): number {
    return this.maxBytes / Math.min(this.#lanes, MAX_SHARES)
  }

  /** Counts an operation for another lane. */
  move(from: LaneUsage, to: LaneUsage, bytes: number): void {
    from.bytes -= bytes + OVERHEAD_BYTES
    to.bytes += bytes + OVERHEAD_BYTES
  }

  setLanes(lanes: number): void {
    this.#lanes = lanes
  }

  add(lane: LaneUsage, bytes: number): void {
    this.#bytes += bytes + OVERHEAD_BYTES
    lane.bytes += bytes + OVERHEAD_BYTES
    this.#operations++
    if (this.#expected > 0) this.#settleExpected(lane, bytes + OVERHEAD_BYTES)
  }

  remove(lane: LaneUsage, bytes: number): void {
    this.#bytes -= bytes + OVERHEAD_BYTES
    lane.bytes -= bytes + OVERHEAD_BYTES
    this.#operations--
  }

  /** Called when a counted operation has got larger by `bytes`. */
  grow(lane: LaneUsage, bytes: number): void {
    this.#bytes += bytes
    lane.bytes += bytes
  }

  /** Whether a lane can take more operations. */
  hasRoom(lane: LaneUsage): boolean {
    return this.#bytes < this.maxBytes && lane.bytes < this.laneBytes && this.#options.isWanted()
  }

  /** Resolves when a lane can take more operations. */
  waitFor(lane: LaneUsage): Promise<void> {
    return new Promise((resolve) => {
      let line = this.#lines.get(lane)
      if (line === undefined) this.#lines.set(lane, (line = { lane, waiting: [], expected: 0 }))
      line.waiting.push(resolve)
      this.#waiting++
    })
  }

  /**
   * Admits waiting callers while there is capacity: from the lanes in turn, and in each lane the oldest caller first.
   */
  admitWaiting(): void {
    if (this.#waiting === 0) return
    for (let served = true; served && this.#options.isWanted();) {
      served = false
      for (const line of this.#lines.values()) if (this.#serve(line)) served = true
    }
    this.#resetExpectedLater()
  }

  /** Admits all callers, because the writer has stopped and they will get its error. */
  admitAll(): void {
    for (const { waiting } of this.#lines.values()) for (const resolve of waiting) resolve()
    this.#lines.clear()
    this.#waiting = 0
  }

  #serve(line: Line): boolean {
    const { lane, waiting, expected } = line
    const isFull = this.#bytes + this.#expected >= this.maxBytes || lane.bytes + expected >= this.laneBytes
    if (isFull || waiting.length === 0) return false
    const bytes = this.#operations > 0 ? this.#bytes / this.#operations : OVERHEAD_BYTES
    line.expected += bytes
    this.#expected += bytes
    this.#waiting--
    waiting.shift()!()
    return true
  }

  #settleExpected(lane: LaneUsage, bytes: number): void {
    this.#expected = Math.max(0, this.#expected - bytes)
    const line = this.#lines.get(lane)
    if (line !== undefined) line.expected = Math.max(0, line.expected - bytes)
  }

  // an admitted caller that submits nothing, or submits into another lane, must not make other callers wait
  #resetExpectedLater(): void {
    if (this.#expected === 0 || this.#isResetting) return
    this.#isResetting = true
    this.#options.clock.schedule(0, () => {
      this.#isResetting = false
      this.#expected = 0
      for (const line of this.#lines.values()) {
        line.expected = 0
        if (line.waiting.length === 0) this.#lines.delete(line.lane)
      }
      this.admitWaiting()
    })
  }
}

const MAX_SHARES = 4

// Memory of an operation in addition to its body. Without it, many small documents would take far more memory than the
// limit.
const OVERHEAD_BYTES = 1024

/**
 * Tracks whether any lane has demand for more operations. If one lane has demand, callers continue, even if other lanes
 * have many waiting operations. If no lane has demand, more operations would only be promoted to old space.
 */
export class DemandTracker {
  #lanes: readonly Lane[] = []
  #at = 0

  setLanes(lanes: readonly Lane[]): void {
    this.#lanes = lanes
    this.#at = 0
  }

  hasDemand(): boolean {
    const { length } = this.#lanes
    // starts with the lane that last had demand
    for (let looked = 0; looked < length; looked++) {
      if (this.#lanes[this.#at].hasDemand) return true
      this.#at = this.#at + 1 === length ? 0 : this.#at + 1
    }
    return false
  }
}
