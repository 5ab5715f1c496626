import { MAX_PARTITION_GB } from './limits.ts'

// Microsoft's engineers report 30 to 45 GB of data a partition: the limit counts the index too, and no two partitions
// are equally full.
const PRACTICE_HIGH_GB = 45
const PRACTICE_LOW_GB = 30

/** GB of data that the planner puts into a physical partition: between the limit of 50 and the 30 to 45 of practice. */
export const PLANNED_PARTITION_GB = 40

const BYTES_PER_GB = 1e9
const SECONDS_PER_DAY = 86_400

/** Physical partitions that an amount of data needs. */
export interface StoragePartitions {
  /** With every partition full: 50 GB. */
  readonly best: number
  /** In practice: with 45 GB and with 30 GB a partition. */
  readonly low: number
  readonly high: number
  /** To plan with: 40 GB a partition. */
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

/** Content of a container, and how it changes. Everything may be unknown. */
export interface StorageLoad {
  /** GB of data today. */
  readonly gb?: number | null | undefined
  /** Bytes of new documents a day. */
  readonly growthBytesPerDay?: number | undefined
  /** New documents a second and their size, for an unknown growth. */
  readonly createsPerSecond?: number | undefined
  readonly itemBytes?: number | undefined
  /** Time to live; documents are kept if missing. */
  readonly ttlSeconds?: number | 'never' | undefined
}

export interface StorageForecast {
  /** GB to plan for: the steady state under a time to live, otherwise today's; null if unknown. */
  readonly gb: number | null
  /** `steady`: documents expire as fast as they come; `growing`: they stay; `constant`: none come, or none are known. */
  readonly kind: 'steady' | 'growing' | 'constant'
  /** Bytes of new documents a day; null if unknown. */
  readonly growthBytesPerDay: number | null
}

/** Storage to plan for: rate x bytes x time to live, or the present data. */
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

/** Days until data that grows reaches a limit, 0 if it is above it; null if it never does. */
export function daysUntil(limitGb: number, gb: number, growthBytesPerDay: number): number | null {
  if (gb >= limitGb) return 0
  return growthBytesPerDay > 0 ? ((limitGb - gb) * BYTES_PER_GB) / growthBytesPerDay : null
}

/** Days until the first physical partition is full and splits. */
export interface NextSplit {
  /** With the data as unevenly spread as in practice: 30 GB a partition in the mean. */
  readonly earliestDays: number
  /** With every partition equally full. */
  readonly latestDays: number
}

/** When growing data makes a container split next; null if it does not grow. */
export function nextSplit(partitions: number, gb: number, growthBytesPerDay: number): NextSplit | null {
  const earliestDays = daysUntil(partitions * PRACTICE_LOW_GB, gb, growthBytesPerDay)
  const latestDays = daysUntil(partitions * MAX_PARTITION_GB, gb, growthBytesPerDay)
  return earliestDays === null || latestDays === null ? null : { earliestDays, latestDays }
}
