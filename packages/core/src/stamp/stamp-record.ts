import { type Rejection, reject } from '../errors/rejection.ts'
import { pointerText } from '../parse/pointer.ts'
import type { CompiledPlan, Decision, KeyValue, ManagedMember, Pointer } from '../plan/compiled.ts'
import type { Source } from '../plan/source.ts'
import { createRecordReader, type Reading } from './record-reader.ts'
import { ownMember } from './scalar-at.ts'

/** A record that got its key. */
export interface StampedRecord<R> {
  readonly ok: true
  /** The record that was handed in, now with its key. */
  readonly record: R
  /** One value a level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or carried by the record; undefined where there is none and none is required. */
  readonly id: string | undefined
  /** Which version of the plan applied: 0 for the newest. */
  readonly version: number
}

/** Stamps objects: the key is written into the record itself. Nothing is written when the record is rejected. */
export function createRecordStamper(plan: CompiledPlan): (record: unknown, source?: Source) => StampedRecord<unknown> | Rejection {
  const { managed, decide, fields } = plan
  const read = createRecordReader(fields, managed)
  return (record, source) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return reject('RECORD_NOT_OBJECT', '')
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

function writeAll(writes: Decision['writes'], reading: Reading, managed: readonly ManagedMember[], record: object): Rejection | undefined {
  try {
    for (let index = 0; index < writes.length; index++) {
      if (writes[index] !== undefined && reading.parents[index] === undefined && isBlocked(record, managed[index].pointer)) {
        return reject('INTO_BLOCKED', pointerText(managed[index].pointer))
      }
    }
    for (let index = 0; index < writes.length; index++) {
      const value = writes[index]
      if (value === undefined) continue
      const { pointer } = managed[index]
      const parent = reading.parents[index] ?? createParents(record, pointer)
      parent[pointer[pointer.length - 1]] = value
    }
  } catch {
    return reject('RECORD_UNREADABLE', '')
  }
  return undefined
}

function isBlocked(record: object, pointer: Pointer): boolean {
  let parent: unknown = record
  for (const name of pointer.slice(0, -1)) {
    parent = ownMember(parent as object, name)
    if (parent === undefined) return false
    if (typeof parent !== 'object' || parent === null || Array.isArray(parent) || parent instanceof Date) return true
  }
  return false
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
