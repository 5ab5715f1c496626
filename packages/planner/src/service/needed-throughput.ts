import type { ThroughputMode } from './limits.ts'
import type { LoadShape, PricedAccount } from './price.ts'
import type { PriceList } from './price-list.ts'
import type { PresentContainer, RateStep } from './raise.ts'

/** Load of a candidate key. */
export interface ThroughputDemand extends LoadShape, Partial<PricedAccount> {
  /** Share of `loadRuPerSecond` that the busiest of so many equally wide ranges gets: 1 / ranges up to 1. */
  readonly busiestShareOf: (ranges: number) => number
  /** RU/s of all operations that go to the partition of their key, at the peak. */
  readonly loadRuPerSecond: number
  /** RU/s that every range gets in addition, from queries that ask all ranges, with so many ranges; 0 if missing. */
  readonly everyRangeRuPerSecond?: ((ranges: number) => number) | undefined
  /** GB of data; null if unknown: storage then asks for one partition. */
  readonly gb: number | null
  /** GB of data that fit into a partition; PLANNED_PARTITION_GB if missing. */
  readonly gbPerPartition?: number | undefined
  /** RU/s of the busiest key at the peak, for the reason why nothing is possible. */
  readonly busiestKeyRuPerSecond?: number | undefined
  /** `manual` if missing. */
  readonly mode?: ThroughputMode | undefined
  /** Only numbers of partitions that this container can reach by splits are then possible: doublings of its own. */
  readonly present?: PresentContainer | undefined
  readonly prices?: PriceList | undefined
}

export interface NeededThroughput {
  readonly partitions: number
  readonly decidedBy: 'storage' | 'throughput' | 'one' | 'present'
  /** Rate to run with, or autoscale maximum. */
  readonly ruPerSecond: number
  /** Rate to create a container with so that it has `partitions`; equal to `ruPerSecond` if that has them. */
  readonly createRuPerSecond: number
  /** Least rate that can be set after the rates of `path`. */
  readonly leastRuPerSecond: number
  /** Load of the busiest range. */
  readonly busiestRangeRuPerSecond: number
  /** Share of the rate that the load uses at its peak. */
  readonly usableShare: number
  /** Price of the throughput for a month, without storage. */
  readonly monthlyPrice: number
  /** From nothing, or from the present container. */
  readonly path: readonly RateStep[]
  /** Whether a rate of the path is above 1,000,000 RU/s, which needs a support request. */
  readonly isAboveQuota: boolean
}

export type ThroughputAnswer =
  | { readonly needed: NeededThroughput; readonly reason: null }
  | { readonly needed: null; readonly reason: string }

/** Finds the number of physical partitions and the rate of least monthly price that carry the load. */
export function neededThroughput(demand: ThroughputDemand): ThroughputAnswer {
  throw new Error(`not written yet: ${demand.loadRuPerSecond}`)
}
