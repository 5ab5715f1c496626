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

/**
 * Reads several keys and fields of a record in one scan. Results are valid until the next record. A class, so that all
 * readers have the same functions: V8 discards the code that calls those of a single reader when there is another one.
 */
export class KeyReader {
  /** Partition key definition of each key. */
  readonly definitions: readonly KeyDefinition[]
  readonly #makers: readonly KeyMaker[]
  readonly #scanner: Scanner
  /** Path of each field in the scanner. */
  readonly #paths: Int32Array
  /** Where each field that a caller asks for is among the fields. */
  readonly #asked: readonly number[]
  /** Fields that keys need are read with the record, the others when they are asked for. */
  readonly #eager: number
  readonly #values: FieldValue[]
  #source: Source | undefined

  /** Throws a PlanError for an invalid plan. */
  constructor(keys: readonly KeyOrigin[], fields: readonly Pointer[], random?: () => number) {
    const table = new FieldTable()
    const evenKeys: EvenKeysByBase = new Map()
    this.#makers = keys.map((key) =>
      'plan' in key ? compileMaker(key.plan, table, { random, requireId: false }, evenKeys) : pathMaker(key, table)
    )
    this.definitions = this.#makers.map(({ definition }) => definition)
    this.#eager = table.pointers.length
    this.#asked = fields.map((pointer) => table.indexOf(pointer))
    const watch = createWatchList({ fields: table.pointers, managed: [] })
    this.#scanner = new Scanner(watch)
    this.#paths = Int32Array.from(watch.fields)
    this.#values = table.pointers.map(() => undefined)
  }

  /** Scans the JSON record in `bytes[start, end)`; false if it is not a valid object. */
  read(bytes: Uint8Array, start: number, end: number, source: Source | undefined): boolean {
    let first = start
    let limit = end
    while (first < limit && isWhitespace(bytes[first])) first++
    while (limit > first && isWhitespace(bytes[limit - 1])) limit--
    // the scanner needs a closing brace as its last byte
    if (bytes[first] !== OPEN_BRACE || bytes[limit - 1] !== CLOSE_BRACE) return false
    if (this.#scanner.scan(bytes, first, limit) !== limit) return false
    this.#source = source
    const values = this.#values
    for (let field = 0; field < this.#eager; field++) values[field] = this.#valueAt(field)
    return true
  }

  /** Value of a field, by its number. */
  field(field: number): FieldValue {
    return this.#valueAt(this.#asked[field])
  }

  /** Bytes of the JSON value of a field in `whole`, by its number; `start` is -1 where the record does not have it. */
  whole(): Uint8Array {
    return this.#scanner.whole
  }

  startOf(field: number): number {
    return this.#scanner.valueStarts[this.#paths[this.#asked[field]]]
  }

  endOf(field: number): number {
    return this.#scanner.valueEnds[this.#paths[this.#asked[field]]]
  }

  /** Writes the hash of a key, by its number, as `writeHashWords` does. Gives the code if the key rejects the record. */
  hash(key: number, words: Int32Array): RecordCode | undefined {
    return this.#makers[key].hash(this.#values, this.#source, words)
  }

  /** Whether the record lacks a value of a key without a plan, so that Cosmos DB stores it under the key `None`. */
  isMissing(key: number): boolean {
    return this.#makers[key].isMissing(this.#values)
  }

  /** Values of a key, by its number; undefined where the record has none. Only for records that it does not reject. */
  values(key: number): readonly KeyComponent[] {
    return this.#makers[key].values(this.#values, this.#source)
  }

  #valueAt(field: number): FieldValue {
    const { valueStarts, valueEnds, whole } = this.#scanner
    const path = this.#paths[field]
    const start = valueStarts[path]
    return start === ABSENT ? undefined : readField(whole, start, valueEnds[path])
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
