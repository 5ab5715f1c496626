/** Measured figures of one key in the local emulator, and the predictions for the same records and partitions. */
export interface MeasuredKey {
  readonly candidate: string
  /** Physical partitions of the container, and its provisioned RU/s. */
  readonly partitions: number
  readonly ruPerSecond: number
  /** Length of the measurement, without the warm-up. */
  readonly seconds: number
  /** Number of writes that were accepted during the measurement. */
  readonly writes: number
  /** Share of the provisioned RU/s that the writes used. The records were sent in their order, as fast as possible. */
  readonly usableShare: Compared
  /** Share of its RU/s that the busiest physical partition used. Below 0.9, the machine was the limit, not the key. */
  readonly busiestPartitionUse: number
  /** Mean milliseconds from a request to its answer. Above 100, the machine limited the writes, too. */
  readonly requestMs: number
  /** Mean RU of one write. */
  readonly writeRu: Compared
  readonly queries: readonly MeasuredQuery[]
  /** Limits of this measurement, one sentence each. */
  readonly notes: readonly string[]
}

/** Means of a query that was run with the values of several records. */
export interface MeasuredQuery {
  readonly name: string
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Number of physical partitions to which the query goes. */
  readonly ranges: Compared
  /** RU of one query. The prediction is for answers of the measured size. */
  readonly ru: Compared
}

export interface Compared {
  readonly predicted: number
  readonly measured: number
}
