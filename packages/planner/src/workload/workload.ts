/** Facts about the system that the sample does not contain. The report lists missing facts under `assumptions`. */
export interface Workload {
  /** Total number of documents. */
  readonly items?: number | undefined
  /** Total size of the documents in bytes. */
  readonly totalBytes?: number | undefined
  /** Mean size of a document in bytes. Default: the mean of the sample. */
  readonly itemBytes?: number | undefined
  /** Growth in bytes per day. */
  readonly growthBytesPerDay?: number | undefined
  /** Time to live in seconds; `'never'` if documents are kept. */
  readonly ttlSeconds?: number | 'never' | undefined
  readonly writes?: WriteLoad | undefined
  /** Field with the time of a record, a JSON pointer. */
  readonly timeField?: string | undefined
  readonly queries: readonly QueryLoad[]
  /** Point reads (by partition key and id) per second. */
  readonly pointReadsPerSecond?: number | undefined
  /** Fields that identify a transaction, as JSON pointers: records with the same value are in one transaction. */
  readonly transactions: readonly string[]
  /** Fields whose value changes during the life of a document, as JSON pointers. */
  readonly changingFields: readonly string[]
  readonly consistency: 'eventual' | 'consistentPrefix' | 'session' | 'boundedStaleness' | 'strong'
  readonly regions: number
  readonly multiRegionWrites: boolean
  /** Mean load over a month as a share of the peak, 0 to 1, for autoscale and serverless. Default: 1. */
  readonly meanUtilization?: number | undefined
  /** Partition key paths of the existing container. */
  readonly presentKey?: readonly string[] | undefined
  /** Physical partitions and RU/s of the existing container. */
  readonly presentContainer?: PresentContainer | undefined
}

/** An existing container whose ranges are equally wide, as in a new container. */
export interface PresentContainer {
  readonly partitions: number
  readonly ruPerSecond: number
  /** Highest rate, or autoscale maximum, that the container ever had. Default: `ruPerSecond`. */
  readonly highestRuPerSecond?: number | undefined
}

export interface WriteLoad {
  readonly perSecond: number
  readonly operation: 'create' | 'upsert' | 'replace' | 'patch' | 'delete'
  /** Number of indexed values of a document. Default: counted in the sample. */
  readonly indexedValues?: number | undefined
  /** Number of indexed values that an update changes. Default: all of them. */
  readonly changedValues?: number | undefined
  /** Share of the upserts that find a document, 0 to 1. Default: 0. */
  readonly existingShare?: number | undefined
}

export interface QueryLoad {
  /** The query as the user wrote it. */
  readonly name: string
  readonly perSecond: number
  /** Fields with an equality filter, as JSON pointers. */
  readonly equal: readonly string[]
  /** Fields of `equal` for which the query has several values, for example with IN, and the number of these values. */
  readonly several?: readonly { readonly field: string; readonly values: number }[] | undefined
  /** Fields with a range filter, and for a time the length of the range if it is known. */
  readonly between: readonly { readonly field: string; readonly seconds?: number | undefined }[]
  /** Whether there is a filter on the id. `equal` then contains the id. With the whole key, this is a point read. */
  readonly byId: boolean
  /** Number of documents in an answer. */
  readonly rows: number
  /** Notes on ignored parts of the query, and on assumptions. Each completes a sentence that begins with its name. */
  readonly notes?: readonly string[] | undefined
}
