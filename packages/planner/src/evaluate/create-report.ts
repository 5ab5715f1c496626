import type { Candidate } from '../candidates/candidate.ts'
import type { SampleBasis } from '../model/interval.ts'
import { halvesDiffer } from '../model/sample-quality.ts'
import { timeHeat } from '../model/time-windows.ts'
import type { HeatMap, PartitionsNeeded, PlanReport, RetentionRow } from '../report/plan-report.ts'
import { roundedShares } from '../model/range-load.ts'
import { createRandom } from '../sample/random.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import type { PriceList } from '../service/price-list.ts'
import type { StorageForecast } from '../service/storage.ts'
import { formatBytes, formatCount, formatDuration, formatMany, formatRate } from '../workload/quantity-text.ts'
import type { Workload } from '../workload/workload.ts'
import { BusiestShares } from './busiest-shares.ts'
import { EXAMPLE_RANGES, type Evaluated, evaluateCandidate, type EvaluationInput } from './candidate-report.ts'
import type { DocumentShape } from './demand.ts'
import { comparedKey, exploreOf } from './explore-keys.ts'
import { storageOf } from './expected-size.ts'
import { hygieneOf } from './hygiene.ts'
import { addIndexContainers } from './index-container.ts'
import { reasonsOfReport } from './reasons.ts'
import { recipeOf } from './recipe.ts'
import { judge } from './verdict.ts'

/** Inputs of a report. */
export interface ReportInput {
  /** Candidates in the order in which the sample counted them. */
  readonly candidates: readonly Candidate[]
  readonly dropped: PlanReport['dropped']
  readonly sample: SampleProfile
  readonly basis: SampleBasis
  readonly workload: Workload
  /** Time field that was found in the sample, because the workload names none. */
  readonly foundTimeField?: string | undefined
  /** Indexed values of a document of the sample. */
  readonly indexedValues: number
  /** Fields of the workload that the sample does not have. */
  readonly absent?: PlanReport['assumptions'] | undefined
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly prices?: PriceList | undefined
  readonly showValues?: boolean | undefined
}

/** Computes the figures of all candidates, compares them, and decides the verdict. */
export function createReport(input: ReportInput): PlanReport {
  const { sample, basis, workload, seed } = input
  const shape = shapeOf(input)
  const shares = new BusiestShares(sample, basis, () => createRandom(seed))
  const evaluate = (storage: StorageForecast): readonly Evaluated[] => evaluateAll(input, shares, shape, storage)
  const storage = storageOf(workload, shape, workload.ttlSeconds)
  const { verdict, ranked } = judge(evaluate(storage), workload)
  const best = verdict.kind === 'unknown' ? undefined : ranked[0]
  // also without a verdict: the first candidate shows why there is none
  const shown = ranked.at(0)
  const compared = shown === undefined ? null : comparedKey(shown, ranked)
  const ranges = shown?.report.physicalPartitions ?? null
  const report = {
    schemaVersion: 1 as const,
    sample: {
      records: sample.records,
      bytes: sample.bytes,
      population: basis.population,
      method: basis.method,
      seed,
      halvesDiffer: halvesDiffer(sample)
    },
    verdict,
    partitions: best === undefined ? null : partitionsOf(best, storage),
    candidates: ranked.map((each) => each.report),
    retention: workload.ttlSeconds === undefined ? retentionOf(workload, shape, evaluate) : [],
    heat: shown === undefined ? null : heatOf(shown, ranges, input),
    comparison: compared && {
      candidate: compared.key.report.name,
      why: compared.why,
      heat: heatOf(compared.key, ranges, input)
    },
    explore:
      shown === undefined
        ? null
        : exploreOf(
            [shown, ...(compared === null ? [] : [compared.key])],
            ({ candidate }) => input.candidates.indexOf(candidate),
            evaluationOf(input, shares, shape, storage)
          ),
    recipe: best === undefined ? null : recipeOf(best, workload),
    // a measurement needs an emulator, and comes afterwards
    measured: null,
    hygiene: hygieneOf(sample.fields, input.candidates),
    basis: basisOf(input),
    exact: exactOf(input),
    dropped: input.dropped,
    assumptions: [...(input.absent ?? []), ...notesOf(workload), ...assumptionsOf(workload, basis)],
    workload: describeWorkload(workload, shape)
  }
  return {
    ...report,
    unknown: reasonsOfReport(report, { ...workload, timeField: workload.timeField ?? input.foundTimeField })
  }
}

function evaluateAll(
  input: ReportInput,
  shares: BusiestShares,
  shape: DocumentShape,
  storage: StorageForecast
): readonly Evaluated[] {
  const { candidates, sample } = input
  const evaluation = evaluationOf(input, shares, shape, storage)
  const evaluated = candidates.flatMap((candidate, number) =>
    candidate.kind === 'lookup' || sample.keys[number] === null || sample.keys[number].records === 0
      ? []
      : [evaluateCandidate(candidate, number, evaluation)]
  )
  return [...evaluated, ...addIndexContainers(evaluated, candidates, evaluation)]
}

function evaluationOf(
  input: ReportInput,
  shares: BusiestShares,
  shape: DocumentShape,
  storage: StorageForecast
): EvaluationInput {
  const { sample, basis, workload, nowMs, prices, seed, showValues = false } = input
  const random = (): (() => number) => createRandom(seed)
  return { sample, basis, workload, shape, storage, prices, nowMs, shares, random, showValues }
}

function shapeOf({ workload, sample, indexedValues }: ReportInput): DocumentShape {
  return { itemBytes: workload.itemBytes ?? Math.max(1, sample.bytes / Math.max(1, sample.records)), indexedValues }
}

function partitionsOf({ report, needed }: Evaluated, { gb }: StorageForecast): PartitionsNeeded | null {
  if (needed === null) return null
  const { decidedBy } = needed
  return {
    count: needed.partitions,
    decidedBy: decidedBy === 'present' ? 'throughput' : decidedBy,
    gb,
    ruPerSecond: report.neededRuPerSecond
  }
}

const RETENTION_DAYS = [1, 7, 30, 365] as const

function retentionOf(
  workload: Workload,
  shape: DocumentShape,
  evaluate: (storage: StorageForecast) => readonly Evaluated[]
): readonly RetentionRow[] {
  if (workload.writes === undefined) return []
  return RETENTION_DAYS.map((days) => {
    const storage = storageOf(workload, shape, days * 86_400)
    const { verdict, ranked } = judge(evaluate(storage), { ...workload, ttlSeconds: days * 86_400 })
    const best = verdict.candidate === null ? undefined : ranked[0].report
    return {
      days,
      partitions: best?.physicalPartitions ?? null,
      gb: storage.gb,
      monthlyPrice: best?.monthlyPrice ?? null,
      candidate: verdict.candidate
    }
  })
}

/** Load of a key by time and range, for as many ranges as the verdict has. */
function heatOf(
  { candidate, report }: Evaluated,
  partitions: number | null,
  { candidates, sample, basis, seed }: ReportInput
): HeatMap | null {
  const number = candidates.indexOf(candidate)
  const ranges = partitions ?? EXAMPLE_RANGES
  const heat = timeHeat(sample.reservoir, { ...basis, candidate: number, ranges, random: createRandom(seed) })
  if (heat.value === null) return null
  return { candidate: report.name, ...heat.value, values: heat.value.values.map(roundedShares) }
}

/** Text after the number of records: how the sample was taken. */
const TAKEN: Readonly<Record<SampleBasis['method'], string>> = {
  whole: '',
  uniform: ', read at random positions, each record with the same probability',
  reservoir: ', chosen at random from all records, each with the same probability',
  head: ' (the beginning of the data)',
  described: ''
}

function basisOf({ sample, basis, workload, foundTimeField }: ReportInput): PlanReport['basis'] {
  const records = `${formatMany(sample.records, 'record')} of the sample`
  return {
    keys: basis.method === 'described' ? 'the described fields' : `${records}${TAKEN[basis.method]}`,
    usableShare: `${records}, and the partition hash of Cosmos DB`,
    time: timeBasis(workload.timeField, foundTimeField),
    throughput:
      workload.writes === undefined
        ? 'unknown, because no writes were given'
        : 'the workload, and the charges in the documentation of Cosmos DB',
    queries:
      workload.queries.length === 0
        ? 'unknown, because no queries were given'
        : 'the workload, and the assumption that readers read a key as often as it occurs in the records',
    price: 'list prices of Cosmos DB, for the regions of the workload'
  }
}

function timeBasis(given: string | undefined, found: string | undefined): string {
  if (given !== undefined) return `${given}, a field of the records`
  return found === undefined
    ? 'unknown, because no time field was given (--time)'
    : `${found}, which was found in the records, because --time was not given`
}

function exactOf({ sample, basis }: ReportInput): PlanReport['exact'] {
  const isWhole = basis.method === 'whole' && (basis.population === null || basis.population <= sample.records)
  const counted = sample.keys.every((profile) => profile === null || profile.isExact)
  return {
    records: true,
    keys: isWhole && counted,
    loadByRange: isWhole,
    time: isWhole && sample.reservoir.size === sample.records
  }
}

/** Returns the notes on queries, for example on clauses that are not used. */
function notesOf({ queries }: Workload): PlanReport['assumptions'] {
  return queries.flatMap(({ name, notes = [] }) =>
    notes.map((note) => ({
      what: `Query ${name}: ${note}.`,
      couldChange: 'the number of physical partitions to which the query goes, and its price'
    }))
  )
}

/** Returns the inputs that were not given, the most important first. */
function assumptionsOf(workload: Workload, { population }: SampleBasis): PlanReport['assumptions'] {
  const { ttlSeconds, writes, queries, items, totalBytes, growthBytesPerDay, transactions, changingFields } = workload
  const all: readonly (readonly [boolean, string, string])[] = [
    [
      ttlSeconds === undefined,
      'The time to live (--ttl) was not given: documents are kept forever.',
      'the number of physical partitions and the price, more than anything else'
    ],
    [
      writes === undefined,
      'No writes were given (--writes): the load is unknown.',
      'the throughput, the physical partitions and the price'
    ],
    [
      items === undefined && totalBytes === undefined,
      'The amount of data was not given (--items or --total).',
      'the physical partitions, and the day on which a logical partition reaches 20 GB'
    ],
    [
      queries.length === 0,
      'No queries were given (--query).',
      'the price: a query without the key goes to all physical partitions'
    ],
    [
      transactions.length === 0,
      'No transactions were given (--transaction).',
      'which keys are possible: a transaction can contain only one key'
    ],
    [
      changingFields.length === 0,
      'No changing fields were given (--changes): all fields count as immutable.',
      'which keys are possible: the value of a partition key cannot change'
    ],
    [
      growthBytesPerDay === undefined && writes === undefined,
      'The growth of the data was not given (--growth).',
      'the day on which a logical partition reaches 20 GB'
    ],
    [
      population === null,
      'The number of documents is unknown (--items).',
      'the number of keys, and how evenly they spread'
    ]
  ]
  return all.flatMap(([isMissing, what, couldChange]) => (isMissing ? [{ what, couldChange }] : []))
}

function describeWorkload(workload: Workload, shape: DocumentShape): PlanReport['workload'] {
  const { writes, items, totalBytes, ttlSeconds, growthBytesPerDay, pointReadsPerSecond, regions, consistency } =
    workload
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['writes', writes && `${formatRate(writes.perSecond)} (${writes.operation})`],
    ['point reads', pointReadsPerSecond === undefined ? undefined : formatRate(pointReadsPerSecond)],
    ['document size', formatBytes(shape.itemBytes)],
    ['documents', items === undefined ? undefined : formatCount(items)],
    ['data', totalBytes === undefined ? undefined : formatBytes(totalBytes)],
    ['growth', growthBytesPerDay === undefined ? undefined : `${formatBytes(growthBytesPerDay)}/day`],
    ['TTL', ttlSeconds === undefined ? undefined : ttlSeconds === 'never' ? 'none' : formatDuration(ttlSeconds)],
    ['regions', regions === 1 ? undefined : formatCount(regions)],
    ['consistency', consistency === 'session' ? undefined : consistency],
    ...workload.queries.map((query) => ['query', query.name] as const)
  ]
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}
