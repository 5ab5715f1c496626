import type { Container } from '../store/container.ts'
import type { Database } from '../store/database.ts'
import type { Service } from './service.ts'
import { ServiceError } from './service-error.ts'
import type { WireRequest } from './wire-request.ts'

/** The database that the path names. */
export function databaseOf(service: Service, request: WireRequest, missingSubStatus = 0): Database {
  const name = request.address.ids[0]
  const database = service.account.findDatabase(name)
  if (database === undefined) throw new ServiceError(404, `The database '${name}' does not exist.`, { subStatus: missingSubStatus })
  return database
}

/** The container that the path names; for what lies inside it, a missing one is 404/1003. */
export function containerOf(service: Service, request: WireRequest, missingSubStatus = 0): Container {
  const database = databaseOf(service, request, missingSubStatus)
  const name = request.address.ids[1]
  const container = service.account.findContainer(database, name)
  if (container === undefined) {
    const message = `The container '${name}' does not exist in the database '${database.id}'.`
    throw new ServiceError(404, message, { subStatus: missingSubStatus })
  }
  return container
}

/** The sub-status of a missing owner. */
export const OWNER_MISSING = 1003
