import { canonicalText, refusalOf } from '../encode/canonical.ts'
import { createEscape } from '../encode/escape.ts'
import { reject } from '../errors/rejection.ts'
import type { COMPOSITE, FieldValue } from '../plan/compiled.ts'
import type { ComponentRules, FieldRules } from '../plan/rules.ts'
import { compileBucket } from './bucket.ts'
import type { FieldTable } from './field-table.ts'
import { compileKafka, keyField } from './kafka.ts'
import type { MakeText } from './make-text.ts'
import { substitute } from './substitute.ts'

/** How a component at this place is written: as it is, or free of the marks that the key is taken apart by. */
export interface Place {
  readonly first: boolean
  /** Separator and suffix separator; empty where everything is written bare. */
  readonly marks: string
}

export function compileComponent(rules: ComponentRules, place: Place, table: FieldTable): MakeText {
  const bare = place.first || place.marks === ''
  const escape = bare ? same : createEscape(place.marks)
  switch (rules.kind) {
    case 'literal':
      return () => rules.text
    case 'id':
      return (_values, _source, id) => (id === undefined ? reject('ID_MISSING', '/id') : escape(id))
    case 'kafka':
      return escaped(compileKafka(rules), escape)
    case 'bucket':
      return compileBucket(rules, escape, table)
    case 'field':
      return compileField(rules, escape, table)
  }
}

function compileField(rules: FieldRules, escape: (text: string) => string, table: FieldTable): MakeText {
  const { type, pointer, use, orKey, normalize } = rules
  const index = table.indexOf(pointer)
  const encode = type === 'date' || type === 'uuid' || type === 'boolean' ? same : escape
  const finish = normalize ? (text: string) => encode(text.normalize('NFC')) : encode
  const general: MakeText = (values, source) => {
    let value = values[index]
    if (value === undefined && orKey !== undefined) value = keyField(source, orKey)
    const refused = refusalOf(value, type)
    if (refused === undefined) return finish(canonicalText(value as Scalar))
    const instead = substitute(refused, use, pointer)
    return typeof instead === 'string' ? escape(instead) : instead
  }
  return type === 'any' && !normalize ? quick(index, escape, general) : general
}

// what nearly every record holds, without a step too many: text, and numbers that are only digits
function quick(index: number, escape: (text: string) => string, general: MakeText): MakeText {
  return (values, source, id) => {
    const value = values[index]
    if (typeof value === 'string' && value.isWellFormed()) return escape(value)
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) return String(value)
    return general(values, source, id)
  }
}

type Scalar = Exclude<FieldValue, undefined | null | typeof COMPOSITE>

function escaped(make: MakeText, escape: (text: string) => string): MakeText {
  return (values, source, id) => {
    const text = make(values, source, id)
    return typeof text === 'string' ? escape(text) : text
  }
}

function same(text: string): string {
  return text
}
