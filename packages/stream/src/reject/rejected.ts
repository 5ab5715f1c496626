import type { RecordCode } from '@keystamp/core'

/** A record that got no key: which one, why, and the record itself. */
export interface Rejected<R = unknown> extends Place {
  readonly code: RecordCode
  /** The place in the record, as a JSON pointer; empty for the record as a whole. */
  readonly path: string
  /** One sentence that says where and why. Carries no value of the record. */
  readonly message: string
  /** The object as it came in, or the text of the JSON where bytes are stamped. */
  readonly record: R
  /** What a key function threw. */
  readonly cause?: unknown
}

/** Where in the input a record stands. */
export interface Place {
  /** The name of the input, where several are read. */
  readonly input?: string
  /** From 1 on; where the input is lines. */
  readonly line?: number
  /** From 0 on, among the records of the input; where it is an array or objects. */
  readonly index?: number
  /** From 0 on: the byte of the input at which the record begins, or reading it stopped. */
  readonly byte?: number
}
