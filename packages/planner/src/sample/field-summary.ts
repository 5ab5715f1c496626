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

  /** Counts the value at `bytes[start, end)`. A negative `start` means that the record does not have the field. */
  add(bytes: Uint8Array, start: number, end: number): void {
    this.#records++
    if (start < 0) return
    this.#present++
    const first = bytes[start]
    if (first === QUOTE) this.#addString(bytes, start + 1, end - 1)
    else if (first === SMALL_N) this.#types.null++
    else if (first === SMALL_T || first === SMALL_F) this.#types.boolean++
    else if (first === OPEN_BRACE) this.#types.object++
    else if (first === OPEN_BRACKET) this.#types.array++
    else this.#addNumber(bytes, start, end)
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

  #addString(bytes: Uint8Array, start: number, end: number): void {
    this.#types.string++
    const length = end - start
    if (length === 0) this.#empty++
    this.#addLength(length)
    if (length > 101) this.#over101++
    if (length > 2048) this.#over2048++
    for (let at = start; at < end; at++) {
      if (bytes[at] !== SEPARATOR) continue
      this.#withSeparator++
      break
    }
  }

  #addNumber(bytes: Uint8Array, start: number, end: number): void {
    this.#types.number++
    this.#addLength(end - start)
    for (let at = start; at < end; at++) if (bytes[at] === DOT || (bytes[at] | 0x20) === SMALL_E) return
    this.#types.integer++
  }

  #addLength(length: number): void {
    if (length < this.#minBytes) this.#minBytes = length
    if (length > this.#maxBytes) this.#maxBytes = length
  }
}

const SEPARATOR = 0x2d
const SMALL_E = 0x65
const SMALL_F = 0x66
const SMALL_N = 0x6e
const SMALL_T = 0x74
