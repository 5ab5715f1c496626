import type { Container } from '../store/container.ts'
import { isExpired, type StoredItem } from '../store/item.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { mergeFeeds } from './merge-feeds.ts'
import { rangesOf, type ScanScope } from './scan.ts'

/** Start of a read of the change feed. */
export interface ChangeStart {
  /** Changes up to this position are left out. */
  readonly after: ChangePosition
  /** Changes before this second are left out. */
  readonly sinceSecond: number
}

/** A position in the change feed: an LSN when one range is read, else a version of the container. */
export interface ChangePosition {
  readonly by: 'lsn' | 'version'
  readonly at: number
}

/** The latest version of each item in a scope that changed after a start, in the order of the changes. */
export function* readChanges(
  container: Container,
  scope: ScanScope,
  start: ChangeStart,
  nowMs: number
): Generator<StoredItem> {
  const defaultTtl = container.definition.defaultTtl
  // the time of changes does not always ascend: ranges may have been merged, and clocks may be set back
  for (const item of inOrder(container, scope, start.after)) {
    if (item.timestamp >= start.sinceSecond && !isExpired(item, defaultTtl, nowMs)) yield item
  }
}

function inOrder(container: Container, scope: ScanScope, { by, at }: ChangePosition): Iterable<StoredItem> {
  const isKnown = (item: StoredItem): boolean => item[by] <= at
  if (scope.kind === 'partition') {
    return [...scope.partition.items()].filter((item) => !isKnown(item)).toSorted((a, b) => a[by] - b[by])
  }
  const ranges = rangesOf(container, scope)
  if (by === 'lsn' && ranges.length === 1) return inside(scope, ranges[0].changes.from(isKnown))
  const feeds = ranges.map((range) => byVersion(range, isKnown))
  return inside(
    scope,
    mergeFeeds(feeds, ({ version }) => version)
  )
}

// the changes of a merged range are stored in the order of LSNs, which differs from the order of versions
function byVersion(range: PhysicalRange, isKnown: (item: StoredItem) => boolean): Iterable<StoredItem> {
  if (!range.isMerged) return range.changes.from(isKnown)
  const unknown = [...range.changes].filter((item) => !isKnown(item))
  return unknown.toSorted((a, b) => a.version - b.version)
}

function* inside(scope: ScanScope & { kind: 'keys' }, items: Iterable<StoredItem>): Generator<StoredItem> {
  for (const item of items) {
    const key = item.partition.effectiveKey
    if (key >= scope.min && key < scope.max) yield item
  }
}
