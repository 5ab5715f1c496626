import { rangesOf, type ScanScope } from '../engine/scan.ts'
import type { KeyValue } from '../partition/effective-key.ts'
import { toPartitionKey } from '../partition/partition-key.ts'
import { isRowByRow, partitionFilter, type Query } from '../query/index.ts'
import { ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { checkSession } from './consistency.ts'
import { refuseUnsortable } from './container-queries.ts'
import { itemsContinuationOf, printContinuation, rowsContinuationOf } from './continuation.ts'
import { admitPage, feedHeaders, feedScopeOf, isScoped, pageSizeOf, payPage, scopeOfKey } from './feed-page.ts'
import { keyOf, traitsOf } from './operation-request.ts'
import { parseQueryBody, refusalOf } from './querier.ts'
import { queryMetricsHeaders } from './query-metrics.ts'
import { type QueryPage, readRowByRow, readWhole, type ScopedQuery } from './query-page.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { runInSlices } from './slices.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

/** `POST …/docs` with a query. A query that reads many items is answered later, so that other requests can run. */
export function runQueryPage(service: Service, request: WireRequest): Answer | Promise<Answer> {
  return runInSlices(answerQuery(service, request))
}

function* answerQuery(service: Service, request: WireRequest): Generator<undefined, Answer> {
  const startedMs = service.now()
  const container = containerOf(service, request, OWNER_MISSING)
  const traits = traitsOf(request)
  const { text, parameters } = parseQueryBody(request)
  const query = service.querier.parse(text)
  const asked = feedScopeOf(request, container)
  checkSession(request, container, asked.kind === 'partition' ? keyOf(request) : undefined)
  const scope = narrowToKey(container, asked, query, parameters)
  if (!isScoped(scope)) refuseUnservable(service, request, query, parameters)
  refuseUnsortable(container, query)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  const tally = { items: 0, bytes: 0 }
  const scoped = { service, container, scope, query, parameters, size: pageSizeOf(request), tally }
  const page = yield* readQueryPage(scoped, request)
  const rows = JSON.stringify(page.rows)
  const body = `{"_rid":"${container.rid}","Documents":${rows},"_count":${page.rows.length}}`
  const chargeRu = payPage(service, ranges, traits, body.length)
  const continuation = page.next === undefined ? undefined : printContinuation(page.next)
  const headers = feedHeaders(container, ranges, page.rows.length, continuation)
  const work = {
    elapsedMs: service.now() - startedMs,
    readItems: tally.items,
    readBytes: tally.bytes,
    givenItems: page.rows.length,
    givenBytes: rows.length
  }
  return { status: 200, body, chargeRu, headers: [...headers, ...queryMetricsHeaders(request, work)] }
}

function* readQueryPage(scoped: ScopedQuery, request: WireRequest): Generator<undefined, QueryPage> {
  try {
    return isRowByRow(scoped.query)
      ? readRowByRow(scoped, itemsContinuationOf(request))
      : yield* readWhole(scoped, rowsContinuationOf(request))
  } catch (error) {
    throw refusalOf(error)
  }
}

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
