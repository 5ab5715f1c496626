import { type ChangePosition, readChanges } from '../engine/change-feed.ts'
import { rangesOf, type ScanScope } from '../engine/scan.ts'
import { refuseUnless } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { documentText, type StoredItem } from '../store/item.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { Answer } from './answer.ts'
import { type ChangeTexts, fillPage } from './change-page.ts'
import { hasSeparateMetadata, printPosition, refuseTimeAfterMerge, startHeadersOf } from './change-start.ts'
import { admitPage, feedHeaders, feedScopeOf, pageSizeOf, payPage } from './feed-page.ts'
import { traitsOf } from './operation-request.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { readAllVersions } from './version-feed-handler.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/**
 * `GET …/docs` with `A-IM`: the changes, or 304 when there are none. The next read resumes at the ETag. The values are
 * `Incremental feed` and `Full-Fidelity Feed`.
 */
export function readChangeFeed(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const pageOf = /full/i.test(headerOf(request, 'a-im') ?? '') ? readAllVersions : readLatestVersions
  const scope = feedScopeOf(request, container)
  const traits = traitsOf(request)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  const { texts, etag } = pageOf(request, container, scope, service.now())
  const headers = [...feedHeaders(container, ranges, texts.length, etag), 'etag', etag]
  if (texts.length === 0)
    return { status: 304, body: undefined, chargeRu: payPage(service, ranges, traits, 0), headers }
  const body = `{"_rid":"${container.rid}","Documents":[${texts.join(',')}],"_count":${texts.length}}`
  return { status: 200, body, chargeRu: payPage(service, ranges, traits, body.length), headers }
}

/** A page of the latest version of each changed item. */
function readLatestVersions(request: WireRequest, container: Container, scope: ScanScope, nowMs: number): ChangeTexts {
  const ranges = rangesOf(container, scope)
  const { position, sinceSecond } = startHeadersOf(request)
  if (sinceSecond !== undefined) refuseTimeAfterMerge(request, ranges)
  refuseUnless(
    position === undefined || position === 'now' || position.by !== 'sequence',
    "The ETag in 'If-None-Match' belongs to a change feed of all versions and deletes."
  )
  const newest = newestPosition(container, ranges)
  const after = position === 'now' ? newest : ((position as ChangePosition | undefined) ?? { ...newest, at: 0 })
  const start = { after, sinceSecond: position === 'now' ? 0 : (sinceSecond ?? 0) }
  const page = fillPage(readChanges(container, scope, start, nowMs), pageSizeOf(request), LATEST)
  const isSeparate = hasSeparateMetadata(request)
  const texts = page.changes.map((item) => latestText(container, item, isSeparate))
  // LSNs order the changes of one range only
  const by = ranges.length === 1 ? after.by : 'version'
  return { texts, etag: printPosition(page.isAtEnd ? newest : { by, at: page.last![by] }) }
}

const LATEST = {
  bytes: (item: StoredItem): number => item.length,
  number: (item: StoredItem): number => item.version,
  isSameRequest: (a: StoredItem, b: StoredItem): boolean => a.partition.range === b.partition.range && a.lsn === b.lsn
}

function latestText(container: Container, item: StoredItem, isSeparate: boolean): string {
  const text = documentText(container, item)
  return isSeparate
    ? `{"current":${text},"metadata":{"lsn":${item.lsn},"crts":${item.timestamp}}}`
    : `${text.slice(0, -1)},"_lsn":${item.lsn}}`
}

function newestPosition(container: Container, ranges: readonly PhysicalRange[]): ChangePosition {
  return ranges.length === 1 ? { by: 'lsn', at: ranges[0].lsn } : { by: 'version', at: container.lastVersion }
}
