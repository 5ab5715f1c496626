import type { Clock } from '../budget/clock.ts'
import type { Lane } from './lane.ts'
import type { LaneUsage } from './pending-operation.ts'

interface ByteBudgetOptions {
  readonly maxBytes: number
  /** Whether more operations would be of any use now. */
  readonly isWanted: () => boolean
  readonly clock: Pick<Clock, 'schedule'>
}

/** Those who wait for room in one lane. */
interface Line {
  readonly lane: LaneUsage
  readonly waiting: (() => void)[]
  /** Bytes that those who were let in will probably bring. */
  expected: number
}

/** Counts the bytes on their way, in all and by lane, and lets those wait who would add to a full room. */
export class ByteBudget {
  readonly maxBytes: number
  readonly #options: ByteBudgetOptions
  /** In the order in which they are served next. */
  readonly #lines: Map<LaneUsage, Line> = new Map()
  #waiting = 0
  #bytes = 0
  #operations = 0
  #expected = 0
  #lanes = 1
  #isForgetting = false

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

  /** Most bytes of one lane: one that is slow does not take the room of all others. */
  get laneBytes(): number {
    return this.maxBytes / Math.min(this.#lanes, SHARES)
  }

  /** An operation belongs to another lane now. */
  move(from: LaneUsage, to: LaneUsage, bytes: number): void {
    from.bytes -= bytes + HELD_BESIDE
    to.bytes += bytes + HELD_BESIDE
  }

  setLanes(lanes: number): void {
    this.#lanes = lanes
  }

  enter(lane: LaneUsage, bytes: number): void {
    this.#bytes += bytes + HELD_BESIDE
    lane.bytes += bytes + HELD_BESIDE
    this.#operations++
    if (this.#expected > 0) this.#keepPromise(lane, bytes + HELD_BESIDE)
  }

  leave(lane: LaneUsage, bytes: number): void {
    this.#bytes -= bytes + HELD_BESIDE
    lane.bytes -= bytes + HELD_BESIDE
    this.#operations--
  }

  /** Whether a lane can take more. */
  hasRoom(lane: LaneUsage): boolean {
    return this.#bytes < this.maxBytes && lane.bytes < this.laneBytes && this.#options.isWanted()
  }

  /** Resolves when a lane can take more. */
  waitFor(lane: LaneUsage): Promise<void> {
    return new Promise((resolve) => {
      let line = this.#lines.get(lane)
      if (line === undefined) this.#lines.set(lane, (line = { lane, waiting: [], expected: 0 }))
      line.waiting.push(resolve)
      this.#waiting++
    })
  }

  /** Lets in for whom there is room: the lanes in turn, in each lane who waited longest, and not more than will fit. */
  letIn(): void {
    if (this.#waiting === 0) return
    for (let served = true; served && this.#options.isWanted();) {
      served = false
      for (const line of this.#lines.values()) if (this.#serve(line)) served = true
    }
    this.#forgetLater()
  }

  /** Lets everybody in: nothing will be taken any more, and they will be told so. */
  open(): void {
    for (const { waiting } of this.#lines.values()) for (const resolve of waiting) resolve()
    this.#lines.clear()
    this.#waiting = 0
  }

  #serve(line: Line): boolean {
    const { lane, waiting, expected } = line
    const isFull = this.#bytes + this.#expected >= this.maxBytes || lane.bytes + expected >= this.laneBytes
    if (isFull || waiting.length === 0) return false
    const bytes = this.#operations > 0 ? this.#bytes / this.#operations : HELD_BESIDE
    line.expected += bytes
    this.#expected += bytes
    this.#waiting--
    waiting.shift()!()
    return true
  }

  #keepPromise(lane: LaneUsage, bytes: number): void {
    this.#expected = Math.max(0, this.#expected - bytes)
    const line = this.#lines.get(lane)
    if (line !== undefined) line.expected = Math.max(0, line.expected - bytes)
  }

  // whoever was let in and wrote nothing, or into another lane, does not keep others out for long
  #forgetLater(): void {
    if (this.#expected === 0 || this.#isForgetting) return
    this.#isForgetting = true
    this.#options.clock.schedule(0, () => {
      this.#isForgetting = false
      this.#expected = 0
      for (const line of this.#lines.values()) {
        line.expected = 0
        if (line.waiting.length === 0) this.#lines.delete(line.lane)
      }
      this.letIn()
    })
  }
}

const SHARES = 4

// what an operation takes in memory beside its body: without it, small documents would fill the memory while the room looks empty
const HELD_BESIDE = 1024

/**
 * Whether any lane could use more operations. While one could, whoever writes goes on, whatever waits in the others; once none can,
 * more would only grow old in memory.
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
    // the lane that was hungry when asked last, mostly still is
    for (let looked = 0; looked < length; looked++) {
      if (this.#lanes[this.#at].hasDemand) return true
      this.#at = this.#at + 1 === length ? 0 : this.#at + 1
    }
    return false
  }
}
