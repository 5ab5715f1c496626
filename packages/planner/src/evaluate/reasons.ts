import type { CandidateReport, ExploredKey, PlanReport } from '../report/plan-report.ts'
import type { StorageForecast } from '../service/storage.ts'
import type { Workload } from '../workload/workload.ts'

const NO_DATA = 'the amount of data is unknown: give it with --items or --total'
const NO_LOAD = 'no writes, point reads or queries were given'
const NO_POPULATION = 'the number of documents is unknown: give it with --items'
const NO_VERDICT = 'there is no verdict'
const NO_CANDIDATE = 'the sample has no candidate'

interface KnownReasons {
  /** Reason why the throughput is unknown, or none is possible; null if there is one. */
  readonly throughput: string | null
  /** Reasons for the prices that are null, by their name. */
  readonly prices: Readonly<Record<string, string>>
  readonly storage: StorageForecast
}

/** Returns the reasons for the figures of a candidate that are null and have no other reason, by their path. */
export function reasonsOf(report: CandidateReport, known: KnownReasons): Record<string, string> {
  const { price, largestKey, heavy, distinctKeys, worstMinute } = report
  const noRate = known.throughput ?? 'no price is known'
  return onlyNull([
    ['physicalPartitions', report.physicalPartitions, noRate],
    ['neededRuPerSecond', report.neededRuPerSecond, noRate],
    ['monthlyPrice', report.monthlyPrice, noRate],
    ['price', price, noRate],
    ...Object.entries(price ?? {}).map(
      ([way, amount]) => [`price/${way}`, amount, known.prices[way] ?? noRate] as const
    ),
    ['distinctKeys/mid', distinctKeys.mid, NO_POPULATION],
    ['distinctKeys/high', distinctKeys.high, NO_POPULATION],
    ['largestKey/gb', largestKey === null ? 0 : largestKey.gb, NO_DATA],
    ['largestKey/fullOn', largestKey === null ? 0 : largestKey.fullOn, whyNeverFull(known.storage)],
    ['heavy/gb', heavy.every(({ gb }) => gb !== null) ? 0 : null, NO_DATA],
    ['worstMinute/neededRuPerSecond', worstMinute === null ? 0 : worstMinute.neededRuPerSecond, NO_LOAD],
    ['tornTransactions', report.tornTransactions, 'no transactions were given: name their field with --transaction']
  ])
}

function whyNeverFull({ gb, growthBytesPerDay, kind }: StorageForecast): string {
  if (kind === 'steady') return 'documents expire as fast as new ones are written'
  if (gb === null) return NO_DATA
  if (growthBytesPerDay === null) return 'the growth is unknown: give it with --growth or --writes'
  return kind === 'constant'
    ? 'the data does not grow'
    : 'the logical partition does not reach its limit within 100 years'
}

/** Returns the reasons for the figures outside of the candidates that are null, by their path. */
export function reasonsOfReport(
  { sample, verdict, partitions, heat, comparison, explore, recipe, measured, retention }: Omit<PlanReport, 'unknown'>,
  { timeField, ttlSeconds }: Workload
): Record<string, string> {
  const noHeat =
    explore === null
      ? NO_CANDIDATE
      : timeField === undefined
        ? 'no time field is known: name one with --time'
        : 'no record of the sample has a time and the key'
  const explored = explore?.candidates ?? []
  const noRate = partitions === null ? NO_VERDICT : NO_LOAD
  return onlyNull([
    ['sample/population', sample.population, NO_POPULATION],
    ['sample/halvesDiffer', sample.halvesDiffer, 'the sample is too small, or was not compared in two halves'],
    ['verdict/candidate', verdict.candidate, 'no candidate is possible'],
    ['partitions', partitions, NO_VERDICT],
    ['partitions/gb', partitions === null ? 0 : partitions.gb, NO_DATA],
    ['partitions/ruPerSecond', partitions === null ? 0 : partitions.ruPerSecond, NO_LOAD],
    ['heat', heat, noHeat],
    ['comparison', comparison, explore === null ? NO_CANDIDATE : 'there is no other candidate'],
    ['comparison/heat', comparison === null ? 0 : comparison.heat, noHeat],
    ['explore', explore, NO_CANDIDATE],
    ['explore/gb', explore === null ? 0 : explore.gb, NO_DATA],
    [
      'explore/meanUtilization',
      explore === null ? 0 : explore.meanUtilization,
      'the mean load was not given: every hour counts with the peak load'
    ],
    [
      'explore/candidates/loadRuPerSecond',
      explored.every(({ loadRuPerSecond }) => loadRuPerSecond !== null) ? 0 : null,
      NO_LOAD
    ],
    [
      'explore/candidates/at',
      explored.every(isShareKnown) ? 0 : null,
      'the sample is not a random sample, so the shares are unknown'
    ],
    ['recipe', recipe, NO_VERDICT],
    ['measured', measured, 'no measurement was requested: --measure makes one'],
    ['recipe/createRuPerSecond', recipe === null ? 0 : recipe.createRuPerSecond, noRate],
    ['recipe/runRuPerSecond', recipe === null ? 0 : recipe.runRuPerSecond, noRate],
    [
      'retention',
      retention.length > 0 ? 0 : null,
      ttlSeconds === undefined ? 'no writes were given' : 'the workload contains the time to live'
    ],
    ...(['partitions', 'gb', 'monthlyPrice', 'candidate'] as const).map((name): Reason => [
      `retention/${name}`,
      retention.every((row) => row[name] !== null) ? 0 : null,
      name === 'gb' ? NO_DATA : 'no candidate is possible with this time to live'
    ])
  ])
}

function isShareKnown({ at }: ExploredKey): boolean {
  return at.every(({ usableShare, busiestShare }) => usableShare !== null && busiestShare !== null)
}

type Reason = readonly [path: string, figure: unknown, why: string]

function onlyNull(reasons: readonly Reason[]): Record<string, string> {
  return Object.fromEntries(reasons.flatMap(([path, figure, why]) => (figure === null ? [[path, why]] : [])))
}
