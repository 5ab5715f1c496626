import type { TopicRecord } from '@keystamp/testkit'

/** Records with ascending numbers as values, distributed over the partitions in turn. */
export function numbered(count: number, partitions = 1, first = 0): TopicRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    partition: index % partitions,
    key: `k${index}`,
    value: String(first + index)
  }))
}
