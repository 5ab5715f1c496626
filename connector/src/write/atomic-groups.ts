import { joinedLengthBound } from '@keystamp/core'
import type { Fence, Operation } from '@keystamp/cosmos'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import type { Answer, Target } from './target.ts'

/** Consecutive records of one partition that are written atomically. */
export interface AtomicGroup {
  readonly target: Target
  readonly keyText: string
  readonly records: SinkRecord[]
  readonly operations: Operation[]
  /** Upper bound for the bytes of the operations in a request. */
  bytes: number
}

/** A group that begins with this operation. */
export function beginGroup(target: Target, record: SinkRecord, operation: Operation): AtomicGroup {
  return {
    target,
    keyText: keyTextOf(operation),
    records: [record],
    operations: [operation],
    bytes: bytesOf(operation)
  }
}

/**
 * Adds the operation to the group if it has the same key, and the group stays within the limits of an atomic batch.
 * Returns whether it was added.
 */
export function joinGroup(group: AtomicGroup, target: Target, record: SinkRecord, operation: Operation): boolean {
  const { operations, records } = group
  if (group.target !== target || operations.length === MAX_OPERATIONS || group.keyText !== keyTextOf(operation))
    return false
  if (isSentAlone(operation) || isSentAlone(operations[0])) return false
  const bytes = group.bytes + bytesOf(operation)
  if (bytes > MAX_BYTES) return false
  operations.push(operation)
  records.push(record)
  group.bytes = bytes
  return true
}

/** Submits the group. Calls back with the answer for each of its records. */
export function submitGroup(
  { target, records, operations }: AtomicGroup,
  fence: Fence,
  answered: (record: SinkRecord, answer: Answer) => void
): void {
  // a single operation is applied whole anyway, and a long patch is only accepted alone
  if (operations.length === 1) return target.submit(operations[0], fence, (answer) => answered(records[0], answer))
  target.submitAtomic(operations, fence, (answers) => {
    for (const [index, answer] of answers.entries()) answered(records[index], answer)
  })
}

const MAX_OPERATIONS = 100
// a little below 2 MiB: Cosmos DB rejects a larger atomic batch as a whole
const MAX_BYTES = 1_900_000
const MAX_STEPS = 10

/** A patch with many steps is sent as an atomic batch of its own. Up to two steps store its position. */
function isSentAlone(operation: Operation): boolean {
  if (operation.kind !== 'patch') return false
  return operation.steps.length > (operation.position === undefined ? MAX_STEPS : MAX_STEPS - 2)
}

/** Partition key of an operation, as one string. */
function keyTextOf(operation: Operation): string {
  if ('key' in operation && operation.key !== undefined) return JSON.stringify([operation.key].flat())
  return JSON.stringify(operation.stamped?.values)
}

function bytesOf(operation: Operation): number {
  const { kind, stamped } = operation
  if (kind === 'patch') return OPERATION_BYTES + Buffer.byteLength(JSON.stringify(operation.steps))
  return OPERATION_BYTES + (kind === 'delete' || stamped === undefined ? 0 : joinedLengthBound(stamped))
}

/** Upper bound for the key, the id and the JSON around each operation. */
const OPERATION_BYTES = 4096
