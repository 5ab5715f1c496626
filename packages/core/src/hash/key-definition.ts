/** How a container hashes its partition key: the `partitionKey` of the container's JSON. */
export interface KeyDefinition {
  /** Default: Hash. */
  readonly kind?: 'Hash' | 'MultiHash'
  /** Default: 1, as Cosmos DB reads a definition that names none. MultiHash is always hashed by version 2. */
  readonly version?: 1 | 2
  readonly paths?: readonly string[]
}

/** One component of a partition key; `undefined` where the document has none. */
export type KeyComponent = string | number | boolean | null | undefined
