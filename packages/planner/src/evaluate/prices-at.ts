import type { Price } from '../report/plan-report.ts'
import { leastRuPerSecond, roundUpRu } from '../service/limits.ts'
import { monthlyPrices, type PricedAccount } from '../service/price.ts'
import type { PriceList } from '../service/price-list.ts'

/** A rate, and the load of the container. */
export interface PricedRate extends PricedAccount {
  readonly ruPerSecond: number
  readonly partitions: number
  /** Load of the busiest range. */
  readonly busiestRangeRuPerSecond: number
  /** Null: the load is unknown. */
  readonly loadRuPerSecond: number | null
  /** RU/s that each range gets in addition, from queries that ask several ranges. */
  readonly everyRangeRuPerSecond: number
  readonly busiestShareOf: (ranges: number) => number
  readonly gb: number | null
  readonly meanUtilization?: number | undefined
}

export interface RatePrices {
  readonly price: Price
  /** Cheapest pricing model without a contract, with storage. */
  readonly monthlyPrice: number | null
  /** For prices that are null: the reason. */
  readonly unknown: Readonly<Record<string, string>>
}

/** Computes the prices of a rate for a month. */
export function pricesAt(rate: PricedRate, prices: PriceList): RatePrices {
  const { ruPerSecond, partitions, loadRuPerSecond, everyRangeRuPerSecond, busiestRangeRuPerSecond } = rate
  const found = monthlyPrices(
    {
      ...rate,
      manualRuPerSecond: ruPerSecond,
      autoscaleMaxRuPerSecond: Math.max(leastRuPerSecond('autoscale', {}), roundUpRu(ruPerSecond, 'autoscale')),
      peakRuPerSecond: loadRuPerSecond === null ? null : loadRuPerSecond + partitions * everyRangeRuPerSecond,
      neededRuPerSecond: busiestRangeRuPerSecond * partitions
    },
    prices
  )
  const { manual, autoscale, serverless, reservedOneYear, storage, currency, listDate } = found
  const { reservedOneYear: reserved, reservedThreeYears: _threeYears, ...unknown } = found.unknown
  return {
    price: { manual, autoscale, serverless, reserved: reservedOneYear, storage, currency, listDate },
    monthlyPrice: cheapest([manual, autoscale, serverless], storage),
    unknown: reserved === undefined ? unknown : { ...unknown, reserved }
  }
}

function cheapest(ways: readonly (number | null)[], storage: number | null): number | null {
  const possible = ways.filter((each) => each !== null)
  return possible.length === 0 ? null : Math.min(...possible) + (storage ?? 0)
}
