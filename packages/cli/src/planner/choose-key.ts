import {
  type Candidate,
  createProfiler,
  createRandom,
  createReport,
  discoverFields,
  expectedSize,
  findDominated,
  findTimeField,
  type PlanReport,
  proposeCandidates,
  refineCandidates,
  type SampleBasis,
  timeConcentration,
  withHotShares,
  type Workload
} from '@keystamp/planner'
import { absentFields } from './absent-fields.ts'
import type { RecordBytes } from './read-sample.ts'

export interface ChooseOptions {
  readonly workload: Workload
  readonly method: SampleBasis['method']
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Candidates of the user. */
  readonly given: readonly Candidate[]
  readonly showValues: boolean
  /** Called after each batch with the number of records and bytes so far. */
  readonly onProgress: (records: number, bytes: number) => void
  /** Called with the number of records that are not JSON objects, if there are any. */
  readonly onInvalid: (records: number) => void
}

/** A report, and its candidates. */
export interface ChosenKey {
  readonly report: PlanReport
  readonly candidates: readonly Candidate[]
}

/** Number of records in which fields and candidates are found. In further records, keys are only counted. */
const FIRST_RECORDS = 20_000
/** At most this number of them are parsed to find the fields; all of them, if these records lack a field of the workload. */
const PARSED_RECORDS = 5000

/** Finds candidates in the first records, counts their keys in all records, and creates the report. */
export async function chooseKey(
  batches: AsyncIterable<readonly RecordBytes[]>,
  options: ChooseOptions
): Promise<ChosenKey> {
  const { workload, seed } = options
  const first: RecordBytes[] = []
  let counting: Counting | undefined
  let [records, bytes] = [0, 0]
  for await (const batch of batches) {
    for (const record of batch) {
      bytes += record.length
      counting?.profiler.add(record)
    }
    records += batch.length
    // the batch reuses its memory
    if (counting === undefined) for (const record of copyRecords(batch)) first.push(record)
    if (first.length >= FIRST_RECORDS) counting ??= begin(first, options)
    options.onProgress(records, bytes)
  }
  counting ??= begin(first, options)
  const sample = counting.profiler.finish()
  if (sample.invalid > 0) options.onInvalid(sample.invalid)
  const { candidates } = counting
  const report = createReport({
    candidates,
    dropped: counting.dropped,
    sample,
    basis: { method: options.method, population: workload.items ?? null },
    workload,
    foundTimeField: counting.foundTimeField,
    indexedValues: counting.indexedValues,
    absent: counting.absent,
    seed,
    nowMs: options.nowMs,
    showValues: options.showValues
  })
  return { report, candidates }
}

/** Copies records into one piece of memory: thousands of small pieces would make the garbage collector run more often. */
function copyRecords(batch: readonly RecordBytes[]): readonly RecordBytes[] {
  const memory = new Uint8Array(batch.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  return batch.map((record) => {
    memory.set(record, end)
    end += record.length
    return memory.subarray(end - record.length, end)
  })
}

/** Finds fields and candidates in the first records, and counts these records. */
function begin(first: readonly RecordBytes[], options: ChooseOptions): Counting {
  const { given } = options
  const parsed = parseSome(first, options.workload)
  const fields = discoverFields(parsed, { keep: namedFields(options.workload) })
  const foundTimeField = options.workload.timeField === undefined ? findTimeField(fields, options.workload) : undefined
  const workload = { ...options.workload, timeField: options.workload.timeField ?? foundTimeField }
  const { candidates: proposed, lookups, dropped } = proposeCandidates(fields, workload)
  const base = [...given, ...proposed]
  const random = (): (() => number) => createRandom(options.seed)
  const profile = (candidates: readonly Candidate[]): Profiler => {
    const { timeField, transactions } = workload
    const profiler = createProfiler({ fields, timeField, transactions, random: random(), candidates })
    for (const record of first) profiler.add(record)
    return profiler
  }
  const counted = profile(base).finish()
  const indexedValues = indexedValuesOf(parsed)
  const itemBytes = workload.itemBytes ?? counted.bytes / Math.max(1, counted.records)
  const { gb, partitions } =
    base.length === 0 ? { gb: null, partitions: 1 } : expectedSize(workload, { itemBytes, indexedValues }, base[0])
  const concentrations = base.map((_, number) => timeConcentration(counted.reservoir, number, random)(partitions))
  const concentrationOf = (number: number): number => concentrations[number]
  const refined = refineCandidates(
    base.flatMap((candidate, number) => {
      const keys = counted.keys[number]
      if (keys === null || given.includes(candidate)) return []
      return [{ candidate, profile: keys, concentration: concentrationOf(number) }]
    }),
    { fields: counted.fields, queries: workload.queries, changingFields: workload.changingFields, partitions, gb }
  )
  const dominated = findDominated({
    candidates: base,
    sample: counted,
    concentrationOf,
    queries: workload.queries,
    partitions
  }).filter(({ candidate }) => !given.includes(candidate))
  const kept = base
    .filter((candidate) => dominated.every((each) => each.candidate !== candidate))
    .map((candidate) => {
      const keys = counted.keys[base.indexOf(candidate)]
      return keys === null ? candidate : withHotShares(candidate, keys)
    })
  const candidates = [...kept, ...refined, ...lookups]
  const absent = absentFields(options.workload, parsed)
  const worse = dominated.map(({ candidate: { name }, why }) => ({ name, why }))
  return {
    candidates,
    dropped: [...dropped, ...worse],
    profiler: profile(candidates),
    indexedValues,
    foundTimeField,
    absent
  }
}

/** Returns the fields that the workload names: they are counted even if other fields are better candidates. */
function namedFields({
  queries,
  timeField,
  transactions,
  changingFields,
  presentKey = []
}: Workload): readonly string[] {
  const asked = queries.flatMap(({ equal, between }) => [...equal, ...between.map(({ field }) => field)])
  return [...asked, ...transactions, ...changingFields, ...presentKey, ...(timeField === undefined ? [] : [timeField])]
}

interface Counting {
  readonly candidates: readonly Candidate[]
  readonly dropped: PlanReport['dropped']
  readonly profiler: Profiler
  readonly indexedValues: number
  /** Found in the sample, because the workload names none. */
  readonly foundTimeField: string | undefined
  readonly absent: PlanReport['assumptions']
}

type Profiler = ReturnType<typeof createProfiler>

/** Parses records at equal distances. */
function parseSome(first: readonly RecordBytes[], workload: Workload): readonly unknown[] {
  const step = Math.ceil(first.length / PARSED_RECORDS)
  const some = first.filter((_record, number) => number % step === 0).flatMap(parseRecord)
  return step === 1 || absentFields(workload, some).length === 0 ? some : first.flatMap(parseRecord)
}

const decoder = new TextDecoder()

function parseRecord(bytes: RecordBytes): readonly unknown[] {
  try {
    return [JSON.parse(decoder.decode(bytes)) as unknown]
  } catch {
    // the profiler counts records that are not valid JSON
    return []
  }
}

/** Mean number of scalar values of a record: Cosmos DB indexes all of them by default. */
function indexedValuesOf(records: readonly unknown[]): number {
  const some = records.slice(0, 1000)
  return some.length === 0 ? 0 : some.reduce((sum: number, record) => sum + countValues(record), 0) / some.length
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, each) => sum + countValues(each), 0)
}
