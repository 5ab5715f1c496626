import type { Plan, PlanDefinition, Rejection } from '@keystamp/core'

/** Reason why a record gets no key; `cause` is the error that the user's function threw. */
export interface Refusal extends Rejection {
  readonly cause?: unknown
}

/** A record with its key, or the reason why it has none. */
type RecordResult = { readonly ok: true; readonly record: unknown } | Refusal

/** Stamps records in the three forms that stages need. A plan or a function makes the key. */
export interface KeyStamper {
  /** Writes the key into the record. */
  readonly stampRecord: (record: unknown) => RecordResult
  /** Stamps the record in `bytes[start, end)`. */
  readonly stampBytes: (bytes: Buffer, start: number, end: number) => ReturnType<Plan['stampBytes']> | Refusal
  /**
   * Stamps the record that begins at `start`; returns undefined if it may be incomplete. Requires that `bytes[limit]`
   * is zero.
   */
  readonly stampElement: (bytes: Buffer, start: number, limit: number) => ElementResult | undefined
  /** JSON pointers to all properties that the stamper may write. */
  readonly written: readonly string[]
}

export interface ElementResult {
  readonly result: ReturnType<Plan['stampBytes']> | Refusal
  /** Position after the value; undefined if it cannot be determined. */
  readonly end: number | undefined
}

/** Makes the key of a record. Called once for each record; synchronous. */
export type KeyFunction<R> = (record: R) => string

/** Source of the key: a plan, the JSON of a plan, or a function of the record. */
export type KeySource<R = unknown> = Plan | PlanDefinition | KeyFunction<R>

/** Options that belong to a key function. */
export interface KeyOptions {
  /** JSON pointer to the property that gets the key. Required with a key function, not allowed with a plan. */
  readonly into?: string
  /** Handling of a record that already has the property. Only with a key function. Default: `verify`. */
  readonly existing?: 'verify' | 'overwrite' | 'keep'
  /** Returns a random number from 0 up to, but not including, 1; used for random suffixes. Default: `Math.random`. */
  readonly random?: () => number
}
