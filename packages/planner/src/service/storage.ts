/** Physical partitions that an amount of data needs. */
export interface StoragePartitions {
  /** With every partition full: 50 GB. */
  readonly best: number
  /** In practice: 45 GB and 30 GB a partition. */
  readonly low: number
  readonly high: number
  /** To plan with: 40 GB a partition. */
  readonly planned: number
}

/** GB of data that the planner puts into a physical partition: between the limit of 50 and the 30 to 45 of practice. */
export const PLANNED_PARTITION_GB = 40

export function partitionsForStorage(gb: number): StoragePartitions {
  throw new Error(`not written yet: ${gb}`)
}

/** What a container holds and how that changes. Everything may be unknown. */
export interface StorageLoad {
  readonly gb?: number | undefined
  readonly growthBytesPerDay?: number | undefined
  /** New documents a second and their size, if the growth is not known. */
  readonly createsPerSecond?: number | undefined
  readonly itemBytes?: number | undefined
  readonly ttlSeconds?: number | 'never' | undefined
}

export interface StorageForecast {
  /** GB to plan for: the steady state with a time to live, otherwise today's; null if unknown. */
  readonly gb: number | null
  /** `steady`: writes and expiry balance; `today`: as given; `growing`: as given, and it grows. */
  readonly kind: 'steady' | 'today' | 'growing' | 'unknown'
  readonly growthBytesPerDay: number | null
}

/** Storage to plan for: rate x bytes x time to live, or what is there. */
export function forecastStorage(load: StorageLoad): StorageForecast {
  throw new Error(`not written yet: ${load.gb}`)
}

/** Days until the data reaches a limit; null if it never does. */
export function daysUntil(
  limitGb: number,
  forecast: { readonly gb: number; readonly growthBytesPerDay: number }
): number | null {
  throw new Error(`not written yet: ${limitGb} ${forecast.gb}`)
}
