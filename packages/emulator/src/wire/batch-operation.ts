import { isObject, refuseUnless } from '../store/checks.ts'
import type { ItemOperation, OperationType } from '../store/item-operation.ts'
import type { KnownMembers } from '../store/known-members.ts'
import type { PartitionKey } from '../store/partition-key.ts'
import { readCanonicalOperations } from './canonical-operations.ts'
import { parseJsonBody } from './json-body.ts'
import { ServiceError } from './service-error.ts'

const MAX_OPERATIONS = 100

/** Reads the array of a bulk or batch request; documents stay bytes where they can. */
export function parseOperations(body: Buffer, known: KnownMembers): Record<string, unknown>[] {
  return readCanonicalOperations(body, known) ?? parseAll(body)
}

function parseAll(body: Buffer): Record<string, unknown>[] {
  // the .NET SDK writes batches in HybridRow, whose first byte is its version
  if (body[0] === 0x81) throw new ServiceError(501, 'A batch in the binary HybridRow format is not supported: send JSON.')
  const operations = parseJsonBody(body)
  refuseUnless(Array.isArray(operations), 'A bulk or batch request must be a JSON array of operations.')
  refuseUnless(operations.length > 0, 'Batch request has no operations.')
  refuseUnless(
    operations.length <= MAX_OPERATIONS,
    `A bulk or batch request has at most ${MAX_OPERATIONS} operations, this one has ${operations.length}.`
  )
  return operations.map((operation: unknown, index) => {
    refuseUnless(isObject(operation), `Operation ${index} must be an object.`)
    refuseUnless(
      isType(operation['operationType']),
      `Operation ${index} has no known 'operationType': ${JSON.stringify(operation['operationType'])}.`
    )
    return operation
  })
}

/** An element of a bulk or batch request as an operation on an item. */
export function toItemOperation(element: Record<string, unknown>, key: PartitionKey): ItemOperation {
  return {
    type: element['operationType'] as OperationType,
    key,
    id: element['id'] as string | undefined,
    ordinal: undefined,
    body: element['resourceBody'],
    ifMatch: textOf(element, 'ifMatch'),
    ifNoneMatch: textOf(element, 'ifNoneMatch')
  }
}

function isType(type: unknown): boolean {
  return typeof type === 'string' && Object.hasOwn(TYPES, type)
}

const TYPES: Readonly<Record<OperationType, true>> = { Create: true, Upsert: true, Replace: true, Read: true, Delete: true, Patch: true }

function textOf(element: Record<string, unknown>, name: string): string | undefined {
  const value = element[name]
  return typeof value === 'string' && value.length > 0 ? value : undefined
}
