import type { Secret } from './settings.ts'

/** One step of the shape of a sink: a change of each record between its format and the key plan. */
export type ShapeStep = ShapeChange & {
  /** Side of the record that the step changes. */
  readonly of: 'value' | 'key'
  /** The step applies only to records that meet the condition. */
  readonly when: Condition | undefined
}

/** Change that a step makes. Fields are JSON pointers. */
export type ShapeChange =
  | { readonly kind: 'exclude' | 'include'; readonly fields: readonly string[] }
  /** Fields by their new places. */
  | { readonly kind: 'rename' | 'copy'; readonly fields: ReadonlyMap<string, string> }
  | { readonly kind: 'insert'; readonly fields: ReadonlyMap<string, Inserted> }
  | { readonly kind: 'flatten'; readonly delimiter: string }
  | { readonly kind: 'hoist'; readonly name: string }
  | { readonly kind: 'extract'; readonly field: string }
  | MaskChange
  | { readonly kind: 'cast'; readonly types: ReadonlyMap<string, CastType> }
  | TimestampChange
  /** Makes the key of the record an object with these fields of its value. */
  | { readonly kind: 'key'; readonly fields: readonly string[] }
  /** Drops the records that meet the condition. */
  | { readonly kind: 'filter'; readonly condition: Condition }

/** Value that a step inserts: a constant, or where the record comes from. */
export type Inserted =
  | { readonly literal: string | number | boolean | null }
  | { readonly kafka: 'topic' | 'partition' | 'offset' | 'timestamp' }

/** Replaces values: by a hash, by a string, or by the empty value of their type. */
export interface MaskChange {
  readonly kind: 'mask'
  readonly fields: readonly string[]
  readonly replacement: string | undefined
  readonly hash: 'sha256' | undefined
  /** Makes the hash an HMAC. */
  readonly secret: Secret | undefined
}

/** Types of the Cast transform of Kafka Connect. */
export const CAST_TYPES = ['int8', 'int16', 'int32', 'int64', 'float32', 'float64', 'boolean', 'string'] as const

export type CastType = (typeof CAST_TYPES)[number]

/** Units of times that are numbers since 1970. */
export const TIME_UNITS = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const

export type TimeUnit = (typeof TIME_UNITS)[number]

/** Form of a time that a step writes: ISO 8601, one part of it, a number, or a string with a pattern of SimpleDateFormat. */
export type TimeForm = 'iso' | 'date' | 'time' | { readonly unix: TimeUnit } | { readonly pattern: string }

export interface TimestampChange {
  readonly kind: 'timestamp'
  readonly fields: readonly string[]
  /** Unit of times that are numbers, and pattern of times that are text; without a pattern, ISO 8601. */
  readonly from: { readonly unix: TimeUnit; readonly pattern: string | undefined }
  readonly to: TimeForm
}

/** Condition on a record. */
export type Condition = ConditionTest & {
  /** Whether the condition is met if the test fails. */
  readonly negate: boolean
}

export type ConditionTest =
  | { readonly kind: 'topic'; readonly pattern: string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'tombstone' }
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly (string | number | boolean | null)[] }
