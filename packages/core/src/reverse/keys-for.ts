import { KeystampError } from '../errors/keystamp-error.ts'
import { reject, type Rejection } from '../errors/rejection.ts'
import type { CompiledVersions } from '../key/compile-plan.ts'
import type { KeyValue, Source } from '../key/field-value.ts'
import { keyField } from '../key/kafka.ts'
import type { Level } from '../key/level.ts'
import type { Version } from '../key/version.ts'
import type { BucketRules, ComponentRules, FieldRules } from '../plan/rules.ts'
import { checkOptionNames } from '../text/option-names.ts'
import { formatPointer } from '../text/pointer.ts'
import { createBucketText, nextBucket } from '../time/bucket.ts'
import { type Between, createInterval } from './interval.ts'
import {
  createPartsReader,
  type Key,
  knownId,
  type KnownParts,
  type PartitionKey,
  partsMissing,
  toPartitionKey
} from './known-parts.ts'

/** Exact key of a record, and its keys under older versions of the plan if the parts do not determine the version. */
export interface ExactKey extends PartitionKey {
  /**
   * Keys under older versions of the plan, newest first; empty if the parts contain the boundary field, or if there are
   * no older versions.
   */
  readonly older: readonly PartitionKey[]
}

/**
 * Creates a function that returns the key of the record with these parts. It throws PARTS_MISSING if the parts do not
 * determine the key.
 */
export function createKeyFor(plan: CompiledVersions): (parts: object, source?: Source) => ExactKey {
  const read = createPartsReader(plan)
  const idField = plan.fields.findIndex((pointer) => pointer.length === 1 && pointer[0] === 'id')
  return (parts, source) => {
    const known = read(parts, source)
    const keys = known.versions.map((number) => keyUnder(plan.versions[number], number, known, idField))
    const made = keys.filter((key): key is PartitionKey => 'values' in key)
    const [newest, ...older] = made
    if (newest === undefined) throw partsMissing(keys[0] as Rejection)
    return { ...newest, older: older.filter(({ key }) => !sameKey(key, newest.key)) }
  }
}

const DRAWN = 'The suffix was random when the record was written: keysFor lists every possible key.'

function keyUnder(version: Version, number: number, known: KnownParts, idField: number): PartitionKey | Rejection {
  const id = knownId(version, known, idField)
  const values: KeyValue[] = []
  for (const level of version.levels) {
    if (level.rules.suffix?.by === 'random') return reject('FIELD_MISSING', '', DRAWN)
    const value = level.value(known.values, known.source, id)
    if (typeof value === 'object' && value !== null) return value
    values.push(value)
  }
  return toPartitionKey(values, number, version.levels.length)
}

function sameKey(a: Key, b: Key): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

const MAX_KEYS = 100_000

/** Options that restrict the keys if parts are unknown. */
export interface KeysForOptions {
  /**
   * First and last moment, for time buckets whose field is not in the parts. If the last moment is a day without a
   * time, the whole day is included.
   */
  readonly between?: Between
  /** Kafka record, for plans that read it. */
  readonly source?: Source
}

/**
 * Creates a function that lists every key under which documents with these parts can be stored. It throws
 * KEYS_UNBOUNDED if there is no such list.
 */
export function createKeysFor(
  plan: CompiledVersions
): (parts: object, options?: KeysForOptions) => readonly PartitionKey[] {
  const read = createPartsReader(plan)
  const idField = plan.fields.findIndex((pointer) => pointer.length === 1 && pointer[0] === 'id')
  return (parts, options = {}) => {
    checkOptionNames(options, ['between', 'source'] satisfies (keyof KeysForOptions)[])
    const known = read(parts, options.source)
    const keys = new Map<string, PartitionKey>()
    for (const number of known.versions) {
      const version = plan.versions[number]
      const isIdOpen =
        !known.held(['id']) && (version.rules.id?.from.some((component) => isOpen(component, known)) ?? false)
      const id = isIdOpen ? undefined : knownId(version, known, idField)
      for (const values of keysUnder(version, known, id, options)) {
        const text = JSON.stringify(values)
        if (!keys.has(text)) keys.set(text, toPartitionKey(values, number, version.levels.length))
      }
    }
    return [...keys.values()]
  }
}

// If the values of a level cannot be listed, the key ends before it: the levels above are a prefix, which Cosmos DB
// accepts in queries.
function keysUnder(version: Version, known: KnownParts, id: string | undefined, options: KeysForOptions): KeyValue[][] {
  let keys: KeyValue[][] = [[]]
  for (const [index, level] of version.levels.entries()) {
    const values = valuesOf(level, known, id, options)
    if (values instanceof KeystampError) {
      if (index === 0) throw values
      return keys
    }
    checkCount(keys.length * values.length)
    keys = keys.flatMap((key) => values.map((value) => [...key, value]))
  }
  return keys
}

function valuesOf(
  level: Level,
  known: KnownParts,
  id: string | undefined,
  options: KeysForOptions
): KeyValue[] | KeystampError {
  if (level.passesThrough) {
    const [own] = level.rules.from
    const exact = isOpen(own, known) ? unknownPart(own) : level.value(known.values, known.source, id)
    return typeof exact === 'object' && exact !== null ? partsMissing(exact) : [exact]
  }
  let bases: Base[] = [{ joined: '', open: [] }]
  for (const [index, make] of level.components.entries()) {
    const component = level.rules.from[index]
    const made = make(known.values, known.source, id)
    const isKnown = typeof made === 'string' && !isOpen(component, known)
    const texts = isKnown ? [made] : openTexts(component, options)
    if (texts === undefined) return openComponent(made, component)
    checkCount(bases.length * texts.length)
    bases = bases.flatMap(({ joined, open }) =>
      texts.map((text) => ({
        joined: index === 0 ? text : joined + level.rules.separator + text,
        open: [...open, isKnown ? undefined : text]
      }))
    )
  }
  return bases.flatMap((base) => suffixed(base, level, known, id))
}

/** Key without its suffix. */
interface Base {
  readonly joined: string
  /** For each unknown component, the text that it has in this base; undefined for known components. */
  readonly open: readonly (string | undefined)[]
}

function suffixed({ joined, open }: Base, level: Level, known: KnownParts, id: string | undefined): string[] {
  const base = level.fit(joined)
  if (typeof base !== 'string') throw partsMissing(base)
  const { suffix, rules } = level
  if (suffix === undefined) return [base]
  const prefix = base + (rules.suffix?.separator ?? '')
  const count = countOfBase(open, level, known, id)
  const by = rules.suffix?.by
  const isUnknown = by === 'random' || (Array.isArray(by) && by.some((field: FieldRules) => isOpen(field, known)))
  const slot = count === 1 ? 1 : isUnknown ? undefined : suffix.pick(known.values, known.source, count)
  if (typeof slot === 'number') return [prefix + suffix.label(base, slot, count)]
  checkCount(count)
  return Array.from({ length: count }, (_, index) => prefix + suffix.label(base, index + 1, count))
}

function countOfBase(open: Base['open'], { suffix, rules }: Level, known: KnownParts, id: string | undefined): number {
  const on = rules.suffix?.hot?.on
  if (on !== undefined && open[on] !== undefined) return suffix!.countOfTexts(open)
  const count = suffix!.countOf(known.values, known.source, id)
  if (typeof count !== 'number') throw partsMissing(count)
  return count
}

/**
 * Whether the value of a component is unknown. A part that is not passed is not a missing field: the document may have
 * any value in that field.
 */
function isOpen(component: ComponentRules, { held, source }: KnownParts): boolean {
  if (component.kind !== 'field' && component.kind !== 'bucket') return false
  const pointer = component.kind === 'field' ? component.pointer : component.of
  if (pointer === 'timestamp' || held(pointer)) return false
  return component.orKey === undefined || keyField(source, component.orKey) === undefined
}

/** Lists every text that an unknown component can have; returns undefined if there is no such list. */
function openTexts(component: ComponentRules, { between }: KeysForOptions): string[] | undefined {
  if (component.kind === 'field' && component.type === 'boolean') {
    return [...new Set(['false', 'true', ...Object.values(component.use).filter((text) => text !== undefined)])]
  }
  return component.kind === 'bucket' && between !== undefined ? bucketTexts(component, between) : undefined
}

function bucketTexts(rules: BucketRules, between: Between): string[] {
  const { first, last } = createInterval(between, rules.zone)
  const textOf = createBucketText(rules.unit, rules.minutes)
  const texts: string[] = []
  for (let local = first; local <= last; local = nextBucket(local, rules.unit, rules.minutes)) {
    const text = textOf(local)
    if (text === undefined) return texts
    texts.push(text)
    checkCount(texts.length)
  }
  return texts
}

function openComponent(made: Rejection | string, component: ComponentRules): KeystampError {
  const instead = component.kind === 'bucket' ? ' Pass it, or the interval of its times by `between`.' : ''
  const { message } = typeof made === 'string' ? unknownPart(component) : made
  return new KeystampError('KEYS_UNBOUNDED', `The known parts allow more keys than can be listed. ${message}${instead}`)
}

// the plan may have a substitute for records without the field, but it is unknown whether the record has the field
function unknownPart(component: ComponentRules): Rejection {
  const pointer =
    component.kind === 'field'
      ? component.pointer
      : component.kind === 'bucket' && component.of !== 'timestamp'
        ? component.of
        : []
  return reject('FIELD_MISSING', formatPointer(pointer))
}

function checkCount(count: number): void {
  if (count > MAX_KEYS)
    throw new KeystampError(
      'KEYS_UNBOUNDED',
      `The known parts allow more than ${MAX_KEYS} keys. Pass more parts, or a shorter \`between\`.`
    )
}
