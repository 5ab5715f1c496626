import { ownerOf, partitionHash, rangesOf } from '@keystamp/core'

/** How a load of writes spreads. */
export interface Load {
  readonly keys: number
  /** Share of the writes that the busiest logical partition takes. */
  readonly busiestKey: number
  /** Share of the writes that the busiest physical partition takes. */
  readonly busiestRange: number
  readonly ranges: number
}

/** How writes under these keys spread over the ranges of a new container. */
export function loadOf(keys: readonly string[], rangeCount: number): Load {
  const ranges = rangesOf(rangeCount)
  const byKey = countBy(keys, (key) => key)
  const byRange = countBy(keys, (key) => ownerOf(ranges, partitionHash([key], { version: 2 }))?.id ?? '')
  return {
    keys: byKey.size,
    busiestKey: Math.max(...byKey.values()) / keys.length,
    busiestRange: Math.max(...byRange.values()) / keys.length,
    ranges: byRange.size
  }
}

function countBy<T>(values: readonly T[], nameOf: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(nameOf(value), (counts.get(nameOf(value)) ?? 0) + 1)
  return counts
}
