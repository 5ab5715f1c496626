import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Database } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import { isResourceId, itemOrdinal } from '../store/resource-id.ts'
import type { Service } from './service.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** The database that the path names. */
export function databaseOf(service: Service, request: WireRequest, missingSubStatus = 0): Database {
  const name = request.address.ids[0]
  const database = service.account.findDatabase(name)
  if (database === undefined)
    throw new ServiceError(404, `The database '${name}' does not exist.`, { subStatus: missingSubStatus })
  return database
}

/**
 * The container that the path names. Requests for resources in the container pass the sub-status 1003, for the case
 * that the container is missing.
 */
export function containerOf(service: Service, request: WireRequest, missingSubStatus = 0): Container {
  const database = databaseOf(service, request, missingSubStatus)
  const [databaseName, name] = request.address.ids
  if (databaseName !== database.id) refuseName(name, 8)
  const container = service.account.findContainer(databaseName, name)
  if (container === undefined) {
    const message = `The container '${name}' does not exist in the database '${database.id}'.`
    throw new ServiceError(404, message, { subStatus: missingSubStatus })
  }
  return container
}

/** The item that the path names: by its id, or by its ordinal if the path consists of resource ids. */
export function namedItemOf(
  request: WireRequest,
  container: Container
): { id: string | undefined; ordinal: number | undefined } {
  const [databaseName, , id] = request.address.ids
  if (databaseName === container.database) return { id, ordinal: undefined }
  refuseName(id, 16)
  return { id: undefined, ordinal: itemOrdinal(id, container.rid) ?? NO_ORDINAL }
}

// items are counted from 1
const NO_ORDINAL = 0

function refuseName(segment: string, bytes: number): void {
  refuseUnless(isResourceId(segment, bytes), `Failed to parse the value '${segment}' as ResourceId.`)
}

/** The sub-status for a missing database or container of the requested resource. */
export const OWNER_MISSING = 1003

/** Refuses a request with 412 when the ETag of the resource is not the one in If-Match. */
export function refuseUnlessMatched(request: WireRequest, etag: string): void {
  const wanted = headerOf(request, 'if-match')
  if (wanted === undefined || wanted === '*' || wanted === etag) return
  throw new ServiceError(412, 'Operation cannot be performed because one of the specified precondition is not met.')
}

/** Whether the client already has the resource with this ETag, so that the answer is 304. */
export function isKnown(request: WireRequest, etag: string): boolean {
  return headerOf(request, 'if-none-match') === etag
}
