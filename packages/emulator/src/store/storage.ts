/** Limits of storage, in accounted bytes. */
export interface StorageLimits {
  readonly maxLogicalPartitionBytes: number
  readonly splitAtBytes: number
}

/**
 * The storage that the emulator accounts: the bytes of the documents times a scale, so that a test reaches limits of
 * many GB with few documents.
 */
export class Storage {
  readonly #limits: StorageLimits
  #scale = 1
  /** Maximum number of stored bytes in a logical partition. */
  maxLogicalPartitionBytes = 0
  /** A range with more stored bytes is split. */
  splitAtBytes = 0

  constructor(limits: StorageLimits, scale: number) {
    this.#limits = limits
    this.changeScale(scale)
  }

  /** Number of accounted bytes for each stored byte. */
  get scale(): number {
    return this.#scale
  }

  /** Changes the scale. It applies to documents that are already stored, too. */
  changeScale(scale: number): void {
    this.#scale = scale
    // writes compare stored bytes, so that they need no multiplication
    this.maxLogicalPartitionBytes = this.#limits.maxLogicalPartitionBytes / scale
    this.splitAtBytes = this.#limits.splitAtBytes / scale
  }

  /** The accounted size of stored bytes. */
  accounted(storedBytes: number): number {
    return storedBytes * this.#scale
  }

  /** The accounted size of stored bytes in whole KB, as the service reports sizes. */
  accountedKb(storedBytes: number): number {
    return Math.floor(this.accounted(storedBytes) / 1024)
  }
}
