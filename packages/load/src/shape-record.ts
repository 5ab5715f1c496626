import { createPlan, type Plan, type PlanDefinition, type Rejection } from '@keystamp/core'
import { createChangeReader } from '@keystamp/core/internal'
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

/** Makes the operation for a record, or rejects the record; `ignore` if the record changes no document. */
export type ToOperation = (record: Uint8Array, input: string, line: number) => Operation | Rejection | 'ignore'

/** Creates the function that makes operations. `changeData`: the records are envelopes of Debezium. */
export function createToOperation(
  shape: ShapeRecord,
  { strategy, changeData }: { readonly strategy: WriteStrategy; readonly changeData: 'debezium' | undefined }
): ToOperation {
  const operationOf = createOperationMaker(strategy)
  if (changeData === undefined) {
    return (record, input, line) => {
      const shaped = shape(record, input, line)
      return 'ok' in shaped ? shaped : operationOf(shaped)
    }
  }
  const shapeChange = createShapeChange(shape)
  return (record, input, line) => {
    const change = shapeChange(record, input, line)
    if (change === 'ignore' || 'ok' in change) return change
    if (change.kind === 'delete') return operationFor('delete', change.source)
    const operation = operationOf(change.source)
    return change.old === undefined || operation.kind !== 'upsert' ? operation : { ...operation, before: change.old }
  }
}

/** A change of a document, or the reason why there is none. */
type ShapedChange = DocumentChange | Rejection | 'ignore'

interface DocumentChange {
  readonly kind: 'store' | 'delete'
  readonly source: DocumentSource
  /** The document before the change, if the plan gives it another key or id than after the change. */
  readonly old: DocumentSource | undefined
}

/** Creates a function that shapes the row of a change: the row after it, or for a delete the row before it. */
export function createShapeChange(
  shape: ShapeRecord
): (record: Uint8Array, input: string, line: number) => ShapedChange {
  const changes = createChangeReader({ needsBefore: true })
  return shapeChange

  function shapeChange(record: Uint8Array, input: string, line: number): ShapedChange {
    const change = changes.read(record)
    if (!change.ok) return change
    if (change.kind === 'ignore') return 'ignore'
    const source = shape((change.after ?? change.before)!, input, line)
    if ('ok' in source) return source
    const before = change.kind === 'delete' ? undefined : change.before
    return { kind: change.kind, source, old: before && oldDocument(before, source, input, line) }
  }

  // an update may have only a part of the row before it, which gives no key
  function oldDocument(
    before: Uint8Array,
    { stamped: now }: DocumentSource,
    input: string,
    line: number
  ): DocumentSource | undefined {
    const old = shape(before, input, line)
    if (now === undefined || 'ok' in old || old.stamped === undefined) return undefined
    const { id, values } = old.stamped
    return id === now.id && values.every((value, level) => value === now.values[level]) ? undefined : old
  }
}

/** Makes the operation that a strategy needs for each record. */
function createOperationMaker(strategy: WriteStrategy): (source: DocumentSource) => Operation {
  // nearly all loads use `overwrite`, and a record takes only a few microseconds: avoids copying an object
  return strategy === 'overwrite' ? overwrite : (source) => operationFor(strategy, source)
}

function overwrite({ stamped, bytes }: DocumentSource): Operation {
  return stamped === undefined ? { kind: 'upsert', bytes: bytes! } : { kind: 'upsert', stamped }
}
