import { joinedLengthBound } from '@keystamp/core'
import type { Operation } from '@keystamp/cosmos'
import type { SinkRecord } from '../record.ts'
import type { Target } from './target.ts'

/** Consecutive records of one partition that are written as one. */
export interface AtomicGroup {
  readonly target: Target
  readonly keyText: string
  readonly records: SinkRecord[]
  readonly operations: Operation[]
  /** At least as many as the operations take on the wire. */
  bytes: number
}

/** A group that begins with this operation. */
export function beginGroup(target: Target, record: SinkRecord, operation: Operation): AtomicGroup {
  return { target, keyText: keyTextOf(operation), records: [record], operations: [operation], bytes: bytesOf(operation) }
}

/** Takes the operation into the group where it belongs there: on the same key, and within what Cosmos DB applies at once. */
export function joinGroup(group: AtomicGroup, target: Target, record: SinkRecord, operation: Operation): boolean {
  const { operations, records } = group
  if (group.target !== target || operations.length === MOST_IN_GROUP || group.keyText !== keyTextOf(operation)) return false
  if (travelsAlone(operation) || travelsAlone(operations[0])) return false
  const bytes = group.bytes + bytesOf(operation)
  if (bytes > MAX_BYTES) return false
  operations.push(operation)
  records.push(record)
  group.bytes = bytes
  return true
}

const MOST_IN_GROUP = 100
// the limit of an atomic batch is 2 MiB, for which a larger one would be rejected as a whole
const MAX_BYTES = 1_900_000
const MOST_STEPS = 10

/** A patch of many steps is an atomic batch already. */
function travelsAlone(operation: Operation): boolean {
  return operation.kind === 'patch' && operation.steps.length > MOST_STEPS
}

/** The key that an operation is on, as one text. */
function keyTextOf(operation: Operation): string {
  if ('key' in operation && operation.key !== undefined) return JSON.stringify([operation.key].flat())
  return JSON.stringify(operation.stamped?.values)
}

function bytesOf(operation: Operation): number {
  const { kind, stamped } = operation
  if (kind === 'patch') return OPERATION_BYTES + Buffer.byteLength(JSON.stringify(operation.steps))
  return OPERATION_BYTES + (kind === 'delete' || stamped === undefined ? 0 : joinedLengthBound(stamped))
}

// key, id and what is written round each operation
const OPERATION_BYTES = 4096
