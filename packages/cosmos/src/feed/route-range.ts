import type { ContainerRange } from '../client/container.ts'
import type { FeedRange } from './changes.ts'

/** The physical partition of a feed range. */
export interface RoutedRange {
  readonly range: ContainerRange
  /** The feed range, if it is only a part of the physical partition, as after a merge. */
  readonly part: FeedRange | undefined
}

/**
 * Finds the physical partition of a feed range. Returns the parts of the feed range if it belongs to several physical
 * partitions, as after a split.
 */
export function routeRange(
  { min, max }: FeedRange,
  ranges: readonly ContainerRange[]
): RoutedRange | readonly FeedRange[] {
  const found = ranges.filter((range) => range.min < max && min < range.max)
  const [range] = found
  if (found.length === 1) return { range, part: range.min === min && range.max === max ? undefined : { min, max } }
  return found.map((each) => ({ min: later(each.min, min), max: earlier(each.max, max) }))
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}
