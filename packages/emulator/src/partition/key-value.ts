/** One component of a partition key; `undefined` stands for a property that is absent (None on the wire). */
export type KeyValue = string | number | boolean | null | undefined

/** How a container makes a key: by one hash of everything (V1, V2), or by one hash a level. */
export interface KeyScheme {
  readonly kind: 'Hash' | 'MultiHash'
  readonly version: 1 | 2
}
