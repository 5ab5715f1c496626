import { type ChangePosition, type ChangeStart, readChanges } from '../engine/change-feed.ts'
import { rangesOf, Scan, type ScanScope } from '../engine/scan.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { documentText, type StoredItem } from '../store/item.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { Answer } from './answer.ts'
import { checkSession } from './consistency.ts'
import { itemsContinuationOf, printContinuation } from './continuation.ts'
import { admitPage, feedHeaders, feedScopeOf, pageSizeOf, payPage } from './feed-page.ts'
import { keyOf, traitsOf } from './operation-request.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** `GET …/docs`: the items of a container, of a range or of a key, page by page. */
export function readFeed(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const scope = feedScopeOf(request, container)
  const traits = traitsOf(request)
  checkSession(request, container, scope.kind === 'partition' ? keyOf(request) : undefined)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  const page = readPage(service, request, container, scope)
  const body = `{"_rid":"${container.rid}","Documents":[${page.texts.join(',')}],"_count":${page.texts.length}}`
  const chargeRu = payPage(service, ranges, traits, body.length)
  return { status: 200, body, chargeRu, headers: feedHeaders(container, ranges, page.texts.length, page.continuation) }
}

function readPage(
  service: Service,
  request: WireRequest,
  container: Container,
  scope: ScanScope
): { texts: string[]; continuation: string | undefined } {
  const from = itemsContinuationOf(request)
  const size = pageSizeOf(request)
  const texts: string[] = []
  let bytes = 0
  const scan = new Scan(container, scope, from?.position, service.now())
  for (let item = scan.next(); item !== undefined; item = scan.next()) {
    if (texts.length === size.items || bytes >= size.bytes) {
      return { texts, continuation: printContinuation({ kind: 'items', position: scan.formerPosition(), returned: 0 }) }
    }
    const text = documentText(container, item)
    bytes += text.length
    texts.push(text)
  }
  return { texts, continuation: undefined }
}

/**
 * `GET …/docs` with `A-IM: Incremental feed`: the changes, or 304 when there are none. The next read resumes at the
 * ETag.
 */
export function readChangeFeed(service: Service, request: WireRequest): Answer {
  const mode = headerOf(request, 'a-im') ?? ''
  if (/full/i.test(mode))
    throw new ServiceError(
      501,
      `The change feed mode '${mode}' (all versions and deletes) is not supported by this emulator.`
    )
  const container = containerOf(service, request, OWNER_MISSING)
  const scope = feedScopeOf(request, container)
  const traits = traitsOf(request)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  const start = startOf(request, container, ranges)
  const size = pageSizeOf(request)
  const items: StoredItem[] = []
  let bytes = 0
  let isAtEnd = true
  for (const item of readChanges(container, scope, start, service.now())) {
    // an atomic batch is one change, which a page never splits
    const isFull = items.length >= size.items || bytes >= size.bytes
    if (isFull && !isSameChange(items.at(-1)!, item)) {
      isAtEnd = false
      break
    }
    items.push(item)
    bytes += item.length
  }
  const etag = printPosition(isAtEnd ? newestPosition(container, ranges) : positionOf(items.at(-1)!, start.after.by))
  const headers = [...feedHeaders(container, ranges, items.length, etag), 'etag', etag]
  if (items.length === 0)
    return { status: 304, body: undefined, chargeRu: payPage(service, ranges, traits, 0), headers }
  const texts = items.map((item) => `${documentText(container, item).slice(0, -1)},"_lsn":${item.lsn}}`)
  const body = `{"_rid":"${container.rid}","Documents":[${texts.join(',')}],"_count":${items.length}}`
  return { status: 200, body, chargeRu: payPage(service, ranges, traits, body.length), headers }
}

function isSameChange(a: StoredItem, b: StoredItem): boolean {
  return a.partition.range === b.partition.range && a.lsn === b.lsn
}

function startOf(request: WireRequest, container: Container, ranges: readonly PhysicalRange[]): ChangeStart {
  const known = headerOf(request, 'if-none-match')
  const since = headerOf(request, 'if-modified-since')
  const sinceSecond = since === undefined ? 0 : Math.floor(Date.parse(since) / 1000)
  refuseUnless(!Number.isNaN(sinceSecond), "The header 'If-Modified-Since' is not a date.")
  const newest = newestPosition(container, ranges)
  if (known === undefined || known === '') return { after: { ...newest, at: 0 }, sinceSecond }
  if (known === '*') return { after: newest, sinceSecond: 0 }
  const match = /^"?(v?)(\d{1,15})"?$/.exec(known)
  refuseUnless(
    match !== null,
    "The header 'If-None-Match' of a change feed must be '*' or an ETag that an earlier page had."
  )
  return { after: { by: match[1] === 'v' ? 'version' : 'lsn', at: Number(match[2]) }, sinceSecond }
}

// the ETag of one range must be an LSN: clients compare it with the LSN of the session token
function newestPosition(container: Container, ranges: readonly PhysicalRange[]): ChangePosition {
  return ranges.length === 1 ? { by: 'lsn', at: ranges[0].lsn } : { by: 'version', at: container.lastVersion }
}

function positionOf(item: StoredItem, by: ChangePosition['by']): ChangePosition {
  return { by, at: item[by] }
}

function printPosition({ by, at }: ChangePosition): string {
  return by === 'lsn' ? `"${at}"` : `"v${at}"`
}
