import { METADATA_RU } from '../charge/operation-charge.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { pageSizeOf } from './feed-page.ts'
import { parseQueryBody } from './querier.ts'
import { containerOf, databaseOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

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

/** A conflict by its id: there is none. */
export function findConflict(service: Service, request: WireRequest): Answer {
  containerOf(service, request, OWNER_MISSING)
  throw new ServiceError(404, `The conflict '${request.address.ids[2]}' does not exist: an account of one region has none.`)
}

/** `GET /offers`, or a query over them: clients ask for the offer of a resource by its `_self` or `_rid`. */
export function listOffers(service: Service, request: WireRequest): Answer {
  const offers = [...service.account.offers.values()].map((offer) => offer.toJson())
  return listAnswer(service, request, 'Offers', '', offers)
}

/** Whether a POST on a feed is a query. */
export function isQuery(request: WireRequest): boolean {
  if (isSet(request, 'x-ms-documentdb-isquery')) return true
  return headerOf(request, 'content-type')?.startsWith('application/query+json') === true
}

function listAnswer(
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

function queried(service: Service, request: WireRequest, resources: readonly Record<string, unknown>[]): readonly unknown[] {
  const { text, parameters } = parseQueryBody(request)
  return service.querier.run(service.querier.parse(text), resources, parameters)
}
