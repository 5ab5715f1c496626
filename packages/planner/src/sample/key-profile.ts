/**
 * Counts of a sample for one candidate key. Keys are known by the hash that Cosmos DB computes, never by their text.
 */
export interface KeyProfile {
  /** Records that have the key, and records that the key rejects. */
  readonly records: number
  readonly rejected: number
  readonly bytes: number
  /** Distinct keys in the sample, and those that one record has. */
  readonly distinct: number
  readonly once: number
  /** Whether `distinct`, `once` and `heavy` count all records of the sample. */
  readonly isExact: boolean
  /** Most frequent keys first, at most 1,000 of them (all keys, if there are fewer). */
  readonly heavy: readonly KeyCount[]
  /** Records by slice of the hash space: equal slices in the order of the hash, a power of two, at least 4,096. */
  readonly slices: Float64Array
}

export interface KeyCount {
  /** Partition hash in hexadecimal, as `keystamp locate` shows it. */
  readonly hash: string
  /** Position of the hash in the hash space: 0 up to 1. */
  readonly position: number
  readonly records: number
  readonly bytes: number
  /** Upper bound of what `records` counts too much; 0 if exact. */
  readonly error: number
}
