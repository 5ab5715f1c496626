import { pricesAt } from './prices-at.ts'
import { MAX_PARTITION_RU } from '../service/limits.ts'
import { throughputAt } from '../service/needed-throughput.ts'
import type { Explore, ExploredKey, ExploredPartitions, Price } from '../report/plan-report.ts'

/** Figures of a key for a rate and a number of physical partitions that the user chooses. */
export interface ExploredRate {
  readonly partitions: number
  readonly ruPerSecond: number
  /** RU/s that each physical partition provides. */
  readonly limitRuPerSecond: number
  /** RU/s that the load can use; null if the usable share is unknown. */
  readonly usableRuPerSecond: number | null
  /** RU/s that must be provisioned for the load; null if no rate is enough, or the load is unknown. */
  readonly neededRuPerSecond: number | null
  /** Load of the busiest physical partition; null if unknown. */
  readonly busiestRangeRuPerSecond: number | null
  /** Whether the chosen rate is enough for the load; null if unknown. */
  readonly isEnough: boolean | null
  /** Reason why no rate is enough for the load. */
  readonly reason: string | null
  readonly price: Price
  /** Cheapest pricing model without a contract, with storage. */
  readonly monthlyPrice: number | null
}

/** Computes the figures of a key for another rate, by the same functions as the report. */
export function exploreRate(
  explore: Explore,
  key: ExploredKey,
  { partitions, ruPerSecond }: { readonly partitions: number; readonly ruPerSecond: number }
): ExploredRate {
  const { gb, regions, multiRegionWrites, meanUtilization, prices } = explore
  const at = partitionsOf(key, partitions)
  const { usableShare, busiestShare, everyRangeRuPerSecond } = at
  const load = key.loadRuPerSecond
  const busiestShareOf = (ranges: number): number => partitionsOf(key, ranges).busiestShare ?? 1
  const shape = { busiestShareOf, gb, regions, multiRegionWrites, meanUtilization: meanUtilization ?? undefined }
  const answer =
    load === null || busiestShare === null
      ? { needed: null, reason: null }
      : throughputAt(
          {
            ...shape,
            loadRuPerSecond: load,
            prices,
            everyRangeRuPerSecond: (ranges) => partitionsOf(key, ranges).everyRangeRuPerSecond
          },
          partitions
        )
  const busiestRange = load === null || busiestShare === null ? null : busiestShare * load + everyRangeRuPerSecond
  const limit = Math.min(MAX_PARTITION_RU, ruPerSecond / partitions)
  const priced = pricesAt(
    {
      ...shape,
      ruPerSecond,
      partitions,
      busiestRangeRuPerSecond: busiestRange ?? limit,
      loadRuPerSecond: load,
      everyRangeRuPerSecond
    },
    prices
  )
  return {
    partitions,
    ruPerSecond,
    limitRuPerSecond: limit,
    usableRuPerSecond: usableShare === null ? null : usableShare.mid * limit * partitions,
    neededRuPerSecond: answer.needed?.ruPerSecond ?? null,
    busiestRangeRuPerSecond: busiestRange,
    isEnough: busiestRange === null ? null : answer.needed !== null && ruPerSecond >= answer.needed.ruPerSecond,
    reason: answer.reason,
    price: priced.price,
    monthlyPrice: priced.monthlyPrice === null ? null : priced.monthlyPrice + key.indexMonthlyPrice
  }
}

/** The figures for a number of partitions, or for the next smaller number that was computed. */
function partitionsOf({ at }: ExploredKey, partitions: number): ExploredPartitions {
  return at.findLast((each) => each.partitions <= partitions) ?? at[0]
}
