import { ESCAPE } from '../text/escape.ts'
import {
  type ComponentRules,
  type FieldRules,
  type IdRules,
  reservedCharacters,
  passThroughField
} from '../plan/rules.ts'
import type { FieldTable } from './component.ts'
import type { MakeText, Source } from './field-value.ts'
import { safeLengthOf, type Level } from './level.ts'
import { compileIdParts, MAX_ID_BYTES, type Version, writtenSeparator } from './version.ts'
import type { Rejection } from '../errors/rejection.ts'

/**
 * Describes how key and id are copied from the bytes of a record. Records that differ from the description go to
 * `decide`.
 */
export type DirectPlan = JoiningPlan | ReadingPlan

/** Key and id are joined from strings that can be copied without decoding. */
export interface JoiningPlan {
  readonly kind: 'joins'
  readonly key: DirectString
  /** Composition of the id, or the required form of the record's own id; undefined if the plan does not need the id. */
  readonly id: DirectString | undefined
  /** False if the record has its own id. */
  readonly writesId: boolean
}

/** The record contains key and id, and the plan writes nothing. */
export interface ReadingPlan {
  readonly kind: 'reads'
  readonly levels: readonly DirectValue[]
  /** Undefined if the plan does not need the id. */
  readonly id: DirectValue | undefined
}

/** A field whose value is a string without reserved characters. */
export interface DirectValue {
  readonly field: number
  readonly reserved: string
  /** A string of at most this number of bytes is never too long. */
  readonly safeLength: number
  readonly mayBeEmpty: boolean
}

/** A string that is joined from parts. */
export interface DirectString {
  readonly parts: readonly DirectPart[]
  readonly separator: string
  /** A string of at most this number of bytes is never too long. */
  readonly safeLength: number
  readonly mayBeEmpty: boolean
}

/**
 * Part of a string. Either a field, whose value is a string without reserved characters or a number of plain digits; or
 * a part that does not depend on the fields.
 */
export type DirectPart =
  | {
      readonly field: number
      readonly takesStrings: boolean
      readonly takesEmpty: boolean
      readonly takesDigits: boolean
      readonly reserved: string
    }
  | { readonly field: undefined; readonly make: (source: Source | undefined) => string | Rejection }

/**
 * Describes a plan of one version that only joins strings into one top-level property, or that only reads. Returns
 * undefined for other plans.
 */
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
    ? {
        field: table.indexOf(own.pointer),
        reserved: '',
        safeLength: safeLengthOf(limit),
        mayBeEmpty: own.use.empty === ''
      }
    : undefined
}

function directKey(
  { rules, components, limit, passesThrough }: Level,
  version: Version,
  table: FieldTable
): DirectString | undefined {
  if (rules.suffix !== undefined || passesThrough || rules.into.length > 1 || !isPlain(rules.separator))
    return undefined
  const reserved = reservedCharacters(rules, version.rules)
  const parts = partsOf(rules.from, components, reserved === '' ? '' : reserved + ESCAPE, table)
  return parts && { parts, separator: rules.separator, safeLength: safeLengthOf(limit), mayBeEmpty: true }
}

function carriedId(table: FieldTable): DirectString {
  const part = {
    field: table.indexOf(['id']),
    takesStrings: true,
    takesEmpty: false,
    takesDigits: false,
    reserved: UNADDRESSABLE
  }
  return { parts: [part], separator: '', safeLength: MAX_ID_BYTES, mayBeEmpty: false }
}

// in addition to the backslash, which is never plain
const UNADDRESSABLE = '/?#'

function madeId(rules: IdRules, table: FieldTable): DirectString | undefined {
  const parts = partsOf(rules.from, compileIdParts(rules, table), '', table)
  // an id escapes more than three characters, so a field would have to be decoded
  if (parts === undefined || parts.some(({ field }) => field !== undefined) || !isPlain(rules.separator))
    return undefined
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

function partOf(
  component: ComponentRules,
  make: MakeText,
  reserved: string,
  table: FieldTable
): DirectPart | undefined {
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

function fieldPart(
  { type, pointer, normalize, use }: FieldRules,
  reserved: string,
  table: FieldTable
): DirectPart | undefined {
  if (type === 'date' || type === 'uuid' || type === 'boolean') return undefined
  const takesStrings = (type === 'any' || type === 'text') && !normalize
  return {
    field: table.indexOf(pointer),
    takesStrings,
    takesEmpty: use.empty === '',
    takesDigits: type !== 'text',
    reserved
  }
}

// separators that JSON escapes are too rare for a fast path
function isPlain(separator: string): boolean {
  return separator !== '"' && separator !== '\\'
}
