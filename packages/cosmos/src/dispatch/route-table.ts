import { headOf } from '@keystamp/core'
import type { ContainerRange } from '../client/container.ts'
import type { PendingOperation } from './pending-operation.ts'
import type { Lane } from './lane.ts'

/** Position of an operation's key: the beginning of its hash, which nearly always suffices, and the whole hash. */
type Place = Pick<PendingOperation, 'head' | 'epk'>

/** Finds the lane for a hashed key. */
export class RouteTable {
  readonly #createLane: (range: ContainerRange, count: number) => Lane
  /** Ascending by range. */
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

  laneOf(pending: Place): Lane {
    // the ranges cover everything from ''
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
   * Applies a new list of ranges; returns the lanes that are no longer listed.
   * A new lane waits for the lanes that it overlaps, while they have requests in flight.
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

// the same id with other bounds, in a container that was created again, is another range
function isSame(a: ContainerRange, b: ContainerRange): boolean {
  return a.id === b.id && a.min === b.min && a.max === b.max
}

function overlaps(a: ContainerRange, b: ContainerRange): boolean {
  return a.min < b.max && b.min < a.max
}
