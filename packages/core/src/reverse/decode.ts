import { reject, type Rejection } from '../errors/rejection.ts'
import { hasShape, refusalOf } from '../key/canonical.ts'
import type { CompiledVersions } from '../key/compile-plan.ts'
import type { KeyValue } from '../key/field-value.ts'
import { type Level, looksCut } from '../key/level.ts'
import { carriedId, type Version } from '../key/version.ts'
import { type ComponentRules, type LevelRules, reservedCharacters, passThroughField } from '../plan/rules.ts'
import { unescape } from '../text/escape.ts'
import { formatPointer } from '../text/pointer.ts'
import { BUCKET_LENGTH, isBucketText } from '../time/bucket.ts'
import type { Key } from './known-parts.ts'

/** A key, split into its parts. */
export interface DecodedKey {
  readonly ok: true
  readonly levels: readonly DecodedLevel[]
  /** Version of the plan whose form the key has: 0 for the newest. */
  readonly version: number
}

interface DecodedLevel {
  /** Components in order; empty if the key was cut. */
  readonly parts: readonly DecodedPart[]
  /** The key without its suffix. */
  readonly base: string
  /** Number of the suffix: 1 to `count`; undefined without a suffix. */
  readonly slot: number | undefined
  /** Number in the key, after the suffix separator; differs from `slot` with even labels. */
  readonly label: number | undefined
  /**
   * Whether the key was too long. Then it consists of the beginning of the original key and a hash of the original key.
   */
  readonly isCut: boolean
}

interface DecodedPart {
  /** Source of the part: a JSON pointer, or a name such as `kafka offset` or `literal`. */
  readonly of: string
  readonly value: KeyValue
}

/**
 * Creates a function that splits a key into its parts. It uses the newest version of the plan whose form the key has.
 */
export function createDecode(plan: CompiledVersions): (key: Key) => DecodedKey | Rejection {
  return (key) => {
    const values = (Array.isArray(key) ? key : [key]) as readonly KeyValue[]
    for (const [number, version] of plan.versions.entries()) {
      const levels = decodeLevels(values, version)
      if (levels !== undefined) return { ok: true, levels, version: number }
    }
    const isBare = plan.versions.some(({ rules }) => rules.encoding === 'plain')
    return reject('KEY_NOT_DECODABLE', '', isBare ? BARE : undefined)
  }
}

const BARE =
  'This key was not made by this plan, or cannot be split: "encoding": "plain" does not escape separators, so the end of a part is unknown.'

function decodeLevels(values: readonly KeyValue[], version: Version): DecodedLevel[] | undefined {
  if (values.length === 0 || values.length > version.levels.length) return undefined
  const levels = values.map((value, index) => decodeLevel(value, version.levels[index], version))
  return levels.every((level) => level !== undefined) ? levels : undefined
}

function decodeLevel(value: KeyValue, level: Level, version: Version): DecodedLevel | undefined {
  const { rules } = level
  if (level.passesThrough) {
    if (!canBeOwn(value, level)) return undefined
    return {
      parts: [{ of: formatPointer(rules.into), value }],
      base: String(value),
      slot: undefined,
      label: undefined,
      isCut: false
    }
  }
  if (typeof value !== 'string' || (level.isId && typeof carriedId(value) !== 'string')) return undefined
  const ending = level.suffix === undefined ? { base: value } : splitSuffix(value, level)
  if (ending === undefined) return undefined
  const { base, label } = ending
  const isCut = rules.tooLong === 'hash' && looksCut(base, level.limit)
  const texts = isCut ? [] : splitBase(base, rules, reservedCharacters(rules, version.rules))
  if (texts === undefined) return undefined
  const slot = label === undefined ? undefined : slotOf(base, label, level, isCut ? undefined : texts)
  if (label !== undefined && slot === undefined) return undefined
  const parts = texts.map((text, index) => ({ of: nameOf(rules.from[index]), value: text }))
  return { parts, base, slot, label, isCut }
}

// the value of a record has the declared type, or is the substitute for a value of another type
function canBeOwn(value: KeyValue, { rules }: Level): boolean {
  const own = passThroughField(rules)
  if (own === undefined || refusalOf(value, own.type) === undefined) return true
  return typeof value === 'string' && Object.values(own.use).includes(value)
}

interface Ending {
  /** The key without its suffix. */
  readonly base: string
  readonly label?: number
}

function splitSuffix(key: string, { rules }: Level): Ending | undefined {
  const at = key.lastIndexOf(rules.suffix?.separator ?? '')
  const digits = key.slice(at + 1)
  return at < 0 || !/^[1-9]\d{0,8}$/.test(digits) ? undefined : { base: key.slice(0, at), label: Number(digits) }
}

/**
 * Slot of a label. The components of a cut base are unknown, so its number of suffixes is unknown, too: the first
 * number of suffixes that has this label is used.
 */
function slotOf(
  base: string,
  label: number,
  { suffix }: Level,
  texts: readonly string[] | undefined
): number | undefined {
  const counts = texts === undefined ? suffix!.counts : [suffix!.countOfTexts(texts)]
  for (const count of counts) {
    const slot = suffix!.slotOf(base, label, count)
    if (slot !== undefined) return slot
  }
  return undefined
}

function nameOf(component: ComponentRules): string {
  if (component.kind === 'field') return formatPointer(component.pointer)
  if (component.kind === 'bucket') return component.of === 'timestamp' ? 'kafka timestamp' : formatPointer(component.of)
  if (component.kind === 'id') return '/id'
  if (component.kind === 'literal') return 'literal'
  if (component.what === 'key' && component.pointer !== undefined)
    return `kafka key ${formatPointer(component.pointer)}`
  return component.what === 'header' ? `kafka header ${component.name}` : `kafka ${component.what}`
}

/**
 * Splits a base key into the texts of its components, from the right. Every component after the first one has a fixed
 * form or contains no separator. The rest is the first component, which may contain any character. `reserved` is empty
 * if nothing was escaped.
 */
function splitBase(base: string, { from, separator }: LevelRules, reserved: string): string[] | undefined {
  if (reserved === '' && isAmbiguous(base, from, separator)) return undefined
  const texts: string[] = []
  let rest = base
  for (const component of from.slice(1).toReversed()) {
    const taken = takeLast(rest, component, separator, reserved)
    if (taken === undefined) return undefined
    texts.unshift(taken.text)
    rest = rest.slice(0, taken.at)
  }
  if (from[0].kind === 'literal' && rest !== from[0].text) return undefined
  return rest.isWellFormed() ? [rest, ...texts] : undefined
}

interface Taken {
  readonly text: string
  /** Position of the separator before the component. */
  readonly at: number
}

function takeLast(rest: string, component: ComponentRules, separator: string, reserved: string): Taken | undefined {
  const shaped = shapedLength(rest, component)
  const at = rest.length - shaped - 1
  if (shaped > 0 && at >= 0 && rest[at] === separator) return { text: rest.slice(at + 1), at }
  if (component.kind === 'literal') return undefined
  const last = rest.lastIndexOf(separator)
  const text = last < 0 ? undefined : reserved === '' ? rest.slice(last + 1) : unescape(rest.slice(last + 1), reserved)
  return text === undefined ? undefined : { text, at: last }
}

/** Length of the last component if it has a fixed form; otherwise 0. */
function shapedLength(rest: string, component: ComponentRules): number {
  if (component.kind === 'literal') return rest.endsWith(component.text) ? component.text.length : 0
  if (component.kind === 'bucket') {
    const length = BUCKET_LENGTH[component.unit]
    return isBucketText(rest.slice(-length), component.unit, component.minutes) ? length : 0
  }
  if (component.kind !== 'field') return 0
  if (component.type === 'date') return hasShape(rest.slice(-10), 'date') ? 10 : 0
  if (component.type === 'uuid') return hasShape(rest.slice(-36), 'uuid') ? 36 : 0
  if (component.type !== 'boolean') return 0
  return rest.endsWith('true') ? 4 : rest.endsWith('false') ? 5 : 0
}

// A key without escapes can be split only if no component contains the separator.
function isAmbiguous(base: string, from: readonly ComponentRules[], separator: string): boolean {
  const hasShapes = from
    .slice(1)
    .every(
      (component) =>
        component.kind === 'literal' ||
        component.kind === 'bucket' ||
        (component.kind === 'field' && isShaped(component.type))
    )
  return !hasShapes && base.split(separator).length !== from.length
}

function isShaped(type: string): boolean {
  return type === 'date' || type === 'uuid' || type === 'boolean'
}
