import { shuffle } from '@keystamp/core/internal'
import { findInputs, sampleRecords } from '@keystamp/files/internal'
import {
  createDescribedRecords,
  createRandom,
  parseDescribedField,
  type SampleBasis,
  type Workload
} from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { toCount } from '../shared-options.ts'
import type { PlanCommandOptions } from './plan-options.ts'
import { formatOf, readSample, type RecordBytes } from './read-sample.ts'

/** Records to choose a key from, and how they were taken. */
export interface OpenSample {
  readonly batches: AsyncIterable<readonly RecordBytes[]>
  readonly method: SampleBasis['method']
  /** Facts from the source of the records. The workload of the user overrides them. */
  readonly known?: Partial<Workload>
}

export type SampleProgress = (records: number, bytes: number) => void

/** Opens the source of records that the options name. */
export async function openSample(
  files: readonly string[],
  options: PlanCommandOptions,
  seed: number,
  dependencies: Dependencies,
  onProgress: SampleProgress
): Promise<OpenSample> {
  checkSources(files, options)
  const count = countOf(options)
  if (options.fromContainer !== undefined) {
    // the clients of Cosmos DB take time and memory, which other samples do not need
    const { openContainer } = await import('./container-sample.ts')
    return openContainer(options, { count, seed }, dependencies, onProgress)
  }
  if (options.fromTopic !== undefined) {
    const { openTopic } = await import('./topic-sample.ts')
    return openTopic(options, count, dependencies, onProgress)
  }
  if (options.field.length > 0) return { batches: describedRecords(options.field, seed), method: 'described' }
  if (count === undefined) return { batches: readSample(files, options, dependencies), method: 'whole' }
  const random = createRandom(seed)
  const names = files.length === 0 ? ['-'] : await findInputs(files)
  const { signal } = dependencies
  const drawn = await sampleRecords(names, formatOf(options), { count, random, signal })
  if (drawn !== undefined) return { batches: inBatches(drawn), method: 'uniform' }
  return keepSome(readSample(files, options, dependencies), count, random, onProgress)
}

/** Throws if the options name several sources of records. */
function checkSources(
  files: readonly string[],
  { field, sample, fromContainer, readLimit, fromTopic, since, registry }: PlanCommandOptions
): void {
  if (field.length > 0 && sample !== undefined)
    throw new UsageError(
      '--sample selects records of existing data, and --field describes data that does not exist: leave one of them out.'
    )
  const sources = [
    ...(files.length > 0 ? ['files'] : []),
    ...(field.length > 0 ? ['--field'] : []),
    ...(fromContainer === undefined ? [] : ['--from-container']),
    ...(fromTopic === undefined ? [] : ['--from-topic'])
  ]
  if (sources.length > 1)
    throw new UsageError(
      `The sample can come from only one source: leave out ${sources.slice(0, -1).join(' and ')}, or ${sources.at(-1)}.`
    )
  if (readLimit !== undefined && fromContainer === undefined)
    throw new UsageError('--read-limit needs --from-container.')
  for (const [name, value] of Object.entries({ since, registry }))
    if (value !== undefined && fromTopic === undefined) throw new UsageError(`--${name} needs --from-topic.`)
}

function countOf({ sample }: PlanCommandOptions): number | undefined {
  const count = sample === undefined ? undefined : toCount('--sample', sample, 7)
  if (count === 0) throw new UsageError('--sample must be at least 1, such as 100000.')
  return count
}

/** Reads all records and keeps a random part of them: each record has the same probability. */
async function keepSome(
  batches: AsyncIterable<readonly RecordBytes[]>,
  count: number,
  random: () => number,
  onProgress: SampleProgress
): Promise<OpenSample> {
  const kept: RecordBytes[] = []
  let [records, bytes] = [0, 0]
  for await (const batch of batches) {
    for (const record of batch) {
      records++
      bytes += record.length
      const slot = kept.length < count ? kept.length : Math.floor(random() * records)
      // the batch reuses its memory
      if (slot < count) kept[slot] = Uint8Array.from(record)
    }
    onProgress(records, bytes)
  }
  const isWhole = records <= count
  // without shuffling, the kept ones of the first records would be first
  return { batches: inBatches(isWhole ? kept : shuffle(kept, random)), method: isWhole ? 'whole' : 'reservoir' }
}

/** Records that are made for described fields. */
const DESCRIBED_RECORDS = 200_000

/** Makes the records of described fields (`--field`), in batches. */
async function* describedRecords(fields: readonly string[], seed: number): AsyncGenerator<readonly RecordBytes[]> {
  const described = fields.map((text) => {
    try {
      return parseDescribedField(text)
    } catch (error) {
      throw new UsageError(`--field ${text}: ${(error as Error).message}`)
    }
  })
  const make = createDescribedRecords(described, createRandom(seed))
  for (let made = 0; made < DESCRIBED_RECORDS; made += 1000) yield Array.from({ length: 1000 }, make)
}

const BATCH = 1000

/** Divides records into batches. */
export async function* inBatches(records: readonly RecordBytes[]): AsyncGenerator<readonly RecordBytes[]> {
  for (let first = 0; first < records.length; first += BATCH) yield records.slice(first, first + BATCH)
}
