import type { Plan, PlanDefinition } from '@keystamp/core'

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
