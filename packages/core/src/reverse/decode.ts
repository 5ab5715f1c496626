import type { CompiledVersions } from '../compile/compile-plan.ts'
import { carriedId } from '../compile/id.ts'
import { type Level, marksOf, ownField } from '../compile/level.ts'
import type { Version } from '../compile/version.ts'
import { looksCut } from '../encode/cut.ts'
import { refusalOf } from '../encode/canonical.ts'
import { type Rejection, reject } from '../errors/rejection.ts'
import { pointerText } from '../parse/pointer.ts'
import type { KeyValue } from '../plan/compiled.ts'
import type { ComponentRules } from '../plan/rules.ts'
import type { Key } from './key-lookup.ts'
import { splitBase } from './split-base.ts'

/** A key taken apart. */
export interface DecodedKey {
  readonly ok: true
  readonly levels: readonly DecodedLevel[]
  /** The version of the plan that the key has the form of: 0 for the newest. */
  readonly version: number
}

export interface DecodedLevel {
  /** The components in their order; empty where the key was cut. */
  readonly parts: readonly DecodedPart[]
  /** The key without its suffix. */
  readonly base: string
  /** Which of the suffixes it has: 1 to `count`. */
  readonly slot: number | undefined
  /** The number behind the suffix separator; with even labels another one than the slot. */
  readonly label: number | undefined
  /** True where the key was too long: then it holds only the head of its components and a hash of them all. */
  readonly isCut: boolean
}

export interface DecodedPart {
  /** What the part was made of: a JSON pointer, or such as `kafka offset` or `literal`. */
  readonly of: string
  readonly value: KeyValue
}

/** Takes a key apart into what it was made of: by the newest version whose form it has. */
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
  'This key was not made by this plan, or cannot be taken apart: "encoding": "plain" joins bare, and nobody can say where a part ends.'

function decodeLevels(values: readonly KeyValue[], version: Version): DecodedLevel[] | undefined {
  if (values.length === 0 || values.length > version.levels.length) return undefined
  const levels = values.map((value, index) => decodeLevel(value, version.levels[index], version))
  return levels.every((level) => level !== undefined) ? levels : undefined
}

function decodeLevel(value: KeyValue, level: Level, version: Version): DecodedLevel | undefined {
  const { rules } = level
  if (level.passesThrough) {
    if (!canBeOwn(value, level)) return undefined
    return { parts: [{ of: pointerText(rules.into), value }], base: String(value), slot: undefined, label: undefined, isCut: false }
  }
  if (typeof value !== 'string' || (level.isId && typeof carriedId(value) !== 'string')) return undefined
  const suffix = rules.suffix === undefined ? NO_SUFFIX : takeSuffix(value, level)
  if (suffix === undefined) return undefined
  const base = value.slice(0, suffix.at)
  const whole = { base, slot: suffix.slot, label: suffix.label }
  if (rules.tooLong === 'hash' && looksCut(base, level.limit)) return { ...whole, parts: [], isCut: true }
  const texts = splitBase(base, rules, marksOf(rules, version.rules))
  if (texts === undefined) return undefined
  return { ...whole, parts: texts.map((text, index) => ({ of: nameOf(rules.from[index]), value: text })), isCut: false }
}

// a record's own value is of the type that the plan asks for, or stands in for one that is not
function canBeOwn(value: KeyValue, { rules }: Level): boolean {
  const own = ownField(rules)
  if (own === undefined || refusalOf(value, own.type) === undefined) return true
  return typeof value === 'string' && Object.values(own.use).includes(value)
}

interface TakenSuffix {
  /** Where the base ends. */
  readonly at: number | undefined
  readonly slot: number | undefined
  readonly label: number | undefined
}

const NO_SUFFIX: TakenSuffix = { at: undefined, slot: undefined, label: undefined }

function takeSuffix(key: string, { rules, suffix }: Level): TakenSuffix | undefined {
  const separator = rules.suffix?.separator ?? ''
  const at = key.lastIndexOf(separator)
  const digits = key.slice(at + 1)
  if (at < 0 || suffix === undefined || !/^[1-9]\d{0,8}$/.test(digits)) return undefined
  const label = Number(digits)
  const slot = suffix.slotOf(key.slice(0, at), label)
  return slot === undefined ? undefined : { at, slot, label }
}

function nameOf(component: ComponentRules): string {
  if (component.kind === 'field') return pointerText(component.pointer)
  if (component.kind === 'bucket') return component.of === 'timestamp' ? 'kafka timestamp' : pointerText(component.of)
  if (component.kind === 'id') return '/id'
  if (component.kind === 'literal') return 'literal'
  if (component.what === 'key' && component.pointer !== undefined) return `kafka key ${pointerText(component.pointer)}`
  return component.what === 'header' ? `kafka header ${component.name}` : `kafka ${component.what}`
}
