import type { PartitionKeyRange } from '@azure/cosmos'
import type { KeyRange } from '@keystamp/core'
import { CosmosError } from './cosmos-error.ts'

/** A physical partition as the container lists it. */
export interface ContainerRange extends KeyRange {
  /** The ranges that it came from by splits and merges. */
  readonly parents: readonly string[]
}

/** One page of the list, as JSON. */
export interface RangesJson {
  readonly PartitionKeyRanges: readonly PartitionKeyRange[]
}

/** Sorts the listed ranges, and throws COSMOS_UNAVAILABLE when they leave a gap, as they may for a moment while one is split. */
export function toContainerRanges(listed: readonly PartitionKeyRange[]): readonly ContainerRange[] {
  const ranges = listed.map(toRange).toSorted((a, b) => (a.min < b.min ? -1 : 1))
  let end = ''
  for (const { min, max } of ranges) {
    if (min !== end) throw incomplete()
    end = max
  }
  if (end !== 'FF') throw incomplete()
  return ranges
}

function toRange({ id, minInclusive, maxExclusive, parents }: PartitionKeyRange): ContainerRange {
  return { id, min: minInclusive, max: maxExclusive, parents: parents ?? [] }
}

function incomplete(): CosmosError {
  return new CosmosError('COSMOS_UNAVAILABLE', 'The container’s list of ranges has a gap. It is read again when it is next needed.', {
    retriable: true
  })
}
