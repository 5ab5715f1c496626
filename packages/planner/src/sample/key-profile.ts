/**
 * Counts of a sample for one candidate key. Keys are known by the hash that Cosmos DB computes, never by their text.
 * The properties of KeyCounts at the top are those of logical partitions: of the whole key.
 */
export interface KeyProfile extends KeyCounts {
  /** Records that have the key, and records that the key rejects. */
  readonly records: number
  readonly rejected: number
  /** Codes of rejections, and the number of records. */
  readonly rejections: readonly { readonly code: string; readonly records: number }[]
  /** Records without a value at one of the paths, which are stored under the key `None`. */
  readonly missing: number
  readonly bytes: number
  /**
   * Counts of the values that decide the range of a record. A range of a new container is an interval of the hash of
   * the first level: for a hierarchical key these are counts of its first level, otherwise those of the key.
   */
  readonly placed: KeyCounts
  /** Records by slice of the hash space: equal slices in the order of the hash, a power of two, at least 4,096. */
  readonly slices: Float64Array
  readonly sliceBytes: Float64Array
  /** The parts of the sample before and after its middle, for a comparison: null with fewer than two parts. */
  readonly halves: Halves | null
}

/** Keys of a sample, and their frequencies. */
export interface KeyCounts {
  /** Distinct keys in the sample, and those that one record has. Estimates if `isExact` is false. */
  readonly distinct: number
  readonly once: number
  /** Keys that were certainly seen; equal to `distinct` if `isExact` is true. */
  readonly atLeast: number
  /** Whether all keys were counted. */
  readonly isExact: boolean
  /** Most frequent keys first, at most 1,000 of them (all keys, if there are fewer). */
  readonly heavy: readonly KeyCount[]
  /** How many keys have how many records, by ascending number of records. Estimates if `isExact` is false. */
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
  /** Values of the key, one for each level, where they were kept: only for frequent keys. */
  readonly values: readonly (string | number | boolean | null | undefined)[] | null
  /** Position of the hash in the hash space: 0 up to 1. */
  readonly position: number
  readonly records: number
  readonly bytes: number
  /** Upper bound of what `records` counts too much; 0 if exact. */
  readonly error: number
}

/** Counts of equal cells, such as coarse slices of the hash space, in the two parts of a sample. */
export interface Halves {
  readonly first: Float64Array
  readonly second: Float64Array
}
