import type { PresentContainer } from '../service/raise.ts'

/** Facts about the system that the sample does not contain. Everything may be missing: it is then listed as assumed. */
export interface Workload {
  /** Documents in all. */
  readonly items?: number | undefined
  /** Bytes of all documents. */
  readonly totalBytes?: number | undefined
  /** Mean size of a document in bytes; the mean of the sample if missing. */
  readonly itemBytes?: number | undefined
  /** Growth in bytes a day. */
  readonly growthBytesPerDay?: number | undefined
  /** Time to live in seconds; `'never'`: documents are kept. */
  readonly ttlSeconds?: number | 'never' | undefined
  readonly writes?: WriteLoad | undefined
  /** Field with the time of a record, a JSON pointer. */
  readonly timeField?: string | undefined
  readonly queries: readonly QueryLoad[]
  /** Point reads a second by partition key and id. */
  readonly pointReadsPerSecond?: number | undefined
  /** Fields whose records belong to one transaction, JSON pointers. */
  readonly transactions: readonly string[]
  /** Fields whose value changes during the life of a document, JSON pointers. */
  readonly changingFields: readonly string[]
  readonly consistency: 'eventual' | 'consistentPrefix' | 'session' | 'boundedStaleness' | 'strong'
  readonly regions: number
  readonly multiRegionWrites: boolean
  /** Mean load over a month as a share of the peak, 0 to 1, for autoscale and serverless; 1 if missing. */
  readonly meanUtilization?: number | undefined
  /** Partition key paths of the container that exists already. */
  readonly presentKey?: readonly string[] | undefined
  /** Physical partitions and RU/s of the container that exists already. */
  readonly presentContainer?: PresentContainer | undefined
}

export interface WriteLoad {
  readonly perSecond: number
  readonly operation: 'create' | 'upsert' | 'replace' | 'patch' | 'delete'
  /** Indexed values of a document; counted in the sample if missing. */
  readonly indexedValues?: number | undefined
  /** Indexed values that an update changes; all of them if missing. */
  readonly changedValues?: number | undefined
  /** Share of the upserts that find a document, 0 to 1; 0 if missing. */
  readonly existingShare?: number | undefined
}

export interface QueryLoad {
  /** As the user wrote it. */
  readonly name: string
  readonly perSecond: number
  /** Fields with an equality filter, JSON pointers. */
  readonly equal: readonly string[]
  /** Fields of `equal` for which the query names several values, such as with IN, and how many. */
  readonly several?: readonly { readonly field: string; readonly values: number }[] | undefined
  /** Fields with a range filter; for times, the length of the range where it is known. */
  readonly between: readonly { readonly field: string; readonly seconds?: number | undefined }[]
  /** Whether the id is given, which is then in `equal` too: together with the whole key, a point read. */
  readonly byId: boolean
  /** Documents that an answer has. */
  readonly rows: number
  /** Remarks on the query: its ignored parts, and assumptions. Each completes a sentence that begins with its name. */
  readonly notes?: readonly string[] | undefined
}
