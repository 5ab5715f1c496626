import type { Candidate } from '../candidates/candidate.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import { formatCount, formatPercent } from '../workload/quantity-text.ts'
import type { Workload } from '../workload/workload.ts'

/** Figures of a candidate that may break a limit; null where one is unknown. */
export interface LimitedFigures {
  readonly largestKeyGb: number | null
  readonly tornTransactions: number | null
  /** Reason why no throughput carries the load. */
  readonly noThroughput: string | null
}

/** Limits of the service that the candidate breaks. A candidate that breaks one is not possible at any price. */
export function hardLimitsOf(
  { levels, partitionKeyPaths }: Candidate,
  { changingFields }: Pick<Workload, 'changingFields'>,
  { largestKeyGb, tornTransactions, noThroughput }: LimitedFigures
): readonly string[] {
  const found: string[] = []
  const endsWithId = partitionKeyPaths.at(-1) === '/id'
  if (largestKeyGb !== null && largestKeyGb >= MAX_LOGICAL_PARTITION_GB && !endsWithId) {
    found.push(
      `The largest key would hold ${formatCount(largestKeyGb)} GB; a logical partition holds ${MAX_LOGICAL_PARTITION_GB} GB.`
    )
  }
  if (noThroughput !== null) found.push(`No throughput carries the load: ${noThroughput}.`)
  const changing = levels
    .flatMap(({ parts }) => parts.map(({ field }) => field))
    .filter((field) => changingFields.includes(field))
  for (const field of changing) found.push(`${field} changes during the life of a document, and a key never can.`)
  if (tornTransactions !== null && tornTransactions > 0) {
    found.push(`${formatPercent(tornTransactions)} of the transactions would have records of different keys.`)
  }
  return found
}
