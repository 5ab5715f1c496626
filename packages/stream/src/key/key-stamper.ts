import type { Plan, PlanDefinition, Rejection } from '@keystamp/core'

/** What stops a record from getting its key; `cause` is what the user's own function threw. */
export interface Refusal extends Rejection {
  readonly cause?: unknown
}

/** A record whose key stands in it now, or why it does not. */
type RecordResult = { readonly ok: true; readonly record: unknown } | Refusal

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

/** Makes the key of a record. It is called once a record and cannot be awaited. */
export type KeyFunction<R> = (record: R) => string

/** What says how the key is made: a plan, the JSON of one, or a function of the record. */
export type KeySource<R = unknown> = Plan | PlanDefinition | KeyFunction<R>

/** What a key function needs beside itself. */
export interface KeyOptions {
  /** Where the key is written, as a JSON pointer. Only with a key function, and there it is needed. */
  readonly into?: string
  /** What to do with a record that already carries the member. Only with a key function. Default: `verify`. */
  readonly existing?: 'verify' | 'overwrite' | 'keep'
  /** Numbers from 0 up to, but not including, 1, for random suffixes. Default: `Math.random`. */
  readonly random?: () => number
}
