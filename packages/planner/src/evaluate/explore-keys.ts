import { loadByRange, roundedShares } from '../model/range-load.ts'
import { usableInTime } from '../model/time-concentration.ts'
import { busiestShare, usableShare } from '../model/usable-share.ts'
import type { Comparison, Explore, ExploredKey } from '../report/plan-report.ts'
import type { KeyProfile } from '../sample/key-profile.ts'
import { MAX_PLANNED_PARTITIONS } from '../service/limits.ts'
import { LIST_PRICES } from '../service/price-list.ts'
import { partitionsForStorage } from '../service/storage.ts'
import { EXAMPLE_RANGES, type Evaluated, type EvaluationInput, isLoadKnown } from './candidate-report.ts'

/** Key that the page shows next to the first candidate, and the reason for this choice. */
export interface ComparedKey {
  readonly key: Evaluated
  readonly why: Comparison['why']
}

/** Finds the key to compare with: the present key, or the least even of the fields that most queries filter by. */
export function comparedKey(best: Evaluated, ranked: readonly Evaluated[]): ComparedKey | null {
  const others = ranked.filter((each) => each !== best)
  const present = others.find(({ candidate }) => candidate.kind === 'present')
  if (present !== undefined) return { key: present, why: 'present' }
  const plain = others.filter(({ report, candidate }) => report.plan === null && candidate.kind !== 'id')
  const [worst] = (plain.length > 0 ? plain : others).toSorted(
    (one, other) => keyedQueries(other) - keyedQueries(one) || shareOf(one) - shareOf(other)
  )
  return worst === undefined ? null : { key: worst, why: 'worst' }
}

function keyedQueries({ report }: Evaluated): number {
  return report.queries.filter(({ kind }) => kind === 'point' || kind === 'key').length
}

function shareOf({ report }: Evaluated): number {
  return report.usableShare?.mid ?? 1
}

/** Computes the figures of some keys for all numbers of partitions that the page offers. */
export function exploreOf(
  keys: readonly Evaluated[],
  numberOf: (key: Evaluated) => number,
  input: EvaluationInput
): Explore {
  const { storage, workload, prices = LIST_PRICES } = input
  const { regions, multiRegionWrites, meanUtilization = null } = workload
  const counts = offeredPartitions(keys, partitionsForStorage(storage.gb ?? 0).planned)
  return {
    gb: storage.gb,
    regions,
    multiRegionWrites,
    meanUtilization,
    prices,
    candidates: keys.map((key) => exploredKey(key, numberOf(key), counts, input))
  }
}

const OFFERED: readonly number[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 50, 64, 80, 100, 128, 200, 256, 400, 512, 1000
]
const ALWAYS_OFFERED = 64

function offeredPartitions(keys: readonly Evaluated[], planned: number): readonly number[] {
  const own = keys.map(({ report }) => report.physicalPartitions ?? EXAMPLE_RANGES)
  const most = Math.max(ALWAYS_OFFERED, ...own.map((count) => count * 4))
  const all = [...OFFERED.filter((count) => count <= most), ...own, planned]
  return [...new Set(all)].filter((count) => count <= MAX_PLANNED_PARTITIONS).toSorted((one, other) => one - other)
}

function exploredKey(
  { report, demand, concentration }: Evaluated,
  number: number,
  counts: readonly number[],
  { sample, basis, workload, random }: EvaluationInput
): ExploredKey {
  const profile = sample.keys[number] as KeyProfile
  return {
    candidate: report.name,
    indexMonthlyPrice: report.indexContainers.reduce((sum, { monthlyPrice }) => sum + monthlyPrice, 0),
    loadRuPerSecond: isLoadKnown(workload) ? demand.keyedRuPerSecond : null,
    at: counts.map((partitions) => {
      const options = { ...basis, ranges: partitions }
      const added = concentration(partitions)
      const usable = usableShare(profile, { ...options, random: random() }).value
      const busiest = busiestShare(profile, { ...options, random: random() }).value
      return {
        partitions,
        usableShare: usableInTime(usable, added, partitions),
        busiestShare: busiest === null ? null : Math.min(1, busiest + added),
        everyRangeRuPerSecond: demand.everyRangeRuPerSecond(partitions),
        loadByRange: roundedShares(loadByRange(profile, partitions))
      }
    })
  }
}
