import type { Position, Source } from '@keystamp/core'

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

/** Compressed batch that is not read: its records take more memory than `kafka.maxDecompressedBytes` allows. */
export interface OversizedBatch {
  readonly firstOffset: string
  readonly lastOffset: string
  /** Bytes as they were fetched. */
  readonly bytes: number
  readonly maxBytes: number
}

/** Headers as the broker sent them: a name may occur more than once. */
export type RecordHeaders = Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>

/** Memory that a record takes while it is in flight, in bytes. */
export function recordBytes({ key, value, headers }: SinkRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0) + OVERHEAD_BYTES
  for (const name in headers) bytes += HEADER_BYTES + name.length + headerLength(headers[name])
  return bytes
}

function headerLength(value: RecordHeaders[string]): number {
  if (value === undefined) return 0
  return Array.isArray(value)
    ? value.reduce((sum: number, each: Uint8Array | string) => sum + HEADER_BYTES + each.length, 0)
    : value.length
}

/** Memory of the objects around the bytes, and of those that the writer keeps for the record. */
const OVERHEAD_BYTES = 1024

/**
 * Memory that kafkajs takes for a header: a name, a slice and an entry. In a batch, a header may take only two bytes.
 */
export const HEADER_BYTES = 160

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string
  readonly partition: number
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

/** The start offset of a partition without a stored offset. */
export interface Start extends TopicPartition {
  readonly position: Position
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

/** Name of a partition, for maps and messages. */
export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`
}

/** Groups partitions by topic, in their order. */
export function byTopic<T extends TopicPartition>(topicPartitions: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const topics = new Map<string, T[]>()
  for (const topicPartition of topicPartitions) {
    const known = topics.get(topicPartition.topic)
    if (known === undefined) topics.set(topicPartition.topic, [topicPartition])
    else known.push(topicPartition)
  }
  return topics
}

/**
 * Metadata of a committed offset. It tells the next owner of the partition which process committed, and under which
 * plan.
 */
interface CommitMetadata {
  /**
   * Fingerprint of the key plan. Undefined if only the start of the partition is stored: nothing was written under any
   * plan.
   */
  readonly plan: string | undefined
  /** The process that committed. */
  readonly by: string
  /** The process has shut down cleanly: none of its requests is in flight any more. */
  readonly hasLeft: boolean
  /** Number of partitions that the topic had when the group began to read it. */
  readonly partitions?: number | undefined
  /** Set if the partition waits at its offset for the end of a switch, and none of its records is in flight. */
  readonly drained?: DrainedMark | undefined
  /** The last decision of the switch record that the member knew: a reader must not act on an older one. */
  readonly decided?: Pick<DrainedMark, 'id' | 'round'> | undefined
}

/** Offset that the group stores for a partition; parts of it may be unknown. */
export type StoredOffset = Partial<Pick<Committed, 'position' | 'initialPartitions'> & Pick<CommitMetadata, 'drained'>>

/** Confirmation of a partition that was drained for a switch. */
export interface DrainedMark {
  /** Id of the switch record. */
  readonly id: string
  /** Round of the switch that the member has seen. */
  readonly round: number
  /** Fingerprints of the plans of the container in charge, and of the other one. */
  readonly from: string
  readonly to: string
}

/** Writes metadata, as short as possible: brokers keep at most 4,096 bytes. */
export function writeMetadata({ plan, by, hasLeft, partitions, drained, decided }: CommitMetadata): string {
  return JSON.stringify({ keystamp: 1, plan, by, ...(hasLeft ? { left: true } : {}), partitions, drained, decided })
}

/** Reads metadata. Undefined if another program committed the offset, such as a tool that resets offsets. */
export function readMetadata(text: string): CommitMetadata | undefined {
  const stored = parse(text)
  if (stored?.['keystamp'] !== 1) return undefined
  const { plan, by, left, partitions, drained, decided } = stored
  return {
    plan: typeof plan === 'string' ? plan : undefined,
    by: String(by),
    hasLeft: left === true,
    partitions: typeof partitions === 'number' ? partitions : undefined,
    ...(typeof drained === 'object' && drained !== null ? { drained: drained as DrainedMark } : {}),
    ...(typeof decided === 'object' && decided !== null ? { decided: decided as DrainedMark } : {})
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // metadata of another tool
    return undefined
  }
}
