import {
  type KeyComponent,
  type KeyValue,
  RECORD_CODES,
  type RecordCode,
  type Rejection,
  type Source,
  type StampedBytes
} from '@keystamp/core'
import { BACKSLASH, readProperty } from '@keystamp/core/internal'
import type { Body } from '../dispatch/batch-encoder.ts'
import type { KeyFinder } from './keys-from-record.ts'
import type { RecordPlace } from '../newest/position.ts'
import { withMember } from './with-member.ts'

/** A change of one document. */
export type Operation = DocumentOperation | DeleteOperation | PatchOperation

/** Source of the document: exactly one of `record`, `bytes` and `stamped`. */
export interface DocumentSource {
  /** An object, into which the plan writes the key. It is converted to JSON at once. */
  readonly record?: object
  /** JSON bytes. They are not parsed into an object, and must not change before the outcome. */
  readonly bytes?: Uint8Array
  /** JSON bytes that a plan has stamped. */
  readonly stamped?: StampedBytes
  /** Key, headers and metadata of the Kafka record, if the plan reads them. */
  readonly source?: Source
}

interface Conditions {
  /** The document must have this ETag. An empty string is rejected with ETAG_MISSING. */
  readonly ifMatch?: string
  /** Statuses for which the outcome is `unchanged` instead of `rejected`. Default: none. */
  readonly ignore?: readonly (404 | 409 | 412)[]
  /** Position of the change, for a writer with `newest`. */
  readonly position?: ChangePosition
}

/** Stores a document. */
export interface DocumentOperation extends DocumentSource, Conditions {
  readonly kind: 'upsert' | 'create' | 'replace'
  /** Seconds until the document expires; -1 for never. */
  readonly ttl?: number
  /**
   * The document before this change, for an upsert without conditions. If its key or id is another one, it is the old
   * twin: it is deleted after the record is stored, unless another client changes it before.
   */
  readonly before?: DocumentName
}

/** Position of a change in the order of the changes of its document. */
export interface ChangePosition {
  /**
   * Orders the changes; with `newest.field`, the value of this field does, and only a delete without a record needs this
   * one. A number within 2^53, an integer as text, or a time in ISO 8601.
   */
  readonly value?: number | string
  /** Partition and offset of the record, which order changes with equal values. */
  readonly place?: RecordPlace
}

/** Options for storing one record. */
export type UpsertOptions = Pick<DocumentOperation, 'ifMatch' | 'source' | 'ttl' | 'before' | 'position'>

/** Names a document by its key and id, or by a record that contains them. */
export interface DocumentName extends DocumentSource {
  readonly id?: string
  /**
   * One value for each level of the key, or a single value for a key of one level. With the option `missingKeys`,
   * undefined stands for a property that the document does not have.
   */
  readonly key?: KeyValue | readonly KeyComponent[]
}

/** Removes a document. */
export interface DeleteOperation extends DocumentName, Conditions {
  readonly kind: 'delete'
}

/** Changes parts of a document. A patch with more than ten steps is sent as one atomic batch. */
export interface PatchOperation extends DocumentName, Conditions {
  readonly kind: 'patch'
  readonly steps: readonly PatchStep[]
  /** A predicate such as `from c where c.version = 3`. If the document does not meet it, the status is 412. */
  readonly condition?: string
}

/** One step of a patch. */
export type PatchStep =
  | { readonly op: 'add' | 'set' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'incr'; readonly path: string; readonly value: number }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string }

/**
 * Returns the reason why an operation is invalid; undefined if it is valid. Types prevent most mistakes, but not every
 * caller has types.
 */
export function findOperationError(operation: Operation): string | undefined {
  if (typeof operation !== 'object' || operation === null)
    return 'An operation is an object such as { kind: "upsert", record }.'
  const { kind, bytes, ignore, ifMatch } = operation
  const known = KINDS.get(kind)
  if (known === undefined) {
    const bare = kind === undefined ? ' To store a record, use `upsert(record)`.' : ''
    return `\`kind\` must be ${[...KINDS.keys()].join(', ')}.${bare}`
  }
  for (const name in operation) {
    if (known[name] !== true)
      return `\`${name}\` is not a property of the operation \`${kind}\`, which has ${Object.keys(known).join(', ')}.`
  }
  if (bytes !== undefined && !(bytes instanceof Uint8Array))
    return '`bytes` must be a Uint8Array or a Buffer; for a string, use Buffer.from(text).'
  if (ifMatch !== undefined && typeof ifMatch !== 'string') return '`ifMatch` must be an ETag, which is a string.'
  if (ignore !== undefined && !isIgnore(ignore)) return '`ignore` must be a list of 404, 409 and 412.'
  return findSourceError(operation) ?? (kind === 'patch' ? findPatchError(operation.steps) : undefined)
}

function findSourceError(operation: Operation): string | undefined {
  const { kind, record, bytes, stamped } = operation
  if (record !== undefined || bytes !== undefined || stamped !== undefined) return undefined
  if (kind !== 'delete' && kind !== 'patch')
    return `\`${kind}\` needs a document: \`record\`, \`bytes\` or \`stamped\`.`
  const isNamed = operation.key !== undefined && operation.id !== undefined
  return isNamed ? undefined : `\`${kind}\` needs \`key\` and \`id\`, or a document that contains them.`
}

type Known = Readonly<Record<string, unknown>>

const GIVEN = {
  kind: true,
  record: true,
  bytes: true,
  stamped: true,
  source: true,
  ifMatch: true,
  ignore: true
} as const
const STORED = { ...GIVEN, ttl: true } as const
const NAMED = { ...GIVEN, key: true, id: true } as const
const KINDS: ReadonlyMap<Operation['kind'], Known> = new Map<Operation['kind'], Known>([
  ['upsert', { ...STORED, before: true, position: true }],
  ['create', STORED],
  ['replace', STORED],
  ['delete', { ...NAMED, position: true }],
  ['patch', { ...NAMED, steps: true, condition: true, position: true }]
])

function isIgnore(ignore: unknown): boolean {
  return Array.isArray(ignore) && ignore.every((status) => status === 404 || status === 409 || status === 412)
}

function findPatchError(steps: readonly PatchStep[] | undefined): string | undefined {
  if (!Array.isArray(steps) || steps.length === 0)
    return 'A patch needs at least one step: a list such as [{ op: "set", path: "/a", value: 1 }].'
  if (steps.length > MAX_PATCH_STEPS) return `A patch has at most ${MAX_PATCH_STEPS} steps.`
  for (const [index, step] of (steps as readonly PatchStep[]).entries()) {
    const wrong = findStepError(step)
    if (wrong !== undefined) return `Step ${index} of the patch: ${wrong}`
  }
  return undefined
}

const MAX_PATCH_STEPS = 1000

function findStepError(step: PatchStep): string | undefined {
  if (typeof step !== 'object' || step === null || !OPS.includes(step.op)) return `\`op\` must be ${OPS.join(', ')}.`
  if (!isPointer(step.path)) return '`path` must be a JSON pointer such as "/a/b".'
  if (step.op === 'move') return isPointer(step.from) ? undefined : '`from` must be a JSON pointer such as "/a/b".'
  if (step.op === 'remove') return undefined
  if (step.op === 'incr') return Number.isFinite(step.value) ? undefined : '`value` must be the number to add.'
  return step.value === undefined ? '`value` is missing; to remove a property, use `remove`.' : undefined
}

const OPS: readonly string[] = ['add', 'set', 'replace', 'incr', 'remove', 'move']

function isPointer(path: unknown): boolean {
  return typeof path === 'string' && path.startsWith('/')
}

/** Finds key, id and JSON of a document. */
export function nameDocument(
  keys: KeyFinder,
  { record, bytes, stamped, source }: DocumentSource,
  ttl: number | undefined
): Naming {
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

/** Finds key and id of a document for an operation that does not store it. */
export function nameOnly(keys: KeyFinder, name: DocumentName): Naming {
  if (name.key === undefined || name.id === undefined) {
    const named = nameDocument(keys, name, undefined)
    if (!named.ok) return named
    return {
      ok: true,
      values: name.key === undefined ? named.values : valuesOf(name.key),
      id: name.id ?? named.id,
      body: undefined
    }
  }
  const id = idOf(name.id)
  return typeof id === 'object' ? id : { ok: true, values: valuesOf(name.key), id, body: undefined }
}

function valuesOf(key: NonNullable<DocumentName['key']> | null): readonly KeyComponent[] {
  // the caller may reuse the array
  return Array.isArray(key) ? [...(key as readonly KeyComponent[])] : [key as KeyValue]
}

function nameBytes(stamped: StampedBytes, ttl: number | undefined): Naming {
  // if the plan does not return the id, the record contains it
  const id = stamped.id ?? idOf(readProperty(stamped, 'id'))
  if (typeof id === 'object') return id
  return {
    ok: true,
    values: stamped.values,
    id,
    body: ttl === undefined ? bodyOf(stamped) : withMember(stamped, 'ttl', String(ttl))
  }
}

/**
 * Returns the bytes themselves if there are no insertions, so that no other object is kept in memory until the answer.
 */
function bodyOf(stamped: StampedBytes): Body {
  const { bytes, start, end, splices } = stamped
  return splices.length === 0 && start === 0 && end === bytes.length ? bytes : stamped
}

const MAX_ID_BYTES = 1023

function idOf(id: unknown): string | Rejection {
  if (id === undefined) return reject('ID_MISSING')
  if (typeof id !== 'string' || id === '') return reject('ID_NOT_TEXT')
  if (!canBeStored(id)) return reject('ID_INVALID')
  return id.length * 3 > MAX_ID_BYTES && Buffer.byteLength(id) > MAX_ID_BYTES ? reject('ID_TOO_LONG') : id
}

// a loop, because a regular expression costs more for such short strings
function canBeStored(id: string): boolean {
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index)
    if (unit === SLASH || unit === BACKSLASH || unit === QUESTION_MARK || unit === HASH) return false
  }
  return true
}

const SLASH = 0x2f
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

const IS_TEXT = 'The record is a string, not an object: pass JSON text as `bytes`, with Buffer.from(text).'

const NO_JSON =
  'The record cannot be written as JSON: it contains a bigint, a reference to itself, or a getter that throws.'

function reject(code: RecordCode, sentence: string = RECORD_CODES[code].sentence): Rejection {
  const path = code.startsWith('ID') ? '/id' : ''
  const text = RECORD_CODES[code]
  return { ok: false, code, path, at: undefined, message: 'hint' in text ? `${sentence} ${text.hint}` : sentence }
}

/** Key, id and body of a document. */
export interface Named {
  readonly ok: true
  readonly values: readonly KeyComponent[]
  readonly id: string
  readonly body: Body | undefined
}

export type Naming = Named | Rejection
