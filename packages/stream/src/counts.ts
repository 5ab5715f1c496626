import type { RecordCode } from '@keystamp/core'

/** Counts of a stage so far. */
export interface Counts {
  /** All records, rejected ones included. */
  records: number
  rejected: number
  /** Number of rejected records by code. */
  readonly byCode: Partial<Record<RecordCode, number>>
  /** Position and reason of the first skipped record; only set if `onError` is `skip`. */
  firstSkipped?: string
  /** Bytes read; 0 if objects are stamped. */
  bytesIn: number
  /** Bytes written; 0 if objects are stamped. */
  bytesOut: number
}

export function createCounts(): Counts {
  return { records: 0, rejected: 0, byCode: {}, bytesIn: 0, bytesOut: 0 }
}
