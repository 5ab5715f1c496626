import type { Workload, WriteLoad } from '../workload/workload.ts'

/** One write, as far as its charge depends on it. */
export interface ChargedWrite {
  readonly operation: WriteLoad['operation']
  readonly itemBytes: number
  /** Indexed values of a document. */
  readonly indexedValues: number
  /** Indexed values that an update changes; all of them if missing, which is the most expensive case. */
  readonly changedValues?: number | undefined
  /** Operations of a patch; `changedValues` if missing. */
  readonly patchOperations?: number | undefined
  /** Share of the upserts that find a document, 0 to 1; 0 if missing. */
  readonly existingShare?: number | undefined
}

/** RU of one write, in each region. */
export function writeCharge(write: ChargedWrite): number {
  throw new Error(`not written yet: ${write.operation}`)
}

/** RU of a point read. */
export function pointReadCharge(itemBytes: number, consistency: Workload['consistency']): number {
  throw new Error(`not written yet: ${itemBytes} ${consistency}`)
}

/** One query, as far as its charge depends on it. */
export interface ChargedQuery {
  /** Physical partitions that it asks. */
  readonly ranges: number
  /** Bytes of all documents of the answer. */
  readonly resultBytes: number
  readonly consistency: Workload['consistency']
}

/** RU of one query with simple filters over indexed fields. */
export function queryCharge(query: ChargedQuery): number {
  throw new Error(`not written yet: ${query.ranges}`)
}

/** Factor of reads and queries: strong and bounded staleness ask two replicas. */
export function readFactor(consistency: Workload['consistency']): number {
  return consistency === 'strong' || consistency === 'boundedStaleness' ? 2 : 1
}
