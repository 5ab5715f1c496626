import type { Candidate } from '../candidates/candidate.ts'
import { distinctKeys } from '../model/distinct-keys.ts'
import type { Figure, SampleBasis } from '../model/interval.ts'
import { largestKeyShare, shareOf } from '../model/largest-key.ts'
import { tornTransactions } from '../model/sample-quality.ts'
import { type TimeConcentration, usableInTime } from '../model/time-concentration.ts'
import { effectiveKeys, worstMinute } from '../model/time-windows.ts'
import { loadByRange, roundedShares } from '../model/range-load.ts'
import { usableShare } from '../model/usable-share.ts'
import type { CandidateReport } from '../report/plan-report.ts'
import type { KeyProfile } from '../sample/key-profile.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import type { NeededThroughput } from '../service/needed-throughput.ts'
import type { PriceList } from '../service/price-list.ts'
import type { StorageForecast } from '../service/storage.ts'
import { formatPercent } from '../workload/quantity-text.ts'
import type { Workload } from '../workload/workload.ts'
import type { BusiestShares } from './busiest-shares.ts'
import { type Demand, demandOf, type DocumentShape } from './demand.ts'
import { costOfKey, type KeyCost } from './key-cost.ts'
import { labelWarning } from './label-warning.ts'
import { reasonsOf } from './reasons.ts'
import { hardLimitsOf } from './hard-limits.ts'
import { type KeySizes, keySizes } from './key-sizes.ts'

/** Inputs of the figures of one candidate. */
export interface EvaluationInput {
  readonly sample: SampleProfile
  readonly basis: SampleBasis
  readonly workload: Workload
  readonly shape: DocumentShape
  readonly storage: StorageForecast
  readonly prices?: PriceList | undefined
  /** Milliseconds since 1970, for the date on which a key is full. */
  readonly nowMs: number
  readonly shares: BusiestShares
  /** Makes a seeded source of random numbers; equal calls give equal numbers. */
  readonly random: () => () => number
  /** Whether the report contains the values of keys, and not only their hashes. */
  readonly showValues: boolean
}

/** A candidate with its figures, before candidates are compared. */
export interface Evaluated {
  readonly candidate: Candidate
  /** Number of the candidate in the sample. */
  readonly number: number
  /** Work for the users of the key. If two keys cost nearly the same, the one with less work wins. */
  readonly effort: number
  readonly report: CandidateReport
  readonly needed: NeededThroughput | null
  readonly demand: Demand
  readonly concentration: TimeConcentration
}

/** Computes the figures of one candidate. */
export function evaluateCandidate(candidate: Candidate, number: number, input: EvaluationInput): Evaluated {
  const { sample, basis, workload, storage } = input
  const profile = sample.keys[number] as KeyProfile
  const demand = demandOf(workload, candidate, input.shape)
  const concentration = input.shares.concentration(number)
  const largest = largestKeyShare(profile, basis)
  const isKnown = isLoadKnown(workload)
  const present = candidate.kind === 'present' ? workload.presentContainer : undefined
  const { answer, priced } = isKnown ? costOfKey(number, demand, { ...input, gb: storage.gb, present }) : NO_LOAD
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
  const sizes = keySizes(candidate, concentration(ranges) > 0, sample.reservoir, storage)
  const hardLimits = hardLimitsOf(candidate, workload, {
    largestKeyGb: share === null ? null : sizes.gbOf(share.mid),
    tornTransactions: torn,
    noThroughput: answer === NO_LOAD.answer ? null : answer.reason
  })
  const usable = figure('usableShare', usableShare(profile, { ...basis, ranges, random: input.random() }))
  const report: CandidateReport = {
    rank: 0,
    name: candidate.name,
    plan: candidate.plan,
    partitionKeyPaths: candidate.partitionKeyPaths,
    usableShare: usableInTime(usable, concentration(ranges), ranges),
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
    indexContainers: [],
    largestKey: share && { share, gb: sizes.gbOf(share.mid), fullOn: sizes.fullOn(share.mid, input.nowMs) },
    loadByRange: roundedShares(loadByRange(profile, ranges)),
    heavy: heavyKeys(profile, sizes, input),
    queries: demand.queriesAt(ranges),
    tornTransactions: torn,
    hardLimits,
    warnings: [
      ...warningsOf(profile, candidate),
      ...concentrationWarning(concentration(ranges)),
      // keys that depend on the time have other base keys at another time
      ...(concentration(ranges) > 0
        ? []
        : labelWarning(candidate, profile, usable, { ...basis, ranges, random: input.random() }))
    ],
    whyNot: null,
    readers: readersOf(candidate),
    unknown
  }
  const reasons = reasonsOf(report, { throughput: answer.reason, prices: priced?.unknown ?? {}, storage })
  return {
    candidate,
    number,
    effort: candidate.effort,
    report: { ...report, unknown: { ...reasons, ...unknown } },
    needed: answer.needed,
    demand,
    concentration
  }
}

/** Number of physical partitions for the shares in the report if the load is unknown. */
export const EXAMPLE_RANGES = 10

const NO_LOAD: KeyCost = {
  answer: { needed: null, reason: 'no writes, point reads or queries were given' },
  priced: null
}

/** Whether the workload says how much load there is. */
export function isLoadKnown({ writes, queries, pointReadsPerSecond }: Workload): boolean {
  return writes !== undefined || queries.length > 0 || pointReadsPerSecond !== undefined
}

const HEAVY_KEYS = 20

function heavyKeys(
  profile: KeyProfile,
  { gbOf }: KeySizes,
  { basis, showValues }: EvaluationInput
): CandidateReport['heavy'] {
  return profile.heavy.slice(0, HEAVY_KEYS).map(({ hash, values, records }) => {
    const share = shareOf(records, profile.records, basis.population)
    const shown = showValues && values !== null ? { value: values.join(' / ') } : {}
    return { hash, ...shown, share, gb: gbOf(share.mid) }
  })
}

function warningsOf(profile: KeyProfile, { kind }: Candidate): readonly string[] {
  const found: string[] = []
  if (profile.rejected > 0) {
    const share = formatPercent(profile.rejected / (profile.rejected + profile.records))
    found.push(`${share} of the records get no key: a field is missing, empty or of another type.`)
  }
  if (profile.missing > 0) {
    found.push(
      `${formatPercent(profile.missing / profile.records)} of the records have no value for the key: all of them would be in one logical partition.`
    )
  }
  if (kind === 'id')
    found.push('Ids must be unique in the whole container, and a transaction can contain only one document.')
  return found
}

function concentrationWarning(concentration: number): readonly string[] {
  if (concentration === 0) return []
  return [
    `The keys depend on the time: at any moment, the share of the busiest physical partition is ${pointsText(concentration)} higher than over the whole sample.`
  ]
}

function pointsText(share: number): string {
  const points = Number((share * 100).toPrecision(2))
  return `${points} percentage point${points === 1 ? '' : 's'}`
}

function readersOf({ levels, kind }: Candidate): string {
  if (kind === 'id') return 'A point read needs only the id; every other query goes to all physical partitions.'
  const fields = levels.flatMap(({ parts }) => parts.map(({ field }) => field))
  const suffix = levels.find((level) => level.suffix !== null)?.suffix ?? null
  const known = [...new Set(fields)].join(' and ')
  if (suffix === null) return `A query with ${known} goes to one physical partition.`
  if (suffix.hot.length > 0) {
    return `A query with ${known} goes to one physical partition, but for the largest values to several, unless it also contains ${suffix.by}.`
  }
  return `A query with ${known} and ${suffix.by} goes to one physical partition; without ${suffix.by}, it goes to each physical partition that has one of the suffixes.`
}
