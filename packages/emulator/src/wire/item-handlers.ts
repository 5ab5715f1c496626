import { execute } from '../engine/execute.ts'
import type { ItemOperation, OperationType, Outcome } from '../engine/item-operation.ts'
import type { PartitionKey } from '../partition/partition-key.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import { documentText } from '../store/item.ts'
import { type Answer, errorAnswer } from './answer.ts'
import { checkSession } from './consistency.ts'
import { isMinimal, itemHeaders } from './item-answer.ts'
import { keyOf, operationRequestOf } from './operation-request.ts'
import { parseJsonBody, readCanonicalBody } from './request-body.ts'
import { containerOf, namedItemOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

/** `POST …/docs` with a document: create, or upsert when the header says so. */
export function createItem(service: Service, request: WireRequest): Answer {
  return answerOperation(service, request, isSet(request, 'x-ms-documentdb-is-upsert') ? 'Upsert' : 'Create')
}

/** `PUT …/docs/{id}`. */
export function replaceItem(service: Service, request: WireRequest): Answer {
  return answerOperation(service, request, 'Replace')
}

/** `PATCH …/docs/{id}`. */
export function patchItem(service: Service, request: WireRequest): Answer {
  return answerOperation(service, request, 'Patch')
}

/** `GET …/docs/{id}`. */
export function readItem(service: Service, request: WireRequest): Answer {
  return answerOperation(service, request, 'Read')
}

/** `DELETE …/docs/{id}`. */
export function deleteItem(service: Service, request: WireRequest): Answer {
  return answerOperation(service, request, 'Delete')
}

function answerOperation(service: Service, request: WireRequest, type: OperationType): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const operationRequest = operationRequestOf(service, request, container)
  const key = keyOf(request)
  refuseUnless(
    key !== undefined,
    'The partition key of the item must be supplied in the header x-ms-documentdb-partitionkey.'
  )
  const operation: ItemOperation = {
    type,
    key,
    ...namedItemOf(request, container),
    body: bodyOf(request, container, type),
    ifMatch: headerOf(request, 'if-match'),
    ifNoneMatch: headerOf(request, 'if-none-match')
  }
  if (type === 'Read') checkSession(request, container, key)
  const outcome = execute(service.engine, container, operation, operationRequest)
  if (outcome.status === 429) container.partition(key).range.usage.refusedRequest(service.now())
  return toAnswer(request, container, key, outcome, type)
}

function bodyOf({ body }: WireRequest, container: Container, type: OperationType): unknown {
  if (type === 'Read' || type === 'Delete') return undefined
  const document = type === 'Patch' ? undefined : readCanonicalBody(body, container.knownMembers)
  return document ?? parseJsonBody(body)
}

function toAnswer(
  request: WireRequest,
  container: Container,
  key: PartitionKey,
  outcome: Outcome,
  type: OperationType
): Answer {
  const headers = itemHeaders(container, container.partition(key).range)
  const { item, status, chargeRu } = outcome
  if (status >= 400) {
    const { subStatus, retryAfterMs } = outcome
    const details = retryAfterMs === undefined ? { subStatus } : { subStatus, retryAfterMs }
    const answer = errorAnswer(new ServiceError(status, outcome.message ?? '', details), chargeRu, request.activityId)
    return { ...answer, headers: [...headers, ...answer.headers] }
  }
  if (item === undefined) return { status, body: undefined, chargeRu, headers }
  headers.push('etag', container.itemEtag(item.version, item.timestamp), 'x-ms-item-lsn', String(item.lsn))
  const isSilent = status === 304 || (type !== 'Read' && isMinimal(request))
  return { status, body: isSilent ? undefined : documentText(container, item), chargeRu, headers }
}

const REQUEST_RU = 1

/**
 * `POST …/operations/partitionkeydelete`: deletes all items of one partition key, at once instead of in the
 * background.
 */
export function deletePartition(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const { traits, ...rest } = operationRequestOf(service, request, container)
  const key = keyOf(request)
  refuseUnless(
    key !== undefined,
    'The partition key to delete must be supplied in the header x-ms-documentdb-partitionkey.'
  )
  const levels = container.keyPaths.length
  refuseUnless(
    key.values.length === levels,
    `The partition key to delete must have all ${levels} components that the container defines.`
  )
  const partition = container.partition(key)
  const { range } = partition
  if (range.phase !== 'online') {
    throw new ServiceError(410, `PartitionKeyRange with id '${range.id}' is ${range.phase}.`, { subStatus: 1007 })
  }
  // the service uses spare throughput for these deletes, and never throttles them
  const admitted = { ...rest, traits: { ...traits, isAdmitted: true } }
  for (const { id } of [...partition.items()]) {
    const operation = {
      type: 'Delete',
      key,
      id,
      ordinal: undefined,
      body: undefined,
      ifMatch: undefined,
      ifNoneMatch: undefined
    } as const
    execute(service.engine, container, operation, admitted)
  }
  return { status: 200, body: undefined, chargeRu: REQUEST_RU, headers: itemHeaders(container, range) }
}
