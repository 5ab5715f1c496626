import { headOf, KeystampError } from '@keystamp/core'
import { backoffMs, type Clock } from '@keystamp/core/internal'
import type { ContainerRange } from '../client/container.ts'
import { CosmosError } from '../client/cosmos-error.ts'
import { REQUEST_BACKOFF } from './actions.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { LaneCounts } from './outcome.ts'
import type { Lane } from './lane.ts'
import type { PendingOperation } from './pending-operation.ts'

/**
 * Position of an operation's key in the hash space: `head` is the beginning of the hash, which nearly always suffices,
 * and `epk` is the whole hash.
 */
type HashPosition = Pick<PendingOperation, 'head' | 'epk'>

/** Finds the lane for a hashed key. */
export class RouteTable {
  readonly #createLane: (range: ContainerRange, count: number) => Lane
  /** Lanes in the order of their ranges. */
  #lanes: readonly Lane[] = []
  /** Beginning of each range, as a number. */
  #heads: readonly number[] = []

  constructor(createLane: (range: ContainerRange, count: number) => Lane) {
    this.#createLane = createLane
  }

  get lanes(): readonly Lane[] {
    return this.#lanes
  }

  get size(): number {
    return this.#lanes.length
  }

  laneOf(pending: HashPosition): Lane {
    // the first range begins at '', and there are no gaps
    let low = 0
    let high = this.#heads.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      const head = this.#heads[middle]
      if (head < pending.head || (head === pending.head && this.#lanes[middle].range.min <= pending.epk)) low = middle
      else high = middle - 1
    }
    return this.#lanes[low]
  }

  /**
   * Applies a new list of ranges, and returns the lanes whose ranges are no longer listed. A new lane waits for these
   * lanes if their ranges overlap and they have requests in flight.
   */
  update(ranges: readonly ContainerRange[]): readonly Lane[] {
    const retired = this.#lanes.filter((lane) => !ranges.some((range) => isSame(range, lane.range)))
    for (const lane of retired) lane.isRetired = true
    const kept = new Map(this.#lanes.filter((lane) => !lane.isRetired).map((lane) => [lane.range.id, lane]))
    this.#lanes = ranges.map((range) => kept.get(range.id) ?? this.#createSuccessor(range, ranges.length, retired))
    this.#heads = ranges.map(({ min }) => headOf(min))
    return retired
  }

  #createSuccessor(range: ContainerRange, count: number, retired: readonly Lane[]): Lane {
    const lane = this.#createLane(range, count)
    const ancestors = retired.flatMap((parent) => [parent, ...parent.parents])
    lane.parents = ancestors.filter((parent) => parent.inFlight > 0 && overlaps(parent.range, range))
    return lane
  }
}

// compares the bounds, too, because a container that was created again can have the same id with other bounds
function isSame(a: ContainerRange, b: ContainerRange): boolean {
  return a.id === b.id && a.min === b.min && a.max === b.max
}

function overlaps(a: ContainerRange, b: ContainerRange): boolean {
  return a.min < b.max && b.min < a.max
}

interface RangeRefreshOptions {
  readonly table: RouteTable
  readonly byteBudget: ByteBudget | undefined
  /** Lanes whose ranges are no longer listed. Such a lane still counts the answers of its requests in flight. */
  readonly retired: RetiredLane[]
  readonly clock: Clock
  readonly random: () => number
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  readonly checkContainer: () => Promise<void>
  readonly onUnauthorized?: ((error: CosmosError) => boolean) | undefined
  readonly renewBudgets: () => void
  readonly onLanes: (lanes: readonly Lane[]) => void
  readonly pump: (lane: Lane) => void
  readonly stop: (error: Error) => void
}

/** Counters of a lane whose range was split or merged; kept so that the totals never decrease. */
export interface RetiredLane {
  readonly rangeId: string
  readonly counts: LaneCounts
}

/** Handles splits and merges: reads the list of ranges again, and moves operations to the lanes of the new ranges. */
export class RangeRefresh {
  readonly #options: RangeRefreshOptions
  readonly #reader: RangeReader

  constructor(options: RangeRefreshOptions) {
    const { clock, random, refreshRanges, pump } = options
    this.#options = options
    this.#reader = new RangeReader({ clock, random, refreshRanges, apply: (ranges) => this.apply(ranges), wake: pump })
  }

  /** Applies a list of ranges. */
  apply(ranges: readonly ContainerRange[]): void {
    const { table, byteBudget, retired, renewBudgets, onLanes, pump } = this.#options
    const gone = table.update(ranges)
    onLanes(table.lanes)
    byteBudget?.setLanes(table.size)
    if (gone.length === 0) return
    for (const lane of gone) {
      lane.cancelWake?.()
      lane.cancelWake = undefined
      retired.push({ rangeId: lane.range.id, counts: lane.counts })
      this.#moveQueuedOperations(lane)
    }
    renewBudgets()
    for (const lane of table.lanes) pump(lane)
  }

  /** Called when the range of a lane has moved. */
  onMoved(lane: Lane, { isMoving, isNew }: { readonly isMoving: boolean; readonly isNew: boolean }): void {
    if (lane.isRetired) return
    if (isNew) void this.checkContainerAgain(lane, 1)
    this.#reader.refresh(lane, isMoving)
  }

  /**
   * Checks the container after an answer that says that the container does not exist. `times` is the number of such
   * answers in a row.
   */
  async checkContainerAgain(lane: Lane, times: number): Promise<void> {
    try {
      await this.#options.checkContainer()
    } catch (error) {
      // a failed check proves nothing; the next answer starts another check
      if (error instanceof KeystampError && error.retriable) return
      if (
        error instanceof CosmosError &&
        error.code === 'COSMOS_UNAUTHORIZED' &&
        this.#options.onUnauthorized?.(error) === true
      )
        return
      return this.#options.stop(error as Error)
    }
    if (times > MAX_MISSING) {
      const message = 'Cosmos DB answers writes with "no such container", but reads of the container succeed.'
      return this.#options.stop(new CosmosError('CONTAINER_MISSING', message))
    }
    // the container may have been created again: its ranges may have the same ids and other bounds
    this.#reader.refresh(lane, false)
  }

  /** Called after the last answer of a retired lane. Pumps its successors, which waited for this answer. */
  onDrained(lane: Lane): void {
    for (const successor of this.#options.table.lanes)
      if (successor.parents.includes(lane)) this.#options.pump(successor)
  }

  stop(): void {
    this.#reader.stop()
  }

  #moveQueuedOperations(lane: Lane): void {
    const { table, byteBudget } = this.#options
    const isExpedited = lane.isExpedited
    for (const pending of lane.takeAll()) {
      const successor = table.laneOf(pending)
      pending.lane!.pending--
      successor.pending++
      byteBudget?.move(pending.lane!, successor, pending.bytes)
      pending.lane = successor
      successor.push(pending)
      if (isExpedited) successor.expedite()
    }
  }
}

const MAX_MISSING = 20

interface RangeReaderOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  readonly apply: (ranges: readonly ContainerRange[]) => void
  readonly wake: (lane: Lane) => void
}

/** Reads the list of ranges again. Until then, it pauses the lanes whose ranges have moved. */
class RangeReader {
  readonly #options: RangeReaderOptions
  readonly #cancels: Set<() => void> = new Set()
  #isStopped = false

  constructor(options: RangeReaderOptions) {
    this.#options = options
  }

  /**
   * Pauses a lane until the list is read. Delays the read if the new ranges may not be listed yet, or were not listed
   * at the last read.
   */
  refresh(lane: Lane, isMoving: boolean): void {
    if (lane.isMoving || lane.isRetired) return
    lane.isMoving = true
    lane.cancelWake?.()
    lane.cancelWake = undefined
    const isFirst = lane.moves === 0 && !isMoving
    lane.moves++
    if (isFirst) void this.#read(lane)
    else
      this.#later(
        backoffMs(lane.moves, { ...REQUEST_BACKOFF, random: this.#options.random }),
        () => void this.#read(lane)
      )
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#cancels) cancel()
  }

  async #read(lane: Lane): Promise<void> {
    // a read for another lane may already have brought the new list
    if (lane.isRetired) return
    try {
      const ranges = await this.#options.refreshRanges()
      if (this.#isStopped) return
      this.#options.apply(ranges)
    } catch {
      // the next 410 reads the list again, and counts against the deadline of the operations
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
