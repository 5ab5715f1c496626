import { reject } from '../errors/rejection.ts'
import type { ComponentRules, FieldRules } from '../plan/rules.ts'
import { createEscape } from '../text/escape.ts'
import { formatPointer, type Pointer } from '../text/pointer.ts'
import { compileBucket } from './bucket.ts'
import { canonicalText, coerceInteger, refusalOf } from './canonical.ts'
import type { COMPOSITE, FieldValue, Fit, MakeText } from './field-value.ts'
import { compileKafka, keyField } from './kafka.ts'
import { type ComponentPurpose, createSubstitute } from './substitute.ts'

/**
 * Creates a function that makes the texts one after another and joins them. It returns the first rejection, if any.
 * Calls `fit` for a result of more than `safeLength` UTF-16 units.
 */
export function joinTexts(
  makers: readonly MakeText[],
  separator: string,
  safeLength: number = Number.POSITIVE_INFINITY,
  fit: Fit = same
): MakeText {
  const [first, second] = makers
  if (makers.length === 2) {
    return (values, source, id) => {
      const left = first(values, source, id)
      if (typeof left !== 'string') return left
      const right = second(values, source, id)
      if (typeof right !== 'string') return right
      const joined = left + separator + right
      return joined.length <= safeLength ? joined : fit(joined)
    }
  }
  return (values, source, id) => {
    let joined = ''
    for (let index = 0; index < makers.length; index++) {
      const text = makers[index](values, source, id)
      if (typeof text !== 'string') return text
      joined = index === 0 ? text : joined + separator + text
    }
    return joined.length <= safeLength ? joined : fit(joined)
  }
}

/** Numbers the fields of a plan; a field that several rules read has one number. */
export class FieldTable {
  readonly pointers: Pointer[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(pointer: Pointer): number {
    const text = formatPointer(pointer)
    const known = this.#indexes.get(text)
    if (known !== undefined) return known
    this.#indexes.set(text, this.pointers.length)
    return this.pointers.push(pointer) - 1
  }
}

/** Position and purpose of a component, which decide how its text is escaped. */
interface ComponentOptions {
  readonly purpose: ComponentPurpose
  readonly first: boolean
  /** Characters to escape: separator and suffix separator; empty for `"encoding": "plain"`. */
  readonly reserved: string
  /** Last step for the text, such as the escape of an id. */
  readonly finish?: (text: string) => string
}

export function compileComponent(rules: ComponentRules, options: ComponentOptions, table: FieldTable): MakeText {
  const escape = escapeOf(options)
  switch (rules.kind) {
    case 'literal': {
      const text = options.finish === undefined ? rules.text : options.finish(rules.text)
      return () => text
    }
    case 'id':
      return (_values, _source, id) => (id === undefined ? reject('ID_MISSING', '/id') : escape(id))
    case 'kafka':
      return compileKafka(rules, escape)
    case 'bucket':
      return compileBucket(rules, { escape, purpose: options.purpose }, table)
    case 'field':
      return compileField(rules, { escape, purpose: options.purpose }, table)
  }
}

/** Escape and purpose of a component. */
export interface ComponentEncoding {
  readonly escape: (text: string) => string
  readonly purpose: ComponentPurpose
}

function compileField(rules: FieldRules, { escape, purpose }: ComponentEncoding, table: FieldTable): MakeText {
  const { type, pointer, use, orKey, normalize, coerce } = rules
  const index = table.indexOf(pointer)
  const substitute = createSubstitute(rules, purpose)
  const encode = type === 'date' || type === 'uuid' || type === 'boolean' ? same : escape
  const finish = normalize ? (text: string) => encode(text.normalize('NFC')) : encode
  const general: MakeText = (values, source) => {
    let value = values[index]
    if (value === undefined && orKey !== undefined) value = keyField(source, orKey)
    if (coerce) value = coerceInteger(value)
    const refused = value === '' ? 'FIELD_EMPTY' : refusalOf(value, type)
    if (refused === undefined) return finish(canonicalText(value as Scalar))
    const instead = substitute(refused, value)
    return typeof instead === 'string' ? escape(instead) : instead
  }
  if (normalize || (type !== 'any' && type !== 'text')) return general
  const shortest = use.empty === '' ? 0 : 1
  return type === 'any' ? quick(index, shortest, escape, general) : quickText(index, shortest, escape, general)
}

// fast path for the values of nearly all records: strings and non-negative integers
function quick(index: number, shortest: number, escape: (text: string) => string, general: MakeText): MakeText {
  return (values, source, id) => {
    const value = values[index]
    if (typeof value === 'string' && value.length >= shortest && value.isWellFormed()) return escape(value)
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) return String(value)
    return general(values, source, id)
  }
}

function quickText(index: number, shortest: number, escape: (text: string) => string, general: MakeText): MakeText {
  return (values, source, id) => {
    const value = values[index]
    return typeof value === 'string' && value.length >= shortest && value.isWellFormed()
      ? escape(value)
      : general(values, source, id)
  }
}

function escapeOf({ first, reserved, finish }: ComponentOptions): (text: string) => string {
  const bare = first || reserved === ''
  if (bare) return finish ?? same
  const escape = createEscape(reserved)
  return finish === undefined ? escape : (text) => finish(escape(text))
}

type Scalar = Exclude<FieldValue, undefined | null | typeof COMPOSITE>

function same(text: string): string {
  return text
}
