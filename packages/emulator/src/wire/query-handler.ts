import { rangesOf } from '../engine/scan.ts'
import { pagingOf } from '../query/index.ts'
import { ServiceError } from '../service-error.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { checkSession } from './consistency.ts'
import { refuseUnsortable, vectorsOf } from './container-queries.ts'
import { itemsContinuationOf, printContinuation, rowsContinuationOf } from './continuation.ts'
import { admitPage, feedHeaders, feedScopeOf, isScoped, pageSizeOf, payPage } from './feed-page.ts'
import { readJoined } from './joined-page.ts'
import { keyOf, traitsOf } from './operation-request.ts'
import { parseQueryBody, refusalOf, refusing } from './querier.ts'
import { queryMetricsHeaders } from './query-metrics.ts'
import { type QueryPage, readRowByRow, readWhole, type ScopedQuery } from './query-page.ts'
import { plannedRanges } from './query-ranges.ts'
import { narrowScope } from './query-scope.ts'
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
  const scope = refusing(() => narrowScope(container, asked, query, parameters))
  if (!isScoped(scope)) refuseUnservable(service, request, { container, query, parameters })
  refuseUnsortable(container, query)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  // a list of keys takes as long as a step
  yield
  const tally = { items: 0, bytes: 0 }
  const scoped = { service, container, scope, query, parameters, size: pageSizeOf(request), tally }
  const { rows, next } = yield* readQueryPage(scoped, request)
  const chargeRu = payPage(service, ranges, traits, rows.bodyLength)
  const continuation = next === undefined ? undefined : printContinuation(next)
  const headers = feedHeaders(container, ranges, rows.count, continuation)
  const work = {
    elapsedMs: service.now() - startedMs,
    readItems: tally.items,
    readBytes: tally.bytes,
    givenItems: rows.count,
    givenBytes: rows.listLength
  }
  return { status: 200, body: rows.toBody(), chargeRu, headers: [...headers, ...queryMetricsHeaders(request, work)] }
}

function* readQueryPage(scoped: ScopedQuery, request: WireRequest): Generator<undefined, QueryPage> {
  try {
    const paging = pagingOf(scoped.query)
    if (paging === 'rows') return yield* readRowByRow(scoped, itemsContinuationOf(request))
    if (paging === 'joined') return yield* readJoined(scoped, itemsContinuationOf(request))
    return yield* readWhole(scoped, rowsContinuationOf(request))
  } catch (error) {
    throw refusalOf(error)
  }
}

function refuseUnservable(
  service: Service,
  request: WireRequest,
  { container, query, parameters }: Pick<ScopedQuery, 'container' | 'query' | 'parameters'>
): void {
  if (!isSet(request, 'x-ms-documentdb-query-enablecrosspartition')) {
    throw new ServiceError(
      400,
      'Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception.'
    )
  }
  if (service.settings.crossPartition === 'serve' || (pagingOf(query) !== 'whole' && query.top === undefined)) return
  const plan = service.querier.plan(query, '', {
    parameters,
    ranges: () => plannedRanges(container, query, parameters),
    vectors: vectorsOf(container.definition)
  })
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
  const query = service.querier.parse(text)
  const plan = service.querier.plan(query, features, {
    parameters,
    ranges: () => plannedRanges(container, query, parameters),
    vectors: vectorsOf(container.definition)
  })
  return jsonAnswer(200, plan, 0, ['x-ms-content-path', container.rid])
}
