import { rangesOf, scan, type Scanned, type ScanScope } from '../engine/scan.ts'
import type { KeyValue } from '../partition/effective-key.ts'
import { toPartitionKey } from '../partition/partition-key.ts'
import { isRowByRow, partitionFilter, type Query } from '../query/index.ts'
import { ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { documentText, type StoredItem } from '../store/item.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { checkSession } from './consistency.ts'
import {
  type Continuation,
  type ItemsContinuation,
  itemsContinuationOf,
  printContinuation,
  type RowsContinuation,
  rowsContinuationOf
} from './continuation.ts'
import {
  admitPage,
  feedHeaders,
  feedScopeOf,
  isScoped,
  type PageSize,
  pageSizeOf,
  payPage,
  scopeOfKey
} from './feed-page.ts'
import { keyOf, traitsOf } from './operation-request.ts'
import { parseQueryBody } from './querier.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

/** `POST …/docs` with a query. */
export function runQueryPage(service: Service, request: WireRequest): Answer {
  const startedMs = service.now()
  const container = containerOf(service, request, OWNER_MISSING)
  const traits = traitsOf(request)
  const { text, parameters } = parseQueryBody(request)
  const query = service.querier.parse(text)
  const asked = feedScopeOf(request, container)
  checkSession(request, container, asked.kind === 'partition' ? keyOf(request) : undefined)
  const scope = narrowToKey(container, asked, query, parameters)
  if (!isScoped(scope)) refuseUnservable(service, request, query, parameters)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  const run: QueryRun = {
    service,
    container,
    scope,
    query,
    parameters,
    size: pageSizeOf(request),
    tally: { items: 0, bytes: 0 }
  }
  const page = isRowByRow(query)
    ? readRowByRow(run, itemsContinuationOf(request))
    : readWhole(run, rowsContinuationOf(request))
  const rows = JSON.stringify(page.rows)
  const body = `{"_rid":"${container.rid}","Documents":${rows},"_count":${page.rows.length}}`
  const chargeRu = payPage(service, ranges, traits, body.length)
  const continuation = page.next === undefined ? undefined : printContinuation(page.next)
  const headers = feedHeaders(container, ranges, page.rows.length, continuation)
  const { items: readItems, bytes: readBytes } = run.tally
  const work = {
    elapsedMs: service.now() - startedMs,
    readItems,
    readBytes,
    givenItems: page.rows.length,
    givenBytes: rows.length
  }
  return { status: 200, body, chargeRu, headers: [...headers, ...queryMetricsHeaders(request, work)] }
}

interface QueryRun {
  readonly service: Service
  readonly container: Container
  readonly scope: ScanScope
  readonly query: Query
  readonly parameters: ReadonlyMap<string, unknown>
  readonly size: PageSize
  /** Items and bytes read so far. */
  readonly tally: { items: number; bytes: number }
}

interface QueryPage {
  readonly rows: readonly unknown[]
  readonly next: Continuation | undefined
}

// a page ends after this number of items, even without rows, so that a long scan does not block other requests
const SCANNED_ITEMS = 20_000

function refuseUnservable(
  service: Service,
  request: WireRequest,
  query: Query,
  parameters: ReadonlyMap<string, unknown>
): void {
  if (!isSet(request, 'x-ms-documentdb-query-enablecrosspartition')) {
    throw new ServiceError(
      400,
      'Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception.'
    )
  }
  if (service.settings.crossPartition === 'serve' || (isRowByRow(query) && query.top === undefined)) return
  const plan = service.querier.plan(query, '', parameters)
  throw new ServiceError(400, 'The provided cross partition query can not be directly served by the gateway.', {
    subStatus: 1004,
    additionalErrorInfo: JSON.stringify(plan)
  })
}

// Each row comes from one item, so a page ends with the item of its last row. One more row is read, so that a full last
// page is not followed by an empty one.
function readRowByRow(run: QueryRun, from: ItemsContinuation | undefined): QueryPage {
  const { service, container, scope, query, parameters, size, tally } = run
  const returned = from?.returned ?? 0
  const top = typeof query.top === 'number' ? query.top - returned : Number.POSITIVE_INFINITY
  const limit = Math.min(size.items, top)
  if (limit <= 0) return { rows: [], next: undefined }
  const items = scan(container, scope, from?.position, service.now())
  let before: Scanned | undefined
  let last: Scanned | undefined
  let isAtEnd = false
  function* documents(): Generator {
    let bytes = 0
    for (let count = 0; count < SCANNED_ITEMS && bytes < size.bytes; count++) {
      const next = items.next()
      if (next.done === true) {
        isAtEnd = true
        return
      }
      before = last
      last = next.value
      bytes += last.item.length
      yield documentOf(run, last.item)
    }
  }
  const nextAfter = (scanned: Scanned, rows: unknown[]): QueryPage => ({
    rows,
    next: { kind: 'items', position: scanned.position(), returned: returned + rows.length }
  })
  const rows = service.querier.run({ ...query, top: limit < top ? limit + 1 : limit }, documents(), parameters)
  if (rows.length > limit) {
    tally.items -= 1
    tally.bytes -= last!.item.length
    // `before` is at or after the item of the last row: items between that row and the extra row gave no rows
    return nextAfter(before!, rows.slice(0, limit))
  }
  if (isAtEnd || last === undefined || rows.length === top || items.next().done === true)
    return { rows, next: undefined }
  return nextAfter(last, rows)
}

// sorted, distinct and aggregated rows are computed together and kept for the next pages
function readWhole(run: QueryRun, from: RowsContinuation | undefined): QueryPage {
  const { service, size } = run
  const known = from === undefined ? undefined : service.results.get(from.result)
  const rows = known ?? service.querier.run(run.query, allDocuments(run), run.parameters)
  const offset = from?.offset ?? 0
  const end = offset + pageLength(rows, offset, size)
  const page = rows.slice(offset, end)
  if (end >= rows.length) return { rows: page, next: undefined }
  const result = known === undefined ? service.results.keep(rows) : from!.result
  return { rows: page, next: { kind: 'rows', offset: end, result } }
}

function* allDocuments(run: QueryRun): Generator {
  const { container, scope, service } = run
  for (const { item } of scan(container, scope, undefined, service.now())) yield documentOf(run, item)
}

function documentOf({ container, tally }: QueryRun, item: StoredItem): unknown {
  tally.items += 1
  tally.bytes += item.length
  return JSON.parse(documentText(container, item))
}

function pageLength(rows: readonly unknown[], offset: number, size: PageSize): number {
  let bytes = 0
  let count = 0
  while (count < size.items && offset + count < rows.length && bytes < size.bytes) {
    bytes += JSON.stringify(rows[offset + count]).length
    count += 1
  }
  return count
}

/** `POST …/docs` for a query plan, which says how a client runs a query over all ranges. */
export function planQueryRequest(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const { text, parameters } = parseQueryBody(request)
  const features = headerOf(request, 'x-ms-cosmos-supported-query-features') ?? ''
  const plan = service.querier.plan(service.querier.parse(text), features, parameters)
  return jsonAnswer(200, plan, 0, ['x-ms-content-path', container.rid])
}

/**
 * Narrows a scope to the partition key in the WHERE clause, so that a query by key reads the items of that key only.
 */
function narrowToKey(
  container: Container,
  scope: ScanScope,
  query: Query,
  parameters: ReadonlyMap<string, unknown>
): ScanScope {
  if (scope.kind === 'partition') return narrowToId(scope, query, parameters)
  const values = partitionFilter(query, parameters, container.keyPaths)
  if (values === undefined) return scope
  const narrow = scopeOfKey(container, toPartitionKey(values as readonly KeyValue[]))
  if (narrow.kind === 'partition') {
    const { effectiveKey, range } = narrow.partition
    const isInside =
      effectiveKey >= scope.min && effectiveKey < scope.max && (scope.range === undefined || scope.range === range)
    return isInside ? narrowToId(narrow, query, parameters) : { ...scope, max: scope.min }
  }
  return {
    kind: 'keys',
    min: narrow.min > scope.min ? narrow.min : scope.min,
    max: narrow.max < scope.max ? narrow.max : scope.max,
    range: scope.range
  }
}

function narrowToId(
  scope: ScanScope & { kind: 'partition' },
  query: Query,
  parameters: ReadonlyMap<string, unknown>
): ScanScope {
  const [id] = partitionFilter(query, parameters, ID_PATH) ?? []
  return typeof id === 'string' ? { ...scope, id } : scope
}

const ID_PATH: readonly (readonly string[])[] = [['id']]

/** Items and bytes that a page of a query read and returned. */
interface QueryWork {
  readonly elapsedMs: number
  readonly readItems: number
  readonly readBytes: number
  readonly givenItems: number
  readonly givenBytes: number
}

/** The headers with metrics of a query, if the request asks for them. */
function queryMetricsHeaders(request: WireRequest, work: QueryWork): string[] {
  const headers: string[] = []
  if (isSet(request, 'x-ms-documentdb-populatequerymetrics'))
    headers.push('x-ms-documentdb-query-metrics', printMetrics(work))
  if (isSet(request, 'x-ms-cosmos-populateindexmetrics'))
    headers.push('x-ms-cosmos-index-utilization', NO_INDEX_METRICS)
  return headers
}

// queries scan all items in this emulator, so there is no index to report
const NO_INDEX_METRICS: string = Buffer.from(
  JSON.stringify({
    UtilizedSingleIndexes: [],
    PotentialSingleIndexes: [],
    UtilizedCompositeIndexes: [],
    PotentialCompositeIndexes: []
  })
).toString('base64')

function printMetrics(work: QueryWork): string {
  const values = {
    totalExecutionTimeInMs: work.elapsedMs.toFixed(2),
    queryCompileTimeInMs: '0.00',
    queryLogicalPlanBuildTimeInMs: '0.00',
    queryPhysicalPlanBuildTimeInMs: '0.00',
    queryOptimizationTimeInMs: '0.00',
    VMExecutionTimeInMs: work.elapsedMs.toFixed(2),
    indexLookupTimeInMs: '0.00',
    documentLoadTimeInMs: '0.00',
    systemFunctionExecuteTimeInMs: '0.00',
    userFunctionExecuteTimeInMs: '0.00',
    retrievedDocumentCount: work.readItems,
    retrievedDocumentSize: work.readBytes,
    outputDocumentCount: work.givenItems,
    outputDocumentSize: work.givenBytes,
    writeOutputTimeInMs: '0.00',
    indexUtilizationRatio: (work.readItems === 0 ? 0 : Math.min(1, work.givenItems / work.readItems)).toFixed(2)
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}
