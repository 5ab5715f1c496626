import { reject, type Rejection } from '../errors/rejection.ts'
import { hashHex } from '../hash/murmur128.ts'
import {
  baseLimit,
  type FieldRules,
  isIdLevel,
  type LevelRules,
  passThroughField,
  reservedCharacters,
  type VersionRules
} from '../plan/rules.ts'
import { formatPointer } from '../text/pointer.ts'
import { utf8Length } from '../text/utf8.ts'
import { canonicalText, coerceInteger, refusalOf } from './canonical.ts'
import { compileComponent, type FieldTable, joinTexts } from './component.ts'
import type { FieldValue, Fit, KeyValue, MakeText, Source } from './field-value.ts'
import { createSubstitute } from './substitute.ts'
import { compileSuffix, type Suffix } from './suffix.ts'

/** Compiled level of the key. */
export interface Level {
  readonly rules: LevelRules
  readonly value: (
    values: readonly FieldValue[],
    source: Source | undefined,
    id: string | undefined
  ) => KeyValue | Rejection
  /** Makes the base, the key without its suffix. */
  readonly base: MakeText
  /** Components that are joined to the base. */
  readonly components: readonly MakeText[]
  /** Checks the length of a joined base. Returns the base unchanged or cut, or a rejection. */
  readonly fit: Fit
  readonly suffix: Suffix | undefined
  /** Maximum length of the base in bytes. */
  readonly limit: number
  /** Whether the value of a field is the key itself, with its own type. */
  readonly passesThrough: boolean
  /** Whether the level is the id. */
  readonly isId: boolean
}

export function compileLevel(
  rules: LevelRules,
  version: VersionRules,
  table: FieldTable,
  random: (() => number) | undefined
): Level {
  const reserved = reservedCharacters(rules, version)
  const components = rules.from.map((component, index) =>
    compileComponent(component, { purpose: 'key', first: index === 0, reserved }, table)
  )
  const limit = baseLimit(rules.suffix, version.hashVersion)
  const fit = fitWithin(limit, rules)
  const base = joinTexts(components, rules.separator, safeLengthOf(limit), fit)
  const suffix =
    rules.suffix && compileSuffix(rules.suffix, rules.from, { hashVersion: version.hashVersion, table, random })
  const own = passThroughField(rules)
  const value =
    own !== undefined
      ? compilePassThrough(own, rules, limit, table)
      : suffix === undefined
        ? base
        : withSuffix(base, suffix, rules)
  return {
    rules,
    value,
    base,
    components,
    fit,
    suffix,
    limit,
    passesThrough: own !== undefined,
    isId: isIdLevel(rules)
  }
}

function compilePassThrough(field: FieldRules, rules: LevelRules, limit: number, table: FieldTable): Level['value'] {
  const index = table.indexOf(field.pointer)
  const path = formatPointer(rules.into)
  const substitute = createSubstitute(field, 'key')
  return (values) => {
    const value = field.coerce ? coerceInteger(values[index]) : values[index]
    const refused = value === '' ? 'FIELD_EMPTY' : refusalOf(value, field.type)
    if (refused !== undefined) return substitute(refused, value)
    if (typeof value === 'number' || typeof value === 'boolean') return value
    if (typeof value === 'bigint')
      return Number.isSafeInteger(Number(value)) ? Number(value) : reject('NUMBER_INEXACT', path)
    const text = canonicalText(value as string)
    const key = field.normalize ? text.normalize('NFC') : text
    return key.length * 3 <= limit || utf8Length(key) <= limit ? key : reject('KEY_TOO_LONG', path)
  }
}

function withSuffix(base: MakeText, suffix: Suffix, rules: LevelRules): Level['value'] {
  const separator = rules.suffix?.separator ?? ''
  return (values, source, id) => {
    const text = base(values, source, id)
    if (typeof text !== 'string') return text
    const count = suffix.countOf(values, source, id)
    if (typeof count !== 'number') return count
    // a base with one suffix does not need the fields that select one
    const slot = count === 1 ? 1 : suffix.pick(values, source, count)
    return typeof slot === 'number' ? text + separator + suffix.label(text, slot, count) : slot
  }
}

/**
 * Maximum number of UTF-16 units of a string that is certainly within the limit and is certainly not a cut key. UTF-8
 * needs at most three bytes for each unit, and a cut key is at most three bytes shorter than the limit.
 */
export function safeLengthOf(limit: number): number {
  return Math.floor((limit - 4) / 3)
}

function fitWithin(limit: number, rules: LevelRules): Fit {
  const path = formatPointer(rules.into)
  return (key) => {
    const isLong = key.length > limit || utf8Length(key) > limit
    if (rules.tooLong === 'hash') return isLong || looksCut(key, limit) ? cutKey(key, limit) : key
    return isLong ? reject('KEY_TOO_LONG', path) : key
  }
}

const MARK = '~~'
const TAIL_BYTES = MARK.length + 32

/** Shortens a key to `limit` bytes: its beginning, cut between two code points, and a 128-bit hash of the whole key. */
export function cutKey(key: string, limit: number): string {
  return headOf(key, limit - TAIL_BYTES) + MARK + hashHex(key)
}

/**
 * Whether a key of at most `limit` bytes has the form of a result of `cutKey`. A key that has this form by chance is
 * cut, too, so that every key of this form is a cut key.
 */
export function looksCut(key: string, limit: number): boolean {
  if (!/~~[0-9a-f]{32}$/.test(key)) return false
  const bytes = utf8Length(key)
  return bytes > limit - 4 && bytes <= limit
}

function headOf(text: string, bytes: number): string {
  let left = bytes
  let end = 0
  for (const character of text) {
    left -= utf8Length(character)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end)
}
