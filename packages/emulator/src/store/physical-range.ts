import type { Budget } from '../charge/budget.ts'
import { RangeUsage } from '../charge/meter.ts'
import { HIGHEST, initialBoundaries, LOWEST } from '../partition/boundaries.ts'
import type { KeyScheme } from '../partition/effective-key.ts'
import type { StoredItem } from './item.ts'
import type { LogPosition, VersionLog } from './version-log.ts'

/** Phase of a range in a split or merge; only an online range serves requests. */
type RangePhase = 'online' | 'splitting' | 'merging'

/** A physical partition: a half-open interval of effective keys, its items, its budget and its usage. */
export class PhysicalRange {
  readonly id: string
  readonly ordinal: number
  readonly min: string
  readonly max: string
  readonly parents: readonly string[]
  readonly items: OrderedItems<StoredItem, 'position'> = new OrderedItems('position')
  readonly changes: OrderedItems<StoredItem, 'changePosition'> = new OrderedItems('changePosition')
  readonly usage: RangeUsage = new RangeUsage()
  budget: Budget | undefined = undefined
  /** RU/s of the range by a redistribution; undefined if the range has an equal share of the throughput. */
  assignedRuPerSecond: number | undefined = undefined
  phase: RangePhase = 'online'
  bytes = 0
  lsn = 0
  /** Incremented by each merge; accounts of one region begin with -1. */
  sessionVersion = -1
  /** All changes within the retention; undefined if the container does not keep versions. */
  versions: VersionLog | undefined = undefined

  constructor(ordinal: number, min: string, max: string, parents: readonly string[]) {
    this.id = String(ordinal)
    this.ordinal = ordinal
    this.min = min
    this.max = max
    this.parents = parents
  }

  /** Whether the range, or a range that it was split from, is the result of a merge. */
  get isMerged(): boolean {
    return this.sessionVersion >= 0
  }

  get sessionToken(): string {
    return `${this.id}:${this.sessionVersion}#${this.lsn}`
  }

  /** The state that a data folder keeps, without the items. */
  state(): RangeState {
    const { ordinal, min, max, parents, lsn, sessionVersion, assignedRuPerSecond, versions } = this
    return { ordinal, min, max, parents, lsn, sessionVersion, assignedRuPerSecond, lostVersions: versions?.lost }
  }

  /** Takes over the properties of a state that can change. */
  restore(state: RangeState): void {
    this.lsn = state.lsn
    this.sessionVersion = state.sessionVersion
    this.assignedRuPerSecond = state.assignedRuPerSecond
  }
}

/** State of a range in a data folder. */
export interface RangeState {
  readonly ordinal: number
  readonly min: string
  readonly max: string
  readonly parents: readonly string[]
  readonly lsn: number
  readonly sessionVersion: number
  readonly assignedRuPerSecond?: number | undefined
  /** The last change that the log of all versions does not have; undefined without such a log. */
  readonly lostVersions?: LogPosition | undefined
}

/** The ranges of a container in order, without gaps, from the lowest to the highest key. */
export class RangeSet {
  #sorted: readonly PhysicalRange[]
  #byId: ReadonlyMap<string, PhysicalRange>
  #nextOrdinal: number
  #revision = 1

  constructor(count: number, scheme: KeyScheme) {
    const bounds = [LOWEST, ...initialBoundaries(count, scheme), HIGHEST]
    this.#sorted = bounds.slice(0, -1).map((min, index) => new PhysicalRange(index, min, bounds[index + 1], []))
    this.#byId = indexById(this.#sorted)
    this.#nextOrdinal = count
  }

  get all(): readonly PhysicalRange[] {
    return this.#sorted
  }

  /** Incremented when the set of ranges or their throughput changes: the ETag of the range feed. */
  get revision(): number {
    return this.#revision
  }

  /** Makes clients that know the list of ranges read it again, for a property other than the boundaries. */
  touch(): void {
    this.#revision += 1
  }

  byId(id: string): PhysicalRange | undefined {
    return this.#byId.get(id)
  }

  /** The state that a data folder keeps. */
  state(): RangeSetState {
    return {
      revision: this.#revision,
      nextOrdinal: this.#nextOrdinal,
      ranges: this.#sorted.map((range) => range.state())
    }
  }

  /** Takes over a state that `state` returned. Ranges that are in both sets keep their items. */
  restore(state: RangeSetState): void {
    this.#sorted = state.ranges.map((one) => {
      const known = this.#byId.get(String(one.ordinal))
      const isSame = known?.min === one.min && known.max === one.max
      const range = isSame ? known : new PhysicalRange(one.ordinal, one.min, one.max, one.parents)
      range.restore(one)
      return range
    })
    this.#byId = indexById(this.#sorted)
    this.#nextOrdinal = state.nextOrdinal
    this.#revision = state.revision
  }

  /** The range that owns an effective key. */
  owner(effectiveKey: string): PhysicalRange {
    let low = 0
    let high = this.#sorted.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#sorted[middle].min <= effectiveKey) low = middle
      else high = middle - 1
    }
    return this.#sorted[low]
  }

  /** Replaces adjacent ranges with new ones between the given bounds, which cover the same keys. */
  replace(parents: readonly PhysicalRange[], bounds: readonly string[]): PhysicalRange[] {
    const ids = parents.map((parent) => parent.id)
    const children = bounds
      .slice(0, -1)
      .map((min, index) => new PhysicalRange(this.#nextOrdinal++, min, bounds[index + 1], ids))
    const at = this.#sorted.indexOf(parents[0])
    this.#sorted = [...this.#sorted.slice(0, at), ...children, ...this.#sorted.slice(at + parents.length)]
    this.#byId = indexById(this.#sorted)
    this.#revision += 1
    return children
  }
}

/** State of the ranges of a container in a data folder. */
export interface RangeSetState {
  readonly revision: number
  readonly nextOrdinal: number
  readonly ranges: readonly RangeState[]
}

function indexById(ranges: readonly PhysicalRange[]): ReadonlyMap<string, PhysicalRange> {
  return new Map(ranges.map((range) => [range.id, range]))
}

/** A list with a fixed order. Removed items leave holes; the list is compacted when half of its entries are holes. */
export class OrderedItems<Item extends Record<Key, number>, Key extends string> {
  readonly #key: Key
  #entries: (Item | undefined)[] = []
  #holes = 0
  #generation = 0

  constructor(key: Key) {
    this.#key = key
  }

  /** Number of items. */
  get size(): number {
    return this.#entries.length - this.#holes
  }

  /** Appends an item, and stores its position in the item. */
  push(item: Item): void {
    this.#setPosition(item, this.#entries.length)
    this.#entries.push(item)
  }

  /** Removes an item. */
  remove(item: Item): void {
    this.#entries[item[this.#key]] = undefined
    this.#holes += 1
    if (this.#holes > 64 && this.#holes * 2 > this.#entries.length) this.#close()
  }

  /** Incremented when positions change. */
  get generation(): number {
    return this.#generation
  }

  /** Number of positions. */
  get length(): number {
    return this.#entries.length
  }

  /** The item at a position; undefined at a hole. */
  at(position: number): Item | undefined {
    return this.#entries[position]
  }

  /** A copy of the list. Holes are undefined. */
  toArray(): (Item | undefined)[] {
    return this.#entries.slice()
  }

  /** The items from the first one for which `isBefore` is false; it must be true for a prefix of the list only. */
  *from(isBefore: (item: Item) => boolean): Generator<Item> {
    for (let at = this.seek(isBefore); at < this.#entries.length; at++) {
      const item = this.#entries[at]
      if (item !== undefined) yield item
    }
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let at = 0; at < this.#entries.length; at++) {
      const item = this.#entries[at]
      if (item !== undefined) yield item
    }
  }

  /** The position of the first item for which `isBefore` is false; it must be true for a prefix of the list only. */
  seek(isBefore: (item: Item) => boolean): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      let probe = middle
      while (probe < high && this.#entries[probe] === undefined) probe += 1
      if (probe < high && isBefore(this.#entries[probe]!)) low = probe + 1
      else high = middle
    }
    return low
  }

  #close(): void {
    const kept = this.#entries.filter((item) => item !== undefined)
    for (let at = 0; at < kept.length; at++) this.#setPosition(kept[at], at)
    this.#entries = kept
    this.#holes = 0
    this.#generation += 1
  }

  #setPosition(item: Item, at: number): void {
    ;(item as Record<Key, number>)[this.#key] = at
  }
}
