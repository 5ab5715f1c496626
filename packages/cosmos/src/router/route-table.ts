import { ownerOf } from '@keystamp/core'
import type { ContainerRange } from '../account/container-range.ts'
import type { Lane } from '../lane/lane.ts'

/** Which lane serves which part of the hashed keys. */
export class RouteTable {
  readonly #createLane: (range: ContainerRange, count: number) => Lane
  #ranges: readonly ContainerRange[] = []
  #lanes: Map<string, Lane> = new Map()

  constructor(createLane: (range: ContainerRange, count: number) => Lane) {
    this.#createLane = createLane
  }

  get lanes(): Iterable<Lane> {
    return this.#lanes.values()
  }

  get size(): number {
    return this.#lanes.size
  }

  laneOf(epk: string): Lane {
    // the ranges cover everything from '' on
    return this.#lanes.get(ownerOf(this.#ranges, epk)!.id)!
  }

  /**
   * Takes a new list of ranges; gives the lanes that are no longer listed.
   * A new lane waits for those that it overlaps as long as they have requests out.
   */
  update(ranges: readonly ContainerRange[]): readonly Lane[] {
    const previous = this.#lanes
    this.#ranges = ranges
    this.#lanes = new Map()
    const retired = [...previous.values()].filter((lane) => !ranges.some((range) => isSame(range, lane.range)))
    for (const lane of retired) lane.isRetired = true
    for (const range of ranges) {
      const known = previous.get(range.id)
      this.#lanes.set(range.id, known === undefined || known.isRetired ? this.#createHeir(range, ranges.length, retired) : known)
    }
    return retired
  }

  #createHeir(range: ContainerRange, count: number, retired: readonly Lane[]): Lane {
    const lane = this.#createLane(range, count)
    const ancestors = retired.flatMap((parent) => [parent, ...parent.parents])
    lane.parents = ancestors.filter((parent) => parent.inFlight > 0 && overlaps(parent.range, range))
    return lane
  }
}

// an id that was given anew, in a container that was created anew, is another range
function isSame(a: ContainerRange, b: ContainerRange): boolean {
  return a.id === b.id && a.min === b.min && a.max === b.max
}

function overlaps(a: ContainerRange, b: ContainerRange): boolean {
  return a.min < b.max && b.min < a.max
}
