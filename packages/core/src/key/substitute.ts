import { reject, type Rejection } from '../errors/rejection.ts'
import { RECORD_CODES, type RecordCode } from '../errors/record-codes.ts'
import { formatPointer } from '../text/pointer.ts'
import { COMPOSITE, type FieldValue } from './field-value.ts'
import { type BucketRules, type FieldRules, type Substitutes, takesAnyText } from '../plan/rules.ts'

/** Returns the text that the plan substitutes for an invalid value, or the rejection. */
export type Substitute = (code: RecordCode, value: FieldValue) => string | Rejection

/** The value to which a component contributes. */
export type ComponentPurpose = 'key' | 'id' | 'suffix'

/** Compiles the substitutes of a component. The sentence of a rejection names `purpose`. */
export function createSubstitute(rules: FieldRules | BucketRules, purpose: ComponentPurpose): Substitute {
  const use = substitutesOf(rules)
  const pointer = rules.kind === 'field' ? rules.pointer : rules.of === 'timestamp' ? [] : rules.of
  return (code, value) =>
    textFor(code, use) ??
    reject(code, formatPointer(pointer), sentenceOf(code, value, rules, purpose), undefined, hintOf(code, value, rules))
}

// if only some strings are valid, an empty string also has the wrong type
function substitutesOf(rules: FieldRules | BucketRules): Substitutes {
  const { use } = rules
  return takesAnyText(rules) ? use : { ...use, empty: use.empty ?? use.wrongType }
}

// Inexact numbers and malformed strings are never replaced. In JSON bytes, such a number is exact: the same record as
// bytes would get another key.
function textFor(code: RecordCode, use: Substitutes): string | undefined {
  if (code === 'FIELD_MISSING') return use.missing
  if (code === 'FIELD_EMPTY') return use.empty
  if (code === 'FIELD_NULL') return use.null
  return code === 'FIELD_WRONG_TYPE' || code === 'TIME_INVALID' ? use.wrongType : undefined
}

function sentenceOf(
  code: RecordCode,
  value: FieldValue,
  rules: FieldRules | BucketRules,
  purpose: ComponentPurpose
): string {
  if (code === 'FIELD_WRONG_TYPE' && value === COMPOSITE) {
    return `A field of ${nameOf(purpose)} is an object or an array; ${purpose === 'id' ? 'an id' : 'a key'} is made of strings, numbers and booleans.`
  }
  if (code === 'FIELD_WRONG_TYPE' && rules.kind === 'field')
    return `A field of ${nameOf(purpose)} is not of the declared type "${rules.type}".`
  return RECORD_CODES[code].sentence.replace('the key', nameOf(purpose))
}

function nameOf(purpose: ComponentPurpose): string {
  return purpose === 'suffix' ? 'the suffix of the key' : `the ${purpose}`
}

/** Returns a sentence with the values that the component accepts. */
function hintOf(code: RecordCode, value: FieldValue, rules: FieldRules | BucketRules): string | undefined {
  if (rules.kind === 'field') {
    const isText = code === 'FIELD_WRONG_TYPE' && rules.type === 'integer' && typeof value === 'string'
    if (!isText) return undefined
    return rules.coerce
      ? 'With "coerce", the plan accepts strings of digits, such as 15 or -15.'
      : 'With "coerce": true the plan accepts strings of digits.'
  }
  if (code !== 'TIME_INVALID') return undefined
  const numbers =
    rules.epoch === undefined
      ? 'numbers with "epoch"'
      : `numbers that count ${rules.epoch} since 1970${rules.coerce ? ', including strings of digits' : ', as strings with "coerce": true'}`
  return `The plan accepts ISO 8601 strings such as 2018-08-09T07:15:00Z, and ${numbers}.`
}
