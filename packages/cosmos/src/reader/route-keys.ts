import { type KeyDefinition, ownerOf, type PartitionKey, partitionHash } from '@keystamp/core'
import type { ContainerRange } from '../account/container-range.ts'

/** The keys that one range holds documents of. */
export interface RangeKeys {
  readonly range: ContainerRange
  readonly keys: readonly PartitionKey[]
}

/** Sorts keys by the ranges that hold them; the beginning of a hierarchical key may lie in several. */
export function routeKeys(
  keys: readonly PartitionKey[],
  ranges: readonly ContainerRange[],
  definition: Required<KeyDefinition>
): readonly RangeKeys[] {
  const found = new Map<ContainerRange, PartitionKey[]>()
  for (const key of keys) {
    for (const range of rangesOfKey(key, ranges, definition)) {
      const others = found.get(range)
      if (others === undefined) found.set(range, [key])
      else others.push(key)
    }
  }
  return [...found].map(([range, held]) => ({ range, keys: held }))
}

function rangesOfKey(
  { values }: PartitionKey,
  ranges: readonly ContainerRange[],
  definition: Required<KeyDefinition>
): readonly ContainerRange[] {
  const epk = partitionHash(values, definition)
  const owner = ownerOf(ranges, epk)!
  if (values.length === definition.paths.length || definition.kind !== 'MultiHash') return [owner]
  // no effective partition key reaches FF, so all that begins with this one lies below
  const end = `${epk}FF`
  return ranges.filter(({ min, max }) => min < end && max > epk)
}
