import type { Candidate } from '../candidates/candidate.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import { formatCount, formatPercent } from '../workload/quantity-text.ts'
import type { Workload } from '../workload/workload.ts'

/** Figures of a candidate that may exceed a limit; null if unknown. */
export interface LimitedFigures {
  readonly largestKeyGb: number | null
  readonly tornTransactions: number | null
  /** Reason why no throughput is enough for the load. */
  readonly noThroughput: string | null
}

/** Returns the limits of Cosmos DB that the candidate exceeds. Such a candidate is not possible at any price. */
export function hardLimitsOf(
  { levels, partitionKeyPaths }: Candidate,
  { changingFields }: Pick<Workload, 'changingFields'>,
  { largestKeyGb, tornTransactions, noThroughput }: LimitedFigures
): readonly string[] {
  const found: string[] = []
  const endsWithId = partitionKeyPaths.at(-1) === '/id'
  if (largestKeyGb !== null && largestKeyGb >= MAX_LOGICAL_PARTITION_GB && !endsWithId) {
    found.push(
      `The largest key would have ${formatCount(largestKeyGb)} GB, but a logical partition holds at most ${MAX_LOGICAL_PARTITION_GB} GB.`
    )
  }
  if (noThroughput !== null) found.push(`No throughput is enough for the load: ${noThroughput}.`)
  const changing = levels
    .flatMap(({ parts }) => parts.map(({ field }) => field))
    .filter((field) => changingFields.includes(field))
  for (const field of changing)
    found.push(`${field} changes during the life of a document, but the value of a partition key cannot change.`)
  if (tornTransactions !== null && tornTransactions > 0) {
    found.push(
      `${formatPercent(tornTransactions)} of the transactions would contain different keys, but a transaction can contain only one.`
    )
  }
  return found
}
