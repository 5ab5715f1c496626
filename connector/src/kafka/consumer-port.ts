import type { Position } from '@keystamp/core'
import type { SinkRecord } from '../record.ts'

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string
  readonly partition: number
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

/** The first offset of a partition that has no stored one. */
export interface Start extends TopicPartition {
  readonly position: Position
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
  readonly deliverFrom: (topicPartition: TopicPartition, position: Position) => void
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
