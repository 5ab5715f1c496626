import { reject, type Rejection } from '../errors/rejection.ts'
import type { Existing } from '../plan/definition.ts'
import type { IdRules, VersionRules } from '../plan/rules.ts'
import { escapeMark } from '../text/escape.ts'
import { formatPointer, type Pointer } from '../text/pointer.ts'
import { utf8Length } from '../text/utf8.ts'
import { canonicalText, refusalOf } from './canonical.ts'
import { compileComponent, type FieldTable, joinTexts } from './component.ts'
import { COMPOSITE, type FieldValue, type KeyValue, type MakeText, type Source } from './field-value.ts'
import { compileLevel, type Level } from './level.ts'

export interface VersionOptions {
  readonly random: (() => number) | undefined
  /** Whether a record without a usable id is rejected. */
  readonly requireId: boolean
}

/** Compiled version of a plan. */
export interface Version {
  readonly rules: VersionRules
  readonly levels: readonly Level[]
  /** Whether the plan needs the id, which it makes itself or finds in the record. */
  readonly needsId: boolean
  /** Returns the id that the plan makes, or that the record contains; undefined if the plan does not need an id. */
  readonly idOf: (values: readonly FieldValue[], source: Source | undefined) => string | undefined | Rejection
}

/** A property that a plan writes or checks: a level of the key, or the id. */
export interface ManagedMember {
  readonly pointer: Pointer
  /** Index of its current value in the values that are passed to `decide`. */
  readonly field: number
  /** False if the value of a field is the key itself, which is never written. */
  readonly written: boolean
}

/** Decision of a plan about one record. */
export interface Decision {
  readonly ok: true
  readonly values: readonly KeyValue[]
  readonly id: string | undefined
  /** Version of the plan: 0 for the newest, 1 for the first of the previous ones. */
  readonly version: number
  /** Value to write into each managed property, in their order; `undefined` leaves it unchanged. */
  readonly writes: readonly (KeyValue | undefined)[]
}

export function compileVersion(rules: VersionRules, table: FieldTable, options: VersionOptions): Version {
  const levels = rules.levels.map((level) => compileLevel(level, rules, table, options.random))
  const usesId = rules.levels.some((level) => level.from.some((component) => component.kind === 'id'))
  const needsId = rules.id !== undefined || usesId || options.requireId
  const idOf = rules.id === undefined ? carried(table, needsId) : makes(compileId(rules.id, table))
  return { rules, levels, needsId, idOf }
}

/** Compares the key and the id of a version with those that the record already has, and decides what to write. */
export function decideWith(version: Version, number: number, managed: readonly ManagedMember[]): DecideRecord {
  const { levels, rules, idOf } = version
  const idAt = levels.length
  return levels.length === 1 ? decideOne(version, number, managed) : decideAll
  function decideAll(values: readonly FieldValue[], source: Source | undefined): Decision | Rejection {
    const madeId = idOf(values, source)
    if (typeof madeId === 'object') return madeId
    const writes: (KeyValue | undefined)[] = []
    const keys: KeyValue[] = []
    const id =
      rules.id === undefined ? madeId : resolveId(madeId as string, values[managed[idAt].field], rules.id.existing)
    if (typeof id === 'object') return id
    for (let index = 0; index < levels.length; index++) {
      const level = levels[index]
      const made = level.value(values, source, id)
      if (typeof made === 'object' && made !== null) return made
      const present = values[managed[index].field]
      const isResolved = present === undefined || level.passesThrough || level.isId || present === made
      const key = isResolved ? made : resolveKey(made, present, level)
      if (typeof key === 'object' && key !== null) return key
      keys.push(key)
      writes.push(level.isId || Object.is(key, present) ? undefined : key)
    }
    if (managed.length > idAt)
      writes.push(rules.id === undefined || id === values[managed[idAt].field] ? undefined : id)
    return { ok: true, values: keys, id, version: number, writes }
  }
}

// fast path for one level, without arrays that grow
function decideOne({ levels, rules, idOf }: Version, number: number, managed: readonly ManagedMember[]): DecideRecord {
  const [level] = levels
  const [{ field }] = managed
  const idField = managed.length > 1 ? managed[1].field : -1
  return (values, source) => {
    const madeId = idOf(values, source)
    if (typeof madeId === 'object') return madeId
    const presentId = idField < 0 ? undefined : values[idField]
    const id = rules.id === undefined ? madeId : resolveId(madeId as string, presentId, rules.id.existing)
    if (typeof id === 'object') return id
    const made = level.value(values, source, id)
    if (typeof made === 'object' && made !== null) return made
    const present = values[field]
    const key =
      present === undefined || level.passesThrough || present === made ? made : resolveKey(made, present, level)
    if (typeof key === 'object' && key !== null) return key
    const keyWrite = Object.is(key, present) ? undefined : key
    if (idField < 0) return { ok: true, values: [key], id, version: number, writes: [keyWrite] }
    const idWrite = rules.id === undefined || id === presentId ? undefined : id
    return { ok: true, values: [key], id, version: number, writes: [keyWrite, idWrite] }
  }
}

type DecideRecord = (values: readonly FieldValue[], source: Source | undefined) => Decision | Rejection

function carried(table: FieldTable, required: boolean): Version['idOf'] {
  if (!required) return () => undefined
  const index = table.indexOf(['id'])
  return (values) => carriedId(values[index])
}

function makes(make: MakeText): Version['idOf'] {
  return (values, source) => make(values, source, undefined)
}

function resolveKey(made: KeyValue, present: FieldValue, { rules }: Level): KeyValue | Rejection {
  const path = formatPointer(rules.into)
  if (rules.existing === 'overwrite') return made
  if (rules.existing === 'verify') return reject('KEY_DIFFERS', path)
  const refused = present === null || typeof present === 'bigint' ? undefined : refusalOf(present, 'any')
  if (refused !== undefined) return reject(refused, path)
  // a double cannot hold this integer exactly, so Cosmos DB would store another key
  return typeof present === 'bigint' ? reject('NUMBER_INEXACT', path) : (present as KeyValue)
}

function resolveId(made: string, present: FieldValue, existing: Existing): string | Rejection {
  if (present === undefined || present === made || existing === 'overwrite' || isNumberOf(present, made)) return made
  return existing === 'verify' ? reject('ID_DIFFERS', '/id') : carriedId(present)
}

// 7 and "7" are the same id: exports of relational databases have numbers, which the plan writes as strings
function isNumberOf(present: FieldValue, made: string): boolean {
  const isNumber = typeof present === 'number' || typeof present === 'bigint'
  return isNumber && refusalOf(present, 'number') === undefined && canonicalText(present) === made
}

export const MAX_ID_BYTES = 1023
const FIRST_SURROGATE = 0xd800
// oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
const LOSSY = /[/\\?#~\u0000-\u001f\u007f]/g

/**
 * Compiles the id of a plan. Each part is escaped separately, so that a part that many records share is escaped only
 * once.
 */
function compileId(rules: IdRules, table: FieldTable): MakeText {
  const join = joinTexts(compileIdParts(rules, table), writtenSeparator(rules))
  return (values, source) => {
    const text = join(values, source, undefined)
    return typeof text === 'string' ? checkLength(text) : text
  }
}

/** Compiles the components of an id. */
export function compileIdParts({ from, separator, escape }: IdRules, table: FieldTable): readonly MakeText[] {
  const last = from.length - 1
  return from.map((component, index) => {
    const finish = escape === 'underscore' ? replaceUnaddressable : index === last ? escapeLast : escapeId
    return compileComponent(component, { purpose: 'id', first: index === 0, reserved: separator, finish }, table)
  })
}

/** The separator as the id contains it, escaped if necessary. */
export function writtenSeparator({ separator, escape }: IdRules): string {
  return escape === 'underscore' ? replaceUnaddressable(separator) : escapeId(separator)
}

/** Returns the record's own id if Cosmos DB can store and address it, otherwise a rejection. */
export function carriedId(value: FieldValue): string | Rejection {
  if (value === undefined) return reject('ID_MISSING', '/id')
  if (value === null || value === COMPOSITE || typeof value !== 'string' || value === '')
    return reject('ID_NOT_TEXT', '/id')
  let isAddressable = true
  // one loop for both checks: nearly every id passes, and for a short string a loop is faster than starting a regular
  // expression
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (isUnaddressable(code)) isAddressable = false
    else if (code >= FIRST_SURROGATE && !value.isWellFormed()) return reject('TEXT_MALFORMED', '/id')
  }
  return isAddressable ? checkLength(value) : reject('ID_INVALID', '/id')
}

/** Replaces reversibly the characters that Cosmos DB cannot store or address in an id. */
function escapeId(text: string): string {
  // nearly no id contains such a character, and a loop detects that several times as fast as a regular expression
  for (let at = 0; at < text.length; at++) if (isLossy(text.charCodeAt(at))) return text.replace(LOSSY, escapeOne)
  return text
}

// Cosmos DB removes a space only at the end of an id
function escapeLast(text: string): string {
  const escaped = escapeId(text)
  return escaped.endsWith(' ') ? escaped.slice(0, -1) + escapeOne(' ') : escaped
}

function replaceUnaddressable(text: string): string {
  return text.replace(/[/\\?#]/g, '_')
}

function escapeOne(mark: string): string {
  return escapeMark(mark.charCodeAt(0))
}

function isLossy(code: number): boolean {
  return code < 0x20 || code === 0x7e || code === 0x7f || isUnaddressable(code)
}

/** `#`, `/`, `?` and the backslash. */
function isUnaddressable(code: number): boolean {
  return code === 0x23 || code === 0x2f || code === 0x3f || code === 0x5c
}

function checkLength(id: string): string | Rejection {
  if (id === '') return reject('ID_NOT_TEXT', '/id')
  return id.length * 3 <= MAX_ID_BYTES || utf8Length(id) <= MAX_ID_BYTES ? id : reject('ID_TOO_LONG', '/id')
}
