import { type Candidate, formatCount, formatMany, type MeasuredKey, type Workload } from '@keystamp/planner'
import type { Finalist } from './finalists.ts'
import {
  createDocuments,
  hasRepeatedIds,
  type KeptRecords,
  type ParsedRecord,
  parseRecords,
  type SampleRecord
} from './kept-records.ts'
import { openLocalContainer, PARTITION_RU } from './local-container.ts'
import { measureQueries } from './measure-queries.ts'
import { predictWriteRu, predictWrites } from './predict-writes.ts'
import { valueAt } from './query-cases.ts'
import { IN_FLIGHT, measureWrites, type WriteCounts } from './measure-writes.ts'

export interface MeasureOptions {
  readonly workload: Pick<Workload, 'queries'>
  readonly seconds: number
  readonly seed: number
  readonly signal: AbortSignal
  /** Called with a line of text that describes the current work. */
  readonly onProgress: (line: string) => void
}

export interface Measurement {
  readonly measured: readonly MeasuredKey[]
  /** One sentence for each key that could not be measured. */
  readonly failures: readonly string[]
}

/** Loads the sample into a local emulator under each finalist, and runs the queries of the workload. */
export async function measureKeys(
  finalists: readonly Finalist[],
  kept: KeptRecords,
  options: MeasureOptions
): Promise<Measurement> {
  const records = parseRecords(kept.records)
  const measured: MeasuredKey[] = []
  const failures: string[] = []
  for (const [index, finalist] of finalists.entries()) {
    const { name } = finalist.candidate
    const onProgress = (what: string): void =>
      options.onProgress(`measuring ${index + 1} of ${finalists.length}: ${name}, ${what}`)
    const found = await measureKey(finalist, kept, records, { ...options, onProgress })
    if (typeof found === 'string') failures.push(`${name} was not measured: ${found}.`)
    else measured.push(found)
  }
  return { measured, failures }
}

const MAX_WARM_UP_SECONDS = 5

async function measureKey(
  { candidate, partitions }: Finalist,
  kept: KeptRecords,
  parsed: readonly ParsedRecord[],
  { workload, seconds, seed, signal, onProgress }: MeasureOptions
): Promise<MeasuredKey | string> {
  if (parsed.length === 0) return 'no record of the sample is a JSON object'
  const withKey = parsed.filter(({ record }) => hasPresentKey(candidate, record))
  if (withKey.length === 0) return 'no record of the sample has the key'
  const records = withKey.map(({ record }) => record)
  if (isKeyById(candidate) && hasRepeatedIds(records))
    return 'ids repeat in the sample, so the records cannot be written as new documents under this key'
  const warmUpSeconds = Math.min(MAX_WARM_UP_SECONDS, Math.ceil(seconds / 4))
  const writeRu = predictWriteRu(candidate, records)
  const { usableShare, first } = predictWrites(
    candidate,
    withKey.map(({ bytes }) => bytes),
    {
      partitions,
      seed,
      mostWrites: ((PARTITION_RU * partitions) / writeRu) * (warmUpSeconds + seconds)
    }
  )
  if (usableShare === null) return 'no record of the sample has the key'
  onProgress('starting the local emulator')
  const container = await openLocalContainer(candidate, partitions)
  try {
    const counts = await measureWrites(container, {
      candidate,
      documents: createDocuments(records),
      first,
      warmUpSeconds,
      seconds,
      signal,
      onSecond: (left) => onProgress(`${left} s`)
    })
    if (counts.accepted === 0) return 'the local emulator accepted no write during the measurement'
    const used = await container.usedRu(counts.firstSecond, counts.endSecond)
    onProgress('queries')
    const written = records.slice(0, Math.max(1, counts.acceptedInAll - IN_FLIGHT))
    await container.stopThrottling()
    const queries = await measureQueries(workload.queries, {
      container,
      candidate,
      records: written,
      partitions,
      signal
    })
    return {
      candidate: candidate.name,
      partitions,
      ruPerSecond: PARTITION_RU * partitions,
      seconds,
      writes: counts.accepted,
      usableShare: { predicted: usableShare, measured: sumOf(used) / (seconds * PARTITION_RU * partitions) },
      busiestPartitionUse: Math.max(...used) / (seconds * PARTITION_RU),
      requestMs: counts.requestMs,
      writeRu: { predicted: writeRu, measured: counts.acceptedRu / counts.accepted },
      queries: queries.queries,
      notes: [...notesOf(kept, counts, parsed.length - withKey.length), ...queries.notes]
    }
  } finally {
    await container.stop()
  }
}

function isKeyById({ levels }: Candidate): boolean {
  return levels.some(({ parts, suffix }) => suffix?.by === '/id' || parts.some(({ field }) => field === '/id'))
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Whether the writer takes a record: without a plan, it refuses a record whose key is missing or null. */
function hasPresentKey({ plan, partitionKeyPaths }: Candidate, record: SampleRecord): boolean {
  return plan !== null || partitionKeyPaths.every((path) => path === '/id' || (valueAt(record, path) ?? null) !== null)
}

function notesOf({ records, isPart }: KeptRecords, { rejected }: WriteCounts, withoutKey: number): readonly string[] {
  return [
    ...(isPart
      ? [
          `Only the first ${formatMany(records.length, 'record')} of the sample ${records.length === 1 ? 'was' : 'were'} used, in their order.`
        ]
      : []),
    ...(withoutKey > 0
      ? [
          withoutKey === 1
            ? '1 record has no value, or null, as its key. It was not written.'
            : `${formatCount(withoutKey)} records have no value, or null, as their key. They were not written.`
        ]
      : []),
    ...(rejected > 0
      ? [
          `${formatMany(rejected, 'record')} got no key, or ${rejected === 1 ? 'was rejected, and is' : 'were rejected, and are'} not counted.`
        ]
      : [])
  ]
}
