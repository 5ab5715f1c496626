import { ESCAPE } from '../encode/escape.ts'
import type { DirectPart, DirectPlan, DirectText, DirectValue, ReadingPlan } from '../plan/compiled.ts'
import type { ComponentRules, FieldRules, IdRules } from '../plan/rules.ts'
import type { FieldTable } from './field-table.ts'
import { compileIdParts, MOST_ID_BYTES, writtenSeparator } from './id.ts'
import { certainLength, type Level, marksOf, ownField } from './level.ts'
import type { MakeText } from './make-text.ts'
import type { Version } from './version.ts'

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
