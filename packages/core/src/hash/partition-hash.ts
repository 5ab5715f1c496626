import { hashV1 } from './hash-v1.ts'
import { hashV2, hashV2Of } from './hash-v2.ts'
import type { KeyComponent, KeyDefinition } from './key-definition.ts'

/**
 * The effective partition key, in upper-case hex, of the values of a partition key, bit for bit as Cosmos DB computes it.
 * Fewer values than levels of a hierarchical key give the prefix that all keys below them share.
 */
export function partitionHash(values: readonly KeyComponent[], definition: KeyDefinition): string {
  if (definition.kind === 'MultiHash') return hashEach(values)
  if (definition.version !== 2) return hashV1(values[0])
  return values.length === 1 ? hashV2Of(values[0]) : hashV2(values)
}

function hashEach(values: readonly KeyComponent[]): string {
  let epk = ''
  for (const value of values) epk += hashV2Of(value)
  return epk
}
