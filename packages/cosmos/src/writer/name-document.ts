import { type KeyValue, RECORD_CODES, type RecordCode, type Rejection, type StampedBytes } from '@keystamp/core'
import type { Body } from '../dispatch/batch-encoder.ts'
import type { KeyFinder } from './keys-from-record.ts'
import type { DocumentName, DocumentSource } from './operation.ts'

/** Finds key and id of a document, and its JSON. */
export function nameDocument(keys: KeyFinder, { record, bytes, stamped, source }: DocumentSource, ttl: number | undefined): Naming {
  if (stamped !== undefined) return nameBytes(stamped, ttl)
  if (bytes !== undefined) {
    const result = keys.stampBytes(bytes, source)
    return result.ok ? nameBytes(result, ttl) : result
  }
  if (typeof record === 'string') return reject('RECORD_NOT_OBJECT', IS_TEXT)
  const result = keys.stamp(record as object, source)
  if (!result.ok) return result
  // an id from a plan is valid
  const id = result.id ?? idOf((result.record as { id?: unknown }).id)
  if (typeof id === 'object') return id
  const stored = ttl === undefined ? result.record : { ...result.record, ttl }
  const body = toJson(stored)
  return typeof body === 'string' ? { ok: true, values: result.values, id, body } : body
}

/** Finds key and id of a document that is only named. */
export function nameOnly(keys: KeyFinder, name: DocumentName): Naming {
  if (name.key === undefined || name.id === undefined) {
    const named = nameDocument(keys, name, undefined)
    if (!named.ok) return named
    return { ok: true, values: name.key === undefined ? named.values : valuesOf(name.key), id: name.id ?? named.id, body: undefined }
  }
  const id = idOf(name.id)
  return typeof id === 'object' ? id : { ok: true, values: valuesOf(name.key), id, body: undefined }
}

function valuesOf(key: NonNullable<DocumentName['key']> | null): readonly KeyValue[] {
  // the caller may reuse the array
  return Array.isArray(key) ? [...(key as readonly KeyValue[])] : [key as KeyValue]
}

function nameBytes(stamped: StampedBytes, ttl: number | undefined): Naming {
  const id = stamped.id ?? idOf(idIn(stamped))
  if (typeof id === 'object') return id
  return { ok: true, values: stamped.values, id, body: ttl === undefined ? bodyOf(stamped) : withTtl(stamped, ttl) }
}

/** Bytes without insertions are sent as they are, so that nothing else is kept in memory until the answer. */
function bodyOf(stamped: StampedBytes): Body {
  const { bytes, start, end, splices } = stamped
  return splices.length === 0 && start === 0 && end === bytes.length ? bytes : stamped
}

// without an id in the plan, the record has it
function idIn({ members, bytes }: StampedBytes): unknown {
  const member = members.find('id')
  if (member < 0) return undefined
  return JSON.parse(Buffer.from(bytes.subarray(members.valueStart(member), members.valueEnd(member))).toString())
}

const MAX_ID_BYTES = 1023

function idOf(id: unknown): string | Rejection {
  if (id === undefined) return reject('ID_MISSING')
  if (typeof id !== 'string' || id === '') return reject('ID_NOT_TEXT')
  if (!canBeStored(id)) return reject('ID_INVALID')
  return id.length * 3 > MAX_ID_BYTES && Buffer.byteLength(id) > MAX_ID_BYTES ? reject('ID_TOO_LONG') : id
}

// a loop, since a pattern costs more for such short strings
function canBeStored(id: string): boolean {
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index)
    if (unit === SLASH || unit === BACKSLASH || unit === QUESTION_MARK || unit === HASH) return false
  }
  return true
}

const SLASH = 0x2f
const BACKSLASH = 0x5c
const QUESTION_MARK = 0x3f
const HASH = 0x23

function toJson(record: object): string | Rejection {
  try {
    // `toJSON` may return undefined
    const json: string | undefined = JSON.stringify(record)
    return json ?? reject('RECORD_UNREADABLE', NO_JSON)
  } catch {
    return reject('RECORD_UNREADABLE', NO_JSON)
  }
}

const IS_TEXT = 'The record is text, and not an object: give JSON text as bytes, by Buffer.from(text).'

const NO_JSON = 'The record cannot be written as JSON: it holds a bigint, a reference to itself, or a member that throws when it is read.'

function reject(code: RecordCode, sentence: string = RECORD_CODES[code].sentence): Rejection {
  const path = code.startsWith('ID') ? '/id' : ''
  const text = RECORD_CODES[code]
  return { ok: false, code, path, at: undefined, message: 'hint' in text ? `${sentence} ${text.hint}` : sentence }
}

/** A record with known key and id. */
export interface Named {
  readonly ok: true
  readonly values: readonly KeyValue[]
  readonly id: string
  readonly body: Body | undefined
}

export type Naming = Named | Rejection

type Splice = StampedBytes['splices'][number]

/** The record with this time to live: replaces its own, or follows its last property. */
function withTtl(stamped: StampedBytes, ttl: number): StampedBytes {
  const { members, splices, end } = stamped
  const member = members.find('ttl')
  if (member >= 0) return { ...stamped, splices: inOrder(splices, spliceOf(members.valueStart(member), members.valueEnd(member), '', ttl)) }
  const isEmpty = members.size === 0 && splices.length === 0
  return { ...stamped, splices: [...splices, spliceOf(end - 1, end - 1, isEmpty ? '"ttl":' : ',"ttl":', ttl)] }
}

function spliceOf(at: number, end: number, before: string, ttl: number): Splice {
  return { at, end, before, value: ttl }
}

function inOrder(splices: readonly Splice[], added: Splice): readonly Splice[] {
  return [...splices, added].toSorted((a, b) => a.at - b.at)
}
