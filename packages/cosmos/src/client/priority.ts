import { KeystampError } from '@keystamp/core'

/** How Cosmos DB ranks requests against those of other clients if the throughput does not suffice for all. */
export interface PriorityOptions {
  /**
   * `Low`: throttled before requests with `High`, if the account has priorities. Default: `Low` for a change feed,
   * otherwise none, which is `High`.
   */
  readonly priorityLevel?: 'High' | 'Low'
  /** Number of the throughput bucket that the requests use. Default: none. */
  readonly throughputBucket?: 1 | 2 | 3 | 4 | 5
}

export const PRIORITY_OPTION_NAMES: readonly (keyof PriorityOptions)[] = ['priorityLevel', 'throughputBucket']

/** Throws OPTION_INVALID for an invalid priority or bucket. */
export function checkPriority({ priorityLevel, throughputBucket }: PriorityOptions): void {
  if (priorityLevel !== undefined && !LEVELS.includes(priorityLevel))
    throw new KeystampError('OPTION_INVALID', '`priorityLevel` must be "High" or "Low".')
  if (throughputBucket !== undefined && !BUCKETS.includes(throughputBucket))
    throw new KeystampError('OPTION_INVALID', '`throughputBucket` must be a whole number from 1 to 5.')
}

const LEVELS: readonly unknown[] = ['High', 'Low']
const BUCKETS: readonly unknown[] = [1, 2, 3, 4, 5]

/** Headers of the options; none for those that are not set. */
export function priorityHeaders({
  priorityLevel,
  throughputBucket
}: PriorityOptions): Readonly<Record<string, string>> {
  return {
    ...(priorityLevel === undefined ? {} : { 'x-ms-cosmos-priority-level': priorityLevel }),
    ...(throughputBucket === undefined ? {} : { 'x-ms-cosmos-throughput-bucket': String(throughputBucket) })
  }
}
