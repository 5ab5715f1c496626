import type { ComponentType } from './component-definition.ts'
import type { Existing } from './definition.ts'
import type { Pointer } from './compiled.ts'

/** A plan after parsing: every default filled in, every pointer taken apart, nothing left to check. */
export interface PlanRules {
  readonly versions: readonly VersionRules[]
}

/** One version of a plan. The first applies unless a record lies before the boundary of an older one. */
export interface VersionRules {
  readonly hashVersion: 1 | 2
  readonly encoding: 'injective' | 'plain'
  readonly levels: readonly LevelRules[]
  readonly id: IdRules | undefined
  /** The boundary below which this version applies; none for the newest. */
  readonly until: BoundaryRules | undefined
}

export interface BoundaryRules {
  readonly field: Pointer
  /** A number, or an instant in milliseconds when `isTime`. */
  readonly before: number
  readonly isTime: boolean
}

export interface LevelRules {
  readonly into: Pointer
  readonly from: readonly ComponentRules[]
  readonly separator: string
  readonly suffix: SuffixRules | undefined
  readonly existing: Existing
  readonly tooLong: 'reject' | 'hash'
}

export interface IdRules {
  readonly from: readonly ComponentRules[]
  readonly separator: string
  readonly escape: 'lossless' | 'underscore'
  readonly existing: Existing
}

export interface SuffixRules {
  readonly by: 'random' | 'offset' | readonly FieldRules[]
  readonly count: number
  readonly separator: string
  readonly labels: 'numbered' | 'even'
}

export type ComponentRules =
  | FieldRules
  | BucketRules
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'id' }
  | KafkaRules

/** The text that replaces a value; `undefined` rejects the record. */
export interface Substitutes {
  readonly missing: string | undefined
  readonly empty: string | undefined
  readonly null: string | undefined
  readonly wrongType: string | undefined
}

export interface FieldRules {
  readonly kind: 'field'
  readonly pointer: Pointer
  readonly type: ComponentType | 'any'
  readonly normalize: boolean
  /** Takes text of digits for an integer. */
  readonly coerce: boolean
  readonly orKey: Pointer | undefined
  readonly use: Substitutes
}

export interface BucketRules {
  readonly kind: 'bucket'
  readonly unit: BucketUnit
  /** For the unit `minute`: the length of a bucket. */
  readonly minutes: number
  readonly of: Pointer | 'timestamp'
  readonly zone: string
  readonly epoch: 'seconds' | 'milliseconds' | 'microseconds' | undefined
  /** Takes text of digits for a number. */
  readonly coerce: boolean
  readonly orKey: Pointer | undefined
  readonly use: Substitutes
}

export type BucketUnit = 'year' | 'month' | 'day' | 'hour' | 'minute'

export type KafkaRules =
  | { readonly kind: 'kafka'; readonly what: 'topic' | 'partition' | 'offset' | 'timestamp' }
  | { readonly kind: 'kafka'; readonly what: 'key'; readonly pointer: Pointer | undefined; readonly empty: string | undefined }
  | { readonly kind: 'kafka'; readonly what: 'header'; readonly name: string; readonly empty: string | undefined }
