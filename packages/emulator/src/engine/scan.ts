import { HIGHEST, LOWEST } from '../partition/boundaries.ts'
import type { Container } from '../store/container.ts'
import { isExpired, type StoredItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { type ItemWalk, walkRange } from './item-walk.ts'
import { type ScanTargets, walkTargets } from './scan-targets.ts'

/** The items that a feed or query reads. */
export type ScanScope = PartitionScope | KeysScope

/** The items of a key; with ids, only the items with these ids. */
interface PartitionScope {
  readonly kind: 'partition'
  readonly partition: LogicalPartition
  readonly ids?: ReadonlySet<string>
}

/** The items in an interval of effective keys; with targets, only the items of these logical partitions. */
interface KeysScope {
  readonly kind: 'keys'
  readonly min: string
  readonly max: string
  readonly range: PhysicalRange | undefined
  readonly targets?: ScanTargets
}

/**
 * Position of a scan. All keys below `min` are done. Each following interval of keys ends at its `max`; its items up to
 * the ordinal `after` are done. Keys instead of ranges make the position valid after splits and merges.
 */
export interface ScanPosition {
  readonly min: string
  readonly intervals: readonly { readonly max: string; readonly after: number }[]
}

/**
 * The items of a scope after a position, in the order of ranges and of creation. Items may be written, and ranges may
 * be split and merged, between two calls of `next`.
 */
export class Scan {
  readonly #units: readonly Unit[]
  readonly #defaultTtl: number | undefined
  readonly #nowMs: number
  #walk: ItemWalk | undefined = undefined
  #at = 0
  // of the last item and of the item before it
  #unit = 0
  #ordinal = 0
  #formerUnit = 0
  #formerOrdinal = 0

  constructor(container: Container, scope: ScanScope, from: ScanPosition | undefined, nowMs: number) {
    this.#defaultTtl = container.definition.defaultTtl
    this.#nowMs = nowMs
    this.#units = scope.kind === 'partition' ? [partitionUnit(scope, from)] : rangeUnits(container, scope, from)
  }

  /** The next item; undefined at the end. */
  next(): StoredItem | undefined {
    while (this.#at < this.#units.length) {
      this.#walk ??= this.#units[this.#at].walk()
      const item = this.#walk.next()
      if (item === undefined) {
        this.#walk = undefined
        this.#at += 1
      } else if (!isExpired(item, this.#defaultTtl, this.#nowMs)) {
        this.#formerUnit = this.#unit
        this.#formerOrdinal = this.#ordinal
        this.#unit = this.#at
        this.#ordinal = item.ordinal
        return item
      }
    }
    return undefined
  }

  /** The position after the last item. */
  position(): ScanPosition {
    return positionAt(this.#units, this.#unit, this.#ordinal)
  }

  /** The position after the item before the last one. */
  formerPosition(): ScanPosition {
    return positionAt(this.#units, this.#formerUnit, this.#formerOrdinal)
  }
}

/** The ranges that a scope touches. */
export function rangesOf(container: Container, scope: ScanScope): readonly PhysicalRange[] {
  if (scope.kind === 'partition') return [scope.partition.range]
  if (scope.range !== undefined) return [scope.range]
  return container.ranges.all.filter((range) => range.min < scope.max && range.max > scope.min)
}

/** A part of a scan. Items up to the ordinal `after` are done. */
interface Unit {
  readonly min: string
  readonly max: string
  readonly after: number
  readonly walk: () => ItemWalk
}

function partitionUnit({ partition, ids }: PartitionScope, from: ScanPosition | undefined): Unit {
  const after = from?.intervals[0]?.after ?? 0
  const targets: ScanTargets = new Map([[partition, ids]])
  return { min: LOWEST, max: HIGHEST, after, walk: () => walkTargets(targets, partition.range, after, undefined) }
}

function rangeUnits(container: Container, scope: KeysScope, from: ScanPosition | undefined): Unit[] {
  const start = from === undefined || from.min < scope.min ? scope.min : from.min
  const intervals = [...(from?.intervals ?? []), { max: HIGHEST, after: 0 }]
  const units: Unit[] = []
  let low = start
  for (const interval of intervals) {
    const high = interval.max < scope.max ? interval.max : scope.max
    for (const range of rangesOf(container, scope)) {
      const min = range.min > low ? range.min : low
      const max = range.max < high ? range.max : high
      if (min < max) units.push(rangeUnit(range, { min, max, after: interval.after }, scope.targets))
    }
    if (high > low) low = high
  }
  return units
}

function rangeUnit(range: PhysicalRange, bounds: Omit<Unit, 'walk'>, targets: ScanTargets | undefined): Unit {
  const { min, max, after } = bounds
  const accepts =
    min === range.min && max === range.max
      ? undefined
      : ({ partition: { effectiveKey } }: StoredItem): boolean => effectiveKey >= min && effectiveKey < max
  const walk = (): ItemWalk =>
    targets === undefined ? walkRange(range, after, accepts) : walkTargets(targets, range, after, accepts)
  return { ...bounds, walk }
}

function positionAt(units: readonly Unit[], index: number, ordinal: number): ScanPosition {
  const rest = units.slice(index + 1).map(({ max, after }) => ({ max, after }))
  while (rest.length > 0 && rest.at(-1)!.after === 0) rest.pop()
  return { min: units[index].min, intervals: [{ max: units[index].max, after: ordinal }, ...rest] }
}
