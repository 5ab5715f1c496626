import { ESCAPE } from '../text/escape.ts'
import { type ComponentRules, type FieldRules, type IdRules, reservedCharacters, passThroughField } from '../plan/rules.ts'
import type { FieldTable, MakeText } from './text-maker.ts'
import { compileIdParts, MAX_ID_BYTES, writtenSeparator } from './id.ts'
import { safeLengthOf, type Level } from './level.ts'
import type { Version } from './version.ts'
import type { Rejection } from '../errors/rejection.ts'
import type { Source } from './kafka.ts'

/** How key and id are found without reading more of the record than they are. What is not as plain as described here goes to `decide`. */
export type DirectPlan = JoiningPlan | ReadingPlan

/** Key and id are joined of texts, which can be copied without reading them first. */
export interface JoiningPlan {
  readonly kind: 'joins'
  readonly key: DirectString
  /** How the id is made, or what the id that the record carries has to be like; undefined where there is no word on ids. */
  readonly id: DirectString | undefined
  /** False where the id is carried. */
  readonly writesId: boolean
}

/** Key and id stand in the record, and nothing is written into it. */
export interface ReadingPlan {
  readonly kind: 'reads'
  readonly levels: readonly DirectValue[]
  /** Undefined where there is no word on ids. */
  readonly id: DirectValue | undefined
}

/** A field that is a text without `reserved`, or nothing for a short way. */
export interface DirectValue {
  readonly field: number
  readonly reserved: string
  /** A text of at most so many bytes is short enough. */
  readonly safeLength: number
  readonly mayBeEmpty: boolean
}

/** A text joined of parts. */
export interface DirectString {
  readonly parts: readonly DirectPart[]
  readonly separator: string
  /** A text of at most so many bytes is short enough. */
  readonly safeLength: number
  readonly mayBeEmpty: boolean
}

/** A field, as the bytes have it if it is a text without `reserved` or plain digits; or what is made without the record. */
export type DirectPart =
  | {
      readonly field: number
      readonly takesStrings: boolean
      readonly takesEmpty: boolean
      readonly takesDigits: boolean
      readonly reserved: string
    }
  | { readonly field: undefined; readonly make: (source: Source | undefined) => string | Rejection }

/** Describes a plan of one version that only joins texts into one level at the top of the record, or that only reads. */
export function compileDirect([version, ...older]: readonly Version[], table: FieldTable): DirectPlan | undefined {
  if (older.length > 0) return undefined
  if (version.levels.every((level) => level.passesThrough || level.isId)) return readingPlan(version, table)
  if (version.levels.length > 1) return undefined
  const { id: idRules } = version.rules
  const key = directKey(version.levels[0], version, table)
  const id = idRules === undefined ? carriedId(table) : madeId(idRules, table)
  if (key === undefined || id === undefined) return undefined
  return { kind: 'joins', key, id: version.needsId ? id : undefined, writesId: idRules !== undefined }
}

function readingPlan({ levels, rules, needsId }: Version, table: FieldTable): ReadingPlan | undefined {
  if (rules.id !== undefined) return undefined
  const values = levels.map((level) => passThroughString(level, table))
  if (values.includes(undefined)) return undefined
  return { kind: 'reads', levels: values as readonly DirectValue[], id: needsId ? ownId(table) : undefined }
}

function ownId(table: FieldTable): DirectValue {
  return { field: table.indexOf(['id']), reserved: UNADDRESSABLE, safeLength: MAX_ID_BYTES, mayBeEmpty: false }
}

function passThroughString({ rules, limit, isId }: Level, table: FieldTable): DirectValue | undefined {
  if (isId) return ownId(table)
  const own = passThroughField(rules)
  const takesStrings = own?.type === 'any' || own?.type === 'text'
  return takesStrings
    ? { field: table.indexOf(own.pointer), reserved: '', safeLength: safeLengthOf(limit), mayBeEmpty: own.use.empty === '' }
    : undefined
}

function directKey({ rules, components, limit, passesThrough }: Level, version: Version, table: FieldTable): DirectString | undefined {
  if (rules.suffix !== undefined || passesThrough || rules.into.length > 1 || !isPlain(rules.separator)) return undefined
  const reserved = reservedCharacters(rules, version.rules)
  const parts = partsOf(rules.from, components, reserved === '' ? '' : reserved + ESCAPE, table)
  return parts && { parts, separator: rules.separator, safeLength: safeLengthOf(limit), mayBeEmpty: true }
}

function carriedId(table: FieldTable): DirectString {
  const part = { field: table.indexOf(['id']), takesStrings: true, takesEmpty: false, takesDigits: false, reserved: UNADDRESSABLE }
  return { parts: [part], separator: '', safeLength: MAX_ID_BYTES, mayBeEmpty: false }
}

// beside the backslash, which is never plain
const UNADDRESSABLE = '/?#'

function madeId(rules: IdRules, table: FieldTable): DirectString | undefined {
  const parts = partsOf(rules.from, compileIdParts(rules, table), '', table)
  // in an id more is escaped than a few marks, so that a field has to be read
  if (parts === undefined || parts.some(({ field }) => field !== undefined) || !isPlain(rules.separator)) return undefined
  return { parts, separator: writtenSeparator(rules), safeLength: MAX_ID_BYTES, mayBeEmpty: false }
}

function partsOf(
  from: readonly ComponentRules[],
  makers: readonly MakeText[],
  reserved: string,
  table: FieldTable
): readonly DirectPart[] | undefined {
  const parts = from.map((component, index) => partOf(component, makers[index], index === 0 ? '' : reserved, table))
  return parts.includes(undefined) ? undefined : (parts as readonly DirectPart[])
}

function partOf(component: ComponentRules, make: MakeText, reserved: string, table: FieldTable): DirectPart | undefined {
  switch (component.kind) {
    case 'literal':
    case 'kafka':
      return { field: undefined, make: (source) => make(NO_VALUES, source, undefined) }
    case 'field':
      return fieldPart(component, reserved, table)
    case 'bucket':
    case 'id':
      return undefined
  }
}

const NO_VALUES: readonly undefined[] = []

function fieldPart({ type, pointer, normalize, use }: FieldRules, reserved: string, table: FieldTable): DirectPart | undefined {
  if (type === 'date' || type === 'uuid' || type === 'boolean') return undefined
  const takesStrings = (type === 'any' || type === 'text') && !normalize
  return { field: table.indexOf(pointer), takesStrings, takesEmpty: use.empty === '', takesDigits: type !== 'text', reserved }
}

// a separator that JSON escapes is not worth a way of its own
function isPlain(separator: string): boolean {
  return separator !== '"' && separator !== '\\'
}
