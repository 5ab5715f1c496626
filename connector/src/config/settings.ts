import type { PlanDefinition } from '@keystamp/core'
import type { PriorityOptions, SharedBudget, Share, Ties } from '@keystamp/cosmos'
import type { ShapeStep } from './shape-settings.ts'
import type { TopicPattern } from './topic-pattern.ts'

/**
 * Settings of one sink: defaults filled in, references resolved, rules checked. `docs/sink-reference.md` is generated
 * from the schema.
 */
export interface SinkSettings {
  /**
   * Names the sink in metrics and logs; the consumer group is `keystamp-<name>` unless `kafka.group` says otherwise.
   */
  readonly name: string
  readonly kafka: KafkaSettings
  readonly key: FormatSettings
  readonly value: ValueSettings
  readonly registry: RegistrySettings | undefined
  /** Representation of 64-bit integers and decimals that a JSON number would round. */
  readonly numbers: NumberPolicy
  readonly cosmos: CosmosSettings
  /** Steps that change each record before the key plan reads it, in this order. */
  readonly shape?: readonly ShapeStep[] | undefined
  /** Key plan. Without one, each record must carry its partition key at the key path of the container. */
  readonly plan: PlanDefinition | undefined
  /** The container that the sink writes to after a switch. */
  readonly move: MoveSettings | undefined
  /** How ids are made if the plan does not define them. */
  readonly id: IdSettings | undefined
  readonly write: WriteSettings
  readonly rejects: RejectSettings
  readonly commit: CommitSettings
  /** Resume at offsets that were committed under another plan. */
  readonly acceptPlanChange: boolean
  /** Accepts random suffixes, although a redelivered record is then stored a second time. */
  readonly allowDuplicatesOnReplay: boolean
  /** Limit for the bytes of records in flight. */
  readonly maxBytes: number
  /** Longest time that a record may be in flight without a known reason before the sink fails. */
  readonly stallMs: number
  /** Longest time for draining after a signal. */
  readonly shutdownMs: number
  /** How long to retry after a service rejected credentials that it accepted before. */
  readonly authGraceMs: number
  /**
   * Reads secret files and certificates again, into these settings. Resolves with true if one has changed. Default: they
   * are read once.
   */
  readonly rereadCredentials?: () => Promise<boolean>
}

export interface KafkaSettings {
  readonly brokers: readonly string[]
  readonly clientId: string
  readonly group: string
  /** Names, or one pattern for whole names. */
  readonly topics: readonly string[] | TopicPattern
  /** Where a group without a stored offset begins: also at the first record with this Kafka timestamp or a later one. */
  readonly from: 'earliest' | 'latest' | number
  /** Where the sink stops to read; undefined: it goes on. */
  readonly until: 'end' | undefined
  /** Reaction if the stored offset is out of range. */
  readonly lostOffsets: 'stop' | 'earliest' | 'latest'
  readonly tls: TlsSettings | boolean
  readonly sasl: SaslSettings | undefined
  readonly sessionTimeoutMs: number
  readonly heartbeatMs: number
  readonly rebalanceTimeoutMs: number
  readonly metadataMaxAgeMs: number
  readonly connectionTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly maxWaitMs: number
  readonly maxBytesPerPartition: number
  /**
   * Memory limit for the decompressed batches of one fetch, counting 256 bytes for each record and 160 for each header.
   */
  readonly maxInflatedBatchBytes: number
  readonly onOversizedBatch: 'stop' | 'skip'
  /**
   * How long the new owner of a partition waits before its first write, so that Cosmos DB can apply requests of the
   * former owner first.
   */
  readonly handoverMs: number
}

export interface TlsSettings {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: Secret | undefined
  readonly passphrase: Secret | undefined
  readonly rejectUnauthorized: boolean
}

export type SaslSettings =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
      readonly username: string
      readonly password: Secret
    }
  | { readonly mechanism: 'oauthbearer'; readonly scope: string }

/** A string that JSON, inspection and messages never show. */
export interface Secret {
  readonly reveal: () => string
  /** Replaces the value after a rotation. */
  readonly replace: (text: string) => void
  readonly toString: () => string
}

/** Format of keys or values. */
export type FormatSettings =
  | { readonly format: 'json' | 'json-envelope' | 'text' | 'bytes' | 'registry' }
  | { readonly format: 'avro'; readonly schema: object }

/** Format of values: one of documents, or change data. */
export type ValueSettings = FormatSettings | ChangeDataSettings

/** Change data of Debezium: each value is an envelope with `op`, `before` and `after`. */
export interface ChangeDataSettings {
  readonly format: 'debezium'
  /** Encoding of the envelopes. JSON may have a schema. */
  readonly encoding: { readonly format: 'json' | 'registry' } | { readonly format: 'avro'; readonly schema: object }
  /** Handling of `t`, which says that a table was emptied. */
  readonly truncate: 'reject' | 'ignore'
  /** Handling of `m`, a message that is not about a row. */
  readonly message: 'reject' | 'ignore'
  /** Handling of rows with the placeholder of values that Debezium does not know. */
  readonly unavailable: 'reject' | 'store'
}

export interface RegistrySettings {
  readonly url: string
  readonly username: string | undefined
  readonly password: Secret | undefined
  readonly token: Secret | undefined
  readonly timeoutMs: number
  /** Handling of keys and values that do not begin with a schema id: `json` accepts JSON objects. Default: `reject`. */
  readonly unframed?: 'reject' | 'json'
}

export interface NumberPolicy {
  /** Concerns only integers beyond 2^53 - 1: all others are numbers under every policy. */
  readonly int64: 'string' | 'number' | 'reject'
  /**
   * Concerns all decimals under `string`, so that a field keeps one type; `reject` accepts those with up to 15
   * significant digits.
   */
  readonly decimal: 'string' | 'number' | 'reject'
  /** Concerns values of Protobuf enums that their schema does not name. Default: `number`. */
  readonly enum?: 'string' | 'number' | 'reject'
}

export interface CosmosSettings {
  readonly endpoint: string
  /** Without a key, Entra ID is used. */
  readonly key: Secret | undefined
  readonly database: string
  /** Container of the records: one for all topics, one for each topic, or a template with `${topic}` and groups of the pattern. */
  readonly container: string | ReadonlyMap<string, string>
  readonly preferredRegions: readonly string[]
  /**
   * RU/s, a percentage of the provisioned throughput, or `partitions`: in proportion to the topic partitions that this
   * process owns.
   */
  readonly share: Share | 'partitions'
  readonly sharedThrough: SharedBudget | undefined
  /** How Cosmos DB ranks the writes against those of other clients; none for the default of the account. */
  readonly priority: PriorityOptions
  readonly requestTimeoutMs: number
}

/** A switch of the sink to another container, while it runs. */
export interface MoveSettings {
  /** Name of the switch record. */
  readonly name: string
  readonly to: {
    /** Undefined: the account of `cosmos`. */
    readonly account: Pick<CosmosSettings, 'endpoint' | 'key'> | undefined
    /** Undefined: the database of `cosmos`. */
    readonly database: string | undefined
    readonly container: string
    readonly plan: PlanDefinition
  }
}

export type IdSettings =
  | { readonly strategy: 'inValue' | 'inKey'; readonly path: string; readonly escape: 'lossless' | 'underscore' }
  | { readonly strategy: 'fullKey'; readonly escape: 'lossless' | 'underscore' }
  | { readonly strategy: 'metadata'; readonly delimiter: string; readonly escape: 'lossless' | 'underscore' }
  | { readonly strategy: 'template'; readonly template: string; readonly escape: 'lossless' | 'underscore' }

export interface WriteSettings {
  readonly strategy: 'overwrite' | 'append' | 'delete' | 'deleteIfNotModified' | 'overwriteIfNotModified' | 'patch'
  readonly patch: PatchSettings | undefined
  /**
   * `repeated`: a tombstone repeats the delete before it, so it deletes the document if the Kafka key names the document,
   * and is ignored otherwise.
   */
  readonly tombstones: 'delete' | 'ignore' | 'reject' | 'repeated'
  /** Time to live in seconds; -1 for never. A field of the record may set it instead. */
  readonly ttl: number | { readonly field: string } | undefined
  /** Property that receives topic, partition, offset, timestamp, key or headers of the record. */
  readonly metadata: MetadataSettings | undefined
  /** Top-level properties that are not stored. */
  readonly drop: readonly string[]
  /** Writes consecutive records of one topic partition with the same partition key atomically: all or none. */
  readonly atomic: boolean
  /** Deletes the document under the old key when the key of a document changes; undefined if it stays. */
  readonly rehome: RehomeSettings | undefined
  /** Reads from each record whether it is stored or deletes a document; undefined if every record is stored. */
  readonly operation?: OperationSettings | undefined
  /** Stores a document only if it is newer than the stored one; undefined if every record is stored. */
  readonly newerBy: NewerBySettings | undefined
}

/** Effect of a record: `store` as the write strategy says. */
export type RecordOperation = 'store' | 'delete' | 'ignore'

export interface OperationSettings {
  readonly from: { readonly field: string } | { readonly header: string }
  readonly values: ReadonlyMap<string, RecordOperation>
  /** Effect of a record with another value. */
  readonly other: RecordOperation | 'reject'
  /** Effect of a record without a value. */
  readonly missing: RecordOperation | 'reject'
}

export interface NewerBySettings {
  /**
   * Orders the changes of a document: a field of the record, its Kafka timestamp, or its offset alone. `placeIn`, for
   * replays only: the topic, the partition and the offset in the property of `write.metadata`.
   */
  readonly order: { readonly field: string } | { readonly placeIn: string } | 'timestamp' | 'offset'
  /** Choice if it is not known which change is newer. */
  readonly ties: Ties
  /** Seconds for which the marker of a deleted document is kept; -1 for ever. Undefined: there are no deletes. */
  readonly markerTtl: number | undefined
}

export interface RehomeSettings {
  /**
   * Place of the previous image of the document, a JSON object: a JSON pointer in the record, a Kafka header, or the
   * `before` of change data.
   */
  readonly before: { readonly field: string } | { readonly header: string } | 'envelope'
}

export interface PatchSettings {
  readonly operation: 'add' | 'set' | 'replace' | 'remove' | 'increment' | 'none'
  /** Operation and path that differ from the default, by property. */
  readonly members: ReadonlyMap<
    string,
    { readonly operation: PatchSettings['operation']; readonly path: string | undefined }
  >
  readonly condition: string | undefined
}

export interface MetadataSettings {
  readonly into: string
  readonly fields: readonly ('topic' | 'partition' | 'offset' | 'timestamp' | 'key' | 'headers')[]
}

export interface RejectSettings {
  /**
   * `copy` to the dead-letter topic or file and continue, `skip` without a copy, or `stop` the sink at the first
   * rejected record.
   */
  readonly policy: 'copy' | 'skip' | 'stop'
  readonly topic: string | undefined
  readonly file: string | undefined
  /** Reaction if the broker refuses a copy as too large. */
  readonly tooLarge: 'stop' | 'withoutValue' | 'skip'
  /** Stops the sink when more than `percent` of the last `window` records were rejected; undefined for never. */
  readonly tolerance: { readonly percent: number; readonly window: number } | undefined
}

export interface CommitSettings {
  readonly everyRecords: number
  readonly everyMs: number
}

/** Settings of one process. */
export interface ServiceSettings {
  readonly sinks: readonly SinkSettings[]
  /** Effect of a failed sink on the others of the process: `continue` leaves them running, `exit` drains them. */
  readonly onSinkFailure: 'continue' | 'exit'
  readonly http: { readonly host: string; readonly port: number } | undefined
  readonly log: { readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent' }
  /** Warnings about settings that work in an unexpected way; a sentence each. */
  readonly warnings: readonly string[]
}
