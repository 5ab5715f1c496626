import type { Operation } from '@keystamp/cosmos'
import type { SinkRecord } from '../record.ts'
import type { Target } from './target.ts'

/** Consecutive records of one partition that are written as one. */
export interface AtomicGroup {
  readonly target: Target
  readonly keyText: string
  readonly records: SinkRecord[]
  readonly operations: Operation[]
}

/** As many operations as Cosmos DB applies at once. */
export const MOST_IN_GROUP = 100

/** Whether an operation belongs to the group that is being gathered. */
export function belongsTo(group: AtomicGroup, target: Target, keyText: string): boolean {
  return group.target === target && group.keyText === keyText && group.operations.length < MOST_IN_GROUP
}

/** The key that an operation is on, as one text. */
export function keyTextOf(operation: Operation): string {
  if ('key' in operation && operation.key !== undefined) return JSON.stringify([operation.key].flat())
  return JSON.stringify(operation.stamped?.values)
}
