import { effectiveKey, type KeyValue } from '../partition/effective-key.ts'
import { keyConditions, type PlannedRange, type Query } from '../query/index.ts'
import type { Container } from '../store/container.ts'
import { withBothZeros } from './query-scope.ts'

/** The parts of the hash space that WHERE allows, in order and without overlaps; undefined for the whole space. */
export function plannedRanges(
  container: Container,
  query: Query,
  parameters: ReadonlyMap<string, unknown>
): readonly PlannedRange[] | undefined {
  // the only row of a query without FROM belongs to no key
  if (query.from === undefined) return [point('')]
  const conditions = keyConditions(query, parameters, container.keyPaths)
  if (conditions === undefined || conditions.some(([first]) => first === undefined)) return undefined
  // a condition that no document meets: the service returns an empty range, too
  if (conditions.length === 0) return [point('')]
  const keys = conditions.flatMap((levels) => withBothZeros(firstLevels(levels)))
  return withoutOverlaps(keys.map((values) => rangeOf(container, values)))
}

function firstLevels(levels: readonly unknown[]): readonly KeyValue[] {
  const end = levels.indexOf(undefined)
  return (end < 0 ? levels : levels.slice(0, end)) as readonly KeyValue[]
}

function rangeOf(container: Container, values: readonly KeyValue[]): PlannedRange {
  const key = effectiveKey(values, container.key)
  if (values.length === container.keyPaths.length) return point(key)
  return { min: key, max: `${key}FF`, isMinInclusive: true, isMaxInclusive: false }
}

function point(key: string): PlannedRange {
  return { min: key, max: key, isMinInclusive: true, isMaxInclusive: true }
}

function withoutOverlaps(ranges: PlannedRange[]): PlannedRange[] {
  const kept: PlannedRange[] = []
  for (const range of ranges.toSorted(byMin)) {
    const last = kept.at(-1)
    // a range of a prefix comes before the keys in it
    const isInside = last !== undefined && (range.min < last.max || range.min === last.min)
    if (!isInside) kept.push(range)
  }
  return kept
}

function byMin(left: PlannedRange, right: PlannedRange): number {
  if (left.min !== right.min) return left.min < right.min ? -1 : 1
  return left.max < right.max ? 1 : -1
}
