import type { KeyDefinition } from '../../src/hash/partition-hash.ts'
import type { KeyComponent } from '../../src/hash/component-bytes.ts'

type HashPartitionKey = (values: readonly unknown[], definition: KeyDefinition) => string

// the client does not export its hash function, so this imports the file that contains it
const file = new URL('utils/hashing/hash.js', import.meta.resolve('@azure/cosmos'))
const { hashPartitionKey }: { hashPartitionKey: HashPartitionKey } = await import(file.href)

/** The effective partition key as the client of Cosmos DB computes it. */
export function sdkHash(values: readonly KeyComponent[], definition: KeyDefinition): string {
  return hashPartitionKey(values, definition)
}
