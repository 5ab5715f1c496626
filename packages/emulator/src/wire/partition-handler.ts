import { refuseUnless } from '../store/checks.ts'
import { execute } from '../store/execute.ts'
import type { Answer } from './answer.ts'
import { itemHeaders } from './item-headers.ts'
import { keyOf, operationRequestOf } from './operation-request.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import { ServiceError } from './service-error.ts'
import type { Service } from './service.ts'
import type { WireRequest } from './wire-request.ts'

const REQUEST_RU = 1

/** `POST …/operations/partitionkeydelete`: deletes all items of one partition key, at once instead of in the background. */
export function deletePartition(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const { traits, ...rest } = operationRequestOf(service, request, container)
  const key = keyOf(request)
  refuseUnless(key !== undefined, 'The partition key to delete must be supplied in the header x-ms-documentdb-partitionkey.')
  const levels = container.keyPaths.length
  refuseUnless(key.values.length === levels, `The partition key to delete must have all ${levels} components that the container defines.`)
  const partition = container.partition(key)
  const { range } = partition
  if (range.phase !== 'online') {
    throw new ServiceError(410, `PartitionKeyRange with id '${range.id}' is ${range.phase}.`, { subStatus: 1007 })
  }
  // the service spends what is left over on this: it is never refused
  const admitted = { ...rest, traits: { ...traits, isAdmitted: true } }
  for (const { id } of [...partition.items()]) {
    const operation = { type: 'Delete', key, id, ordinal: undefined, body: undefined, ifMatch: undefined, ifNoneMatch: undefined } as const
    execute(service.engine, container, operation, admitted)
  }
  return { status: 200, body: undefined, chargeRu: REQUEST_RU, headers: itemHeaders(container, range) }
}
