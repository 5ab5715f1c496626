import type { Plan, Rejection } from '@keystamp/core'

/** What stops a record from getting its key; `cause` is what the user's own function threw. */
export interface Refusal extends Rejection {
  readonly cause?: unknown
}

/** A record whose key stands in it now, or why it does not. */
export type RecordResult = { readonly ok: true; readonly record: unknown } | Refusal

/** The three ways in which a stage asks for a key, whether a plan or a function makes it. */
export interface KeyStamper {
  /** Writes the key into the record. */
  readonly stampRecord: (record: unknown) => RecordResult
  /** `bytes[start, end)` holds one record. */
  readonly stampBytes: (bytes: Buffer, start: number, end: number) => ReturnType<Plan['stampBytes']> | Refusal
  /** The record begins at `start`; `bytes[limit]` is zero. */
  readonly stampElement: (bytes: Buffer, start: number, limit: number) => ElementResult | undefined
  /** JSON pointers to all that may be written. */
  readonly written: readonly string[]
}

export interface ElementResult {
  readonly result: ReturnType<Plan['stampBytes']> | Refusal
  /** Behind the value; undefined where nobody can say where it ends. */
  readonly end: number | undefined
}
