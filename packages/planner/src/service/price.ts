import { formatCount } from '../workload/quantity-text.ts'
import { MAX_PLANNED_PARTITIONS, serverlessRuPerSecond } from './limits.ts'
import { LIST_PRICES, type PriceList } from './price-list.ts'
import { partitionsForStorage } from './storage.ts'

/** Changes of the load over time. */
export interface LoadShape {
  /** Load of each hour as a share of the peak, 0 to 1. Any number of hours, which repeat. */
  readonly hourlyShares?: readonly number[] | undefined
  /** Mean load of a month as a share of the peak, 0 to 1, if the hours are unknown. Default: 1. */
  readonly meanUtilization?: number | undefined
}

/** Regions of an account. The price is multiplied by their number. */
export interface PricedAccount {
  readonly regions: number
  readonly multiRegionWrites: boolean
}

// share of the maximum that is billed at least in each hour
const AUTOSCALE_FLOOR = 0.1
const DEFAULT_INDEX_SHARE = 0.15
const SECONDS_PER_HOUR = 3600

/** Price of a manual rate per month. */
export function manualPrice(ruPerSecond: number, account: PricedAccount, list: PriceList = LIST_PRICES): number {
  return provisionedPrice(ruPerSecond, manualRate(account, list), account, list)
}

export interface AutoscaleLoad extends LoadShape {
  /** Rate that the peak needs: load of the busiest partition x partitions. Default: the maximum. */
  readonly neededRuPerSecond?: number | undefined
}

/**
 * Price of an autoscale maximum per month. The highest rate of each hour is billed, and at least 10 % of the maximum.
 * If only `meanUtilization` is known, every hour counts with the mean, and the result is a lower bound.
 */
export function autoscalePrice(
  maxRuPerSecond: number,
  load: AutoscaleLoad,
  account: PricedAccount,
  list: PriceList = LIST_PRICES
): number {
  const needed = load.neededRuPerSecond ?? maxRuPerSecond
  const floor = AUTOSCALE_FLOOR * maxRuPerSecond
  const hours = hoursOf(load).map((share) => Math.min(maxRuPerSecond, Math.max(floor, share * needed)))
  return provisionedPrice(meanOf(hours), autoscaleRate(account, list), account, list)
}

function provisionedPrice(ruPerSecond: number, per100RuHour: number, account: PricedAccount, list: PriceList): number {
  return (ruPerSecond / 100) * per100RuHour * list.hoursPerMonth * account.regions
}

function manualRate({ multiRegionWrites }: PricedAccount, list: PriceList): number {
  return multiRegionWrites ? list.multiWriteManualPer100RuHour : list.manualPer100RuHour
}

function autoscaleRate({ multiRegionWrites }: PricedAccount, list: PriceList): number {
  return multiRegionWrites ? list.multiWriteAutoscalePer100RuHour : list.autoscalePer100RuHour
}

function hoursOf({ hourlyShares, meanUtilization = 1 }: LoadShape): readonly number[] {
  return hourlyShares === undefined || hourlyShares.length === 0 ? [meanUtilization] : hourlyShares
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Throughput, load and storage of one container. */
export interface PricedThroughput extends LoadShape, PricedAccount {
  /** Manual rate that the load needs; null if none is possible. */
  readonly manualRuPerSecond: number | null
  /** Autoscale maximum that the load needs; null if none is possible. */
  readonly autoscaleMaxRuPerSecond: number | null
  /** Load in RU/s at its peak; null if unknown. */
  readonly peakRuPerSecond: number | null
  /** Rate that the peak needs: load of the busiest partition x partitions. Default: `peakRuPerSecond`. */
  readonly neededRuPerSecond?: number | undefined
  /** Share of the busiest of `ranges` ranges in the load, for the limit of serverless. Default: 1 / ranges. */
  readonly busiestShareOf?: ((ranges: number) => number) | undefined
  /** GB of data without index; null if unknown. */
  readonly gb: number | null
  /** Size of the index as a share of the data, 0 to 1; 10 to 20 % is usual. Default: 0.15. */
  readonly indexShare?: number | undefined
}

/** Prices per month. Null: not possible, or unknown. */
export interface MonthlyPrices {
  readonly manual: number | null
  readonly autoscale: number | null
  readonly serverless: number | null
  /** Prices of manual throughput with capacity that is reserved for one or three years. */
  readonly reservedOneYear: number | null
  readonly reservedThreeYears: number | null
  /** Price of the storage, in addition to each of the other prices. */
  readonly storage: number | null
  readonly currency: string
  readonly listDate: string
  /** Reasons for the prices that are null. */
  readonly unknown: Readonly<Record<string, string>>
}

export function monthlyPrices(throughput: PricedThroughput, list: PriceList = LIST_PRICES): MonthlyPrices {
  const { manualRuPerSecond, autoscaleMaxRuPerSecond, gb, indexShare = DEFAULT_INDEX_SHARE, regions } = throughput
  const unknown: Record<string, string> = {}
  const manual = manualRuPerSecond === null ? null : manualPrice(manualRuPerSecond, throughput, list)
  if (manual === null) for (const name of ['manual', 'reservedOneYear', 'reservedThreeYears']) unknown[name] = NO_RATE
  if (autoscaleMaxRuPerSecond === null) unknown['autoscale'] = NO_RATE
  const serverless = serverlessPrice(throughput, list)
  if (typeof serverless === 'string') unknown['serverless'] = serverless
  if (gb === null) unknown['storage'] = 'the amount of data is unknown'
  return {
    manual,
    autoscale:
      autoscaleMaxRuPerSecond === null
        ? null
        : autoscalePrice(autoscaleMaxRuPerSecond, withNeeded(throughput), throughput, list),
    serverless: typeof serverless === 'string' ? null : serverless,
    reservedOneYear: manual === null ? null : manual * (1 - list.reservedOneYear),
    reservedThreeYears: manual === null ? null : manual * (1 - list.reservedThreeYears),
    storage: gb === null ? null : gb * (1 + indexShare) * list.storagePerGbMonth * regions,
    currency: list.currency,
    listDate: list.listDate,
    unknown
  }
}

const NO_RATE = 'no throughput is enough for the load'

function withNeeded(throughput: PricedThroughput): AutoscaleLoad {
  return { ...throughput, neededRuPerSecond: throughput.neededRuPerSecond ?? throughput.peakRuPerSecond ?? undefined }
}

/** Price of a serverless container per month, or the reason why serverless is not possible. */
function serverlessPrice(throughput: PricedThroughput, list: PriceList): number | string {
  const {
    regions,
    multiRegionWrites,
    peakRuPerSecond,
    gb,
    busiestShareOf = (ranges: number) => 1 / ranges
  } = throughput
  if (regions > 1 || multiRegionWrites) return 'serverless accounts have only one region'
  if (peakRuPerSecond === null) return 'the load is unknown'
  const { planned } = partitionsForStorage(gb ?? 0)
  if (planned > MAX_PLANNED_PARTITIONS) return 'the data needs more physical partitions than the planner considers'
  const busiest = busiestShareOf(planned) * peakRuPerSecond
  const limit = serverlessRuPerSecond(1)
  if (busiest > limit)
    return `the busiest physical partition would get ${formatCount(Math.ceil(busiest))} RU/s, but a serverless one serves at most ${formatCount(limit)} RU/s`
  const ruPerMonth = peakRuPerSecond * meanOf(hoursOf(throughput)) * SECONDS_PER_HOUR * list.hoursPerMonth
  return (ruPerMonth / 1e6) * list.serverlessPerMillionRu
}

/** Mean utilization above which one pricing model is cheaper than another; null if it never is, or is not available. */
export interface Crossovers {
  /** Manual is cheaper than autoscale above it. */
  readonly manualOverAutoscale: number | null
  /** Manual is cheaper than serverless above it. */
  readonly manualOverServerless: number | null
  /** Autoscale is cheaper than serverless above it. */
  readonly autoscaleOverServerless: number | null
}

export function crossovers(account: PricedAccount, list: PriceList = LIST_PRICES): Crossovers {
  const manual = manualRate(account, list)
  const autoscale = autoscaleRate(account, list)
  const serverless = (100 * SECONDS_PER_HOUR * list.serverlessPerMillionRu) / 1e6
  const hasServerless = account.regions === 1 && !account.multiRegionWrites
  return {
    manualOverAutoscale: manual < autoscale ? manual / autoscale : null,
    manualOverServerless: hasServerless ? manual / serverless : null,
    autoscaleOverServerless: hasServerless ? (AUTOSCALE_FLOOR * autoscale) / serverless : null
  }
}
