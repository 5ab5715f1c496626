import type { Position } from '@keystamp/core'
import type { SinkRecord } from '../record.ts'

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/** What one fetch brought of one partition. */
export interface RecordBatch extends TopicPartition {
  /** In order; gaps are control records, aborted ones, and what compaction took away. */
  readonly records: readonly SinkRecord[]
  /** The position that was asked for: what lies between it and the first record does not exist. */
  readonly from: Position
  /** The position behind the last record and behind all that is invisible after it. */
  readonly next: Position
  /** The position behind the last record that the broker has. */
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

/** How far a partition is done. */
export interface Commit extends TopicPartition {
  readonly position: Position
  readonly metadata: string
}

/** What the group has stored for a partition; `position` is undefined where nothing was ever committed. */
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

/** Told by a consumer what happens. None of these may wait: work is handed over. */
export interface ConsumerListener {
  /**
   * All partitions that this member owns from now on, after every join, also when nothing moved. None at all first where the coordinator
   * dropped this member, its connection was lost, or it may have missed a generation: then others may have owned also those that it has again.
   * Whatever was fetched under an older assignment is not handed over any more.
   */
  readonly assigned: (partitions: readonly TopicPartition[]) => void
  /** A rebalance has begun: partitions may move until `assigned`. Told before each JoinGroup request of a member that owns partitions. */
  readonly rebalancing: () => void
  /**
   * A batch of an owned partition. Answers with the position to go on from: `batch.next`, or an earlier one to be delivered again.
   * What is delivered twice (after every join: all that is not committed) is recognised by its offset here, not by the driver.
   */
  readonly received: (batch: RecordBatch) => Position
  /** Owned partitions without a stored offset begin here. Called before records of them are delivered. */
  readonly learned: (starts: readonly Start[]) => void
  /**
   * The topic has no records any more at the next offset of an owned partition. Answers with the position to go on from: `to`, or one within
   * the partition up to which records were taken before. The consumer stores nothing by itself.
   */
  readonly outOfRange: (range: OutOfRange) => Position
  /** Nothing more will come: why. Told at most once, and never after `stop`. */
  readonly failed: (error: Error) => void
}

/** A member of a consumer group. Nothing is committed by itself. */
export interface Consumer {
  /**
   * Connects, joins the group, and hands over batches from then on. Waits for brokers that do not answer; rejects where they refuse.
   * Resolves with the first assignment, or when it is stopped before.
   */
  readonly start: (listener: ConsumerListener) => Promise<void>
  /** Hands over nothing more of these until they are resumed. Takes effect at once; survives rebalances. */
  readonly pause: (partitions: readonly TopicPartition[]) => void
  /** Takes effect within `resumeDelayMs`. */
  readonly resume: (partitions: readonly TopicPartition[]) => void
  /** Delivers an owned partition from this position next, whatever was delivered of it before. */
  readonly deliverFrom: (place: TopicPartition, position: Position) => void
  /** How long a resumed partition may take until something comes. */
  readonly resumeDelayMs: number
  /** Time after the last heartbeat from which on the group may have given the partitions to other members, in milliseconds. */
  readonly sessionTimeoutMs: number
  /** When the group last heard of this member, by `performance.now()`; what no sign of life backs must not be written. */
  readonly lastHeartbeatMs: number
  /**
   * Stores positions for the group, in the generation of the last join and in no later one. Leaves out those of partitions that are not
   * owned any more, and all of them during a rebalance; the answer says which were stored. Throws where Kafka cannot be reached, or refuses.
   */
  readonly commit: (commits: readonly Commit[]) => Promise<readonly Commit[]>
  /** What the group has stored. */
  readonly committed: (partitions: readonly TopicPartition[]) => Promise<readonly Committed[]>
  /** How many partitions the subscribed topics have in all, owned by whomever. */
  readonly countPartitions: () => Promise<number>
  /** The positions behind the last records that the brokers have, by `partitionName`; nothing tells of them while a partition is paused. */
  readonly ends: (partitions: readonly TopicPartition[]) => Promise<ReadonlyMap<string, Position>>
  /** Leaves the group and disconnects. Commit before. */
  readonly stop: () => Promise<void>
}

/** One text for a partition, for maps and messages. */
export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`
}

/** Puts together what belongs to one topic, in the order it came. */
export function byTopic<Place extends TopicPartition>(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const topics = new Map<string, Place[]>()
  for (const place of places) {
    const known = topics.get(place.topic)
    if (known === undefined) topics.set(place.topic, [place])
    else known.push(place)
  }
  return topics
}
