import { ownerOf, partitionHash, rangesOf } from '@keystamp/core'

/** Distribution of writes over keys and physical partitions. */
export interface Load {
  readonly keys: number
  /** Share of the writes that the busiest logical partition takes. */
  readonly busiestKey: number
  /** Share of the writes that the busiest physical partition takes. */
  readonly busiestRange: number
  readonly ranges: number
}

/** Computes how writes with these keys are distributed over the ranges of a new container. */
export function loadOf(keys: readonly string[], rangeCount: number): Load {
  const ranges = rangesOf(rangeCount)
  const byKey = new Map<string, number>()
  for (const key of keys) byKey.set(key, (byKey.get(key) ?? 0) + 1)
  const byRange = new Map<string, number>()
  for (const [key, writes] of byKey) {
    const range = ownerOf(ranges, partitionHash([key], { version: 2 }))?.id ?? ''
    byRange.set(range, (byRange.get(range) ?? 0) + writes)
  }
  return {
    keys: byKey.size,
    busiestKey: Math.max(...byKey.values()) / keys.length,
    busiestRange: Math.max(...byRange.values()) / keys.length,
    ranges: byRange.size
  }
}
