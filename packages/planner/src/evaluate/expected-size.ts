import type { Candidate } from '../candidates/candidate.ts'
import { MAX_PARTITION_RU } from '../service/limits.ts'
import { forecastStorage, partitionsForStorage, type StorageForecast } from '../service/storage.ts'
import type { Workload } from '../workload/workload.ts'
import { demandOf, type DocumentShape } from './demand.ts'

/** Storage that the documents need if they are kept for `ttlSeconds`. */
export function storageOf(
  { items, totalBytes, growthBytesPerDay, writes }: Workload,
  { itemBytes }: DocumentShape,
  ttlSeconds: Workload['ttlSeconds']
): StorageForecast {
  const bytes = totalBytes ?? (items === undefined ? undefined : items * itemBytes)
  const isNew = writes?.operation === 'create' || writes?.operation === 'upsert'
  return forecastStorage({
    gb: bytes === undefined ? null : bytes / 1e9,
    growthBytesPerDay,
    createsPerSecond: isNew ? writes.perSecond * (1 - (writes.existingShare ?? 0)) : undefined,
    itemBytes,
    ttlSeconds
  })
}

/** GB of the documents, and the number of physical partitions that an even key needs. */
export interface ExpectedSize {
  readonly gb: number | null
  readonly partitions: number
}

/** Computes the expected size before keys are counted. The number of suffixes of candidates depends on it. */
export function expectedSize(workload: Workload, shape: DocumentShape, candidate: Candidate): ExpectedSize {
  const { gb } = storageOf(workload, shape, workload.ttlSeconds)
  const { keyedRuPerSecond } = demandOf(workload, candidate, shape)
  const forLoad = keyedRuPerSecond === 0 ? PARTITIONS_OF_UNKNOWN_LOAD : Math.ceil(keyedRuPerSecond / MAX_PARTITION_RU)
  return { gb, partitions: Math.max(forLoad, partitionsForStorage(gb ?? 0).planned) }
}

const PARTITIONS_OF_UNKNOWN_LOAD = 10
