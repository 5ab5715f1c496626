import type { KeyDefinition } from '@keystamp/core'
import type { PlanReport } from '../report/plan-report.ts'
import type { Looked, UnseenPart, XrayedKey, XrayedLoad, XrayedQuery, XrayReport } from '../report/xray-report.ts'
import type { CountedLoad } from './load-counter.ts'

/** A physical partition as it was read. */
export interface RangeInput {
  readonly id: string
  readonly min: string
  readonly max: string
  readonly throughputFraction: number
  /** Null without statistics. */
  readonly bytes: number | null
  readonly documents: number | null
  readonly largestKeys: readonly (XrayedKey & { readonly bytes: number })[]
}

/** A load that was counted, and the time it was counted in. */
export interface LoadInput {
  readonly source: XrayedLoad['source']
  readonly counted: CountedLoad
  /** Seconds whose load was counted. */
  readonly seconds: number
  /** Begin of each window, ISO 8601. */
  readonly windowStarts: readonly string[]
}

export interface XrayInput {
  readonly name: string
  readonly definition: Required<KeyDefinition>
  /** Sorted by `min`. */
  readonly ranges: readonly RangeInput[]
  readonly ruPerSecond: number | null
  readonly throughput: XrayReport['container']['throughput']
  readonly isShared: boolean
  readonly documents: number | null
  readonly bytes: number | null
  readonly looked: Looked
  readonly load: LoadInput | null
  readonly queries: readonly XrayedQuery[]
  readonly unseen: readonly UnseenPart[]
  readonly plan: PlanReport | null
  readonly showValues: boolean
}
