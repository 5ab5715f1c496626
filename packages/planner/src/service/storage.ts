import { MAX_PARTITION_GB } from './limits.ts'

// Microsoft's engineers report 30 to 45 GB of data per partition: the limit includes the index, and partitions are not
// equally full.
const PRACTICE_HIGH_GB = 45
const PRACTICE_LOW_GB = 30

/** GB of data per physical partition that the planner assumes. The limit is 50, and 30 to 45 are usual. */
export const PLANNED_PARTITION_GB = 40

const BYTES_PER_GB = 1e9
const SECONDS_PER_DAY = 86_400

/** Numbers of physical partitions for an amount of data. */
export interface StoragePartitions {
  /** If every partition is full: 50 GB. */
  readonly best: number
  /** In practice: with 45 GB, and with 30 GB per partition. */
  readonly low: number
  readonly high: number
  /** For planning: with 40 GB per partition. */
  readonly planned: number
}

export function partitionsForStorage(gb: number): StoragePartitions {
  const at = (gbPerPartition: number): number => Math.max(1, Math.ceil(gb / gbPerPartition))
  return {
    best: at(MAX_PARTITION_GB),
    low: at(PRACTICE_HIGH_GB),
    high: at(PRACTICE_LOW_GB),
    planned: at(PLANNED_PARTITION_GB)
  }
}

/** Amount of data in a container, and its growth. Every property may be unknown. */
export interface StorageLoad {
  /** GB of data today. */
  readonly gb?: number | null | undefined
  /** Bytes of new documents a day. */
  readonly growthBytesPerDay?: number | undefined
  /** New documents per second and their size. They are used if `growthBytesPerDay` is missing. */
  readonly createsPerSecond?: number | undefined
  readonly itemBytes?: number | undefined
  /** Time to live. Default: `never`. */
  readonly ttlSeconds?: number | 'never' | undefined
}

export interface StorageForecast {
  /** GB for planning: the steady state if there is a time to live, otherwise the present data; null if unknown. */
  readonly gb: number | null
  /** `steady`: documents expire; `growing`: documents are kept; `constant`: there are no new documents, or unknown. */
  readonly kind: 'steady' | 'growing' | 'constant'
  /** Bytes of new documents a day; null if unknown. */
  readonly growthBytesPerDay: number | null
}

/** Computes the storage for planning: rate x bytes x time to live, or the present data. */
export function forecastStorage(load: StorageLoad): StorageForecast {
  const { gb = null, createsPerSecond, itemBytes, ttlSeconds = 'never' } = load
  const written =
    createsPerSecond === undefined || itemBytes === undefined
      ? undefined
      : createsPerSecond * itemBytes * SECONDS_PER_DAY
  const growthBytesPerDay = load.growthBytesPerDay ?? written ?? null
  if (growthBytesPerDay === null || growthBytesPerDay === 0) return { gb, kind: 'constant', growthBytesPerDay }
  if (ttlSeconds === 'never') return { gb, kind: 'growing', growthBytesPerDay }
  const steadyGb = (growthBytesPerDay * ttlSeconds) / SECONDS_PER_DAY / BYTES_PER_GB
  return { gb: Math.max(steadyGb, gb ?? 0), kind: 'steady', growthBytesPerDay }
}

/** Days until growing data reaches a limit; 0 if the data is already above the limit; null if it never reaches it. */
export function daysUntil(limitGb: number, gb: number, growthBytesPerDay: number): number | null {
  if (gb >= limitGb) return 0
  return growthBytesPerDay > 0 ? ((limitGb - gb) * BYTES_PER_GB) / growthBytesPerDay : null
}

/** Days until the first physical partition is full and splits. */
export interface NextSplit {
  /** If the data is spread as unevenly as is usual: the first split is at a mean of 30 GB per partition. */
  readonly earliestDays: number
  /** If all partitions are equally full. */
  readonly latestDays: number
}

/** Days until growing data splits a physical partition; null if the data does not grow. */
export function nextSplit(partitions: number, gb: number, growthBytesPerDay: number): NextSplit | null {
  const earliestDays = daysUntil(partitions * PRACTICE_LOW_GB, gb, growthBytesPerDay)
  const latestDays = daysUntil(partitions * MAX_PARTITION_GB, gb, growthBytesPerDay)
  return earliestDays === null || latestDays === null ? null : { earliestDays, latestDays }
}
