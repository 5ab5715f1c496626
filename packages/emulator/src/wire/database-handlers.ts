import { METADATA_RU } from '../charge/operation-charge.ts'
import { parseThroughputHeaders, type Throughput } from '../charge/throughput.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import { parseResourceName } from '../store/container-definition.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { pageSizeOf } from './feed-page.ts'
import { parseQueryBody } from './querier.ts'
import { parseJsonBody } from './request-body.ts'
import { containerOf, databaseOf, isKnown, OWNER_MISSING, refuseUnlessMatched } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

const CREATE_RU = 4.95

/** `POST /dbs`. */
export function createDatabase(service: Service, request: WireRequest): Answer {
  const body = parseJsonBody(request.body)
  refuseUnless(isObject(body), 'The database must be a JSON object.')
  const id = parseResourceName(body['id'])
  const timestamp = Math.floor(service.now() / 1000)
  const database = service.account.createDatabase(id, throughputOf(request), timestamp)
  return jsonAnswer(201, database.toJson(), CREATE_RU, ['etag', database.etag])
}

/** `GET /dbs/{d}`. */
export function readDatabase(service: Service, request: WireRequest): Answer {
  const database = databaseOf(service, request)
  const answer = jsonAnswer(200, database.toJson(), METADATA_RU, ['etag', database.etag])
  return isKnown(request, database.etag) ? { ...answer, status: 304, body: undefined } : answer
}

/** `DELETE /dbs/{d}`. */
export function deleteDatabase(service: Service, request: WireRequest): Answer {
  const database = databaseOf(service, request)
  refuseUnlessMatched(request, database.etag)
  service.account.deleteDatabase(database)
  return { status: 204, body: undefined, chargeRu: CREATE_RU, headers: [] }
}

/** The throughput that a create request names. */
export function throughputOf(request: WireRequest): Throughput | undefined {
  return parseThroughputHeaders(
    headerOf(request, 'x-ms-offer-throughput'),
    headerOf(request, 'x-ms-cosmos-offer-autopilot-settings')
  )
}

/** `GET /`: the account; its locations have the scheme and port of the request. */
export function readAccount(service: Service, request: WireRequest): Answer {
  const location = { name: 'Local', databaseAccountEndpoint: `${request.origin}/` }
  const replicas = { minReplicaSetSize: 1, maxReplicasetSize: 4, asyncReplication: false }
  const account = {
    _self: '',
    // the JavaScript SDK ignores the locations of an account named localhost
    id: 'local-emulator',
    _rid: 'local-emulator',
    media: '//media/',
    addresses: '//addresses/',
    _dbs: '//dbs/',
    writableLocations: [location],
    readableLocations: [location],
    enableMultipleWriteLocations: false,
    continuousBackupEnabled: false,
    enableNRegionSynchronousCommit: false,
    enablePerPartitionFailoverBehavior: false,
    userReplicationPolicy: replicas,
    userConsistencyPolicy: { defaultConsistencyLevel: service.settings.consistency },
    systemReplicationPolicy: replicas,
    readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
    queryEngineConfiguration: QUERY_ENGINE
  }
  return jsonAnswer(200, account, 0)
}

const QUERY_ENGINE: string = JSON.stringify({
  maxSqlQueryInputLength: 262144,
  maxJoinsPerSqlQuery: 10,
  maxLogicalAndPerSqlQuery: 2000,
  maxLogicalOrPerSqlQuery: 2000,
  maxUdfRefPerSqlQuery: 10,
  maxInExpressionItemsCount: 16000,
  queryMaxInMemorySortDocumentCount: 500,
  maxQueryRequestTimeoutFraction: 0.9,
  sqlAllowNonFiniteNumbers: false,
  sqlAllowAggregateFunctions: true,
  sqlAllowSubQuery: false,
  sqlAllowScalarSubQuery: false,
  allowNewKeywords: true,
  sqlAllowLike: true,
  sqlAllowGroupByClause: false,
  maxSpatialQueryCells: 12,
  spatialMaxGeometryPointCount: 256,
  sqlDisableQueryILOptimization: false,
  sqlDisableFilterPlanOptimization: false
})

/** `GET /dbs`, or a query over them. */
export function listDatabases(service: Service, request: WireRequest): Answer {
  const databases = [...service.account.databases.values()].map((database) => database.toJson())
  return listAnswer(service, request, 'Databases', '', databases)
}

/** `GET /dbs/{d}/colls`, or a query over them. */
export function listContainers(service: Service, request: WireRequest): Answer {
  const database = databaseOf(service, request, OWNER_MISSING)
  const containers = [...database.containers.values()].map((container) => container.toJson())
  return listAnswer(service, request, 'DocumentCollections', database.rid, containers)
}

/** `GET /dbs/{d}/colls/{c}/conflicts`, or a query over them: an account of one region has none. */
export function listConflicts(service: Service, request: WireRequest): Answer {
  return listAnswer(service, request, 'Conflicts', containerOf(service, request, OWNER_MISSING).rid, [])
}

/** A conflict by its id: always 404. */
export function findConflict(service: Service, request: WireRequest): Answer {
  containerOf(service, request, OWNER_MISSING)
  throw new ServiceError(
    404,
    `The conflict '${request.address.ids[2]}' does not exist: an account of one region has none.`
  )
}

/** `GET /offers`, or a query over them: clients search for the offer of a resource by its `_self` or `_rid`. */
export function listOffers(service: Service, request: WireRequest): Answer {
  const offers = [...service.account.offers.values()].map((offer) => offer.toJson())
  return listAnswer(service, request, 'Offers', '', offers)
}

/** Whether a POST on a feed is a query. */
export function isQuery(request: WireRequest): boolean {
  if (isSet(request, 'x-ms-documentdb-isquery')) return true
  return headerOf(request, 'content-type')?.startsWith('application/query+json') === true
}

/** A page of a list of resources, or of the result of a query over them. */
export function listAnswer(
  service: Service,
  request: WireRequest,
  name: string,
  rid: string,
  resources: readonly Record<string, unknown>[]
): Answer {
  const rows = request.method === 'POST' ? queried(service, request, resources) : resources
  const offset = Number(headerOf(request, 'x-ms-continuation') ?? 0)
  refuseUnless(Number.isInteger(offset) && offset >= 0, 'Invalid Continuation Token.')
  const page = rows.slice(offset, offset + pageSizeOf(request).items)
  const headers = ['x-ms-item-count', String(page.length)]
  if (offset + page.length < rows.length) headers.push('x-ms-continuation', String(offset + page.length))
  return jsonAnswer(200, { _rid: rid, [name]: page, _count: page.length }, METADATA_RU, headers)
}

function queried(
  service: Service,
  request: WireRequest,
  resources: readonly Record<string, unknown>[]
): readonly unknown[] {
  const { text, parameters } = parseQueryBody(request)
  return service.querier.run(service.querier.parse(text), resources, parameters)
}
