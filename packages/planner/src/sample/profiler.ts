import type { PlanDefinition } from '@keystamp/core'
import type { FieldSummary } from './field-summary.ts'
import type { KeyProfile } from './key-profile.ts'

/** A key to be measured. */
export interface KeyCandidate {
  readonly name: string
  /** Key plan; null if the values at the paths are the key. */
  readonly plan: PlanDefinition | null
  readonly partitionKeyPaths: readonly string[]
  /** Hash version of a container without a plan. Default: 2. */
  readonly hashVersion?: 1 | 2
}

export interface ProfilerOptions {
  readonly candidates: readonly KeyCandidate[]
  /** Fields to count in all records, from `discoverFields`. */
  readonly fields: readonly FieldSummary[]
  /** JSON pointer of the field with the time of a record. */
  readonly timeField?: string | undefined
  /** JSON pointers of fields whose equal values make a transaction. */
  readonly transactions?: readonly string[]
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  /** Distinct keys of all candidates together that are counted exactly. Default: 2,000,000. */
  readonly maxKeys?: number
  /** Records that are kept for figures about time. Default: 262,144. */
  readonly reservoirSize?: number
}

/** Counts the keys of candidates in one pass over the records of a sample. */
export interface Profiler {
  /** Counts the JSON record in `bytes[start, end)`. */
  readonly add: (bytes: Uint8Array, start?: number, end?: number) => void
  /** Stops counting a candidate, by its number. */
  readonly drop: (candidate: number) => void
  /** Counts of a candidate so far, by its number; null if it was dropped. */
  readonly peek: (candidate: number) => KeyProfile | null
  readonly finish: () => SampleProfile
}

/** Counts of a sample. */
export interface SampleProfile {
  /** Valid records. */
  readonly records: number
  readonly bytes: number
  /** Records that are not valid JSON objects. */
  readonly invalid: number
  readonly fields: readonly FieldSummary[]
  /** One for each candidate, in their order; null for dropped ones. */
  readonly keys: readonly (KeyProfile | null)[]
  readonly reservoir: Reservoir
  /** One for each transaction field. */
  readonly transactions: readonly TransactionCounts[]
}

/** A uniform sample of the records, in no particular order. */
export interface Reservoir {
  /** Records here, and records that they stand for. */
  readonly size: number
  readonly records: number
  /** Milliseconds since 1970; NaN where the record has no time. Null without a time field. */
  readonly times: Float64Array | null
  readonly bytes: Uint32Array
  /** For each candidate: upper 32 bits of the identity of the key, and position of its range; null if dropped. */
  readonly keys: readonly (ReservoirKeys | null)[]
}

export interface ReservoirKeys {
  /** Equal for equal keys. */
  readonly ids: Uint32Array
  /** Position in the hash space, in units of 2^-32. */
  readonly positions: Uint32Array
  /** 1 where the record has a key. */
  readonly valid: Uint8Array
}

/** Groups of records with an equal value of a transaction field: all of them, or a uniform sample of the groups. */
export interface TransactionCounts {
  readonly field: string
  /** Groups of at least two records. */
  readonly groups: number
  /** For each candidate: groups whose records have different keys. */
  readonly torn: readonly number[]
}

export function createProfiler(options: ProfilerOptions): Profiler {
  void options
  throw new Error('not implemented')
}
