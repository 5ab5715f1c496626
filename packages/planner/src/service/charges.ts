import type { Workload, WriteLoad } from '../workload/workload.ts'

// Source of the tables: Microsoft's page "understand request unit consumption" (April 2026), which calls its numbers
// illustrative; one region, session consistency, before indexing. Rows: 1, 2, 4 ... 2048 KB.
const READ_RU: readonly number[] = [1, 1.04, 1.14, 1.33, 1.67, 2.19, 4.76, 9.95, 20.28, 40.95, 145.9, 291.8]
const WRITE_RU: readonly number[] = [4.95, 6.29, 6.67, 7.04, 9.52, 11.23, 22.67, 48.19, 98.29, 184.57, 625, 1250]

// the same page: each value that enters or leaves the index, and each operation of a patch
const INDEXED_VALUE_RU = 0.2
const PATCH_OPERATION_RU = 0.4

// fitted to charges that Microsoft's pages show for simple filters over indexed fields
const QUERY_RU = 2.81
const QUERY_RU_PER_KB = 0.0152
const QUERY_RU_PER_FURTHER_RANGE = 2.8

const KB = 1024

/** Properties of a write on which its charge depends. */
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

/** RU of one write. Each region of the account is charged the same RU. */
export function writeCharge(write: ChargedWrite): number {
  const { operation, itemBytes, indexedValues, changedValues = indexedValues, existingShare = 0 } = write
  switch (operation) {
    case 'create':
    case 'delete':
      return createCharge(itemBytes, indexedValues)
    case 'replace':
      return replaceCharge(itemBytes, changedValues)
    case 'patch':
      return replaceCharge(itemBytes, changedValues) + PATCH_OPERATION_RU * (write.patchOperations ?? changedValues)
    case 'upsert':
      return (
        (1 - existingShare) * createCharge(itemBytes, indexedValues) +
        existingShare * replaceCharge(itemBytes, changedValues)
      )
  }
}

function createCharge(itemBytes: number, indexedValues: number): number {
  return bySize(WRITE_RU, itemBytes) + INDEXED_VALUE_RU * indexedValues
}

// a changed value leaves the index, and another one enters it
function replaceCharge(itemBytes: number, changedValues: number): number {
  return 2 * bySize(WRITE_RU, itemBytes) + INDEXED_VALUE_RU * 2 * changedValues
}

/** RU of a point read. */
export function pointReadCharge(itemBytes: number, consistency: Workload['consistency']): number {
  return bySize(READ_RU, itemBytes) * readFactor(consistency)
}

/** Properties of a query on which its charge depends. */
export interface ChargedQuery {
  /** Number of physical partitions to which the query goes. */
  readonly ranges: number
  /** Total size of the documents in the answer. */
  readonly resultBytes: number
  readonly consistency: Workload['consistency']
}

/** RU of one query with simple filters on indexed fields, summed over its physical partitions. */
export function queryCharge({ ranges, resultBytes, consistency }: ChargedQuery): number {
  const charge = QUERY_RU + QUERY_RU_PER_FURTHER_RANGE * (ranges - 1) + QUERY_RU_PER_KB * (resultBytes / KB)
  return charge * readFactor(consistency)
}

/** Factor of reads and queries: strong consistency and bounded staleness read from two replicas. */
export function readFactor(consistency: Workload['consistency']): number {
  return consistency === 'strong' || consistency === 'boundedStaleness' ? 2 : 1
}

/** Value of a table for a size, with linear interpolation between two rows. */
function bySize(table: readonly number[], bytes: number): number {
  const kilobytes = bytes / KB
  const above = table.findIndex((_, row) => 2 ** row >= kilobytes)
  if (above === 0) return table[0]
  if (above < 0) return (table[table.length - 1] * kilobytes) / 2 ** (table.length - 1)
  const low = 2 ** (above - 1)
  return table[above - 1] + ((kilobytes - low) / low) * (table[above] - table[above - 1])
}
