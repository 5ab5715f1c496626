import type { Halves } from './key-profile.ts'

/** Values of one path in the records of a sample. */
export interface FieldSummary {
  /** JSON pointer. */
  readonly path: string
  /** Records in which the field was looked for. */
  readonly records: number
  /** Records that have the field, with any value. */
  readonly present: number
  readonly types: FieldTypes
  /** Strings without characters. */
  readonly empty: number
  /** Distinct values in the first records, and how many of these records have the field. */
  readonly distinct: number
  readonly discovered: number
  /** Length in bytes of UTF-8 of the values as text; 0 without any. */
  readonly minBytes: number
  readonly maxBytes: number
  /** Values of more than 101 bytes, of which a container of version 1 hashes the beginning only. */
  readonly over101: number
  /** Values of more than 2,048 bytes, the longest key. */
  readonly over2048: number
  /** Strings with the separator `-` in them. */
  readonly withSeparator: number
  /** Form of a time, if all values have it. */
  readonly time: 'iso' | 'seconds' | 'milliseconds' | 'microseconds' | null
  /** Whether all values of the first records are different. */
  readonly isId: boolean
  /** Kind of personal data that the name or the values suggest. */
  readonly personal: 'e-mail' | 'phone' | 'name' | 'identity number' | 'address' | null
  /** Presence in the two parts of the sample: cells are absent, null, and present. */
  readonly halves: Halves | null
}

/** Records by type of the value; integers are those among the numbers. */
export interface FieldTypes {
  readonly string: number
  readonly number: number
  readonly integer: number
  readonly boolean: number
  readonly null: number
  readonly object: number
  readonly array: number
}
