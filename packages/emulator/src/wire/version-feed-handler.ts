import { expireRetained } from '../engine/apply-decision.ts'
import { rangesOf, type ScanScope } from '../engine/scan.ts'
import { isLost, readVersions } from '../engine/version-feed.ts'
import { refuseUnless } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { documentText } from '../store/item.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { RetainedChange } from '../store/retained-change.ts'
import type { ChangeLogPosition } from '../store/version-log.ts'
import { type ChangeTexts, fillPage } from './change-page.ts'
import { hasSeparateMetadata, printPosition, startHeadersOf } from './change-start.ts'
import { pageSizeOf } from './feed-page.ts'
import type { WireRequest } from './wire-request.ts'

/** A page of all versions and deletes. */
export function readAllVersions(
  request: WireRequest,
  container: Container,
  scope: ScanScope,
  nowMs: number
): ChangeTexts {
  refuseUnless(container.retained !== undefined, NOT_ENABLED)
  refuseUnless(
    hasSeparateMetadata(request),
    "A change feed of all versions and deletes needs the header 'x-ms-cosmos-changefeed-wire-format-version: 2021-09-15'."
  )
  // an item whose TTL has ended appears as deleted at once
  expireRetained(container, nowMs)
  const newest = newestPosition(container, rangesOf(container, scope))
  const after = startOf(request, newest)
  refuseUnless(!isLost(container, scope, after, nowMs), OUTSIDE_RETENTION)
  const page = fillPage(readVersions(container, scope, after), pageSizeOf(request), {
    bytes: (change) => change.length,
    number: (change) => change.sequence,
    isSameRequest: (a, b) => a.lsn === b.lsn && rangeOf(container, a) === rangeOf(container, b)
  })
  return {
    texts: page.changes.map((change) => changeText(container, change)),
    etag: printPosition(page.isAtEnd ? newest : { by: newest.by, at: page.last![newest.by] })
  }
}

const NOT_ENABLED =
  "Change Feed 'All Versions and Deletes' mode must be enabled: set 'changeFeedPolicy.retentionDuration' of the container, in minutes. Refer to https://aka.ms/ChangeFeed-AllVersionsAndDeletes."
const START_NOT_SUPPORTED =
  "is not supported with 'All Versions and Deletes' mode: start from now (If-None-Match: *) or from the ETag of an earlier page."
const OUTSIDE_RETENTION =
  "The changes after the continuation are outside of the retention of 'All Versions and Deletes' mode, which 'changeFeedPolicy.retentionDuration' of the container sets: some of them are no longer available. Start from now."

function startOf(request: WireRequest, newest: ChangeLogPosition): ChangeLogPosition {
  const { position, sinceSecond } = startHeadersOf(request)
  refuseUnless(sinceSecond === undefined, `Start from a point in time ${START_NOT_SUPPORTED}`)
  refuseUnless(position !== undefined, `Start from beginning ${START_NOT_SUPPORTED}`)
  if (position === 'now') return newest
  const { by, at } = position
  refuseUnless(by !== 'version', "The ETag in 'If-None-Match' belongs to a change feed of latest versions.")
  return { by, at }
}

function newestPosition(container: Container, ranges: readonly PhysicalRange[]): ChangeLogPosition {
  return ranges.length === 1 ? { by: 'lsn', at: ranges[0].lsn } : { by: 'sequence', at: container.lastSequence }
}

function rangeOf(container: Container, { effectiveKey }: RetainedChange): PhysicalRange {
  return container.ranges.owner(effectiveKey)
}

function changeText(container: Container, change: RetainedChange): string {
  const { current, previous } = change
  const now = current === undefined ? '{}' : documentText(container, current)
  const before = previous === undefined ? '' : `,"previous":${documentText(container, previous)}`
  return `{"current":${now},"metadata":{${metadataText(container, change)}}${before}}`
}

function metadataText(
  container: Container,
  { kind, lsn, timestamp, previousLsn, id, keyText }: RetainedChange
): string {
  const isDelete = kind === 'delete' || kind === 'expiry'
  const common = `"operationType":"${isDelete ? 'delete' : kind}","lsn":${lsn},"crts":${timestamp}`
  if (kind === 'create') return common
  const withPrevious = `${common},"previousImageLSN":${previousLsn}`
  if (!isDelete) return withPrevious
  const key = JSON.stringify(keyObject(container, keyText))
  return `${withPrevious},"timeToLiveExpired":${kind === 'expiry'},"id":${JSON.stringify(id)},"partitionKey":${key}`
}

/** The values of a partition key by their paths without the first slash. A value that was absent is left out. */
function keyObject(container: Container, keyText: string): Record<string, unknown> {
  const values = JSON.parse(`[${keyText}]`) as unknown[]
  const { paths } = container.key
  return Object.fromEntries(
    values.map((value, level) => [paths[level].slice(1), value] as const).filter(([, value]) => !isAbsent(value))
  )
}

function isAbsent(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
