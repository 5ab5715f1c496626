import { DOT, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '@keystamp/core/internal'
import type { Halves } from './key-profile.ts'

/** Counts of the values of one path in the records of a sample. */
export interface FieldSummary {
  /** JSON pointer. */
  readonly path: string
  /** Number of records. */
  readonly records: number
  /** Number of records that have the field, with any value. */
  readonly present: number
  readonly types: FieldTypes
  /** Number of empty strings. */
  readonly empty: number
  /** In the first records: number of distinct values, and number of records that have a value. */
  readonly distinct: number
  readonly discovered: number
  /** Length of the strings and numbers in bytes, as in the JSON, where escapes make a string longer; 0 without any. */
  readonly minBytes: number
  readonly maxBytes: number
  /** Number of strings of more than 101 bytes: a container with hash version 1 hashes only their beginning. */
  readonly over101: number
  /** Number of strings of more than 2,048 bytes, the maximum length of a key. */
  readonly over2048: number
  /** Number of strings that contain the separator `-`. */
  readonly withSeparator: number
  /** Form of time of the values in the first records; null if they are not times. */
  readonly time: TimeForm | null
  /** Whether all values of the first records are different. */
  readonly isId: boolean
  /** Kind of personal data that the name or the values suggest. */
  readonly personal: PersonalData | null
  /** For each half of the sample: number of records without the field, with null, and with another value. */
  readonly halves: Halves | null
}

/** Number of records by the type of the value. `number` includes `integer`. */
export interface FieldTypes {
  readonly string: number
  readonly number: number
  readonly integer: number
  readonly boolean: number
  readonly null: number
  readonly object: number
  readonly array: number
}

export type TimeForm = 'iso' | 'seconds' | 'milliseconds' | 'microseconds'
export type PersonalData = 'e-mail' | 'phone' | 'name' | 'identity number' | 'address'

/** Facts about a field from the first records, which do not change later. */
export type FieldForm = Pick<FieldSummary, 'path' | 'distinct' | 'discovered' | 'time' | 'isId' | 'personal'>

/** Counts the values of one field, from the bytes of the JSON. */
export class FieldCounter {
  readonly #form: FieldForm
  readonly #types = { string: 0, number: 0, integer: 0, boolean: 0, null: 0, object: 0, array: 0 }
  #records = 0
  #present = 0
  #empty = 0
  #minBytes = Number.POSITIVE_INFINITY
  #maxBytes = 0
  #over101 = 0
  #over2048 = 0
  #withSeparator = 0

  constructor(form: FieldForm) {
    this.#form = form
  }

  /** Counts a value by its facts, from `factsOfValue`; `NO_VALUE` for a record that does not have the field. */
  add(facts: number): void {
    this.#records++
    if (facts === NO_VALUE) return
    this.#present++
    const length = facts >>> LENGTH_SHIFT
    switch (facts & TYPE_BITS) {
      case STRING:
        this.#addString(length, (facts & FLAG) !== 0)
        break
      case NUMBER:
        this.#types.number++
        this.#addLength(length)
        if ((facts & FLAG) !== 0) this.#types.integer++
        break
      case BOOLEAN:
        this.#types.boolean++
        break
      case NULL:
        this.#types.null++
        break
      case OBJECT:
        this.#types.object++
        break
      default:
        this.#types.array++
    }
  }

  /** Number of records without the field, with null, and with another value. */
  presence(): Float64Array {
    const nulls = this.#types.null
    return Float64Array.of(this.#records - this.#present, nulls, this.#present - nulls)
  }

  finish(halves: Halves | null): FieldSummary {
    const { path, distinct, discovered, time, isId, personal } = this.#form
    return {
      path,
      records: this.#records,
      present: this.#present,
      types: { ...this.#types },
      empty: this.#empty,
      distinct,
      discovered,
      minBytes: this.#maxBytes === 0 ? 0 : this.#minBytes,
      maxBytes: this.#maxBytes,
      over101: this.#over101,
      over2048: this.#over2048,
      withSeparator: this.#withSeparator,
      time,
      isId,
      personal,
      halves
    }
  }

  #addString(length: number, hasSeparator: boolean): void {
    this.#types.string++
    if (length === 0) this.#empty++
    this.#addLength(length)
    if (length > 101) this.#over101++
    if (length > 2048) this.#over2048++
    if (hasSeparator) this.#withSeparator++
  }

  #addLength(length: number): void {
    if (length < this.#minBytes) this.#minBytes = length
    if (length > this.#maxBytes) this.#maxBytes = length
  }
}

/** Facts about a value that a record does not have. */
export const NO_VALUE = 0

// the type of a value, a flag, and the length of a string or number
const TYPE_BITS = 7
const STRING = 1
const NUMBER = 2
const BOOLEAN = 3
const NULL = 4
const OBJECT = 5
const ARRAY = 6
/** A string that contains the separator, or a number that is an integer. */
const FLAG = 8
const LENGTH_SHIFT = 4

/** Returns the facts that are counted about the JSON value at `bytes[start, end)`, as one number of 32 bits. */
export function factsOfValue(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start]
  if (first === QUOTE)
    return STRING | ((end - start - 2) << LENGTH_SHIFT) | (containsSeparator(bytes, start + 1, end - 1) ? FLAG : 0)
  if (first === SMALL_N) return NULL
  if (first === SMALL_T || first === SMALL_F) return BOOLEAN
  if (first === OPEN_BRACE) return OBJECT
  if (first === OPEN_BRACKET) return ARRAY
  return NUMBER | ((end - start) << LENGTH_SHIFT) | (isInteger(bytes, start, end) ? FLAG : 0)
}

function containsSeparator(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === SEPARATOR) return true
  return false
}

function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === DOT || (bytes[at] | 0x20) === SMALL_E) return false
  return true
}

const SEPARATOR = 0x2d
const SMALL_E = 0x65
const SMALL_F = 0x66
const SMALL_N = 0x6e
const SMALL_T = 0x74
