import { METADATA_RU } from '../charge/operation-charge.ts'
import { initialRangeCount, type Throughput } from '../charge/throughput.ts'
import { sweepContainer } from '../engine/apply-decision.ts'
import { spreadThroughput, throughputFraction } from '../engine/spread-throughput.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Database } from '../store/account.ts'
import { type ContainerDefinition, parseContainerDefinition, parseResourceName } from '../store/container-definition.ts'
import type { Container } from '../store/container.ts'
import type { Offer } from '../store/offer.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { childRid } from '../store/resource-id.ts'
import { retentionSecondsOf } from '../store/retained-versions.ts'
import { checkVectorsKept } from '../store/vector-policy.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { checkComputedProperties } from './container-queries.ts'
import { quotaOf, statisticsOf, usageOf } from './container-statistics.ts'
import { throughputOf } from './database-handlers.ts'
import { parseJsonBody } from './request-body.ts'
import { containerOf, databaseOf, isKnown, OWNER_MISSING, refuseUnlessMatched } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

const CREATE_RU = 4.95

/** `POST /dbs/{d}/colls`. */
export function createContainer(service: Service, request: WireRequest): Answer {
  const database = databaseOf(service, request, OWNER_MISSING)
  const definition = parseDefinition(request)
  const container = addContainer(service, database, definition, throughputOf(request))
  return containerAnswer(service, 201, container, CREATE_RU)
}

/** Creates a container with the requested throughput. Without one, it has that of its database, or the default. */
function parseDefinition(request: WireRequest): ContainerDefinition {
  const definition = parseContainerDefinition(parseJsonBody(request.body))
  checkComputedProperties(definition)
  return definition
}

function addContainer(
  service: Service,
  database: Database,
  definition: ContainerDefinition,
  asked: Throughput | undefined
): Container {
  const own = asked ?? (database.offer === undefined ? defaultThroughput(service) : undefined)
  const rangeCount = service.settings.ranges ?? initialRangeCount(own ?? database.offer!.throughput, own === undefined)
  const nowMs = service.now()
  const container = service.account.createContainer(database, definition, {
    throughput: own,
    rangeCount,
    timestamp: Math.floor(nowMs / 1000)
  })
  spreadThroughput(service.engine.meter, database, container, nowMs)
  return container
}

/** `GET /dbs/{d}/colls/{c}`. */
export function readContainer(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request)
  const answer = containerAnswer(service, 200, container, METADATA_RU, request)
  return isKnown(request, container.etag) ? { ...answer, status: 304, body: undefined } : answer
}

/** `PUT /dbs/{d}/colls/{c}`. */
export function replaceContainer(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request)
  refuseUnlessMatched(request, container.etag)
  const definition = parseDefinition(request)
  refuseChangeOfFixed(container, definition)
  refuseVersionsAfterMerge(container, definition)
  service.account.changeContainer(container, definition, Math.floor(service.now() / 1000))
  return containerAnswer(service, 200, container, CREATE_RU)
}

/** `DELETE /dbs/{d}/colls/{c}`. */
export function deleteContainer(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request)
  refuseUnlessMatched(request, container.etag)
  service.account.deleteContainer(databaseOf(service, request), container)
  return { status: 204, body: undefined, chargeRu: CREATE_RU, headers: [] }
}

function defaultThroughput(service: Service): Throughput {
  return { mode: 'manual', ruPerSecond: service.settings.ruPerSecond }
}

/** The answer to a request about a container; a read may ask for its quota and for statistics of its partitions. */
function containerAnswer(
  service: Service,
  status: number,
  container: Container,
  chargeRu: number,
  read?: WireRequest
): Answer {
  const wantsQuota = read !== undefined && isSet(read, 'x-ms-documentdb-populatequotainfo')
  const wantsStatistics = read !== undefined && isSet(read, 'x-ms-documentdb-populatepartitionstatistics')
  if (wantsQuota || wantsStatistics) sweepContainer(container, service.now())
  const statistics = wantsStatistics ? statisticsOf(service, read, container) : undefined
  const headers = [
    'etag',
    container.etag,
    'x-ms-alt-content-path',
    `dbs/${encodeURI(container.database)}`,
    'x-ms-content-path',
    container.rid,
    'x-ms-resource-usage',
    usageOf(container, service.engine.storage)
  ]
  if (read === undefined) return jsonAnswer(status, container.toJson(), chargeRu, headers)
  // a changed policy takes effect at once
  headers.push('x-ms-documentdb-collection-index-transformation-progress', '100')
  if (wantsQuota) headers.push('x-ms-resource-quota', quotaOf(container))
  const json = container.toJson()
  return jsonAnswer(status, statistics === undefined ? json : { ...json, statistics }, chargeRu, headers)
}

const UNIQUE_INDEX_FIXED =
  'The unique index cannot be modified. To change it, remove the container and create a new one.'

function refuseChangeOfFixed(container: Container, wanted: ContainerDefinition): void {
  const { id, partitionKey, uniqueKeyPolicy } = container.definition
  refuseUnless(wanted.id === id, "The property 'id' of a container cannot be changed.")
  const isSameKey = JSON.stringify(wanted.partitionKey) === JSON.stringify(partitionKey)
  refuseUnless(isSameKey, "The property 'partitionKey' of a container cannot be changed.")
  const isSameUnique = JSON.stringify(wanted.uniqueKeyPolicy) === JSON.stringify(uniqueKeyPolicy)
  // the service treats a missing property as a change, too
  if (!isSameUnique) throw new ServiceError(403, UNIQUE_INDEX_FIXED)
  checkVectorsKept(container.definition.vectorEmbeddingPolicy, wanted.vectorEmbeddingPolicy)
}

// the service does not support both; it knows whether a container was ever merged
function refuseVersionsAfterMerge(container: Container, wanted: ContainerDefinition): void {
  if (retentionSecondsOf(wanted) === 0) return
  const isMerged = container.ranges.all.some((range) => range.isMerged || range.phase === 'merging')
  refuseUnless(
    !isMerged,
    "The property 'changeFeedPolicy.retentionDuration' cannot be set: ranges of the container were merged, and Cosmos DB does not support the change feed of all versions and deletes together with merges."
  )
}

/** `GET …/pkranges`: the whole list, or 304 for a client that already has it. */
export function readRanges(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const etag = `"${container.ranges.revision}"`
  const headers = [
    'etag',
    etag,
    'x-ms-item-count',
    String(container.ranges.all.length),
    'x-ms-content-path',
    container.rid
  ]
  const known = headerOf(request, 'if-none-match')
  if (known === etag) return { status: 304, body: undefined, chargeRu: METADATA_RU, headers }
  const offer = container.offer ?? service.account.databases.get(container.database)?.offer
  const ranges = container.ranges.all.map((range) => rangeJson(container, range, offer))
  return jsonAnswer(
    200,
    { _rid: container.rid, PartitionKeyRanges: ranges, _count: ranges.length },
    METADATA_RU,
    headers
  )
}

function rangeJson(container: Container, range: PhysicalRange, offer: Offer | undefined): Record<string, unknown> {
  const rid = childRid(container.rid, range.ordinal, 'range')
  return {
    _rid: rid,
    id: range.id,
    _etag: container.etag,
    minInclusive: range.min,
    maxExclusive: range.max,
    ridPrefix: range.ordinal,
    _self: `${container.self}pkranges/${rid}/`,
    throughputFraction: throughputFraction(container, range, offer),
    status: range.phase === 'online' ? 'online' : 'splitting',
    parents: range.parents,
    ownedArchivalPKRangeIds: [],
    _ts: container.toJson()['_ts'],
    lsn: range.lsn
  }
}

/** Creates the containers of the option `containers`, such as `fleet/drives:/partitionKey`, and their databases. */
export function createFirstContainers(service: Service, containers: readonly string[]): void {
  const kept = new Set(service.account.containers())
  for (const text of containers) createFirstContainer(service, text, kept)
}

const FORM = /^([^/]+)\/([^/:]+):(\/.+)$/

function createFirstContainer(service: Service, text: string, kept: ReadonlySet<Container>): void {
  const [, databaseId, id, key] = FORM.exec(text) ?? []
  if (key === undefined) {
    throw new Error(
      `A container is written as database/container:/key, such as fleet/drives:/partitionKey, not "${text}".`
    )
  }
  const paths = key.split(',')
  const partitionKey = { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  const definition = parseContainerDefinition({ id, partitionKey })
  const { account } = service
  const known = account.databases.get(databaseId)?.containers.get(id)
  if (known !== undefined && kept.has(known)) {
    const isSame = JSON.stringify(known.definition.partitionKey) === JSON.stringify(definition.partitionKey)
    if (isSame) return
    throw new Error(
      `The container ${databaseId}/${id} is in the data folder with the partition key ${known.key.paths.join(',')}. Name this key, or another container.`
    )
  }
  const database =
    account.databases.get(databaseId) ??
    account.createDatabase(parseResourceName(databaseId), undefined, Math.floor(service.now() / 1000))
  addContainer(service, database, definition, undefined)
}
