// API report of @keystamp/connector, made by npm run docs. A change here is a change of the public API.

import type { DestinationStream } from 'pino'
import type { Fence } from '@keystamp/cosmos'
import type { KeystampError } from '@keystamp/core'
import type { LateRequest } from '@keystamp/cosmos'
import type { Operation } from '@keystamp/cosmos'
import type { Outcome } from '@keystamp/cosmos'
import type { PlanDefinition } from '@keystamp/core'
import type { Position } from '@keystamp/core'
import type { RecordCode } from '@keystamp/core'
import type { Share } from '@keystamp/cosmos'
import type { SharedBudget } from '@keystamp/cosmos'
import type { Source } from '@keystamp/core'
import type { WriteCode } from '@keystamp/cosmos'
import type { WriterStats } from '@keystamp/cosmos'

/** What a look at the real parts has shown; nothing was written, and no group was joined but one of the check's own. */
export interface CheckReport {
  /** Whether the sinks can be started. */
  readonly ok: boolean
  readonly sinks: readonly SinkReport[]
}

/** Offset to commit for a partition. */
export interface Commit extends TopicPartition {
  readonly position: Position
  readonly metadata: string
}

/** Offset that the group stores for a partition; `position` is undefined where none is stored. */
export interface Committed extends TopicPartition {
  readonly position: Position | undefined
  readonly metadata: string
  /** Number of partitions that the topic had when the group began to read it: partitions from this number on were added later. */
  readonly initialPartitions?: number | undefined
}

/** What reading a configuration touches of the machine. */
export interface ConfigDependencies {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a file as text. Rejects with a sentence. */
  readonly readFile: (path: string) => Promise<string>
}

/** A configuration that cannot be used, with every mistake in it. */
export declare class ConfigError extends KeystampError {
  readonly mistakes: readonly ConfigMistake[]
  constructor(name: string, mistakes: readonly ConfigMistake[])
}

/** Something in a configuration that cannot be used. */
export interface ConfigMistake {
  readonly path: ConfigPath
  /** The line and column it stands at, from 1; undefined where it does not stand in the file. */
  readonly place: Place | undefined
  /** The variable of the environment that it came from. */
  readonly variable: string | undefined
  /** What is wrong and what to do, without a subject: `must be a text, not a number`. */
  readonly message: string
}

/** Everything that a configuration can say, for `docs/sink-reference.md`. */
export interface ConfigReference {
  readonly sections: readonly ReferenceSection[]
  /** What keys demand of each other: the key, and what has to be. */
  readonly rules: readonly {
    readonly at: string
    readonly demands: string
  }[]
  readonly eventHubs: Readonly<Record<string, string | boolean>>
  /** Former names of keys that are still accepted. */
  readonly renamed: readonly RenamedKey[]
}

/** Where a configuration is: a file, or a text with the name that messages call it by. */
export type ConfigSource =
  | string
  | {
      readonly text: string
      readonly name: string
    }

/** A configuration of Microsoft's connectors in our words. */
export interface ConnectTranslation {
  readonly yaml: string
  /** Every key that is not simply the same here, with what to do. */
  readonly notes: readonly Note[]
}

/** Member of a consumer group. It commits nothing by itself. */
export interface Consumer {
  /**
   * Connects, joins the group, and hands over batches from then on. Waits for brokers that do not answer; rejects where they refuse.
   * Resolves with the first assignment, or when it is stopped before.
   */
  readonly start: (listener: ConsumerListener) => Promise<void>
  /** Pauses partitions until they are resumed. Takes effect at once; survives rebalances. */
  readonly pause: (partitions: readonly TopicPartition[]) => void
  /** Takes effect within `resumeDelayMs`. */
  readonly resume: (partitions: readonly TopicPartition[]) => void
  /** Delivers an owned partition from this position next, whatever was delivered of it before. */
  readonly deliverFrom: (place: TopicPartition, position: Position) => void
  /** Longest time until records of a resumed partition arrive, in milliseconds. */
  readonly resumeDelayMs: number
  /** Time after the last heartbeat from which on the group may have given the partitions to other members, in milliseconds. */
  readonly sessionTimeoutMs: number
  /** When the last answered heartbeat was sent, by `performance.now()`. Without a recent heartbeat nothing may be written. */
  readonly lastHeartbeatMs: number
  /**
   * Commits offsets in the generation of the last join, and in no later one. Leaves out partitions that are not owned any more, and all of them
   * during a rebalance. Returns the commits that were stored. Throws where Kafka cannot be reached, or refuses.
   */
  readonly commit: (commits: readonly Commit[]) => Promise<readonly Commit[]>
  /** Reads the offsets that the group stores. */
  readonly committed: (partitions: readonly TopicPartition[]) => Promise<readonly Committed[]>
  /** Counts the partitions of the subscribed topics, whichever members own them. */
  readonly countPartitions: () => Promise<number>
  /** Reads the offsets after the last records of the brokers, by `partitionName`. Fetches do not report them while a partition is paused. */
  readonly ends: (partitions: readonly TopicPartition[]) => Promise<ReadonlyMap<string, Position>>
  /** Leaves the group and disconnects. Commit before. */
  readonly stop: () => Promise<void>
}

/** Callbacks of a consumer. None of them may wait. */
export interface ConsumerListener {
  /**
   * Called after every join with all partitions that this member owns from now on, also when none moved. Called with none before that where the
   * coordinator dropped this member, its connection was lost, or it may have missed a generation: other members may have owned all of them then.
   * Records that were fetched under an older assignment are not handed over any more.
   */
  readonly assigned: (partitions: readonly TopicPartition[]) => void
  /** A rebalance has begun: partitions may move until `assigned`. Called before each JoinGroup request of a member that owns partitions. */
  readonly rebalancing: () => void
  /**
   * A batch of an owned partition has arrived. Returns the offset to continue at: `batch.next`, or an earlier one for a second delivery.
   * The listener, not the consumer, recognizes redelivered records by their offsets. After a join these are all that are not committed.
   */
  readonly received: (batch: RecordBatch) => Position
  /** Owned partitions without a stored offset begin here. Called before records of them are delivered. */
  readonly learned: (starts: readonly Start[]) => void
  /**
   * The topic has no records any more at the next offset of an owned partition. Returns the offset to continue at: `to`, or one within the
   * partition up to which records were taken before. The consumer commits nothing by itself.
   */
  readonly outOfRange: (range: OutOfRange) => Position
  /** The consumer has ended, for this reason. Called at most once, and never after `stop`. */
  readonly failed: (error: Error) => void
}

/** Where rejected records are copied whole, with the reason. */
export interface DeadLetterWriter {
  /** Resolves when the copy is acknowledged. Waits, and tries again, for as long as the place cannot be reached; rejects when it never will take it. */
  readonly send: (record: SinkRecord, rejection: SinkRejection) => Promise<void>
  /** Throws what stands in the way of writing there: `UnreachableError`, with a whole sentence, where that passes. */
  readonly check: () => Promise<void>
  /** Why copies wait, when they do. */
  readonly waitingFor: string | undefined
  readonly close: () => Promise<void>
}

/** One thing that was looked at. */
export interface Finding {
  readonly of: 'topics' | 'codecs' | 'group' | 'registry' | 'container' | 'rejects' | 'sample'
  readonly state: 'ok' | 'warning' | 'failed'
  /** A sentence. */
  readonly message: string
}

/** Log of one sink: structured fields, then a sentence. Never holds a payload, a key or a secret. */
export interface Log {
  readonly info: (fields: object, sentence: string) => void
  /** Something unexpected that loses nothing. */
  readonly warn: (fields: object, sentence: string) => void
  /** Something that an operator has to act on. */
  readonly error: (fields: object, sentence: string) => void
}

/** One metric, for `docs/sink-reference.md`. */
export interface MetricReference {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  readonly help: string
}

/** Configuration under the current names of its keys. */
export interface MigratedConfig {
  readonly text: string
  /** Renamed keys in the order of the file, as paths. */
  readonly renamed: readonly RenamedKey[]
}

/**
 * What a translation has to say of a key. `refused`: the documents would be others, somebody has to act first. `changed`: works, and not as before.
 * `needless`: there is nothing to do.
 */
export interface Note {
  readonly kind: 'refused' | 'changed' | 'needless'
  /** The key of Kafka Connect; empty for the whole. */
  readonly key: string
  /** What to do, or why nothing is. */
  readonly message: string
}

/** A partition whose records do not include the next offset. */
export interface OutOfRange extends TopicPartition {
  /** The offset that is not there. */
  readonly from: Position
  /** Where reading continues, as configured: `low` or `high`. */
  readonly to: Position
  readonly low: Position
  readonly high: Position
  /** Whether the offsets of the partition begin again, since its topic was created again. */
  readonly isRecreated?: boolean
}

/** Records that one fetch brought of one partition. */
export interface RecordBatch extends TopicPartition {
  /** In order of their offsets. Gaps are control records, aborted records, and records that compaction removed. */
  readonly records: readonly SinkRecord[]
  /** Offset at which the fetch began: nothing exists between it and the first record. */
  readonly from: Position
  /** Offset after the last record, and after the invisible records that follow it. */
  readonly next: Position
  /** Offset after the last record that the broker has. */
  readonly highWatermark: Position
}

export interface RenamedKey {
  readonly from: string
  readonly to: string
}

/** Why the sink rejects a record before it reaches the key plan or Cosmos DB. `docs/errors.md` is made from this table. */
export declare const SINK_CODES: {
  readonly DECODE_FAILED: {
    readonly sentence: 'The record cannot be read in the configured format.'
    readonly cause: 'Its bytes are not of that format, its schema is not known, or a value has no JSON form under the chosen policy.'
    readonly remedy: 'Fix the producer, or name the right `format`; the message says at which byte or field reading stopped.'
  }
  readonly SCHEMA_UNKNOWN: {
    readonly sentence: 'The schema of the record could not be found.'
    readonly cause: 'The registry does not know the id that the record carries, or the schema cannot be used.'
    readonly remedy: 'Register the schema, or point `registry.url` at the registry that the producer uses.'
  }
  readonly BATCH_TOO_LARGE: {
    readonly sentence: 'A batch takes more memory than is allowed, so none of its records was read.'
    readonly cause: 'The batch is damaged or hostile, or the producer writes larger batches than `kafka.maxDecompressedBytes`.'
    readonly remedy: 'Look at the batch by its offsets; raise `kafka.maxDecompressedBytes` and the memory of the process, or say `kafka.onOversizedBatch: skip`.'
  }
  readonly TOMBSTONE_REJECTED: {
    readonly sentence: 'The record is a tombstone: it has a key and no value.'
    readonly cause: 'The configuration says `tombstones: reject`.'
    readonly remedy: 'Choose `delete` or `ignore`, or stop producing them.'
  }
  readonly PATCH_EMPTY: {
    readonly sentence: 'The record has no property that the patch could apply.'
    readonly cause: 'Key, id and the properties that the configuration leaves out are never patched, and the record has no others.'
    readonly remedy: 'Send at least one more property, or choose another write strategy.'
  }
  readonly PATCH_NOT_NUMBER: {
    readonly sentence: 'A property to increment is not a number.'
    readonly cause: 'The configuration says `increment` for it, and the record has a value of another type.'
    readonly remedy: 'Fix the producer, or choose another operation for this property under `write.patch.properties`.'
  }
  readonly TTL_INVALID: {
    readonly sentence: 'The field with the time to live is not a number of seconds.'
    readonly cause: 'Cosmos DB takes whole numbers from 1 to 2,147,483,647, and -1 for never.'
    readonly remedy: 'Fix the producer, or name another field under `write.ttl`.'
  }
}

/** One record, and what would become of it. */
export interface Sample {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  /** It is the next one that the group would read; else the group has read it. */
  readonly isNext: boolean
  readonly becomes: SampleOutcome
  /** The document that would be stored, or the steps of a patch, as JSON; only where values were asked for. */
  readonly document?: string
  /** The value of a record that would not be stored, as text, or as base64 where it is none; only where values were asked for. */
  readonly value?: string
}

/** What would become of a record. */
export type SampleOutcome =
  | {
      readonly kind: 'stored'
      readonly container: string
      readonly operation: string
      /** One value a level. */
      readonly key: readonly unknown[]
      readonly id: string | undefined
    }
  | {
      readonly kind: 'ignored'
    }
  | {
      readonly kind: 'rejected'
      readonly stage: string
      readonly code: string
      readonly message: string
    }

/** All the sinks of one process, and its face. */
export interface Service {
  readonly sinks: readonly Sink[]
  /** Where `/livez`, `/readyz` and `/metrics` are; undefined where the settings name no place. */
  readonly url: string | undefined
  /** Resolves when each of them runs, or has ended. */
  readonly started: Promise<void>
  /** Drains all of them. */
  readonly stop: () => Promise<void>
  /** Resolves when every sink has ended. A failed sink drains the others only under `onSinkFailure: exit`. */
  readonly ended: Promise<readonly SinkEnd[]>
}

/** What one process runs. */
export interface ServiceSettings {
  readonly sinks: readonly SinkSettings[]
  /** What a failed sink does to the others of the process: `continue` leaves them running, `exit` drains them. */
  readonly onSinkFailure: 'continue' | 'exit'
  readonly http:
    | {
        readonly host: string
        readonly port: number
      }
    | undefined
  readonly log: {
    readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  }
  /** What works, but not as somebody may expect; a sentence each. */
  readonly warnings: readonly string[]
}

/** Sink from Kafka topics to Cosmos DB containers. */
export interface Sink {
  readonly name: string
  readonly state: SinkState
  /** Connects and joins the group, once. Rejects with the reason when the start fails; resolves also when `stop` interrupts it. */
  readonly start: () => Promise<void>
  /** Takes no new records, waits for the outcomes of those in flight, commits, and leaves the group. Resolves when that is done. */
  readonly stop: () => Promise<void>
  /** Resolves when the sink has ended, in whatever way. */
  readonly ended: Promise<SinkEnd>
  readonly stats: () => SinkStats
}

export type SinkCode = keyof typeof SINK_CODES

/** Everything through which a sink reaches its process and the network. Tests replace parts of it. */
export interface SinkDependencies {
  readonly clock: Clock
  readonly log: Log
  /** Default: refused credentials end the sink. */
  readonly auth?: AuthGrace | undefined
  readonly createConsumer: () => Consumer
  readonly createDecoder: () => Decoder
  readonly createDeadLetterWriter: () => DeadLetterWriter | undefined
  readonly createTolerance: () => Tolerance | undefined
  /**
   * Opens a container for writing. The target sends nothing while `maySend` returns false. It calls `onStopped` when it can never send again, and
   * `onLate` for each request that may have been applied after one of its partitions had moved, or may be applied after its retry.
   */
  readonly openTarget: (
    container: string,
    maySend: () => boolean,
    onStopped: (error: Error) => void,
    onLate: (late: LateRequest) => void
  ) => Promise<Target>
}

/** How a sink ended. `error` says why it failed, or what it left behind when it was stopped. */
export interface SinkEnd {
  readonly state: 'stopped' | 'failed'
  readonly error: Error | undefined
}

/** Kafka record. A key plan can read its fields in addition to those of the document. */
export interface SinkRecord extends Source {
  readonly topic: string
  readonly partition: number
  readonly offset: Position
  /** Milliseconds since 1970. */
  readonly timestamp: string
  readonly key: Uint8Array | null
  /** Null for a tombstone. */
  readonly value: Uint8Array | null
  readonly headers: RecordHeaders
  /** Set where this record stands for a compressed batch that was refused; it lies at the batch's last offset. */
  readonly oversizedBatch?: OversizedBatch
  /** Bytes of the document that decoding created from the value; set when work on the record begins. */
  madeBytes?: number
}

/** A record that will not be stored: what, where and why, as a value. Carries nothing of the payload. */
export interface SinkRejection {
  readonly ok: false
  readonly stage: Stage
  readonly code: SinkCode | RecordCode | WriteCode
  /** One sentence. */
  readonly message: string
  /** The place in the record, as a JSON pointer; empty for the record as a whole. */
  readonly path: string
}

/** What was found out about one sink. */
export interface SinkReport {
  readonly name: string
  readonly findings: readonly Finding[]
  /** What would become of one record of each topic. */
  readonly samples: readonly Sample[]
}

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

/** State of a sink. */
export type SinkState = 'starting' | 'running' | 'draining' | 'stopped' | 'failed'

/** Statistics of a sink. Counters begin with 0 when the sink is created and never decrease. */
export interface SinkStats extends Readonly<PipelineCounts> {
  readonly state: SinkState
  /** By code. */
  readonly rejected: Readonly<Record<string, number>>
  /** Records and bytes that have no outcome yet. */
  readonly open: number
  readonly openBytes: number
  readonly partitions: readonly PartitionStats[]
  readonly containers: readonly ContainerStats[]
  readonly pauses: number
  readonly commits: number
  /** Requests that may have been applied after their partition had moved, or may be applied after their retry, by partition and stage. */
  readonly lateRequests: readonly LateCount[]
  /** Time since offsets were committed, in milliseconds. */
  readonly commitAgeMs: number
  readonly heartbeatAgeMs: number
  /** Everything that the sink waits for. */
  readonly waits: readonly SinkWait[]
}

/** One wait of a sink, as statistics show it. */
export interface SinkWait {
  readonly reason: WaitReason
  readonly detail: string
  readonly durationMs: number
}

/** The first offset of a partition that has no stored one. */
export interface Start extends TopicPartition {
  readonly position: Position
}

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/**
 * Values of the metric label `reason`. A new kind of wait needs an entry here, in `NAMES` and in docs/sink.md, and a source in
 * `currentWaits` that names it.
 */
export declare const WAIT_REASONS: readonly [
  'cosmos',
  'throttled',
  'redis',
  'kafka',
  'handover',
  'registry',
  'dead_letter_topic',
  'dead_letter_file',
  'auth'
]

export type WaitReason = (typeof WAIT_REASONS)[number]

/** Connects the parts of a sink to each other. */
export declare function assembleSink(settings: SinkSettings, dependencies: SinkDependencies): Sink

/** Looks at the real parts of every sink: Kafka, the registry, Cosmos DB, and where rejected records go. */
export declare function checkService({ sinks }: ServiceSettings, options: CheckOptions): Promise<CheckReport>

/** The JSON Schema of configurations for editors, in which every value may be a reference: `docs/sink.schema.json`. */
export declare function configJsonSchema(): object

/** Gives every key of a configuration with its type, its default and a sentence, and what keys demand of each other. */
export declare function configReference(): ConfigReference

/** Writes a line of JSON for each thing that an operator should know; nothing for each record. */
export declare function createLog(
  { level }: ServiceSettings['log'],
  destination?: DestinationStream
): {
  readonly forSink: (name: string) => Log
}

/**
 * Creates a sink from one of the `sinks` that `readConfig` returns. Nothing is connected before `start`. `changes` replace dependencies, for
 * tests.
 */
export declare function createSink(settings: SinkSettings, changes?: Partial<SinkDependencies>): Sink

/** Creates the dependencies of a sink in production: kafkajs, the schema registry, Cosmos DB, and the copies of rejected records. */
export declare function defaultDependencies(settings: SinkSettings, log?: Log): SinkDependencies

/** Lists every metric of the sink; those of the process are prom-client's default metrics. */
export declare function metricsReference(): readonly MetricReference[]

/**
 * Gives the text of a configuration with the current names of its keys; comments and layout stay. Other mistakes than those of names are not looked for.
 * Throws a ConfigError where the text is not YAML, or has a key under both names.
 */
export declare function migrateConfig({ text, name }: Exclude<ConfigSource, string>): MigratedConfig

/**
 * Reads and checks a configuration. Throws a ConfigError that names every mistake at once; nothing has been connected by then.
 * Without `surroundings` the environment and the files are those of the process.
 */
export declare function readConfig(source: ConfigSource, surroundings?: ConfigDependencies): Promise<ServiceSettings>

/** Reads a file that a configuration names, as text. Rejects for pipes and devices, which may never end, and for files of more than a megabyte. */
export declare function readRegularFile(path: string): Promise<string>

/** Starts what the settings name. `changes` stand in for parts of the machine, as tests need it. */
export declare function runService(
  { sinks: all, http, log, onSinkFailure }: ServiceSettings,
  changes?: Partial<SinkDependencies>
): Promise<Service>

/** Translates the JSON that Kafka Connect takes or shows for a sink of Microsoft's, first or second version. Throws CONFIG_INVALID for anything else. */
export declare function translateConnect(text: string): ConnectTranslation

// Not exported; the declarations above refer to it.

/** Outcome of an operation; an error where the writer has stopped. */
type Answer = Outcome | Error

/** Decides how long to retry with refused credentials: a rotated key and an identity outage end by themselves, a wrong password does not. */
interface AuthGrace {
  /** The service refused the credentials. Returns true to retry, and false where it has never accepted them or the grace period is over. */
  readonly refused: (service: AuthService) => boolean
  /** The service accepted the credentials. */
  readonly accepted: (service: AuthService) => void
  readonly waits: readonly AuthWait[]
}

/** Services that check credentials. */
type AuthService = 'Cosmos DB' | 'Kafka' | 'the dead-letter topic' | 'the schema registry'

/** A service that refuses credentials which it accepted before. */
interface AuthWait {
  readonly service: AuthService
  /** When it refused them for the first time, by the clock. */
  readonly sinceMs: number
}

interface CheckOptions {
  /** Show the values of the sample records, which are payloads. */
  readonly showValues: boolean
}

/** Clock of a sink. */
interface Clock {
  /** Milliseconds since an arbitrary moment; never decreases. */
  readonly now: () => number
  /** Calls `run` once; the returned function cancels the call. */
  readonly schedule: (ms: number, run: () => void) => () => void
}

interface CommitSettings {
  readonly everyRecords: number
  readonly everyMs: number
}

/** Where something stands in a configuration: names of keys, and places in lists. */
type ConfigPath = readonly (string | number)[]

interface ContainerStats extends WriterStats {
  readonly container: string
}

interface CosmosSettings {
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

/** A record whose value and key have become readable. */
interface Decoded {
  readonly ok: true
  /** The document as JSON bytes, untouched where the record was JSON; undefined for a tombstone. */
  readonly json: Uint8Array | undefined
  /** The key as text: JSON where it has members. Null where the record has none. */
  readonly key: string | Uint8Array | null
}

/**
 * Turns records into JSON. Answers at once, or with a promise where a schema has to be fetched first; a failure is an answer.
 * The promise rejects only with what stops the work.
 */
interface Decoder {
  readonly decode: (record: SinkRecord) => Decoded | SinkRejection | Promise<Decoded | SinkRejection>
  /** Why records wait, when they do: a registry that cannot be reached. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/** How bytes are read. */
type FormatSettings =
  | {
      readonly format: 'json' | 'json-envelope' | 'text' | 'bytes' | 'registry'
    }
  | {
      readonly format: 'avro'
      readonly schema: object
    }

type IdSettings =
  | {
      readonly strategy: 'inValue' | 'inKey'
      readonly path: string
      readonly escape: 'lossless' | 'underscore'
    }
  | {
      readonly strategy: 'fullKey'
      readonly escape: 'lossless' | 'underscore'
    }
  | {
      readonly strategy: 'metadata'
      readonly delimiter: string
      readonly escape: 'lossless' | 'underscore'
    }
  | {
      readonly strategy: 'template'
      readonly template: string
      readonly escape: 'lossless' | 'underscore'
    }

interface KafkaSettings {
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

/** Late requests of one partition. */
interface LateCount extends TopicPartition {
  readonly stage: LateRequest['stage']
  readonly count: number
}

interface MetadataSettings {
  readonly into: string
  readonly fields: readonly ('topic' | 'partition' | 'offset' | 'timestamp' | 'key' | 'headers')[]
}

interface NumberPolicy {
  /** Of those beyond 2^53 - 1 only: all others are numbers under every policy. */
  readonly int64: 'string' | 'number' | 'reject'
  /** Of all, under `string`, so that a field keeps one type; `reject` takes those that a number of 15 digits holds. */
  readonly decimal: 'string' | 'number' | 'reject'
}

/** Compressed batch that is not read: its records take more memory than `kafka.maxDecompressedBytes` allows. */
interface OversizedBatch {
  readonly firstOffset: string
  readonly lastOffset: string
  /** Bytes as they were fetched. */
  readonly bytes: number
  readonly maxBytes: number
}

interface PartitionStats {
  readonly topic: string
  readonly partition: number
  readonly lag: number
  readonly open: number
  readonly openBytes: number
  readonly isPaused: boolean
  /** Timestamp of the record that was settled last, in milliseconds since 1970. */
  readonly settledTimestampMs: number | undefined
}

interface PatchSettings {
  readonly operation: 'add' | 'set' | 'replace' | 'remove' | 'increment' | 'none'
  /** By member: another operation, another path. */
  readonly members: ReadonlyMap<
    string,
    {
      readonly operation: PatchSettings['operation']
      readonly path: string | undefined
    }
  >
  readonly condition: string | undefined
}

/** Counters of a sink. */
interface PipelineCounts {
  received: number
  receivedBytes: number
  written: number
  unchanged: number
  ignored: number
  /** Records that were delivered again after a rebalance, and recognized. */
  redelivered: number
}

interface Place {
  readonly line: number
  readonly column: number
}

/** Headers as the broker sent them: a name may occur more than once. */
type RecordHeaders = Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>

interface ReferenceRow {
  readonly key: string
  readonly type: string
  /** As it would be written; `required`; or empty, where the sentence says it or there is none. */
  readonly usual: string
  readonly says: string
}

/** The keys under one key. */
interface ReferenceSection {
  /** Empty for the top. */
  readonly key: string
  readonly says: string
  readonly rows: readonly ReferenceRow[]
}

interface RegistrySettings {
  readonly url: string
  readonly username: string | undefined
  readonly password: Secret | undefined
  readonly token: Secret | undefined
  readonly timeoutMs: number
  /** What becomes of keys and values without the frame that names their schema: `json` takes objects in JSON as they are. Default: `reject`. */
  readonly unframed?: 'reject' | 'json'
}

interface RejectSettings {
  /** `copy` to the dead letter topic or file and go on, `skip` without a copy, or `stop` the sink at the first one. */
  readonly policy: 'copy' | 'skip' | 'stop'
  readonly topic: string | undefined
  readonly file: string | undefined
  /** What to do with a copy that the broker refuses as too large. */
  readonly tooLarge: 'stop' | 'withoutValue' | 'skip'
  /** Stops the sink when, of the last `window` records, more than `per cent` were rejected; undefined for never. */
  readonly tolerance:
    | {
        readonly percent: number
        readonly window: number
      }
    | undefined
}

type SaslSettings =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
      readonly username: string
      readonly password: Secret
    }
  | {
      readonly mechanism: 'oauthbearer'
      readonly scope: string
    }

/** Never shown: not by JSON, not by inspection, not in a message. */
interface Secret {
  readonly reveal: () => string
  /** Replaces the text, for a secret that was rotated. */
  readonly replace: (text: string) => void
  readonly toString: () => string
}

/** Where on its way a record was rejected. */
type Stage = 'decode' | 'map' | 'write'

/** A container that records are written to. */
interface Target {
  readonly container: string
  /** Fingerprint of the settings that decide keys and ids. */
  readonly fingerprint: string
  /** Fingerprints whose keys this plan still finds. */
  readonly previousFingerprints: readonly string[]
  /** Settings that work otherwise than their names suggest. */
  readonly warnings: readonly string[]
  /** Maps a record to its operation; `ignore` where nothing is to be done. */
  readonly map: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
  /** Calls `settle` exactly once. An operation whose fence is lost before it is sent is not sent any more. */
  readonly submit: (operation: Operation, fence: Fence, settle: (answer: Answer) => void) => void
  /** The same for operations on one key that are applied all or none. */
  readonly submitAtomic: (operations: readonly Operation[], fence: Fence, settle: (answers: readonly Answer[]) => void) => void
  /** Uses only this part of its share from now on. */
  readonly usePart: (part: number) => void
  /** Every wait of its writes at this moment. */
  readonly waits: readonly Wait[]
  readonly stats: () => WriterStats
  /** Sends the operations that are queued, and gives up after `deadlineMs`. */
  readonly close: (deadlineMs: number) => Promise<void>
}

interface TlsSettings {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: Secret | undefined
  readonly passphrase: Secret | undefined
  readonly rejectUnauthorized: boolean
}

/** Counts how many of the last records were rejected: each record is told of once, when it is rejected or when it has passed. */
interface Tolerance {
  readonly rejected: (code: string, message: string) => void
  readonly passed: () => void
  /** What to say when it is too much. */
  readonly exceeded: () => string | undefined
}

/**
 * A regular expression that whole topic names are matched against. The engine needs linear time: whoever may create topics chooses their names, and a
 * backtracking engine can take forever for one of 40 letters.
 */
declare class TopicPattern {
  #private
  readonly source: string
  /** Throws a sentence without a subject where the text is not a pattern that the engine takes. */
  constructor(source: string)
  matches(topic: string): boolean
}

/** A wait as its source names it, for as long as it lasts. */
interface Wait {
  readonly reason: WaitReason
  /** Distinguishes waits of one reason, such as two containers. */
  readonly subject?: string
  /** Details; they complete the sentence "waits for Cosmos DB: ...". */
  readonly detail: string
  /** When it began, by the clock of the sink. Default: when it was seen first. */
  readonly sinceMs?: number
}

interface WriteSettings {
  readonly strategy: 'overwrite' | 'append' | 'delete' | 'deleteIfNotModified' | 'overwriteIfNotModified' | 'patch'
  readonly patch: PatchSettings | undefined
  readonly tombstones: 'delete' | 'ignore' | 'reject'
  /** Seconds; -1 for never. A field of the record may say it instead. */
  readonly ttl:
    | number
    | {
        readonly field: string
      }
    | undefined
  /** Writes topic, partition, offset, timestamp, key or headers of the record under this name. */
  readonly metadata: MetadataSettings | undefined
  /** Members at the top that are not stored. */
  readonly drop: readonly string[]
  /** Consecutive records of one key from one partition are applied all or none. */
  readonly atomic: boolean
}

export {}
