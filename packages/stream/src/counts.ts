import type { RecordCode } from '@keystamp/core'

/** What a stage has seen so far. */
export interface Counts {
  /** All records, rejected ones included. */
  records: number
  rejected: number
  /** Why they were rejected, and how often. */
  readonly byCode: Partial<Record<RecordCode, number>>
  /** Place and reason of the first record that was skipped; missing where rejected records are not skipped. */
  firstSkipped?: string
  /** Bytes taken in; 0 where objects are stamped. */
  bytesIn: number
  /** Bytes given out; 0 where objects are stamped. */
  bytesOut: number
}

export function createCounts(): Counts {
  return { records: 0, rejected: 0, byCode: {}, bytesIn: 0, bytesOut: 0 }
}
