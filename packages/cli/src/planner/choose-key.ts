import {
  type Candidate,
  createProfiler,
  createRandom,
  createReport,
  discoverFields,
  type FieldSummary,
  type PlanReport,
  proposeCandidates,
  refineCandidates,
  type SampleBasis,
  type SampleProfile,
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
}

/** Records from which fields and candidates are found; all others are counted only. */
const FIRST_RECORDS = 20_000
/** Physical partitions that candidates with suffixes are made for, until the load is known. */
const MIN_PARTITIONS = 10

/** Finds candidates in the first records, counts their keys in all records, and reports what follows. */
export async function chooseKey(
  batches: AsyncIterable<readonly RecordBytes[]>,
  options: ChooseOptions
): Promise<PlanReport> {
  const { workload, seed, given } = options
  const first: RecordBytes[] = []
  let counting: Counting | undefined
  let [records, bytes] = [0, 0]
  for await (const batch of batches) {
    for (const record of batch) {
      records++
      bytes += record.length
      if (counting !== undefined) counting.profiler.add(record)
      // the batch reuses its memory
      else first.push(Uint8Array.from(record))
    }
    if (first.length >= FIRST_RECORDS) counting ??= begin(first, options)
    options.onProgress(records, bytes)
  }
  counting ??= begin(first, options)
  const sample = counting.profiler.finish()
  return createReport({
    candidates: counting.candidates,
    dropped: counting.dropped,
    sample,
    basis: { method: options.method, population: workload.items ?? null },
    workload,
    indexedValues: counting.indexedValues,
    absent: counting.absent,
    seed,
    nowMs: options.nowMs,
    showValues: options.showValues
  })

  function begin(sampled: readonly RecordBytes[], { showValues }: ChooseOptions): Counting {
    void showValues
    const parsed = sampled.flatMap(parseRecord)
    const fields = discoverFields(parsed, { keep: fieldsOf(workload) })
    const { candidates: proposed, dropped } = proposeCandidates(fields, workload)
    const base = [...given, ...proposed]
    const counted = count(sampled, base, fields, options)
    const refined = refineCandidates(
      base.flatMap((candidate, number) => {
        const profile = counted.keys[number]
        return profile === null || given.includes(candidate) ? [] : [{ candidate, profile }]
      }),
      {
        fields: counted.fields,
        queries: workload.queries,
        changingFields: workload.changingFields,
        partitions: MIN_PARTITIONS
      }
    )
    const candidates = [...base, ...refined]
    const profiler = createProfiler({ ...profilerOptions(options, fields), candidates })
    for (const record of sampled) profiler.add(record)
    const absent = absentFields(workload, parsed)
    return { candidates, dropped, profiler, indexedValues: indexedValuesOf(parsed), absent }
  }
}

interface Counting {
  readonly candidates: readonly Candidate[]
  readonly dropped: PlanReport['dropped']
  readonly profiler: ReturnType<typeof createProfiler>
  readonly indexedValues: number
  readonly absent: PlanReport['assumptions']
}

/** Fields that are counted even if the records have many others. */
function fieldsOf({ queries, timeField, transactions, changingFields }: Workload): readonly string[] {
  const ofQueries = queries.flatMap(({ equal, between }) => [...equal, ...between.map(({ field }) => field)])
  return [
    ...new Set([...ofQueries, ...(timeField === undefined ? [] : [timeField]), ...transactions, ...changingFields])
  ]
}

function count(
  records: readonly RecordBytes[],
  candidates: readonly Candidate[],
  fields: readonly FieldSummary[],
  options: ChooseOptions
): SampleProfile {
  const profiler = createProfiler({ ...profilerOptions(options, fields), candidates })
  for (const record of records) profiler.add(record)
  return profiler.finish()
}

function profilerOptions({ workload, seed }: ChooseOptions, fields: readonly FieldSummary[]) {
  const { timeField, transactions } = workload
  return { fields, timeField, transactions, random: createRandom(seed) }
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
