import { createPlan, type Plan, type PlanDefinition, type Rejection } from '@keystamp/core'
import { type DocumentSource, type Operation, operationFor, type WriteStrategy } from '@keystamp/cosmos'
import { type IdConverter, type IdMaker, withId } from './record-id.ts'

/** Converts a record to the document that the writer stores, or rejects the record. */
export type ShapeRecord = (record: Uint8Array, input: string, line: number) => DocumentSource | Rejection

/** Sources of ids. */
export interface IdSources {
  /** For records without one. */
  readonly make: IdMaker | undefined
  /** For records whose id is not a string. */
  readonly convert: IdConverter | undefined
}

/**
 * Creates a function that stamps a record with the plan, and adds an id if the record has none. Without a plan, the
 * writer takes the key from the record.
 */
export function createShape(plan: Plan | undefined, { make, convert }: IdSources): ShapeRecord {
  const idFinder = createPlan(ID_FINDER, { requireId: true })
  const finder = plan ?? idFinder
  return (record, input, line) => {
    if (plan === undefined && make === undefined) return { bytes: record }
    let stamped = finder.stampBytes(record)
    // a plan that was created without `requireId` does not check ids
    if (stamped.ok && stamped.id === undefined && (make ?? convert) !== undefined) {
      const found = idFinder.stampBytes(record)
      if (!found.ok) stamped = found
    }
    if (stamped.ok) return plan === undefined ? { bytes: record } : { stamped }
    const complete = completed(stamped, record, input, line)
    if ('ok' in complete) return complete
    if (plan === undefined) return { bytes: complete }
    const again = plan.stampBytes(complete)
    return again.ok ? { stamped: again } : again
  }

  function completed(rejection: Rejection, record: Uint8Array, input: string, line: number): Uint8Array | Rejection {
    if (rejection.code === 'ID_NOT_TEXT' && convert !== undefined) return convert(record)
    if (rejection.code !== 'ID_MISSING' || make === undefined) return rejection
    const id = make(record, input, line)
    return typeof id === 'string' ? withId(record, id) : id
  }
}

// this key is never used
const ID_FINDER: PlanDefinition = { into: '/unused', from: [{ id: true }], existing: 'overwrite' }

/** Makes the operation that a strategy needs for each record. */
export function createOperationMaker(strategy: WriteStrategy): (source: DocumentSource) => Operation {
  // nearly all loads use `overwrite`, and a record takes only a few microseconds: avoids copying an object
  return strategy === 'overwrite' ? overwrite : (source) => operationFor(strategy, source)
}

function overwrite({ stamped, bytes }: DocumentSource): Operation {
  return stamped === undefined ? { kind: 'upsert', bytes: bytes! } : { kind: 'upsert', stamped }
}
