import { METADATA_RU } from '../charge/operation-charge.ts'
import { parseThroughputHeaders, type Throughput } from '../charge/throughput.ts'
import { isObject, refuseUnless } from '../store/checks.ts'
import { parseResourceName } from '../store/container-definition.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { parseJsonBody } from './json-body.ts'
import { isKnown, refuseUnlessMatched } from './preconditions.ts'
import { databaseOf } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

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

/** The throughput that a create asks for. */
export function throughputOf(request: WireRequest): Throughput | undefined {
  return parseThroughputHeaders(headerOf(request, 'x-ms-offer-throughput'), headerOf(request, 'x-ms-cosmos-offer-autopilot-settings'))
}
