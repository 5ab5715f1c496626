import type { PlanDefinition } from '@keystamp/core'
import type { SharedBudget, Share } from '@keystamp/cosmos'
import type { TopicPattern } from './topic-pattern.ts'

/** One sink, with every default filled in, references resolved and all rules checked. `docs/sink-reference.md` is made from the schema. */
export interface SinkSettings {
  /** Names the sink in metrics and logs; the consumer group is `keystamp-<name>` unless `kafka.group` says otherwise. */
  readonly name: string
  readonly kafka: KafkaSettings
  readonly key: FormatSettings
  readonly value: FormatSettings
  readonly registry: RegistrySettings | undefined
  /** What 64-bit integers and decimals become where JSON numbers would round them. */
  readonly numbers: NumberPolicy
  readonly cosmos: CosmosSettings
  /** The key plan; without one records carry their partition key where the container looks for it. */
  readonly plan: PlanDefinition | undefined
  /** How ids are made where the plan does not say. */
  readonly id: IdSettings | undefined
  readonly write: WriteSettings
  readonly rejects: RejectSettings
  readonly commit: CommitSettings
  /** Go on from a position that was committed under another plan. */
  readonly acceptPlanChange: boolean
  /** A random suffix stores a record a second time when it is read again. */
  readonly allowDuplicatesOnReplay: boolean
  /** Bytes of records that may be open at once. */
  readonly maxBytes: number
  /** How long a record may be open without a reason before the sink gives up. */
  readonly stallMs: number
  /** How long draining may take after a signal. */
  readonly shutdownMs: number
  /** How long credentials may be refused that were accepted before. */
  readonly authGraceMs: number
  /** Reads secret files and certificates again, into these settings. Default: what was read stays. */
  readonly rereadCredentials?: () => Promise<void>
}

export interface KafkaSettings {
  readonly brokers: readonly string[]
  readonly clientId: string
  readonly group: string
  /** Names, or one pattern for whole names. */
  readonly topics: readonly string[] | TopicPattern
  /** Where a group that has no position begins. */
  readonly from: 'earliest' | 'latest'
  /** What to do when the group's position lies outside what the topic holds. */
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
  /** What a compressed batch may inflate to, with 256 bytes for each of its records. */
  readonly maxInflatedBatchBytes: number
  readonly onOversizedBatch: 'stop' | 'skip'
  /** How long a partition that came from another member is left alone, so that what its former owner sent has landed. */
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
  | { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly username: string; readonly password: Secret }
  | { readonly mechanism: 'oauthbearer'; readonly scope: string }

/** Never shown: not by JSON, not by inspection, not in a message. */
export interface Secret {
  readonly reveal: () => string
  /** Replaces the text, for a secret that was rotated. */
  readonly replace: (text: string) => void
  readonly toString: () => string
}

/** How bytes are read. */
export type FormatSettings =
  | { readonly format: 'json' | 'json-envelope' | 'text' | 'bytes' | 'registry' }
  | { readonly format: 'avro'; readonly schema: object }

export interface RegistrySettings {
  readonly url: string
  readonly username: string | undefined
  readonly password: Secret | undefined
  readonly token: Secret | undefined
  readonly timeoutMs: number
  /** What becomes of keys and values without the frame that names their schema: `json` takes objects in JSON as they are. Default: `reject`. */
  readonly unframed?: 'reject' | 'json'
}

export interface NumberPolicy {
  /** Of those beyond 2^53 - 1 only: all others are numbers under every policy. */
  readonly int64: 'string' | 'number' | 'reject'
  /** Of all, under `string`, so that a field keeps one type; `reject` takes those that a number of 15 digits holds. */
  readonly decimal: 'string' | 'number' | 'reject'
}

export interface CosmosSettings {
  readonly endpoint: string
  /** Without it Entra is asked. */
  readonly key: Secret | undefined
  readonly database: string
  /** Where the records of a topic go: one container, one by topic, or a template with `${topic}`. */
  readonly container: string | ReadonlyMap<string, string>
  readonly preferredRegions: readonly string[]
  /** RU/s, a per cent of the offer, or `partitions`: the part of the offer that goes with the topic partitions owned. */
  readonly share: Share | 'partitions'
  readonly sharedThrough: SharedBudget | undefined
  readonly requestTimeoutMs: number
}

export type IdSettings =
  | { readonly strategy: 'inValue' | 'inKey'; readonly path: string; readonly escape: 'lossless' | 'underscore' }
  | { readonly strategy: 'fullKey'; readonly escape: 'lossless' | 'underscore' }
  | { readonly strategy: 'metadata'; readonly delimiter: string; readonly escape: 'lossless' | 'underscore' }
  | { readonly strategy: 'template'; readonly template: string; readonly escape: 'lossless' | 'underscore' }

export interface WriteSettings {
  readonly strategy: 'overwrite' | 'append' | 'delete' | 'deleteIfNotModified' | 'overwriteIfNotModified' | 'patch'
  readonly patch: PatchSettings | undefined
  readonly tombstones: 'delete' | 'ignore' | 'reject'
  /** Seconds; -1 for never. A field of the record may say it instead. */
  readonly ttl: number | { readonly field: string } | undefined
  /** Writes topic, partition, offset, timestamp, key or headers of the record under this name. */
  readonly metadata: MetadataSettings | undefined
  /** Members at the top that are not stored. */
  readonly drop: readonly string[]
  /** Consecutive records of one key from one partition are applied all or none. */
  readonly atomic: boolean
}

export interface PatchSettings {
  readonly operation: 'add' | 'set' | 'replace' | 'remove' | 'increment' | 'none'
  /** By member: another operation, another path. */
  readonly members: ReadonlyMap<string, { readonly operation: PatchSettings['operation']; readonly path: string | undefined }>
  readonly condition: string | undefined
}

export interface MetadataSettings {
  readonly into: string
  readonly fields: readonly ('topic' | 'partition' | 'offset' | 'timestamp' | 'key' | 'headers')[]
}

export interface RejectSettings {
  /** `copy` to the dead letter topic or file and go on, `skip` without a copy, or `stop` the sink at the first one. */
  readonly policy: 'copy' | 'skip' | 'stop'
  readonly topic: string | undefined
  readonly file: string | undefined
  /** What to do with a copy that the broker refuses as too large. */
  readonly tooLarge: 'stop' | 'withoutValue' | 'skip'
  /** Stops the sink when, of the last `window` records, more than `per cent` were rejected; undefined for never. */
  readonly tolerance: { readonly percent: number; readonly window: number } | undefined
}

export interface CommitSettings {
  readonly everyRecords: number
  readonly everyMs: number
}

/** What one process runs. */
export interface ServiceSettings {
  readonly sinks: readonly SinkSettings[]
  /** What a failed sink does to the others of the process: `continue` leaves them running, `exit` drains them. */
  readonly onSinkFailure: 'continue' | 'exit'
  readonly http: { readonly host: string; readonly port: number } | undefined
  readonly log: { readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent' }
  /** What works, but not as somebody may expect; a sentence each. */
  readonly warnings: readonly string[]
}
