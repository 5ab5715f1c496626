import type { Container } from '../store/container.ts'
import type { RetainedChange } from '../store/retained-change.ts'
import type { ChangeLogPosition } from '../store/version-log.ts'
import { mergeFeeds } from './merge-feeds.ts'
import { rangesOf, type ScanScope } from './scan.ts'

/**
 * The retained changes of a scope after a position: of one range in the order of its LSNs, of several ranges in the
 * order of the container's sequence numbers.
 */
export function* readVersions(
  container: Container,
  scope: ScanScope,
  after: ChangeLogPosition
): Generator<RetainedChange> {
  const logs = rangesOf(container, scope).map(({ versions }) => versions?.after(after) ?? [])
  for (const change of mergeFeeds(logs, ({ sequence }) => sequence)) if (isInside(scope, change)) yield change
}

/** Whether changes of a scope after a position are no longer retained. */
export function isLost(container: Container, scope: ScanScope, after: ChangeLogPosition, nowMs: number): boolean {
  const oldest = container.retained?.oldestSecond(nowMs) ?? Infinity
  return rangesOf(container, scope).some(({ versions }) => versions?.isLost(after, oldest) !== false)
}

function isInside(scope: ScanScope, change: RetainedChange): boolean {
  if (scope.kind === 'partition') return change.keyText === scope.partition.keyText
  const key = change.effectiveKey
  return key >= scope.min && key < scope.max
}
