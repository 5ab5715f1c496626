// API report of @keystamp/connector, made by npm run docs. A change here is a change of the public API.

import type { Change } from '@keystamp/core/internal'
import type { Clock } from '@keystamp/core/internal'
import type { DestinationStream } from 'pino'
import type { Fence } from '@keystamp/cosmos'
import type { KeystampError } from '@keystamp/core'
import type { LateRequest } from '@keystamp/cosmos'
import type { Operation } from '@keystamp/cosmos'
import type { Outcome } from '@keystamp/cosmos'
import type { PlanDefinition } from '@keystamp/core'
import type { Position } from '@keystamp/core'
import type { PriorityOptions } from '@keystamp/cosmos'
import type { RecordCode } from '@keystamp/core'
import type { Share } from '@keystamp/cosmos'
import type { SharedBudget } from '@keystamp/cosmos'
import type { Source } from '@keystamp/core'
import type { Ties } from '@keystamp/cosmos'
import type { WriteCode } from '@keystamp/cosmos'
import type { WriterStats } from '@keystamp/cosmos'

/**
 * Result of a check. A check writes nothing and does not join the consumer group of the sink: it reads its samples with
 * a temporary group.
 */
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

/** Offset that the group stores for a partition; `position` is undefined if it stores none. */
export interface Committed extends TopicPartition {
  readonly position: Position | undefined
  readonly metadata: string
  /**
   * Number of partitions that the topic had when the group began to read it. A partition with this number or a higher
   * one was added later.
   */
  readonly initialPartitions?: number | undefined
}

/** Dependencies of reading a configuration. */
export interface ConfigDependencies {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a file as text. Rejects with an error whose message is a sentence. */
  readonly readFile: (path: string) => Promise<string>
}

/** A configuration that cannot be used, with all of its mistakes. */
export declare class ConfigError extends KeystampError {
  readonly mistakes: readonly ConfigMistake[]
  constructor(name: string, mistakes: readonly ConfigMistake[])
}

/** One mistake in a configuration. */
export interface ConfigMistake {
  readonly path: ConfigPath
  /** Line and column in the file, from 1; undefined if the value is not in the file. */
  readonly position: SourcePosition | undefined
  /** Environment variable that the value came from. */
  readonly variable: string | undefined
  /** The mistake and its remedy, without a subject: `must be a string, not a number`. */
  readonly message: string
}

/** All keys of a configuration, for `docs/sink-reference.md`. */
export interface ConfigReference {
  readonly sections: readonly ReferenceSection[]
  /** Rules between keys: the key that a rule is about, and what the rule demands. */
  readonly rules: readonly {
    readonly at: string
    readonly demands: string
  }[]
  readonly eventHubs: Readonly<Record<string, string | boolean>>
  /** Former names of keys that are still accepted. */
  readonly renamed: readonly RenamedKey[]
}

/** Source of a configuration: a file, or a string with the name that messages use for it. */
export type ConfigSource =
  | string
  | {
      readonly text: string
      readonly name: string
    }

/** Translated configuration of one of Microsoft's connectors. */
export interface ConnectTranslation {
  readonly yaml: string
  /** Notes on all keys that could not be copied as they are. */
  readonly notes: readonly Note[]
}

/** Member of a consumer group. It commits nothing by itself. */
export interface Consumer {
  /**
   * Connects, joins the group, and delivers batches from then on. Waits for brokers that do not answer; rejects if they
   * refuse the member. Resolves with the first assignment, or when the consumer is stopped before that.
   */
  readonly start: (listener: ConsumerListener) => Promise<void>
  /** Pauses partitions until they are resumed. Takes effect at once; survives rebalances. */
  readonly pause: (partitions: readonly TopicPartition[]) => void
  /** Takes effect within `resumeDelayMs`. */
  readonly resume: (partitions: readonly TopicPartition[]) => void
  /** Delivers an owned partition from this position next, whatever was delivered of it before. */
  readonly deliverFrom: (topicPartition: TopicPartition, position: Position) => void
  /** Longest time until records of a resumed partition arrive, in milliseconds. */
  readonly resumeDelayMs: number
  /**
   * Time after the last heartbeat, in milliseconds, after which the group may assign the partitions to other members.
   */
  readonly sessionTimeoutMs: number
  /**
   * When the last answered heartbeat was sent, by `performance.now()`. Without a recent heartbeat, the sink must not
   * write.
   */
  readonly lastHeartbeatMs: number
  /**
   * Commits offsets in the generation of the last join, and in no later one. Leaves out partitions that this member
   * does not own any more; commits nothing during a rebalance. Returns the commits that were stored. Throws if Kafka
   * cannot be reached, or refuses the request.
   */
  readonly commit: (commits: readonly Commit[]) => Promise<readonly Commit[]>
  /** Reads the offsets that the group stores. */
  readonly committed: (partitions: readonly TopicPartition[]) => Promise<readonly Committed[]>
  /** Counts the partitions of the subscribed topics, whichever members own them. */
  readonly countPartitions: () => Promise<number>
  /**
   * Reads the end offsets of partitions from the brokers, by `partitionName`. Fetches do not report them for a paused
   * partition.
   */
  readonly ends: (partitions: readonly TopicPartition[]) => Promise<ReadonlyMap<string, Position>>
  /** Leaves the group and disconnects. Does not commit: call `commit` before. */
  readonly stop: () => Promise<void>
}

/** Callbacks of a consumer. None of them may wait. */
export interface ConsumerListener {
  /**
   * Called after every join with all partitions that this member owns from now on, even if none has moved. If other
   * members may have owned the partitions in between, called with an empty list before that: the coordinator dropped
   * this member, its connection was lost, or it may have missed a generation. Records that were fetched under an older
   * assignment are no longer delivered.
   */
  readonly assigned: (partitions: readonly TopicPartition[]) => void
  /**
   * A rebalance has begun: partitions may move until `assigned`. Called before each JoinGroup request of a member that
   * owns partitions.
   */
  readonly rebalancing: () => void
  /**
   * A batch of an owned partition has arrived. Returns the offset to continue at: `batch.next`, or an earlier one for a
   * second delivery. After a join, all records after the committed offset are delivered again. The consumer does not
   * filter them: the listener recognizes them by their offsets.
   */
  readonly received: (batch: RecordBatch) => Position
  /** Called with the start offsets of owned partitions without a stored offset, before their records are delivered. */
  readonly learned: (starts: readonly Start[]) => void
  /**
   * The next offset of an owned partition is out of range. Returns the offset to continue at: `to`, or an offset in
   * range up to which the listener has taken records before. The consumer commits nothing by itself.
   */
  readonly outOfRange: (range: OutOfRange) => Position
  /** The consumer has ended, for this reason. Called at most once, and never after `stop`. */
  readonly failed: (error: Error) => void
}

/** Destination for whole copies of rejected records, with the reason of each. */
export interface DeadLetterWriter {
  /**
   * Resolves when the copy is acknowledged. Retries while the destination cannot be reached; rejects if the destination
   * will never accept the copy.
   */
  readonly send: (record: SinkRecord, rejection: SinkRejection) => Promise<void>
  /**
   * Throws the reason why copies cannot be written. If retrying can help, it is an `UnreachableError` whose message is
   * a whole sentence.
   */
  readonly check: () => Promise<void>
  /** Why copies wait; undefined if no copy waits. */
  readonly waitingFor: string | undefined
  readonly close: () => Promise<void>
}

/** One fact that was checked. */
export interface Finding {
  /** Part of the sink that was checked. */
  readonly of: 'topics' | 'codecs' | 'group' | 'registry' | 'container' | 'move' | 'rejects' | 'sample'
  readonly state: 'ok' | 'warning' | 'failed'
  /** The result of the check, as a sentence for people. */
  readonly message: string
}

/** Sink and container of a journal, which must not be used for others. */
export interface JournalOwner {
  /** Undefined if the rejected records are of files. */
  readonly sink: string | undefined
  /** Endpoint, database and container. */
  readonly target: string
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
 * Severity of a note. `refused`: change the configuration by hand first, or documents would differ. `changed`: works,
 * but differently. `needless`: nothing to do.
 */
export interface Note {
  readonly kind: 'refused' | 'changed' | 'needless'
  /** Key of Kafka Connect; empty for the configuration as a whole. */
  readonly key: string
  /** The action to take, or why there is none. */
  readonly message: string
}

/** A switch of the sinks of one group, with the connections that it needs. */
export interface OpenSinkSwitch {
  readonly steps: Pick<SinkSwitch, 'request' | 'complete' | 'cancel'>
  readonly close: () => Promise<void>
}

/** A partition whose records do not include the next offset. */
export interface OutOfRange extends TopicPartition {
  /** The next offset, which is out of range. */
  readonly from: Position
  /** Where reading continues, as configured: `low` or `high`. */
  readonly to: Position
  readonly low: Position
  readonly high: Position
  /** Whether the topic was deleted and created again, so that the offsets of the partition begin again. */
  readonly isRecreated?: boolean
}

/** Why a dead letter is not replayed. `docs/errors.md` is made from this table. */
export declare const REPLAY_CODES: {
  readonly DEAD_LETTER_INVALID: {
    readonly sentence: 'The dead letter does not tell which record it was.'
    readonly cause: 'A header or field with the topic, the partition, the offset, the timestamp or the code is missing or invalid; in a file of rejected records, the code, the line or the record.'
    readonly remedy: 'Read the record from its own topic: let a sink with another group begin at its offset.'
  }
  readonly PAYLOAD_MISSING: {
    readonly sentence: 'The dead letter has no payload.'
    readonly cause: 'The record was too large for the dead-letter topic, or the dead letter is of a batch that was not read. In a file of rejected records: the record was too long, or not UTF-8.'
    readonly remedy: 'Raise the limit, and read the record from its own topic: let a sink with another group begin at its offset.'
  }
  readonly TOPIC_FOREIGN: {
    readonly sentence: 'The dead letter is of a topic that the sink does not read.'
    readonly cause: 'The file or the topic has dead letters of several sinks, or the configuration has other topics now.'
    readonly remedy: 'Name the configuration of the sink that rejected the record.'
  }
  readonly FILTER_UNKNOWN: {
    readonly sentence: 'A filter names something that the dead letter does not have.'
    readonly cause: 'The record has no key, and `--key` is given; or no timestamp, and `--since` or `--until` is given.'
    readonly remedy: 'Choose these dead letters by `--topic`, `--partition` and `--offset`.'
  }
  readonly MARKER_EXPIRED: {
    readonly sentence: 'The record is older than the markers of deleted documents, so a later delete may be forgotten.'
    readonly cause: 'The timestamp of the record is missing, or its age is more than `write.newerBy.markerTtl`.'
    readonly remedy: 'Decide for each record whether its document still exists, and write it by hand; replay sooner next time.'
  }
}

/** Records of one partition, from one fetch. */
export interface RecordBatch extends TopicPartition {
  /** In order of their offsets. Gaps are control records, aborted records, and records that compaction removed. */
  readonly records: readonly SinkRecord[]
  /** Offset at which the fetch began: there is no other record between it and the first one. */
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

export interface Replay {
  /** The dead letters that were read. */
  readonly counts: Readonly<DeadLetterCounts>
  /** How nothing newer is replaced. */
  readonly by: ReplayPermission['by']
  /** Writes the dead letters that match. Throws if a service refuses, or the journal cannot be written. */
  readonly run: (onProgress?: (done: number) => void) => Promise<ReplayResult>
  readonly close: () => void
}

export type ReplayCode = keyof typeof REPLAY_CODES

/** Which dead letters are replayed, by the coordinates of their original records. Absent parts let everything pass. */
export interface ReplayFilter {
  /** From this time on, by the timestamp of the original record, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined
  /** Before this time. */
  readonly untilMs?: number | undefined
  /** Codes of rejections. */
  readonly codes?: readonly string[] | undefined
  readonly topic?: string | undefined
  readonly partition?: number | undefined
  readonly fromOffset?: number | undefined
  /** Including this offset. */
  readonly toOffset?: number | undefined
  /** Key as text. */
  readonly key?: string | undefined
}

/** Which dead letters were replayed. Kept in a folder, so that a second run skips them. */
export interface ReplayJournal {
  /** Whether a dead letter was replayed before. */
  readonly has: (mark: string) => boolean
  /** Marks a dead letter as replayed; on disk after `sync`. `name` helps readers of the file. */
  readonly add: (mark: string, name: string) => void
  readonly sync: () => void
  readonly close: () => void
}

export interface ReplayOptions {
  /** One of the `sinks` that `readConfig` returns. */
  readonly settings: SinkSettings
  readonly filter: ReplayFilter
  /** Files of dead letters. Default: the dead-letter topic or file of the sink. */
  readonly files: readonly string[]
  /** Folder with the marks of dead letters that were replayed. */
  readonly journal: string
  /** Only counts: `run` is not possible. */
  readonly isDryRun: boolean
  readonly log: Log
  readonly signal: AbortSignal
  /** Replaces dependencies, for tests. */
  readonly changes?: Partial<SinkDependencies>
}

export interface ReplayResult {
  /** Records that are stored now, or were stored already. */
  readonly stored: number
  /** Records that were not stored, because the stored document is newer or stays. */
  readonly kept: number
  /** Records that change nothing, such as ignored tombstones. */
  readonly ignored: number
  /** Records that were rejected again, by code, with the first message. */
  readonly rejected: ReadonlyMap<string, number>
  readonly messages: ReadonlyMap<string, string>
  /** Records whose marker has expired meanwhile. */
  readonly refused: ReadonlyMap<ReplayCode, number>
  /** Records without an outcome: the signal was aborted. */
  readonly open: number
}

/**
 * Why the sink rejects a record before it reaches the key plan or Cosmos DB. `docs/errors.md` is made from this table.
 */
export declare const SINK_CODES: {
  readonly DECODE_FAILED: {
    readonly sentence: 'The record cannot be read in the configured format.'
    readonly cause: 'Its bytes are not of that format, its schema is not known, or a value has no JSON form under the chosen policy.'
    readonly remedy: 'Fix the producer, or set the right `format`; the message names the byte or the field at which reading stopped.'
  }
  readonly SCHEMA_UNKNOWN: {
    readonly sentence: 'The schema of the record could not be found.'
    readonly cause: 'The registry does not know the schema id in the record, or the schema cannot be used.'
    readonly remedy: 'Register the schema, or point `registry.url` at the registry that the producer uses.'
  }
  readonly BATCH_TOO_LARGE: {
    readonly sentence: 'A batch takes more memory than is allowed, so none of its records was read.'
    readonly cause: 'The batch is damaged or hostile, or the producer writes larger batches than `kafka.maxDecompressedBytes`.'
    readonly remedy: 'Inspect the batch at its offsets; raise `kafka.maxDecompressedBytes` and the memory of the process, or set `kafka.onOversizedBatch: skip`.'
  }
  readonly TOMBSTONE_REJECTED: {
    readonly sentence: 'The record is a tombstone: it has a key and no value.'
    readonly cause: 'The configuration has `tombstones: reject`.'
    readonly remedy: 'Choose `delete` or `ignore`, or stop producing tombstones.'
  }
  readonly PATCH_EMPTY: {
    readonly sentence: 'The record has no property to patch.'
    readonly cause: 'A patch never changes the key, the id, and the properties that the configuration leaves out; the record has no other property.'
    readonly remedy: 'Send at least one more property, or choose another write strategy.'
  }
  readonly PATCH_NOT_NUMBER: {
    readonly sentence: 'A property to increment is not a number.'
    readonly cause: 'The configuration has the operation `increment` for the property, and its value in the record has another type.'
    readonly remedy: 'Fix the producer, or choose another operation for this property under `write.patch.properties`.'
  }
  readonly TIMESTAMP_MISSING: {
    readonly sentence: 'The record has no timestamp, which orders the changes of its document.'
    readonly cause: 'The configuration has `write.newerBy: { order: timestamp }`, and the producer sent no timestamp.'
    readonly remedy: 'Let the producer or the topic set timestamps, or order by `offset` or by a field.'
  }
  readonly TOPIC_ID_MISSING: {
    readonly sentence: 'The brokers do not tell the id of the topic, without which its offsets cannot be compared.'
    readonly cause: 'The configuration has `write.newerBy: { order: offset }`. When a topic is created again, its offsets begin again; brokers before Kafka 2.8 have no id that tells both topics apart.'
    readonly remedy: 'Order by `timestamp` or by a field.'
  }
  readonly SHAPE_FAILED: {
    readonly sentence: 'A step of the shape cannot be applied to the record.'
    readonly cause: 'A field has a type or a value that the step cannot convert without loss, or two fields would have the same name.'
    readonly remedy: 'Fix the producer, or change the step; the message names the step and the field. The step can be limited to some records by `when`.'
  }
  readonly TTL_INVALID: {
    readonly sentence: 'The field with the time to live is not a number of seconds.'
    readonly cause: 'Cosmos DB accepts whole numbers from 1 to 2,147,483,647, and -1 for never.'
    readonly remedy: 'Fix the producer, or name another field under `write.ttl`.'
  }
}

/** One sample record and its outcome. */
export interface Sample {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  /** True for the next record that the group would read; false for a record that the group has read already. */
  readonly isNext: boolean
  readonly becomes: SampleOutcome
  /** The document that would be stored, or the steps of a patch, as JSON; only with `showValues`. */
  readonly document?: string
  /** Value of a record that would be rejected, as text, or in base64 if it is not UTF-8; only with `showValues`. */
  readonly value?: string
}

/** Outcome that a record would have. */
export type SampleOutcome =
  | {
      readonly kind: 'stored'
      readonly container: string
      readonly operation: string
      /** One value for each level of the key. */
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

/** All sinks of one process, and their HTTP server. */
export interface Service {
  readonly sinks: readonly Sink[]
  /** Address of `/livez`, `/readyz` and `/metrics`; undefined if the settings have no `http`. */
  readonly url: string | undefined
  /** Resolves when every sink runs or has ended. */
  readonly started: Promise<void>
  /** Drains all sinks. */
  readonly stop: () => Promise<void>
  /** Resolves when every sink has ended. A failed sink drains the others only under `onSinkFailure: exit`. */
  readonly ended: Promise<readonly SinkEnd[]>
}

/** Settings of one process. */
export interface ServiceSettings {
  readonly sinks: readonly SinkSettings[]
  /** Effect of a failed sink on the others of the process: `continue` leaves them running, `exit` drains them. */
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
  /** Warnings about settings that work in an unexpected way; a sentence each. */
  readonly warnings: readonly string[]
}

/** Sink from Kafka topics to Cosmos DB containers. */
export interface Sink {
  readonly name: string
  readonly state: SinkState
  /**
   * Connects and joins the group, once. Rejects with the reason if the start fails; also resolves if `stop` interrupts
   * the start.
   */
  readonly start: () => Promise<void>
  /**
   * Takes no new records, waits for the outcomes of the records in flight, commits, and leaves the group. Resolves when
   * the sink has ended.
   */
  readonly stop: () => Promise<void>
  /** Resolves when the sink was stopped or has failed. */
  readonly ended: Promise<SinkEnd>
  readonly stats: () => SinkStats
}

export type SinkCode = keyof typeof SINK_CODES

/** Dependencies through which a sink reaches its process and the network. Tests replace some of them. */
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
   * Opens a container for writing. The target sends nothing while `maySend` returns false. It calls `onStopped` when it
   * can never send again. It calls `onLate` for each request that Cosmos DB may apply late: after one of its partitions
   * has moved to another member, or after the retry of the request. `side`: `target` for the container of `move.to`.
   */
  readonly openTarget: (
    container: string,
    maySend: () => boolean,
    onStopped: (error: Error) => void,
    onLate: (late: LateRequest) => void,
    side: Side
  ) => Promise<Target>
  /** Opens the switch record; called only for settings with `move`. */
  readonly createSwitchRecords?: (() => Pick<SwitchRecords, 'read' | 'close'>) | undefined
}

/** How a sink ended. `error`: why it failed, or that records had no outcome when it was stopped. */
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
  /** Id of the topic, if the sink needs it and the brokers know it. A topic that is created again has another id. */
  readonly topicId?: string | undefined
  /** Set if this record represents a compressed batch that was refused. The record has the last offset of the batch. */
  readonly oversizedBatch?: OversizedBatch
  /** Size of the document that decoding created from the value, in bytes; set when processing of the record begins. */
  decodedDocumentBytes?: number
}

/** A rejected record: where it came from, the stage and the reason. Contains nothing of the payload. */
export interface SinkRejection {
  readonly ok: false
  readonly stage: Stage
  readonly code: SinkCode | RecordCode | WriteCode
  /** One sentence. */
  readonly message: string
  /** JSON pointer to the value in the record; empty for the whole record. */
  readonly path: string
}

/** Findings about one sink. */
export interface SinkReport {
  readonly name: string
  readonly findings: readonly Finding[]
  /** The outcome of one sample record for each topic. */
  readonly samples: readonly Sample[]
}

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

/** State of a sink. */
export type SinkState = 'starting' | 'running' | 'draining' | 'stopped' | 'failed'

/** Statistics of a sink. Counters begin with 0 when the sink is created and never decrease. */
export interface SinkStats extends Readonly<RecordCounts> {
  readonly state: SinkState
  /** By code. */
  readonly rejected: Readonly<Record<string, number>>
  /** Number and bytes of the records that have no outcome yet. */
  readonly open: number
  readonly openBytes: number
  readonly partitions: readonly PartitionStats[]
  readonly containers: readonly ContainerStats[]
  readonly commits: number
  /**
   * Number of requests that Cosmos DB may apply late: after their partition has moved to another member, or after their
   * own retry. By partition and stage.
   */
  readonly lateRequests: readonly LateCount[]
  /** Time since the last offset commit, in milliseconds. */
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

/** The start offset of a partition without a stored offset. */
export interface Start extends TopicPartition {
  readonly position: Position
}

/** Whether a step of a switch was done; the reason why not is a sentence. */
export type SwitchStep =
  | {
      readonly isDone: true
    }
  | {
      readonly isDone: false
      readonly reason: string
    }

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/** The last records of topics, decoded as a sink decodes them. */
export interface TopicSample {
  /** Documents as JSON, by the time of their records. */
  readonly documents: readonly Uint8Array[]
  /** Records without a value. */
  readonly tombstones: number
  readonly rejected: number
  /** Reason of the first rejection. */
  readonly reason: string | undefined
  /** False if the time was over before all wanted records were read. */
  readonly isComplete: boolean
}

export interface TopicSampleOptions {
  readonly settings: Pick<SinkSettings, 'kafka' | 'key' | 'value' | 'registry' | 'numbers'>
  /** Records to read: the last ones, divided among the partitions by the number of their records. */
  readonly count: number
  /** Only records since this time, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined
  /** Reading ends after this time with the records that it has. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called for each batch with the records and bytes so far. */
  readonly onProgress?: ((records: number, bytes: number) => void) | undefined
}

/**
 * Values of the metric label `reason`. A new kind of wait needs an entry here, in `NAMES` and in docs/sink.md, and a
 * source in `currentWaits` that names it.
 */
export declare const WAIT_REASONS: readonly [
  'cosmos',
  'throttled',
  'contention',
  'redis',
  'kafka',
  'handover',
  'switch',
  'registry',
  'dead_letter_topic',
  'dead_letter_file',
  'auth'
]

export type WaitReason = (typeof WAIT_REASONS)[number]

/** Connects the parts of a sink to each other. */
export declare function assembleSink(settings: SinkSettings, dependencies: SinkDependencies): Sink

/** Checks the real services of every sink: Kafka, the registry, Cosmos DB, and the destination of rejected records. */
export declare function checkService({ sinks }: ServiceSettings, options: CheckOptions): Promise<CheckReport>

/**
 * JSON Schema of configurations for editors (`docs/sink.schema.json`). It accepts a reference in place of any value.
 */
export declare function configJsonSchema(): object

/** Lists every key of a configuration with its type, default and description, and the rules between keys. */
export declare function configReference(): ConfigReference

/** Creates a log of JSON lines. It has lines for operators only, none for single records. */
export declare function createLog(
  { level }: ServiceSettings['log'],
  destination?: DestinationStream
): {
  readonly forSink: (name: string) => Log
}

/**
 * Creates a sink from one of the `sinks` that `readConfig` returns. Opens no connection before `start`. `changes`
 * replace dependencies, for tests.
 */
export declare function createSink(settings: SinkSettings, changes?: Partial<SinkDependencies>): Sink

/**
 * Creates the dependencies of a sink in production: kafkajs, the schema registry, Cosmos DB, and the destination of
 * rejected records.
 */
export declare function defaultDependencies(settings: SinkSettings, log?: Log): SinkDependencies

/** Lists every metric of the sink; those of the process are prom-client's default metrics. */
export declare function metricsReference(): readonly MetricReference[]

/**
 * Returns the text of a configuration with the current names of its keys; comments and layout stay. Does not check the
 * configuration. Throws a ConfigError if the text is not YAML, or has a key under both names.
 */
export declare function migrateConfig({ text, name }: Exclude<ConfigSource, string>): MigratedConfig

/**
 * Reads the dead letters of a sink, and counts those that match. Writes nothing into Cosmos DB before `run`. Throws
 * CONFIG_INVALID if a replay could replace something newer, JOURNAL_INVALID, or an error of Kafka or of a file.
 */
export declare function openReplay(options: ReplayOptions): Promise<Replay>

/** Opens a journal for writing; creates the folder and the file. */
export declare function openReplayJournal(folder: string, owner: JournalOwner): ReplayJournal

/** Opens the switch that the configuration of the sinks describes. Throws CONFIG_INVALID if it has no `move`. */
export declare function openSinkSwitch(
  settings: SinkSettings,
  {
    confirmMs,
    onStep
  }: {
    readonly confirmMs?: number
    readonly onStep: (sentence: string) => void
  }
): Promise<OpenSinkSwitch>

/**
 * Reads and checks a configuration. Throws a ConfigError that names every mistake. Opens no connection. Without
 * `dependencies`, uses the environment and the files of the process.
 */
export declare function readConfig(source: ConfigSource, dependencies?: ConfigDependencies): Promise<ServiceSettings>

/**
 * Reads a file that a configuration names, as text. Rejects for folders, pipes and devices, and for files of more than
 * 1 MB.
 */
export declare function readRegularFile(path: string): Promise<string>

/** Reads the marks of a journal, which may not exist yet. Changes nothing. Throws JOURNAL_INVALID. */
export declare function readReplayJournal(folder: string, owner: JournalOwner): ReadonlySet<string>

/** Starts the configured sinks. `changes` replace dependencies, for tests. */
export declare function runService(
  { sinks: all, http, log, onSinkFailure }: ServiceSettings,
  changes?: Partial<SinkDependencies>
): Promise<Service>

/**
 * Reads the last records of the topics of a sink, under a consumer group of its own, which commits nothing and is
 * deleted. Throws KAFKA_UNAVAILABLE, KAFKA_UNAUTHORIZED or TOPIC_MISSING.
 */
export declare function sampleTopic(options: TopicSampleOptions): Promise<TopicSample>

/**
 * Translates the JSON of one of Microsoft's sink connectors, version 1 or 2, as Kafka Connect accepts or shows it.
 * Throws CONFIG_INVALID for anything else.
 */
export declare function translateConnect(text: string): ConnectTranslation

// Not exported; the declarations above refer to it.

/** Outcome of an operation; an error if the writer has stopped. */
type Answer = Outcome | Error

/**
 * Decides how long to retry with refused credentials. After a key rotation or an outage of the identity provider the
 * refusal ends by itself; with a wrong password it does not.
 */
interface AuthGrace {
  /**
   * The service refused the credentials. Returns true to retry; false if the service has never accepted them, or the
   * grace period is over.
   */
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

/** Types of the Cast transform of Kafka Connect. */
declare const CAST_TYPES: readonly ['int8', 'int16', 'int32', 'int64', 'float32', 'float64', 'boolean', 'string']

type CastType = (typeof CAST_TYPES)[number]

/** Change data of Debezium: each value is an envelope with `op`, `before` and `after`. */
interface ChangeDataSettings {
  readonly format: 'debezium'
  /** Encoding of the envelopes. JSON may have a schema. */
  readonly encoding:
    | {
        readonly format: 'json' | 'registry'
      }
    | {
        readonly format: 'avro'
        readonly schema: object
      }
  /** Handling of `t`, which says that a table was emptied. */
  readonly truncate: 'reject' | 'ignore'
  /** Handling of `m`, a message that is not about a row. */
  readonly message: 'reject' | 'ignore'
  /** Handling of rows with the placeholder of values that Debezium does not know. */
  readonly unavailable: 'reject' | 'store'
}

interface CheckOptions {
  /** Show the values of the sample records, which are payloads. */
  readonly showValues: boolean
}

interface CommitSettings {
  readonly everyRecords: number
  readonly everyMs: number
}

/** Condition on a record. */
type Condition = ConditionTest & {
  /** Whether the condition is met if the test fails. */
  readonly negate: boolean
}

type ConditionTest =
  | {
      readonly kind: 'topic'
      readonly pattern: string
    }
  | {
      readonly kind: 'header'
      readonly name: string
    }
  | {
      readonly kind: 'tombstone'
    }
  | {
      readonly kind: 'exists'
      readonly field: string
    }
  | {
      readonly kind: 'in'
      readonly field: string
      readonly values: readonly (string | number | boolean | null)[]
    }

/** Path of a value in a configuration: names of keys, and indexes in lists. */
type ConfigPath = readonly (string | number)[]

interface ContainerStats extends TargetStats {
  readonly container: string
}

interface CosmosSettings {
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

/** Numbers of dead letters that were read. */
interface DeadLetterCounts {
  read: number
  /** Dead letters of other sinks in the same topic. */
  ofOthers: number
  /** Dead letters that the filter leaves out. */
  leftOut: number
  /** Dead letters that were replayed before. */
  replayedBefore: number
  /** Dead letters that can be replayed, by the code of their rejection. */
  readonly matched: Map<string, number>
  /** Dead letters that cannot be replayed, by the reason. */
  readonly refused: Map<ReplayCode, number>
  /** Missing or invalid part of the first dead letter with DEAD_LETTER_INVALID. */
  firstInvalid: string | undefined
}

/** Record with decoded value and key. */
interface Decoded {
  readonly ok: true
  /** Document as JSON bytes: the original bytes if the record was JSON. Undefined for a tombstone or a delete. */
  readonly json: Uint8Array | undefined
  /** Key as a string; as JSON if it is an object or array. Null if the record has no key. */
  readonly key: string | Uint8Array | null
  /**
   * Kind of the change, the row before it, and the JSON that contains the rows, if the record is change data. A record
   * that the shape drops is a change that is ignored.
   */
  readonly change?: Pick<Change, 'kind' | 'before'> & {
    readonly envelope: Uint8Array
  }
}

/**
 * Decodes records to JSON. Returns a result at once, or a promise if a schema has to be fetched first; a failure is a
 * result. The promise rejects only with errors that stop the sink.
 */
interface Decoder {
  readonly decode: (record: SinkRecord) => Decoded | SinkRejection | Promise<Decoded | SinkRejection>
  /** Why records wait, such as a registry that cannot be reached. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/** Format of keys or values. */
type FormatSettings =
  | {
      readonly format: 'json' | 'json-envelope' | 'text' | 'bytes' | 'registry'
    }
  | {
      readonly format: 'avro'
      readonly schema: object
    }

interface GroupPartition extends TopicPartition {
  /** Stored offset and metadata; undefined if the group stores none. */
  readonly position: number | undefined
  readonly metadata: string
  /** The member that owns the partition, for messages. */
  readonly owner: string | undefined
}

/** A consumer group, as the brokers describe it. */
interface GroupState {
  /** False during a rebalance. */
  readonly isStable: boolean
  /** All partitions of the topics that the members read. */
  readonly partitions: readonly GroupPartition[]
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

/** Value that a step inserts: a constant, or where the record comes from. */
type Inserted =
  | {
      readonly literal: string | number | boolean | null
    }
  | {
      readonly kafka: 'topic' | 'partition' | 'offset' | 'timestamp'
    }

interface KafkaSettings {
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

/** Late requests of one partition. */
interface LateCount extends TopicPartition {
  readonly stage: LateRequest['stage']
  readonly count: number
}

/** Replaces values: by a hash, by a string, or by the empty value of their type. */
interface MaskChange {
  readonly kind: 'mask'
  readonly fields: readonly string[]
  readonly replacement: string | undefined
  readonly hash: 'sha256' | undefined
  /** Makes the hash an HMAC. */
  readonly secret: Secret | undefined
}

interface MetadataSettings {
  readonly into: string
  readonly fields: readonly ('topic' | 'partition' | 'offset' | 'timestamp' | 'key' | 'headers')[]
}

/** A switch of the sink to another container, while it runs. */
interface MoveSettings {
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

interface NewerBySettings {
  /**
   * Orders the changes of a document: a field of the record, its Kafka timestamp, or its offset alone. `placeIn`, for
   * replays only: the topic, the partition and the offset in the property of `write.metadata`.
   */
  readonly order:
    | {
        readonly field: string
      }
    | {
        readonly placeIn: string
      }
    | 'timestamp'
    | 'offset'
  /** Choice if it is not known which change is newer. */
  readonly ties: Ties
  /** Seconds for which the marker of a deleted document is kept; -1 for ever. Undefined: there are no deletes. */
  readonly markerTtl: number | undefined
}

interface NumberPolicy {
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

interface OperationSettings {
  readonly from:
    | {
        readonly field: string
      }
    | {
        readonly header: string
      }
  readonly values: ReadonlyMap<string, RecordOperation>
  /** Effect of a record with another value. */
  readonly other: RecordOperation | 'reject'
  /** Effect of a record without a value. */
  readonly missing: RecordOperation | 'reject'
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
  /** Operation and path that differ from the default, by property. */
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
interface RecordCounts {
  received: number
  receivedBytes: number
  written: number
  unchanged: number
  ignored: number
  /** Records that were delivered again after a rebalance, and recognized. */
  redelivered: number
  /** How often a partition was paused. */
  pauses: number
}

/** Headers as the broker sent them: a name may occur more than once. */
type RecordHeaders = Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>

/** Effect of a record: `store` as the write strategy says. */
type RecordOperation = 'store' | 'delete' | 'ignore'

interface ReferenceRow {
  readonly key: string
  readonly type: string
  /** The default as it would be written, or `required`. Empty if there is no default, or the description names it. */
  readonly usual: string
  readonly says: string
}

/** The keys of one section. */
interface ReferenceSection {
  /** Empty for the top level. */
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
  /** Handling of keys and values that do not begin with a schema id: `json` accepts JSON objects. Default: `reject`. */
  readonly unframed?: 'reject' | 'json'
}

interface RehomeSettings {
  /**
   * Place of the previous image of the document, a JSON object: a JSON pointer in the record, a Kafka header, or the
   * `before` of change data.
   */
  readonly before:
    | {
        readonly field: string
      }
    | {
        readonly header: string
      }
    | 'envelope'
}

interface RejectSettings {
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
  readonly tolerance:
    | {
        readonly percent: number
        readonly window: number
      }
    | undefined
}

/**
 * Settings with which dead letters are written. `newest`: the writer compares with the stored document by
 * `write.newerBy`; `offset`: by the offset that `write.metadata` has stored in it. `create`: a stored document always
 * stays, because only missing documents are created.
 */
interface ReplayPermission {
  readonly by: 'newest' | 'offset' | 'create'
  readonly settings: SinkSettings
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

/** A string that JSON, inspection and messages never show. */
interface Secret {
  readonly reveal: () => string
  /** Replaces the value after a rotation. */
  readonly replace: (text: string) => void
  readonly toString: () => string
}

/** Change that a step makes. Fields are JSON pointers. */
type ShapeChange =
  | {
      readonly kind: 'exclude' | 'include'
      readonly fields: readonly string[]
    }
  | {
      readonly kind: 'rename' | 'copy'
      readonly fields: ReadonlyMap<string, string>
    }
  | {
      readonly kind: 'insert'
      readonly fields: ReadonlyMap<string, Inserted>
    }
  | {
      readonly kind: 'flatten'
      readonly delimiter: string
    }
  | {
      readonly kind: 'hoist'
      readonly name: string
    }
  | {
      readonly kind: 'extract'
      readonly field: string
    }
  | MaskChange
  | {
      readonly kind: 'cast'
      readonly types: ReadonlyMap<string, CastType>
    }
  | TimestampChange
  | {
      readonly kind: 'key'
      readonly fields: readonly string[]
    }
  | {
      readonly kind: 'filter'
      readonly condition: Condition
    }

/** One step of the shape of a sink: a change of each record between its format and the key plan. */
type ShapeStep = ShapeChange & {
  /** Side of the record that the step changes. */
  readonly of: 'value' | 'key'
  /** The step applies only to records that meet the condition. */
  readonly when: Condition | undefined
}

/** The two containers of a sink with `move`: `source` is the one of `cosmos`, `target` the one of `move.to`. */
type Side = 'source' | 'target'

/**
 * The side of a switch that is not a sink: it stops the members of a group, and tells them which container is in charge.
 * Each step may be repeated, by another process, too.
 */
declare class SinkSwitch {
  #private
  constructor(options: SinkSwitchOptions)
  /** Asks the members to stop, and resolves when each partition has confirmed its offset. `to`: the container that shall be in charge. */
  request(to: Side, signal?: AbortSignal): Promise<SwitchStep>
  /** Tells the members to go on in the other container, at the confirmed offsets. */
  complete(to: Side): Promise<SwitchStep>
  /** Tells the members to go on as before. */
  cancel(to: Side): Promise<SwitchStep>
}

interface SinkSwitchOptions {
  readonly id: string
  readonly group: string
  readonly records: Pick<SwitchRecords, 'create' | 'put' | 'read'>
  readonly readGroup: () => Promise<GroupState>
  readonly clock: Clock
  /** Time for all confirmations, in milliseconds. */
  readonly confirmMs: number
  /** Called with each step, and with what the switch waits for. */
  readonly onStep: (sentence: string) => void
}

interface SourcePosition {
  readonly line: number
  readonly column: number
}

/** Stage at which a record was rejected. */
type Stage = 'decode' | 'map' | 'write'

interface StoredSwitch {
  readonly record: SwitchRecord
  readonly etag: string
}

/**
 * The switch record of a consumer group: a document in the account of the target, which the members of the group read
 * and only the owner of the move writes. It decides which container is in charge.
 */
interface SwitchRecord {
  readonly id: string
  readonly group: string
  /** Rises with each request. */
  readonly round: number
  /** The container that is in charge if this round succeeds. */
  readonly to: Side
  /**
   * `requested`: the members stop, each partition at an offset, and confirm it. `switched`: they go on in the container
   * `to`, exactly at the offsets of the record. `canceled`: they go on in the container that was in charge before.
   */
  readonly state: 'requested' | 'switched' | 'canceled'
  /** Fingerprints of the plans before and after the last round that succeeded. */
  readonly plans?: {
    readonly from: string
    readonly to: string
  }
  /** The next offset of each partition at the last round that succeeded, by topic and partition. */
  readonly offsets?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Where the switch record of one group is stored. */
interface SwitchRecords {
  /** Reads the record; undefined if there is none yet. A replica that is behind may return the former one. */
  readonly read: () => Promise<StoredSwitch | undefined>
  /** Stores the record. Returns false if it was changed since `after` was read; without `after`, it must not exist. */
  readonly put: (record: SwitchRecord, after: StoredSwitch | undefined) => Promise<boolean>
  /** Creates the container of the records, unless it exists. */
  readonly create: () => Promise<void>
  readonly close: () => void
}

/** Units of times that are numbers since 1970. */
declare const TIME_UNITS: readonly ['seconds', 'milliseconds', 'microseconds', 'nanoseconds']

/** A container that records are written to. */
interface Target {
  readonly container: string
  /** Fingerprint of the settings that decide keys and ids. */
  readonly fingerprint: string
  /** Fingerprints of older plans whose documents this plan still finds. */
  readonly previousFingerprints: readonly string[]
  /** Warnings about settings that do not work as their names suggest. */
  readonly warnings: readonly string[]
  /** Maps a record to its operation; `ignore` if there is nothing to do. */
  readonly map: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
  /** Calls `settle` exactly once. An operation whose fence is lost before it is sent is not sent any more. */
  readonly submit: (operation: Operation, fence: Fence, settle: (answer: Answer) => void) => void
  /** Like `submit`, for operations on one key that are applied atomically: all or none. */
  readonly submitAtomic: (
    operations: readonly Operation[],
    fence: Fence,
    settle: (answers: readonly Answer[]) => void
  ) => void
  /** From now on, limits the target to this fraction of its share. */
  readonly usePart: (part: number) => void
  /** Current waits of its writes. */
  readonly waits: readonly Wait[]
  readonly stats: () => TargetStats
  /** Sends the queued operations, and gives up after `deadlineMs`. */
  readonly close: (deadlineMs: number) => Promise<void>
}

/** Statistics of the writer of a container, and of the mapping of its records. */
interface TargetStats extends WriterStats {
  /** Records without a previous image; 0 without `write.rehome`. */
  readonly withoutImage: number
}

/** Form of a time that a step writes: ISO 8601, one part of it, a number, or a string with a pattern of SimpleDateFormat. */
type TimeForm =
  | 'iso'
  | 'date'
  | 'time'
  | {
      readonly unix: TimeUnit
    }
  | {
      readonly pattern: string
    }

type TimeUnit = (typeof TIME_UNITS)[number]

interface TimestampChange {
  readonly kind: 'timestamp'
  readonly fields: readonly string[]
  /** Unit of times that are numbers, and pattern of times that are text; without a pattern, ISO 8601. */
  readonly from: {
    readonly unix: TimeUnit
    readonly pattern: string | undefined
  }
  readonly to: TimeForm
}

interface TlsSettings {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: Secret | undefined
  readonly passphrase: Secret | undefined
  readonly rejectUnauthorized: boolean
}

/** Sliding window over the last records. Each record is reported once: when it is rejected or when it has passed. */
interface Tolerance {
  readonly rejected: (code: string, message: string) => void
  readonly passed: () => void
  /** Returns the message once the limit is exceeded. */
  readonly exceeded: () => string | undefined
}

/**
 * Regular expression that whole topic names are matched against. The engine runs in linear time: clients that create
 * topics choose their names, and a backtracking engine can take forever for a name of 40 characters.
 */
declare class TopicPattern {
  #private
  readonly source: string
  /**
   * Throws if the engine does not accept the pattern. The message begins with `must be`: the caller puts the name of
   * the setting before it.
   */
  constructor(source: string)
  matches(topic: string): boolean
  /** Names and numbers of the groups. */
  get groups(): readonly string[]
  /** Text of a group in a topic that matches; empty if the group takes no part. */
  textOf(group: string, topic: string): string
}

/** Format of values: one of documents, or change data. */
type ValueSettings = FormatSettings | ChangeDataSettings

/** A wait, as its source reports it while it lasts. */
interface Wait {
  readonly reason: WaitReason
  /** Distinguishes waits of one reason, such as two containers. */
  readonly subject?: string
  /** Details; they complete the sentence "waits for Cosmos DB: ...". */
  readonly detail: string
  /** When the wait began, by the clock of the sink. Default: when the wait was first seen. */
  readonly sinceMs?: number
}

interface WriteSettings {
  readonly strategy: 'overwrite' | 'append' | 'delete' | 'deleteIfNotModified' | 'overwriteIfNotModified' | 'patch'
  readonly patch: PatchSettings | undefined
  /**
   * `repeated`: a tombstone repeats the delete before it, so it deletes the document if the Kafka key names the document,
   * and is ignored otherwise.
   */
  readonly tombstones: 'delete' | 'ignore' | 'reject' | 'repeated'
  /** Time to live in seconds; -1 for never. A field of the record may set it instead. */
  readonly ttl:
    | number
    | {
        readonly field: string
      }
    | undefined
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

export {}
