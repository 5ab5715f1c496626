import type { Candidate } from '../candidates/candidate.ts'
import { distinctKeys } from '../model/distinct-keys.ts'
import type { Figure, Interval, SampleBasis } from '../model/interval.ts'
import { largestKeyShare, shareOf } from '../model/largest-key.ts'
import { tornTransactions } from '../model/sample-quality.ts'
import { effectiveKeys, worstMinute } from '../model/time-windows.ts'
import { loadByRange } from '../model/range-load.ts'
import { usableShare } from '../model/usable-share.ts'
import type { CandidateReport } from '../report/plan-report.ts'
import { roundedShares } from '../report/rounded.ts'
import type { KeyProfile } from '../sample/key-profile.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import { type NeededThroughput, neededThroughput, type ThroughputAnswer } from '../service/needed-throughput.ts'
import { LIST_PRICES, type PriceList } from '../service/price-list.ts'
import { daysUntil, partitionsForStorage, type StorageForecast } from '../service/storage.ts'
import { formatCount, formatPercent } from '../workload/quantity-text.ts'
import type { Workload } from '../workload/workload.ts'
import { busiestShares } from './busiest-shares.ts'
import { type Demand, demandOf, type DocumentShape } from './demand.ts'
import { pricesAt, type RatePrices } from './prices-at.ts'
import { reasonsOf } from './reasons.ts'

/** Everything that the figures of one candidate rest on. */
export interface EvaluationInput {
  readonly sample: SampleProfile
  readonly basis: SampleBasis
  readonly workload: Workload
  readonly shape: DocumentShape
  readonly storage: StorageForecast
  readonly prices?: PriceList | undefined
  /** Milliseconds since 1970, for the date on which a key is full. */
  readonly nowMs: number
  /** Makes a seeded source of random numbers; equal calls give equal numbers. */
  readonly random: () => () => number
  /** Values of keys may be shown. */
  readonly showValues: boolean
}

/** A candidate with its figures, before candidates are compared. */
export interface Evaluated {
  readonly candidate: Candidate
  readonly report: CandidateReport
  readonly needed: NeededThroughput | null
  readonly demand: Demand
}

/** Computes the figures of one candidate. */
export function evaluateCandidate(candidate: Candidate, number: number, input: EvaluationInput): Evaluated {
  const { sample, basis, workload, storage } = input
  const profile = sample.keys[number] as KeyProfile
  const demand = demandOf(workload, candidate, input.shape)
  const largest = largestKeyShare(profile, basis)
  const isKnown = isLoadKnown(workload)
  const answer = isKnown ? throughputOf(profile, demand, largest, input) : LOAD_UNKNOWN
  const partitions = answer.needed?.partitions ?? null
  const unknown: Record<string, string> = {}
  const figure = <T>(name: string, found: Figure<T>): T | null => {
    if (found.reason !== null) unknown[name] = found.reason
    return found.value
  }
  if (answer.reason !== null) unknown['neededRuPerSecond'] = answer.reason
  const ranges = partitions ?? EXAMPLE_RANGES
  const window = { ...basis, candidate: number, ranges, random: input.random() }
  const minute = figure('worstMinute', worstMinute(sample.reservoir, window))
  const torn =
    workload.transactions.length === 0 ? null : figure('tornTransactions', tornTransactions(sample, number, basis))
  const share = figure('largestKey', largest)
  const priced = answer.needed === null ? null : priceOf(answer.needed, demand, profile, input)
  const hardLimits = hardLimitsOf(candidate, share, torn, answer, input)
  const report: CandidateReport = {
    rank: 0,
    name: candidate.name,
    plan: candidate.plan,
    partitionKeyPaths: candidate.partitionKeyPaths,
    usableShare: figure('usableShare', usableShare(profile, { ...basis, ranges, random: input.random() })),
    worstMinute: minute && {
      at: minute.at,
      usableShare: minute.usableShare,
      neededRuPerSecond: isKnown
        ? Math.ceil((demand.keyedRuPerSecond * minute.relativeLoad) / minute.usableShare)
        : null
    },
    effectiveKeys: {
      second: figure('effectiveKeys/second', effectiveKeys(sample.reservoir, { ...window, seconds: 1 })),
      minute: figure('effectiveKeys/minute', effectiveKeys(sample.reservoir, { ...window, seconds: 60 })),
      hour: figure('effectiveKeys/hour', effectiveKeys(sample.reservoir, { ...window, seconds: 3600 }))
    },
    distinctKeys: distinctKeys(profile, basis),
    neededRuPerSecond: answer.needed?.ruPerSecond ?? null,
    physicalPartitions: partitions,
    monthlyPrice: priced?.monthlyPrice ?? null,
    price: priced?.price ?? null,
    largestKey: share && { share, gb: gbOf(share.mid, storage), fullOn: fullOn(share.mid, storage, input.nowMs) },
    loadByRange: roundedShares(loadByRange(profile, ranges)),
    heavy: heavyKeys(profile, input),
    queries: demand.queriesAt(ranges),
    tornTransactions: torn,
    hardLimits,
    warnings: warningsOf(profile, candidate),
    whyNot: null,
    readers: readersOf(candidate),
    unknown
  }
  const reasons = reasonsOf(report, { throughput: answer.reason, prices: priced?.unknown ?? {}, storage })
  return { candidate, report: { ...report, unknown: { ...reasons, ...unknown } }, needed: answer.needed, demand }
}

/** Physical partitions for which shares are shown if the load is unknown. */
export const EXAMPLE_RANGES = 10

const LOAD_UNKNOWN: ThroughputAnswer = { needed: null, reason: 'no writes, point reads or queries were given' }

/** Whether the workload says how much load there is. */
export function isLoadKnown({ writes, queries, pointReadsPerSecond }: Workload): boolean {
  return writes !== undefined || queries.length > 0 || pointReadsPerSecond !== undefined
}

const HEAVY_KEYS = 20

function throughputOf(
  profile: KeyProfile,
  demand: Demand,
  largest: Figure<Interval>,
  { basis, workload, storage, prices, random }: EvaluationInput
): ThroughputAnswer {
  const shares = busiestShares(profile, basis, partitionsForStorage(storage.gb ?? 0).planned, random)
  return neededThroughput({
    busiestShareOf: shares,
    loadRuPerSecond: demand.keyedRuPerSecond,
    everyRangeRuPerSecond: demand.everyRangeRuPerSecond,
    gb: storage.gb,
    busiestKeyRuPerSecond: (largest.value?.mid ?? 0) * demand.keyedRuPerSecond,
    regions: workload.regions,
    multiRegionWrites: workload.multiRegionWrites,
    meanUtilization: workload.meanUtilization,
    prices
  })
}

function priceOf(
  needed: NeededThroughput,
  demand: Demand,
  profile: KeyProfile,
  { basis, workload, storage, prices = LIST_PRICES, random }: EvaluationInput
): RatePrices {
  const { partitions, ruPerSecond, busiestRangeRuPerSecond } = needed
  return pricesAt(
    {
      partitions,
      ruPerSecond,
      busiestRangeRuPerSecond,
      loadRuPerSecond: demand.keyedRuPerSecond,
      everyRangeRuPerSecond: demand.everyRangeRuPerSecond(partitions),
      busiestShareOf: busiestShares(profile, basis, partitionsForStorage(storage.gb ?? 0).planned, random),
      gb: storage.gb,
      meanUtilization: workload.meanUtilization,
      regions: workload.regions,
      multiRegionWrites: workload.multiRegionWrites
    },
    prices
  )
}

function gbOf(share: number, { gb }: StorageForecast): number | null {
  return gb === null ? null : share * gb
}

function fullOn(share: number, { gb, growthBytesPerDay, kind }: StorageForecast, nowMs: number): string | null {
  if (gb === null || growthBytesPerDay === null || kind !== 'growing') return null
  const days = daysUntil(MAX_LOGICAL_PARTITION_GB, share * gb, share * growthBytesPerDay)
  if (days === null || days > 36_500) return null
  return new Date(nowMs + days * 86_400_000).toISOString().slice(0, 10)
}

function heavyKeys(profile: KeyProfile, { basis, storage, showValues }: EvaluationInput): CandidateReport['heavy'] {
  return profile.heavy.slice(0, HEAVY_KEYS).map(({ hash, values, records }) => {
    const share = shareOf(records, profile.records, basis.population)
    const shown = showValues && values !== null ? { value: values.join(' / ') } : {}
    return { hash, ...shown, share, gb: gbOf(share.mid, storage) }
  })
}

/** Limits of the service that the candidate breaks: no price makes up for one of them. */
function hardLimitsOf(
  { levels, partitionKeyPaths }: Candidate,
  share: Interval | null,
  torn: number | null,
  answer: ThroughputAnswer,
  { storage, workload }: EvaluationInput
): readonly string[] {
  const found: string[] = []
  const gb = share === null ? null : gbOf(share.mid, storage)
  const endsWithId = partitionKeyPaths.at(-1) === '/id'
  if (gb !== null && gb >= MAX_LOGICAL_PARTITION_GB && !endsWithId) {
    found.push(
      `The largest key would hold ${formatCount(gb)} GB; a logical partition holds ${MAX_LOGICAL_PARTITION_GB} GB.`
    )
  }
  if (answer.reason !== null && answer !== LOAD_UNKNOWN) found.push(`No throughput carries the load: ${answer.reason}.`)
  const changing = levels
    .flatMap(({ parts }) => parts.map(({ field }) => field))
    .filter((field) => workload.changingFields.includes(field))
  for (const field of changing) found.push(`${field} changes during the life of a document, and a key never can.`)
  if (torn !== null && torn > 0)
    found.push(`${formatPercent(torn)} of the transactions would have records of different keys.`)
  return found
}

function warningsOf(profile: KeyProfile, { kind }: Candidate): readonly string[] {
  const found: string[] = []
  if (profile.rejected > 0) {
    const share = formatPercent(profile.rejected / (profile.rejected + profile.records))
    found.push(`${share} of the records get no key: a field is missing, empty or of another type.`)
  }
  if (profile.missing > 0) {
    found.push(
      `${formatPercent(profile.missing / profile.records)} of the records have no value there and would share one key.`
    )
  }
  if (kind === 'id')
    found.push('Ids must be unique in the whole container, and no transaction can have several documents.')
  return found
}

function readersOf({ levels, kind }: Candidate): string {
  if (kind === 'id') return 'A point read needs the id only; every other query asks all physical partitions.'
  const fields = levels.flatMap(({ parts }) => parts.map(({ field }) => field))
  const suffix = levels.find((level) => level.suffix !== null)?.suffix ?? null
  const known = `Readers that know ${[...new Set(fields)].join(' and ')}`
  if (suffix === null) return `${known} ask one physical partition.`
  if (suffix.hot.length > 0) {
    return `${known} ask one physical partition for most values, and several for the largest ones, unless they know ${suffix.by} too.`
  }
  return `${known} and ${suffix.by} ask one physical partition; without ${suffix.by} one query goes to each.`
}
