import { HIGHEST, LOWEST } from '../partition/boundaries.ts'
import type { Container } from '../store/container.ts'
import { isExpired, type StoredItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { PhysicalRange } from '../store/physical-range.ts'

/** The items that a feed or query reads. */
export type ScanScope =
  | { readonly kind: 'partition'; readonly partition: LogicalPartition; readonly id?: string }
  | { readonly kind: 'keys'; readonly min: string; readonly max: string; readonly range: PhysicalRange | undefined }

/**
 * Position of a scan. All keys below `min` are done. Each following interval of keys ends at its `max`; its items up to
 * the ordinal `after` are done. Keys instead of ranges make the position valid after splits and merges.
 */
export interface ScanPosition {
  readonly min: string
  readonly intervals: readonly { readonly max: string; readonly after: number }[]
}

/** An item, and the position after it. */
export interface Scanned {
  readonly item: StoredItem
  readonly position: () => ScanPosition
}

/** The items of a scope after a position, in the order of ranges and of creation. */
export function* scan(
  container: Container,
  scope: ScanScope,
  from: ScanPosition | undefined,
  nowMs: number
): Generator<Scanned> {
  const defaultTtl = container.definition.defaultTtl
  if (scope.kind === 'partition') {
    const after = from?.intervals[0]?.after ?? 0
    for (const item of itemsOf(scope)) {
      if (item.ordinal <= after || isExpired(item, defaultTtl, nowMs)) continue
      yield { item, position: () => ({ min: LOWEST, intervals: [{ max: HIGHEST, after: item.ordinal }] }) }
    }
    return
  }
  const units = toUnits(container, scope, from)
  for (const [index, unit] of units.entries()) {
    for (const item of unit.range.items.from((candidate) => candidate.ordinal <= unit.after)) {
      if (!isInside(item.partition.effectiveKey, unit) || isExpired(item, defaultTtl, nowMs)) continue
      yield { item, position: () => positionAt(units, index, item.ordinal) }
    }
  }
}

function itemsOf({ partition, id }: ScanScope & { kind: 'partition' }): Iterable<StoredItem> {
  if (id === undefined) return partition.items()
  const item = partition.get(id)
  return item === undefined ? [] : [item]
}

/** The ranges that a scope touches. */
export function rangesOf(container: Container, scope: ScanScope): readonly PhysicalRange[] {
  if (scope.kind === 'partition') return [scope.partition.range]
  if (scope.range !== undefined) return [scope.range]
  return container.ranges.all.filter((range) => range.min < scope.max && range.max > scope.min)
}

interface Unit {
  readonly range: PhysicalRange
  readonly min: string
  readonly max: string
  readonly after: number
}

function toUnits(container: Container, scope: ScanScope & { kind: 'keys' }, from: ScanPosition | undefined): Unit[] {
  const start = from === undefined || from.min < scope.min ? scope.min : from.min
  const intervals = [...(from?.intervals ?? []), { max: HIGHEST, after: 0 }]
  const units: Unit[] = []
  let low = start
  for (const interval of intervals) {
    const high = interval.max < scope.max ? interval.max : scope.max
    for (const range of rangesOf(container, scope)) {
      const min = range.min > low ? range.min : low
      const max = range.max < high ? range.max : high
      if (min < max) units.push({ range, min, max, after: interval.after })
    }
    if (high > low) low = high
  }
  return units
}

function isInside(effectiveKey: string, unit: Unit): boolean {
  const { range } = unit
  if (unit.min === range.min && unit.max === range.max) return true
  return effectiveKey >= unit.min && effectiveKey < unit.max
}

function positionAt(units: readonly Unit[], index: number, ordinal: number): ScanPosition {
  const rest = units.slice(index + 1).map(({ max, after }) => ({ max, after }))
  while (rest.length > 0 && rest.at(-1)!.after === 0) rest.pop()
  return { min: units[index].min, intervals: [{ max: units[index].max, after: ordinal }, ...rest] }
}
