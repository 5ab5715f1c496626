import {
  crossovers,
  type Crossovers,
  describeSteps,
  forecastStorage,
  leastRuPerSecond,
  LIST_PRICES,
  manualPrice,
  autoscalePrice,
  type MonthlyPrices,
  monthlyPrices,
  neededThroughput,
  type NeededThroughput,
  type NextSplit,
  nextSplit,
  partitionsForStorage,
  planRaise,
  type Raise,
  type StorageForecast,
  type StoragePartitions,
  type ThroughputAnswer,
  type ThroughputMode,
  type Workload,
  writeCharge
} from '@keystamp/planner'
import { type CapacityQuestion, gbOf } from './capacity-options.ts'

export interface RaiseReport extends Raise {
  readonly steps: readonly string[]
  /** Prices of the throughput for a month, with every hour at the full rate. */
  readonly prices: { readonly before: number; readonly direct: number; readonly better: number }
  /** Price of six hours at the highest rate of the path; null if nothing splits on it. */
  readonly priceOfSplits: number | null
  readonly currency: string
}

export interface NeedReport {
  readonly load: { readonly writesPerSecond: number; readonly ruPerWrite: number; readonly ruPerSecond: number } | null
  readonly storage: StorageForecast & {
    readonly partitions: StoragePartitions | null
    /** Of the container that there is, or of the one that is needed; null if its data does not grow, or is unknown. */
    readonly nextSplit: NextSplit | null
    readonly inAYear: { readonly gb: number; readonly partitions: number } | null
  }
  /** Least rate, or autoscale maximum, that this data allows; null if it is unknown. */
  readonly leastRuPerSecond: number | null
  readonly throughput: NeededThroughput | null
  /** Reason why the throughput is unknown, or none is possible. */
  readonly reason: string | null
  readonly steps: readonly string[]
  readonly prices: MonthlyPrices
  readonly crossovers: Crossovers
}

const HOURS_OF_SPLITS = 6

/** Computes a raise and its path; null if the question does not ask for one. */
export function computeRaise({
  container,
  toRuPerSecond,
  workload,
  mode,
  account
}: CapacityQuestion): RaiseReport | null {
  if (container === undefined || toRuPerSecond === undefined) return null
  const raise = planRaise(container, toRuPerSecond, { mode, gb: gbOf(workload) })
  const price = (ru: number): number => (mode === 'manual' ? manualPrice(ru, account) : autoscalePrice(ru, {}, account))
  const splitting = raise.path.find(({ splits }) => splits)
  return {
    ...raise,
    steps: describeSteps(raise.path, mode),
    prices: {
      before: price(raise.before.ruPerSecond),
      direct: price(raise.direct.ruPerSecond),
      better: price(raise.better.ruPerSecond)
    },
    priceOfSplits:
      splitting === undefined ? null : (price(splitting.ruPerSecond) / LIST_PRICES.hoursPerMonth) * HOURS_OF_SPLITS,
    currency: LIST_PRICES.currency
  }
}

/** Computes the need of data and load; null if the question does not ask for it. */
export function computeNeed(question: CapacityQuestion): NeedReport | null {
  const { workload, mode, account } = question
  if (workload === undefined) return null
  const load = loadOf(workload)
  const forecast = storageOf(workload)
  const manual = throughputOf(question, load, forecast, 'manual')
  const autoscale = throughputOf(question, load, forecast, 'autoscale')
  const { needed: throughput, reason } = mode === 'manual' ? manual : autoscale
  return {
    load,
    storage: withPartitions(forecast, workload, question.partitions ?? throughput?.partitions),
    leastRuPerSecond: forecast.gb === null ? null : leastRuPerSecond(mode, { gb: forecast.gb }),
    throughput,
    reason,
    steps: throughput === null ? [] : describeSteps(throughput.path, mode),
    prices: monthlyPrices({
      manualRuPerSecond: manual.needed?.ruPerSecond ?? null,
      autoscaleMaxRuPerSecond: autoscale.needed?.ruPerSecond ?? null,
      peakRuPerSecond: load?.ruPerSecond ?? null,
      gb: forecast.gb,
      meanUtilization: workload.meanUtilization,
      ...account
    }),
    crossovers: crossovers(account)
  }
}

function throughputOf(
  { workload, container, account }: CapacityQuestion,
  load: NeedReport['load'],
  { gb }: StorageForecast,
  mode: ThroughputMode
): ThroughputAnswer {
  if (load === null) return { needed: null, reason: 'the load is unknown: give it with --writes' }
  return neededThroughput({
    busiestShareOf: even,
    loadRuPerSecond: load.ruPerSecond,
    gb,
    mode,
    present: container,
    meanUtilization: workload?.meanUtilization,
    ...account
  })
}

function even(ranges: number): number {
  return 1 / ranges
}

function loadOf({ writes, itemBytes }: Workload): NeedReport['load'] {
  if (writes === undefined || itemBytes === undefined) return null
  const ruPerWrite = writeCharge({ ...writes, itemBytes, indexedValues: writes.indexedValues ?? 0 })
  return { writesPerSecond: writes.perSecond, ruPerWrite, ruPerSecond: writes.perSecond * ruPerWrite }
}

// the data that comes in follows the mean of the writes, not their peak
function storageOf(workload: Workload): StorageForecast {
  const { writes, itemBytes, growthBytesPerDay, ttlSeconds, meanUtilization = 1 } = workload
  const createsPerSecond = writes === undefined ? undefined : writes.perSecond * meanUtilization
  return forecastStorage({ gb: gbOf(workload), growthBytesPerDay, createsPerSecond, itemBytes, ttlSeconds })
}

function withPartitions(
  forecast: StorageForecast,
  workload: Workload,
  partitions: number | undefined
): NeedReport['storage'] {
  const today = gbOf(workload)
  const growth = forecast.growthBytesPerDay ?? 0
  const isKnown = forecast.kind === 'growing' && today !== undefined
  const later = (today ?? 0) + (growth * 365) / 1e9
  return {
    ...forecast,
    partitions: forecast.gb === null ? null : partitionsForStorage(forecast.gb),
    nextSplit: isKnown && partitions !== undefined ? nextSplit(partitions, today, growth) : null,
    inAYear: isKnown ? { gb: later, partitions: partitionsForStorage(later).planned } : null
  }
}
