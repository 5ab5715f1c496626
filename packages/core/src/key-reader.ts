import type { RecordCode } from './errors/record-codes.ts'
import type { Rejection } from './errors/rejection.ts'
import type { KeyComponent } from './hash/component-bytes.ts'
import { EvenKeys } from './hash/even-keys.ts'
import { type KeyDefinition, writeHashWords, writeWordsV2 } from './hash/partition-hash.ts'
import { isWhitespace, readField } from './json/read-value.ts'
import { ABSENT, Scanner } from './json/scanner.ts'
import { createWatchList } from './json/watch-list.ts'
import { compileKeys } from './key/compile-plan.ts'
import { FieldTable } from './key/component.ts'
import { COMPOSITE, type FieldValue, type KeyValue, type Source } from './key/field-value.ts'
import type { Level } from './key/level.ts'
import type { Suffix } from './key/suffix.ts'
import type { VersionOptions } from './key/version.ts'
import type { PlanDefinition } from './plan/definition.ts'
import { parsePlan } from './plan/parse-plan.ts'
import { CLOSE_BRACE, OPEN_BRACE } from './text/characters.ts'
import type { Pointer } from './text/pointer.ts'
import { utf8Length } from './text/utf8.ts'

/** A key of a record: made by a plan, or the values that the record has at the paths of a container. */
export type KeyOrigin =
  | { readonly plan: PlanDefinition }
  | { readonly paths: readonly Pointer[]; readonly version: 1 | 2 }

/** Reads several keys and fields of a record in one scan. Results are valid until the next record. */
export interface KeyReader {
  /** Partition key definition of each key. */
  readonly definitions: readonly KeyDefinition[]
  /** Scans the JSON record in `bytes[start, end)`; false if it is not a valid object. */
  readonly read: (bytes: Uint8Array, start: number, end: number, source: Source | undefined) => boolean
  /** Value of a field, by its number. */
  readonly field: (field: number) => FieldValue
  /** Bytes of the JSON value of a field in `whole`, by its number; `start` is -1 where the record does not have it. */
  readonly whole: () => Uint8Array
  readonly startOf: (field: number) => number
  readonly endOf: (field: number) => number
  /** Writes the hash of a key, by its number, as `writeHashWords` does. Gives the code if the key rejects the record. */
  readonly hash: (key: number, words: Int32Array) => RecordCode | undefined
  /** Whether the record lacks a value of a key without a plan, so that Cosmos DB stores it under the key `None`. */
  readonly isMissing: (key: number) => boolean
  /** Values of a key, by its number; undefined where the record has none. Only for records that it does not reject. */
  readonly values: (key: number) => readonly KeyComponent[]
}

/** Creates a reader of keys and fields. Throws a PlanError for an invalid plan. */
export function createKeyReader(
  keys: readonly KeyOrigin[],
  fields: readonly Pointer[],
  random?: () => number
): KeyReader {
  const table = new FieldTable()
  const evenKeys: EvenKeysByBase = new Map()
  const makers = keys.map((key) =>
    'plan' in key ? compileMaker(key.plan, table, { random, requireId: false }, evenKeys) : pathMaker(key, table)
  )
  // the others are read only when they are asked for
  const eager = table.pointers.length
  const numbers = fields.map((pointer) => table.indexOf(pointer))
  const watch = createWatchList({ fields: table.pointers, managed: [] })
  const scanner = new Scanner(watch)
  const paths = Int32Array.from(watch.fields)
  const values: FieldValue[] = table.pointers.map(() => undefined)
  let source: Source | undefined

  return {
    definitions: makers.map(({ definition }) => definition),
    read,
    field: (field) => valueAt(numbers[field]),
    whole: () => scanner.whole,
    startOf: (field) => scanner.valueStarts[paths[numbers[field]]],
    endOf: (field) => scanner.valueEnds[paths[numbers[field]]],
    hash: (key, words) => makers[key].hash(values, source, words),
    isMissing: (key) => makers[key].isMissing(values),
    values: (key) => makers[key].values(values, source)
  }

  function read(bytes: Uint8Array, start: number, end: number, from: Source | undefined): boolean {
    let first = start
    let limit = end
    while (first < limit && isWhitespace(bytes[first])) first++
    while (limit > first && isWhitespace(bytes[limit - 1])) limit--
    // the scanner needs a closing brace as its last byte
    if (bytes[first] !== OPEN_BRACE || bytes[limit - 1] !== CLOSE_BRACE) return false
    if (scanner.scan(bytes, first, limit) !== limit) return false
    source = from
    for (let field = 0; field < eager; field++) values[field] = valueAt(field)
    return true
  }

  function valueAt(field: number): FieldValue {
    const start = scanner.valueStarts[paths[field]]
    return start === ABSENT ? undefined : readField(scanner.whole, start, scanner.valueEnds[paths[field]])
  }
}

interface KeyMaker {
  readonly definition: KeyDefinition
  readonly hash: (
    values: readonly FieldValue[],
    source: Source | undefined,
    words: Int32Array
  ) => RecordCode | undefined
  readonly isMissing: (values: readonly FieldValue[]) => boolean
  readonly values: (values: readonly FieldValue[], source: Source | undefined) => readonly KeyComponent[]
}

// An existing value at the path of the key is not compared: the records may have another key today.
function compileMaker(
  plan: PlanDefinition,
  table: FieldTable,
  options: VersionOptions,
  evenKeys: EvenKeysByBase
): KeyMaker {
  const rules = parsePlan(plan)
  const { versions, select } = compileKeys(rules, options, table)
  const [newest] = versions
  const { levels } = newest
  const definition = definitionOf(levels.length, newest.rules.hashVersion)
  if (versions.length === 1 && levels.length === 1 && !newest.needsId && newest.rules.hashVersion === 2) {
    const [level] = levels
    if (level.rules.suffix?.labels === 'even')
      return { definition, isMissing: isNeverMissing, ...evenKeyOf(level, evenKeys) }
    const { value } = level
    return {
      definition,
      hash: hashOfLevel(level),
      isMissing: isNeverMissing,
      values: (fields, source) => [value(fields, source, undefined) as KeyValue]
    }
  }
  const make = (fields: readonly FieldValue[], source: Source | undefined): readonly KeyValue[] | Rejection => {
    const selected = versions.length === 1 ? 0 : select(fields)
    if (typeof selected !== 'number') return selected
    const version = versions[selected]
    const id = version.needsId ? version.idOf(fields, source) : undefined
    if (typeof id === 'object') return id
    const made: KeyValue[] = []
    for (const level of version.levels) {
      const value = level.value(fields, source, id)
      if (isRejection(value)) return value
      made.push(value)
    }
    return made
  }
  return {
    definition,
    hash: (fields, source, words) => {
      const made = make(fields, source)
      if ('code' in made) return made.code
      writeHashWords(words, made, definition)
      return undefined
    },
    isMissing: isNeverMissing,
    values: (fields, source) => make(fields, source) as readonly KeyValue[]
  }
}

/** A plan makes a value for each level, or rejects the record. */
function isNeverMissing(): boolean {
  return false
}

type HashKey = KeyMaker['hash']

function hashOfLevel({ value }: Level): HashKey {
  return (fields, source, words) => {
    const made = value(fields, source, undefined)
    if (isRejection(made)) return made.code
    writeWordsV2(words, made)
    return undefined
  }
}

/** Hashes of keys with even labels, by the components of their bases: plans with the same bases use the same hashes. */
type EvenKeysByBase = Map<string, EvenKeys>

/** The hash of a key with an even label is known with its label. */
function evenKeyOf(
  { base, suffix, rules }: Level,
  evenKeys: EvenKeysByBase
): { readonly hash: HashKey; readonly values: KeyMaker['values'] } {
  const { countOf, pick } = suffix as Suffix
  const separator = rules.suffix?.separator ?? ''
  const name = JSON.stringify([rules.from, separator])
  const keys = evenKeys.get(name) ?? new EvenKeys(separator)
  evenKeys.set(name, keys)
  const slotOf = (fields: readonly FieldValue[], source: Source | undefined, count: number): number | Rejection =>
    count === 1 ? 1 : pick(fields, source, count)
  return {
    hash: (fields, source, words) => {
      const text = base(fields, source, undefined)
      if (typeof text !== 'string') return text.code
      const count = countOf(fields, source, undefined)
      if (typeof count !== 'number') return count.code
      const slot = slotOf(fields, source, count)
      if (typeof slot !== 'number') return slot.code
      keys.writeHash(words, text, count, slot)
      return undefined
    },
    values: (fields, source) => {
      const text = base(fields, source, undefined) as string
      const count = countOf(fields, source, undefined) as number
      return [text + separator + keys.labelOf(text, count, slotOf(fields, source, count) as number)]
    }
  }
}

function isRejection(made: KeyValue | Rejection): made is Rejection {
  return typeof made === 'object' && made !== null
}

function definitionOf(levels: number, version: 1 | 2): KeyDefinition {
  return levels > 1 ? { kind: 'MultiHash' } : { kind: 'Hash', version }
}

function pathMaker({ paths, version }: Extract<KeyOrigin, { readonly paths: unknown }>, table: FieldTable): KeyMaker {
  const fields = paths.map((pointer) => table.indexOf(pointer))
  const definition = definitionOf(paths.length, version)
  const read = (values: readonly FieldValue[]) => fields.map((field) => storedValue(values[field]))
  return {
    definition,
    hash: (values, _source, words) => {
      for (const field of fields) {
        const code = refusalOf(values[field])
        if (code !== undefined) return code
      }
      if (fields.length === 1 && version === 2) writeWordsV2(words, storedValue(values[fields[0]]))
      else writeHashWords(words, read(values), definition)
      return undefined
    },
    isMissing: (values) => fields.some((field) => values[field] === undefined),
    values: read
  }
}

// Cosmos DB stores every number as a double.
function storedValue(value: FieldValue): KeyComponent {
  return typeof value === 'bigint' ? Number(value) : (value as KeyComponent)
}

const MAX_KEY_BYTES = 2048

/** Reason why Cosmos DB does not accept a value as a partition key. */
function refusalOf(value: FieldValue): RecordCode | undefined {
  if (value === COMPOSITE) return 'FIELD_WRONG_TYPE'
  if (typeof value === 'string')
    return value.length * 3 > MAX_KEY_BYTES && utf8Length(value) > MAX_KEY_BYTES ? 'KEY_TOO_LONG' : undefined
  return typeof value === 'number' && !Number.isFinite(value) ? 'NUMBER_INEXACT' : undefined
}
