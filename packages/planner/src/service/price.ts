import type { PriceList } from './price-list.ts'

/** How load changes over time. */
export interface LoadShape {
  /** Mean load of each hour as a share of the peak, 0 to 1: any number of hours that repeat. */
  readonly hourlyShares?: readonly number[] | undefined
  /** Mean over the month as a share of the peak, 0 to 1, if the hours are not known; 1 if missing. */
  readonly meanUtilization?: number | undefined
}

export interface PricedThroughput extends LoadShape {
  /** Manual rate that the load needs; null if none is possible. */
  readonly manualRuPerSecond: number | null
  /** Autoscale maximum that the load needs; null if none is possible. */
  readonly autoscaleMaxRuPerSecond: number | null
  /** Load in RU/s at its peak, for autoscale and serverless; null if unknown. */
  readonly peakRuPerSecond: number | null
  /** Load in RU/s of the busiest of `serverlessPartitions` partitions at its peak; null if unknown. */
  readonly busiestRuPerSecond?: number | null | undefined
  /** GB of data without index; null if unknown. */
  readonly gb: number | null
  readonly regions: number
  readonly multiRegionWrites: boolean
  /** Index in addition to the data, 0 to 1; 0.15 if missing (10 to 20 % are usual). */
  readonly indexShare?: number | undefined
}

/** Prices of a month. Null: not possible, or unknown. */
export interface MonthlyPrices {
  readonly manual: number | null
  readonly autoscale: number | null
  readonly serverless: number | null
  readonly reservedOneYear: number | null
  readonly reservedThreeYears: number | null
  readonly storage: number | null
  readonly currency: string
  readonly listDate: string
  /** For prices that are null: the reason. */
  readonly unknown: Readonly<Record<string, string>>
}

export function monthlyPrices(throughput: PricedThroughput, list?: PriceList): MonthlyPrices {
  throw new Error(`not written yet: ${throughput.regions} ${list?.listDate}`)
}

/** Price of a manual rate for a month. */
export function manualPrice(ruPerSecond: number, account: PricedAccount, list?: PriceList): number {
  throw new Error(`not written yet: ${ruPerSecond} ${account.regions} ${list?.listDate}`)
}

/** Price of an autoscale maximum for a month: the highest rate of each hour counts, at least 10 % of the maximum. */
export function autoscalePrice(
  maxRuPerSecond: number,
  shape: LoadShape & { readonly peakRuPerSecond?: number | undefined },
  account: PricedAccount,
  list?: PriceList
): number {
  throw new Error(`not written yet: ${maxRuPerSecond} ${shape.meanUtilization} ${account.regions} ${list?.listDate}`)
}

export interface PricedAccount {
  readonly regions: number
  readonly multiRegionWrites: boolean
}

/** Mean utilization at which two ways of paying cost the same; null if one is always cheaper. */
export interface Crossovers {
  readonly manualAndAutoscale: number | null
  readonly manualAndServerless: number
  readonly autoscaleAndServerless: number
}

export function crossovers(account: PricedAccount, list?: PriceList): Crossovers {
  throw new Error(`not written yet: ${account.regions} ${list?.listDate}`)
}
