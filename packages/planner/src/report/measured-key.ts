/** Figures of one key in the local emulator, next to what the planner predicts for the same records and partitions. */
export interface MeasuredKey {
  readonly candidate: string
  /** Physical partitions of the container, and its provisioned RU/s. */
  readonly partitions: number
  readonly ruPerSecond: number
  /** Length of the measurement, without the time to warm up. */
  readonly seconds: number
  /** Writes that were accepted in that time. */
  readonly writes: number
  /** Share of the provisioned RU/s that the writes used, as fast as possible, in the order of the sample. */
  readonly usableShare: Compared
  /** Share of its RU/s that the busiest physical partition used. Below 0.9 the machine was the limit, not the key. */
  readonly busiestPartitionUse: number
  /** Mean milliseconds from a request to its answer. Above 100 the machine was the limit, too. */
  readonly requestMs: number
  /** RU of one write, on average. */
  readonly writeRu: Compared
  readonly queries: readonly MeasuredQuery[]
  /** Limits of this measurement, one sentence each. */
  readonly notes: readonly string[]
}

/** A query with values of records, on average over these records. */
export interface MeasuredQuery {
  readonly name: string
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Physical partitions that it asks. */
  readonly ranges: Compared
  /** RU of one query; predicted for as many bytes as the answers really had. */
  readonly ru: Compared
}

export interface Compared {
  readonly predicted: number
  readonly measured: number
}
