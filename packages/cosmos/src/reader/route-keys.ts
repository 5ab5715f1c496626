import { type KeyDefinition, ownerOf, partitionHash, type PartitionKey } from '@keystamp/core'
import type { ContainerRange } from '../client/container.ts'

/** Keys that belong to one range. */
export interface RangeKeys {
  readonly range: ContainerRange
  readonly keys: readonly PartitionKey[]
}

/** Groups keys by range. A prefix of a hierarchical key may belong to several ranges. */
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
  // no effective partition key contains FF, so all keys with this prefix are below `end`
  const end = `${epk}FF`
  return ranges.filter(({ min, max }) => min < end && max > epk)
}

// A query may have at most 512 KB, including its parameters.
const MAX_KEYS = 1000
const MAX_CHARACTERS = 100_000

/** Splits a list of keys that is too long for one query. */
export function divideKeys({ range, keys }: RangeKeys): readonly RangeKeys[] {
  const parts: RangeKeys[] = []
  let begin = 0
  let characters = 0
  for (const [index, { values }] of keys.entries()) {
    const length = JSON.stringify(values).length
    if (index > begin && (index - begin >= MAX_KEYS || characters + length > MAX_CHARACTERS)) {
      parts.push({ range, keys: keys.slice(begin, index) })
      begin = index
      characters = 0
    }
    characters += length
  }
  return [...parts, { range, keys: keys.slice(begin) }]
}
