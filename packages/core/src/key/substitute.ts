import { reject, type Rejection } from '../errors/rejection.ts'
import { RECORD_CODES, type RecordCode } from '../errors/record-codes.ts'
import { formatPointer } from '../text/pointer.ts'
import { COMPOSITE, type FieldValue } from './field-value.ts'
import { type BucketRules, type FieldRules, type Substitutes, takesAnyText } from '../plan/rules.ts'

/** Gives the text that the plan names for a value that it refuses, or the rejection. */
export type Substitute = (code: RecordCode, value: FieldValue) => string | Rejection

/** What a component is part of. */
export type ComponentPurpose = 'key' | 'id' | 'suffix'

/** `purpose` says what the component is part of, for the sentence of a rejection. */
export function createSubstitute(rules: FieldRules | BucketRules, purpose: ComponentPurpose): Substitute {
  const use = substitutesOf(rules)
  const pointer = rules.kind === 'field' ? rules.pointer : rules.of === 'timestamp' ? [] : rules.of
  return (code, value) =>
    textFor(code, use) ??
    reject(code, formatPointer(pointer), sentenceOf(code, value, rules, purpose), undefined, hintOf(code, value, rules))
}

// empty text is also of the wrong type where only some texts are values
function substitutesOf(rules: FieldRules | BucketRules): Substitutes {
  const { use } = rules
  return takesAnyText(rules) ? use : { ...use, empty: use.empty ?? use.wrongType }
}

// A broken value is never replaced: an inexact number is exact in JSON bytes, where the same record would get another key.
function textFor(code: RecordCode, use: Substitutes): string | undefined {
  if (code === 'FIELD_MISSING') return use.missing
  if (code === 'FIELD_EMPTY') return use.empty
  if (code === 'FIELD_NULL') return use.null
  return code === 'FIELD_WRONG_TYPE' || code === 'TIME_INVALID' ? use.wrongType : undefined
}

function sentenceOf(code: RecordCode, value: FieldValue, rules: FieldRules | BucketRules, purpose: ComponentPurpose): string {
  if (code === 'FIELD_WRONG_TYPE' && value === COMPOSITE) {
    return `A field that ${nameOf(purpose)} is made of is an object or an array; ${purpose === 'id' ? 'an id' : 'a key'} is made of text, numbers and booleans.`
  }
  if (code === 'FIELD_WRONG_TYPE' && rules.kind === 'field')
    return `A field that ${nameOf(purpose)} is made of is not of the declared type "${rules.type}".`
  return RECORD_CODES[code].sentence.replace('the key', nameOf(purpose))
}

function nameOf(purpose: ComponentPurpose): string {
  return purpose === 'suffix' ? 'the suffix of the key' : `the ${purpose}`
}

/** What the component would take, where the value is none of it. */
function hintOf(code: RecordCode, value: FieldValue, rules: FieldRules | BucketRules): string | undefined {
  if (rules.kind === 'field') {
    const isText = code === 'FIELD_WRONG_TYPE' && rules.type === 'integer' && typeof value === 'string'
    if (!isText) return undefined
    return rules.coerce ? 'With "coerce", text of digits is taken, such as 15 or -15.' : 'Text of digits is taken with "coerce": true.'
  }
  if (code !== 'TIME_INVALID') return undefined
  const numbers =
    rules.epoch === undefined
      ? 'numbers with "epoch"'
      : `numbers that count ${rules.epoch} since 1970${rules.coerce ? ', also as text' : ', as text with "coerce": true'}`
  return `It takes ISO 8601 text such as 2018-08-09T07:15:00Z, or ${numbers}.`
}
