import { ESCAPE } from '../text/escape.ts'
import { type ComponentRules, type FieldRules, type IdRules, marksOf, ownField } from '../plan/rules.ts'
import type { FieldTable, MakeText } from './text-maker.ts'
import { compileIdParts, MOST_ID_BYTES, writtenSeparator } from './id.ts'
import { certainLength, type Level } from './level.ts'
import type { Version } from './version.ts'
import type { Rejection } from '../errors/rejection.ts'
import type { Source } from './kafka.ts'

/** How key and id are found without reading more of the record than they are. What is not as plain as described here goes to `decide`. */
export type DirectPlan = JoiningPlan | ReadingPlan

/** Key and id are joined of texts, which can be copied without reading them first. */
export interface JoiningPlan {
  readonly kind: 'joins'
  readonly key: DirectText
  /** How the id is made, or what the id that the record carries has to be like; undefined where there is no word on ids. */
  readonly id: DirectText | undefined
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

/** A field that is a text without `marks`, or nothing for a short way. */
export interface DirectValue {
  readonly field: number
  readonly marks: string
  /** A text of at most so many bytes is short enough. */
  readonly certain: number
  readonly mayBeEmpty: boolean
}

/** A text joined of parts. */
export interface DirectText {
  readonly parts: readonly DirectPart[]
  readonly separator: string
  /** A text of at most so many bytes is short enough. */
  readonly certain: number
  readonly mayBeEmpty: boolean
}

/** A field, as the bytes have it if it is a text without `marks` or plain digits; or what is made without the record. */
export type DirectPart =
  | {
      readonly field: number
      readonly takesText: boolean
      readonly takesEmpty: boolean
      readonly takesDigits: boolean
      readonly marks: string
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
  const values = levels.map((level) => ownText(level, table))
  if (values.includes(undefined)) return undefined
  return { kind: 'reads', levels: values as readonly DirectValue[], id: needsId ? ownId(table) : undefined }
}

function ownId(table: FieldTable): DirectValue {
  return { field: table.indexOf(['id']), marks: UNADDRESSABLE, certain: MOST_ID_BYTES, mayBeEmpty: false }
}

function ownText({ rules, limit, isId }: Level, table: FieldTable): DirectValue | undefined {
  if (isId) return ownId(table)
  const own = ownField(rules)
  const takesText = own?.type === 'any' || own?.type === 'text'
  return takesText
    ? { field: table.indexOf(own.pointer), marks: '', certain: certainLength(limit), mayBeEmpty: own.use.empty === '' }
    : undefined
}

function directKey({ rules, components, limit, passesThrough }: Level, version: Version, table: FieldTable): DirectText | undefined {
  if (rules.suffix !== undefined || passesThrough || rules.into.length > 1 || !isPlain(rules.separator)) return undefined
  const marks = marksOf(rules, version.rules)
  const parts = partsOf(rules.from, components, marks === '' ? '' : marks + ESCAPE, table)
  return parts && { parts, separator: rules.separator, certain: certainLength(limit), mayBeEmpty: true }
}

function carriedId(table: FieldTable): DirectText {
  const part = { field: table.indexOf(['id']), takesText: true, takesEmpty: false, takesDigits: false, marks: UNADDRESSABLE }
  return { parts: [part], separator: '', certain: MOST_ID_BYTES, mayBeEmpty: false }
}

// beside the backslash, which is never plain
const UNADDRESSABLE = '/?#'

function madeId(rules: IdRules, table: FieldTable): DirectText | undefined {
  const parts = partsOf(rules.from, compileIdParts(rules, table), '', table)
  // in an id more is escaped than a few marks, so that a field has to be read
  if (parts === undefined || parts.some(({ field }) => field !== undefined) || !isPlain(rules.separator)) return undefined
  return { parts, separator: writtenSeparator(rules), certain: MOST_ID_BYTES, mayBeEmpty: false }
}

function partsOf(
  from: readonly ComponentRules[],
  makers: readonly MakeText[],
  marks: string,
  table: FieldTable
): readonly DirectPart[] | undefined {
  const parts = from.map((component, index) => partOf(component, makers[index], index === 0 ? '' : marks, table))
  return parts.includes(undefined) ? undefined : (parts as readonly DirectPart[])
}

function partOf(component: ComponentRules, make: MakeText, marks: string, table: FieldTable): DirectPart | undefined {
  switch (component.kind) {
    case 'literal':
    case 'kafka':
      return { field: undefined, make: (source) => make(NO_VALUES, source, undefined) }
    case 'field':
      return fieldPart(component, marks, table)
    case 'bucket':
    case 'id':
      return undefined
  }
}

const NO_VALUES: readonly undefined[] = []

function fieldPart({ type, pointer, normalize, use }: FieldRules, marks: string, table: FieldTable): DirectPart | undefined {
  if (type === 'date' || type === 'uuid' || type === 'boolean') return undefined
  const takesText = (type === 'any' || type === 'text') && !normalize
  return { field: table.indexOf(pointer), takesText, takesEmpty: use.empty === '', takesDigits: type !== 'text', marks }
}

// a separator that JSON escapes is not worth a way of its own
function isPlain(separator: string): boolean {
  return separator !== '"' && separator !== '\\'
}
