/** Counters of a sink. */
export interface RecordCounts {
  received: number
  receivedBytes: number
  written: number
  unchanged: number
  ignored: number
  /** Records that were delivered again after a rebalance, and recognized. */
  redelivered: number
  /** How often a partition was paused. */
  pauses: number
}

/** Counters that have counted nothing yet. */
export function createRecordCounts(): RecordCounts {
  return { received: 0, receivedBytes: 0, written: 0, unchanged: 0, ignored: 0, redelivered: 0, pauses: 0 }
}
