import {
  type Candidate,
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
  type SampleProfile,
  timeConcentration,
  withHotShares,
  type Workload
} from '@keystamp/planner'
import { absentFields } from './absent-fields.ts'
import type { RecordBytes } from './read-sample.ts'
import { RecordCounter } from './record-counter.ts'
import type { RowThread } from './row-thread.ts'

export interface ChooseOptions {
  readonly workload: Workload
  readonly method: SampleBasis['method']
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Candidates of the user. */
  readonly given: readonly Candidate[]
  readonly showValues: boolean
  /** Starts a second thread for a large sample; undefined if there is only one processor. */
  readonly startThread?: (() => RowThread) | undefined
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
/** Records that are counted at once. */
const BATCH = 64
/** At most this number of them are parsed to find the fields; all of them, if these records lack a field of the workload. */
const PARSED_RECORDS = 5000

/** Finds candidates in the first records, counts their keys in all records, and creates the report. */
export async function chooseKey(
  batches: AsyncIterable<readonly RecordBytes[]>,
  options: ChooseOptions
): Promise<ChosenKey> {
  let thread: RowThread | undefined
  const startThread = (): RowThread | undefined => (thread ??= options.startThread?.())
  try {
    const first: RecordBytes[] = []
    let counting: Counting | undefined
    let [records, bytes] = [0, 0]
    for await (const batch of batches) {
      for (const record of batch) bytes += record.length
      records += batch.length
      if (counting !== undefined) await counting.counter.add(batch)
      // the batch reuses its memory
      else for (const record of copyRecords(batch)) first.push(record)
      // fewer records take less time than the start of a thread
      if (first.length >= FIRST_RECORDS) {
        counting = await begin(first, options, startThread())
        // frees their memory
        first.length = 0
      }
      options.onProgress(records, bytes)
    }
    counting ??= await begin(first, options, undefined)
    const sample = await counting.counter.finish()
    // frees its memory
    await thread?.end()
    if (sample.invalid > 0) options.onInvalid(sample.invalid)
    return reportOn(sample, counting, options)
  } finally {
    await thread?.end()
  }
}

function reportOn(sample: SampleProfile, counting: Counting, options: ChooseOptions): ChosenKey {
  const { workload, seed } = options
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
async function begin(
  first: readonly RecordBytes[],
  options: ChooseOptions,
  thread: RowThread | undefined
): Promise<Counting> {
  const { given } = options
  const parsed = parseSome(first, options.workload)
  const fields = discoverFields(parsed, { keep: namedFields(options.workload) })
  const foundTimeField = options.workload.timeField === undefined ? findTimeField(fields, options.workload) : undefined
  const workload = { ...options.workload, timeField: options.workload.timeField ?? foundTimeField }
  const { candidates: proposed, lookups, dropped } = proposeCandidates(fields, workload)
  const base = [...given, ...proposed]
  const random = (): (() => number) => createRandom(options.seed)
  const count = async (candidates: readonly Candidate[], second?: RowThread): Promise<RecordCounter> => {
    const { timeField, transactions } = workload
    const counter = new RecordCounter({ fields, timeField, transactions, random: random(), candidates }, second)
    for (let next = 0; next < first.length; next += BATCH) await counter.add(first.slice(next, next + BATCH))
    return counter
  }
  // the thread is still loading its modules
  const counted = await (await count(base)).finish()
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
    counter: await count(candidates, thread),
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
  readonly counter: RecordCounter
  readonly indexedValues: number
  /** Found in the sample, because the workload names none. */
  readonly foundTimeField: string | undefined
  readonly absent: PlanReport['assumptions']
}

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
