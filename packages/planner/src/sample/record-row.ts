import {
  type KeyComponent,
  type KeyDefinition,
  KeystampError,
  RECORD_CODES,
  type RecordCode,
  type Source
} from '@keystamp/core'
import { KeyReader, type KeyOrigin, parsePointer, type Pointer } from '@keystamp/core/internal'
import { instantOf } from './field-forms.ts'
import { factsOfValue, type FieldSummary, NO_VALUE } from './field-summary.ts'
import type { KeyCandidate } from './profiler.ts'

/** Fields to read from each record of a sample. */
export interface RowOptions {
  readonly candidates: readonly KeyCandidate[]
  /** Fields to count in all records, from `discoverFields`. */
  readonly fields: readonly FieldSummary[]
  /** JSON pointer of the field with the time of a record. */
  readonly timeField?: string | undefined
  /** JSON pointers of fields whose equal values make a transaction. */
  readonly transactions?: readonly string[] | undefined
}

/**
 * Reads records into rows: the numbers of a record that are needed to count it. Rows are in an array of numbers, so that
 * one thread can read records into them, and another thread can count them.
 */
export class RowReader {
  /** Numbers of a row. */
  readonly length: number
  /** Where the facts about fields, the groups and the keys begin in a row. */
  readonly fieldsAt: number = FIELDS_AT
  readonly groupsAt: number
  readonly keysAt: number
  /** Partition key definition of each candidate. */
  readonly definitions: readonly KeyDefinition[]
  readonly #reader: KeyReader
  readonly #fields: number
  readonly #groups: number
  readonly #candidates: number
  readonly #hasTime: boolean
  readonly #words = new Int32Array(4)

  /** `random`: for plans with random suffixes. Throws a PlanError if the plan of a candidate is invalid. */
  constructor({ candidates, fields, timeField, transactions = [] }: RowOptions, random?: () => number) {
    this.#fields = fields.length
    this.#groups = transactions.length
    this.#candidates = candidates.length
    this.#hasTime = timeField !== undefined
    this.groupsAt = this.fieldsAt + fields.length
    this.keysAt = this.groupsAt + transactions.length * GROUP_NUMBERS
    this.length = this.keysAt + candidates.length * KEY_NUMBERS
    const groups = transactions.map((field): KeyOrigin => ({ paths: [pointerOf(field)], version: 2 }))
    const watched = [...fields.map(({ path }) => path), ...(timeField === undefined ? [] : [timeField])]
    this.#reader = new KeyReader([...candidates.map(originOf), ...groups], watched.map(pointerOf), random)
    this.definitions = this.#reader.definitions
  }

  /** Reads the JSON record in `bytes[start, end)` into the row at `rows[at]`. Plans with Kafka components need its source. */
  read(bytes: Uint8Array, start: number, end: number, source: Source | undefined, rows: Int32Array, at: number): void {
    const reader = this.#reader
    if (!reader.read(bytes, start, end, source)) {
      rows[at] = INVALID
      return
    }
    rows[at] = end - start
    if (this.#hasTime) this.#writeTime(rows, at + TIME_AT)
    this.#writeFields(rows, at + this.fieldsAt)
    for (let group = 0; group < this.#groups; group++)
      this.#writeGroup(this.#candidates + group, rows, at + this.groupsAt + group * GROUP_NUMBERS)
    for (let key = 0; key < this.#candidates; key++) this.#writeKey(key, rows, at + this.keysAt + key * KEY_NUMBERS)
  }

  /** Finds the fields of the record in `bytes[start, end)`, for `valuesOf`, without hashing its keys. */
  scan(bytes: Uint8Array, start: number, end: number): void {
    this.#reader.read(bytes, start, end, undefined)
  }

  /** Values of a key of the record that was read or scanned last. */
  valuesOf(candidate: number): readonly KeyComponent[] {
    return this.#reader.values(candidate)
  }

  #writeTime(rows: Int32Array, at: number): void {
    time[0] = instantOf(this.#reader.field(this.#fields))
    rows[at] = timeWords[0]
    rows[at + 1] = timeWords[1]
  }

  #writeFields(rows: Int32Array, at: number): void {
    const reader = this.#reader
    const whole = reader.whole()
    for (let field = 0; field < this.#fields; field++) {
      const start = reader.startOf(field)
      rows[at + field] = start < 0 ? NO_VALUE : factsOfValue(whole, start, reader.endOf(field))
    }
  }

  /** Writes a hash, and whether there is one. */
  #writeGroup(key: number, rows: Int32Array, at: number): void {
    const words = this.#words
    const isInGroup = !this.#reader.isMissing(key) && this.#reader.hash(key, words) === undefined
    rows[at] = isInGroup ? 1 : 0
    rows[at + 1] = words[2]
    rows[at + 2] = words[3]
  }

  #writeKey(key: number, rows: Int32Array, at: number): void {
    const words = this.#words
    const code = this.#reader.hash(key, words)
    if (code !== undefined) {
      rows[at] = FIRST_CODE + CODES.indexOf(code)
      return
    }
    rows[at] = this.#reader.isMissing(key) ? MISSING : HAS_KEY
    rows[at + 1] = words[0]
    rows[at + 2] = words[1]
    rows[at + 3] = words[2]
    rows[at + 4] = words[3]
  }
}

/** Rows of some records, one after the other: from `numbers[begin]` up to `numbers[end]`, with `length` numbers each. */
export interface Rows {
  readonly numbers: Int32Array
  readonly begin: number
  readonly end: number
  readonly length: number
}

/** First number of the row of a record that is not a JSON object; otherwise it is the size of the record. */
export const INVALID = -1
const TIME_AT = 1
const FIELDS_AT = 3
/** Whether the record belongs to a group, and 64 bits of the hash of the group. */
export const GROUP_NUMBERS = 3
/** State of a key, and the four words of its hash. */
export const KEY_NUMBERS = 5

/** State of a key: the record has it, or lacks a value of it. Other states are rejections. */
const HAS_KEY = 0
const MISSING = 1
const FIRST_CODE = 2
const CODES = Object.keys(RECORD_CODES) as readonly RecordCode[]

/** Code of the rejection of a record by a key; undefined if the record has the key. */
export function rejectionOf(state: number): RecordCode | undefined {
  return state < FIRST_CODE ? undefined : CODES[state - FIRST_CODE]
}

/** Whether the record has the key, be it `None`. */
export function hasKey(state: number): boolean {
  return state < FIRST_CODE
}

/** Whether the record lacks a value of the key, so that Cosmos DB stores it under the key `None`. */
export function isMissing(state: number): boolean {
  return state === MISSING
}

const time = new Float64Array(1)
const timeWords = new Int32Array(time.buffer)

/** Time of the record of a row, in milliseconds since 1970; NaN for a record without a time. */
export function timeOf(rows: Int32Array, at: number): number {
  timeWords[0] = rows[at + TIME_AT]
  timeWords[1] = rows[at + TIME_AT + 1]
  return time[0]
}

function originOf({ plan, partitionKeyPaths, hashVersion = 2 }: KeyCandidate): KeyOrigin {
  return plan === null ? { paths: partitionKeyPaths.map(pointerOf), version: hashVersion } : { plan }
}

function pointerOf(path: string): Pointer {
  const pointer = parsePointer(path)
  if (pointer === undefined)
    throw new KeystampError('OPTION_INVALID', `${JSON.stringify(path)} is not a JSON pointer: write "/a/b" for b in a.`)
  return pointer
}
