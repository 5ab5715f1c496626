/**
 * Counts of a sample for one candidate key. A key is identified by the hash that Cosmos DB computes, and never by its
 * text. The inherited properties of KeyCounts count whole keys, which are logical partitions.
 */
export interface KeyProfile extends KeyCounts {
  /** Records that have the key, and records that the key rejects. */
  readonly records: number
  readonly rejected: number
  /** Codes of rejections, each with its number of records. */
  readonly rejections: readonly { readonly code: string; readonly records: number }[]
  /** Number of records without a value at one of the paths: Cosmos DB stores them under the key `None`. */
  readonly missing: number
  readonly bytes: number
  /**
   * Counts of the values that determine the range of a record. In a new container, a range is an interval of the hash
   * of the first level. So these are the counts of the first level of a hierarchical key, or else of the key.
   */
  readonly placed: KeyCounts
  /** Records by slice of the hash space: equal slices in the order of the hash, a power of two, at least 4,096. */
  readonly slices: Float64Array
  readonly sliceBytes: Float64Array
  /** Counts of the two halves of the sample, for a comparison; null if there are no two halves. */
  readonly halves: Halves | null
}

/** Keys of a sample, and their frequencies. */
export interface KeyCounts {
  /** Number of distinct keys, and of keys that occur once. Estimates if `isExact` is false. */
  readonly distinct: number
  readonly once: number
  /** Lower bound of the number of distinct keys in the sample; equal to `distinct` if `isExact` is true. */
  readonly atLeast: number
  /** Whether all keys were counted. */
  readonly isExact: boolean
  /** Most frequent keys first, at most 1,000 of them (all keys, if there are fewer). */
  readonly heavy: readonly KeyCount[]
  /** Number of keys for each number of records, in ascending order of records. Estimates if `isExact` is false. */
  readonly frequencies: readonly Frequency[]
  /** Every key, in no particular order; null if `isExact` is false. */
  readonly all: AllKeys | null
}

export interface AllKeys {
  /** Positions in the hash space, in units of 2^-32. */
  readonly positions: Uint32Array
  readonly records: Uint32Array
}

export interface Frequency {
  /** Records of a key. */
  readonly records: number
  /** Keys that have this number of records. */
  readonly keys: number
}

export interface KeyCount {
  /** First 16 digits of the partition hash, as `keystamp locate` shows it; all levels of a hierarchical key. */
  readonly hash: string
  /** Values of the key, one for each level. They are kept only for frequent keys; otherwise null. */
  readonly values: readonly (string | number | boolean | null | undefined)[] | null
  /** Position of the hash in the hash space: 0 up to 1. */
  readonly position: number
  readonly records: number
  readonly bytes: number
  /** Upper bound of the records that `records` counts in excess; 0 if `records` is exact. */
  readonly error: number
}

/** Counts in the two halves of a sample, for the same cells, such as large slices of the hash space. */
export interface Halves {
  readonly first: Float64Array
  readonly second: Float64Array
}
