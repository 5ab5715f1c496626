import type { ComponentType } from './component-definition.ts'
import type { Existing } from './definition.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'
import type { BucketUnit } from '../time/bucket.ts'

/** A plan after parsing: defaults filled in, pointers split, all checks done. */
export interface PlanRules {
  readonly versions: readonly VersionRules[]
}

/** One version of a plan. The first one applies unless a record is before the boundary of an older one. */
export interface VersionRules {
  readonly hashVersion: 1 | 2
  readonly encoding: 'injective' | 'plain'
  readonly levels: readonly LevelRules[]
  readonly id: IdRules | undefined
  /** Boundary below which this version applies; undefined for the newest one. */
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
  readonly hot: HotRules | undefined
}

/** Values of one component whose base keys have another number of suffixes. */
export interface HotRules {
  readonly counts: ReadonlyMap<string, number>
  /** Index of the component. */
  readonly on: number
}

export type ComponentRules =
  | FieldRules
  | BucketRules
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'id' }
  | KafkaRules

/** Strings that replace a value; `undefined` rejects the record. */
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
  /** Accepts strings of digits as integers. */
  readonly coerce: boolean
  readonly orKey: Pointer | undefined
  readonly use: Substitutes
}

export interface BucketRules {
  readonly kind: 'bucket'
  readonly unit: BucketUnit
  /** Length of a bucket for the unit `minute`. */
  readonly minutes: number
  readonly of: Pointer | 'timestamp'
  readonly zone: string
  readonly epoch: 'seconds' | 'milliseconds' | 'microseconds' | undefined
  /** Accepts strings of digits as numbers. */
  readonly coerce: boolean
  readonly orKey: Pointer | undefined
  readonly use: Substitutes
}

export type KafkaRules =
  | { readonly kind: 'kafka'; readonly what: 'topic' | 'partition' | 'offset' | 'timestamp' }
  | {
      readonly kind: 'kafka'
      readonly what: 'key'
      readonly pointer: Pointer | undefined
      readonly empty: string | undefined
    }
  | { readonly kind: 'kafka'; readonly what: 'header'; readonly name: string; readonly empty: string | undefined }

/**
 * Returns the field whose value is the key itself: it is the only component of the level, and has the path of the key.
 */
export function passThroughField(rules: LevelRules): FieldRules | undefined {
  const [only] = rules.from
  const isOwn =
    rules.from.length === 1 && only.kind === 'field' && formatPointer(only.pointer) === formatPointer(rules.into)
  return isOwn && rules.suffix === undefined ? only : undefined
}

/** Whether a level of the key is the id. */
export function isIdLevel({ into }: LevelRules): boolean {
  return into.length === 1 && into[0] === 'id'
}

/** Maximum length of a key before its suffix, in bytes: the length that Cosmos DB hashes, minus the longest label. */
export function baseLimit(suffix: SuffixRules | undefined, hashVersion: 1 | 2): number {
  const maxBytes = hashVersion === 1 ? 100 : 2048
  if (suffix === undefined) return maxBytes
  // with hot values, the limit must not depend on the number of suffixes of a base
  const isFixed = suffix.labels === 'even' || suffix.hot !== undefined
  return maxBytes - 1 - (isFixed ? MAX_LABEL_DIGITS : String(suffix.count).length)
}

const MAX_LABEL_DIGITS = 10

/** Characters at which a key of this level is split. So components escape them. */
export function reservedCharacters(rules: LevelRules, version: VersionRules): string {
  return version.encoding === 'plain' ? '' : rules.separator + (rules.suffix?.separator ?? '')
}

/** Whether a component accepts every string: its type is `text` or not declared. */
export function takesAnyText(rules: FieldRules | BucketRules): boolean {
  return rules.kind === 'field' && (rules.type === 'any' || rules.type === 'text')
}
