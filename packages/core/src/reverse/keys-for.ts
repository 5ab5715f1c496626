import type { CompiledVersions } from '../compile/compile-plan.ts'
import { localTime } from '../compile/bucket.ts'
import type { Level } from '../compile/level.ts'
import type { Version } from '../compile/version.ts'
import { checkOptionNames } from '../errors/check-option-names.ts'
import { KeystampError } from '../errors/keystamp-error.ts'
import type { Rejection } from '../errors/rejection.ts'
import type { KeyValue } from '../plan/compiled.ts'
import type { BucketRules, ComponentRules } from '../plan/rules.ts'
import type { Source } from '../plan/source.ts'
import { createBucketText, nextBucket } from '../time/bucket.ts'
import { zoneOffset } from '../time/zone.ts'
import { createPartsReader, type Known, knownId, type PartitionKey, partsMissing, toPartitionKey } from './key-lookup.ts'

const MOST_KEYS = 100_000

/** What narrows a question that the parts leave open. */
export interface KeysForOptions {
  /** First and last moment, as ISO 8601 text or milliseconds since 1970: the time buckets whose field the parts do not hold. */
  readonly between?: readonly [string | number, string | number]
  readonly source?: Source
}

/** Answers with every key under which documents with these parts can lie; throws when that cannot be listed. */
export function createKeysFor(plan: CompiledVersions): (parts: object, options?: KeysForOptions) => readonly PartitionKey[] {
  const read = createPartsReader(plan)
  const idField = plan.fields.findIndex((pointer) => pointer.length === 1 && pointer[0] === 'id')
  return (parts, options = {}) => {
    checkOptionNames(options, ['between', 'source'] satisfies (keyof KeysForOptions)[])
    const known = read(parts, options.source)
    const keys = new Map<string, PartitionKey>()
    for (const number of known.versions) {
      const version = plan.versions[number]
      const id = knownId(version, known, idField)
      for (const values of keysUnder(version, known, id, options)) {
        const text = JSON.stringify(values)
        if (!keys.has(text)) keys.set(text, toPartitionKey(values, number, version.levels.length))
      }
    }
    return [...keys.values()]
  }
}

// A level that cannot be listed ends the key there: what is above it is a prefix, by which Cosmos DB can be asked too.
function keysUnder(version: Version, known: Known, id: string | undefined, options: KeysForOptions): KeyValue[][] {
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

function valuesOf(level: Level, known: Known, id: string | undefined, options: KeysForOptions): KeyValue[] | KeystampError {
  const exact = level.passesThrough ? level.value(known.values, known.source, id) : undefined
  if (exact !== undefined) return typeof exact === 'object' && exact !== null ? partsMissing(exact) : [exact]
  let bases: string[] = ['']
  for (const [index, make] of level.components.entries()) {
    const made = make(known.values, known.source, id)
    const texts = typeof made === 'string' ? [made] : openTexts(level.rules.from[index], options)
    if (texts === undefined) return openComponent(made as Rejection, level.rules.from[index])
    checkCount(bases.length * texts.length)
    bases = bases.flatMap((base) => texts.map((text) => (index === 0 ? text : base + level.rules.separator + text)))
  }
  return bases.flatMap((base) => suffixed(base, level, known))
}

function suffixed(joined: string, level: Level, known: Known): string[] {
  const base = level.fit(joined)
  if (typeof base !== 'string') throw partsMissing(base)
  const { suffix, rules } = level
  if (suffix === undefined) return [base]
  const prefix = base + (rules.suffix?.separator ?? '')
  const slot = rules.suffix?.by === 'random' ? undefined : suffix.pick(known.values, known.source)
  if (typeof slot === 'number') return [prefix + suffix.label(base, slot)]
  checkCount(suffix.count)
  return Array.from({ length: suffix.count }, (_, index) => prefix + suffix.label(base, index + 1))
}

/** Every text that an unknown component can have, where they can be listed. */
function openTexts(component: ComponentRules, { between }: KeysForOptions): string[] | undefined {
  if (component.kind === 'field' && component.type === 'boolean') return ['false', 'true']
  return component.kind === 'bucket' && between !== undefined ? bucketTexts(component, between) : undefined
}

function bucketTexts(rules: BucketRules, [from, to]: readonly [string | number, string | number]): string[] {
  const offset = zoneOffset(rules.zone)
  const first = localTime(from, 'milliseconds', offset)
  const last = localTime(to, 'milliseconds', offset)
  if (typeof first !== 'number' || typeof last !== 'number') {
    throw new KeystampError('KEYS_UNBOUNDED', '`between` needs two times: ISO 8601 text or milliseconds since 1970.')
  }
  if (first > last && isReversed(from, to)) {
    throw new KeystampError('KEYS_UNBOUNDED', '`between` must not end before it begins: give the earlier time first.')
  }
  const textOf = createBucketText(rules.unit, rules.minutes)
  const texts: string[] = []
  for (let local = first; ; local = nextBucket(local, rules.unit, rules.minutes)) {
    // clocks that are set back between the two moments make the last reading smaller than the first
    if (local > Math.max(first, last)) return texts
    const text = textOf(local)
    if (text === undefined) return texts
    texts.push(text)
    checkCount(texts.length)
  }
}

/** Whether the moments are reversed, and not only what the clocks of the zone read, which may have been set back between them. */
function isReversed(from: string | number, to: string | number): boolean {
  const [first, last] = [from, to].map((time) => localTime(time, 'milliseconds', zoneOffset('UTC')))
  return (first as number) > (last as number)
}

function openComponent({ message }: Rejection, { kind }: ComponentRules): KeystampError {
  const instead = kind === 'bucket' ? ' Give it, or the times that it lies in, by `between`.' : ''
  return new KeystampError('KEYS_UNBOUNDED', `The known parts leave more keys open than can be listed. ${message}${instead}`)
}

function checkCount(count: number): void {
  if (count > MOST_KEYS)
    throw new KeystampError(
      'KEYS_UNBOUNDED',
      `The known parts leave more than ${MOST_KEYS} keys open. Give more parts, or a narrower \`between\`.`
    )
}
