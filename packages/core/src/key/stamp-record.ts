import { type Rejection, reject } from '../errors/rejection.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'
import type { CompiledPlan } from './compile-plan.ts'
import type { Decision, ManagedMember } from './version.ts'
import { type FieldValue, type KeyValue, ownMember, type Source } from './field-value.ts'
import { createFlatReader, createRecordReader, type Reading, type ReadValues } from './record-reader.ts'

/** A record with its key. */
export interface StampedRecord<R> {
  readonly ok: true
  /** The record that was passed, now with its key. */
  readonly record: R
  /** One value for each level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or contained in the record; undefined if there is none and none is required. */
  readonly id: string | undefined
  /** Version of the plan that applied: 0 for the newest. */
  readonly version: number
}

type Stamp = (record: unknown, source?: Source) => StampedRecord<unknown> | Rejection

/**
 * Creates the front end of a plan for objects: it writes the key into the record itself, and nothing into a rejected
 * record.
 */
export function createRecordStamper(plan: CompiledPlan): Stamp {
  const readFlat = plan.managed.length === 1 ? createFlatReader(plan.fields) : undefined
  return readFlat === undefined ? deepStamper(plan) : flatStamper(plan, readFlat)
}

// fast path for the most common plan and record: one property to write, which the record does not have, and all fields
// at the top level
function flatStamper(plan: CompiledPlan, read: ReadValues): Stamp {
  const { freshKey, managed } = plan
  if (freshKey === undefined) return deepStamper(plan)
  const [{ field, pointer }] = managed
  const [name] = pointer
  return (record, source) => {
    if (!isRecord(record)) return notObject(record)
    let values: FieldValue[] | undefined
    try {
      values = read(record)
    } catch {
      return reject('RECORD_UNREADABLE', '')
    }
    if (values === undefined) return notObject(record)
    if (values[field] !== undefined) return decided(plan.decide(values, source), record, pointer)
    const key = freshKey(values, source)
    if (typeof key === 'object' && key !== null) return key
    try {
      record[name] = key
    } catch {
      return unwritable(pointer)
    }
    return { ok: true, record, values: [key], id: undefined, version: 0 }
  }
}

function deepStamper({ decide, managed, fields }: CompiledPlan): Stamp {
  const read = createRecordReader(fields, managed)
  return (record, source) => {
    // a buffer is an object, too, but its properties are lost
    if (!isRecord(record) || ArrayBuffer.isView(record)) return notObject(record)
    let reading: Reading
    try {
      reading = read(record)
    } catch {
      return reject('RECORD_UNREADABLE', '')
    }
    const decision = decide(reading.values, source)
    if (!decision.ok) return decision
    const failed = writeAll(decision.writes, reading, managed, record)
    if (failed !== undefined) return failed
    return { ok: true, record, values: decision.values, id: decision.id, version: decision.version }
  }
}

function decided(
  decision: Decision | Rejection,
  record: Record<string, unknown>,
  pointer: Pointer
): StampedRecord<unknown> | Rejection {
  if (!decision.ok) return decision
  const { values, id, version, writes } = decision
  if (writes[0] !== undefined) {
    try {
      record[pointer[0]] = writes[0]
    } catch {
      return unwritable(pointer)
    }
  }
  return { ok: true, record, values, id, version }
}

function isRecord(record: unknown): record is Record<string, unknown> {
  return typeof record === 'object' && record !== null && !Array.isArray(record)
}

function notObject(record: unknown): Rejection {
  const isString = typeof record === 'string'
  return reject(
    'RECORD_NOT_OBJECT',
    '',
    isString || ArrayBuffer.isView(record)
      ? `The record is ${isString ? 'a string' : 'bytes'}, ${NOT_PARSED}`
      : undefined
  )
}

const NOT_PARSED = 'not an object: pass JSON to stampBytes, or in streams to stampLines or stampArray.'

function unwritable(pointer: Pointer): Rejection {
  return reject(
    'RECORD_UNREADABLE',
    formatPointer(pointer),
    'The key or the id cannot be written into the record: it is frozen, or a setter threw.'
  )
}

function writeAll(
  writes: Decision['writes'],
  reading: Reading,
  managed: readonly ManagedMember[],
  record: object
): Rejection | undefined {
  try {
    for (let index = 0; index < writes.length; index++) {
      const blocked =
        writes[index] === undefined || reading.parents[index] !== undefined
          ? undefined
          : blockedAt(record, managed[index].pointer)
      if (blocked !== undefined) return reject('INTO_BLOCKED', formatPointer(blocked))
    }
    for (let index = 0; index < writes.length; index++) {
      const value = writes[index]
      if (value === undefined) continue
      const { pointer } = managed[index]
      const parent = reading.parents[index] ?? createParents(record, pointer)
      parent[pointer[pointer.length - 1]] = value
    }
  } catch {
    return unwritable(managed[writes.findIndex((value) => value !== undefined)].pointer)
  }
  return undefined
}

/** Path of an existing parent that is not an object; undefined if all missing parents can be created. */
function blockedAt(record: object, pointer: Pointer): Pointer | undefined {
  let parent: unknown = record
  for (let depth = 1; depth < pointer.length; depth++) {
    parent = ownMember(parent as object, pointer[depth - 1])
    if (parent === undefined) return undefined
    if (!isRecord(parent) || parent instanceof Date) return pointer.slice(0, depth)
  }
  return undefined
}

function createParents(record: object, pointer: Pointer): Record<string, unknown> {
  let parent = record as Record<string, unknown>
  for (const name of pointer.slice(0, -1)) {
    const child = (ownMember(parent, name) as Record<string, unknown> | undefined) ?? {}
    parent[name] = child
    parent = child
  }
  return parent
}
