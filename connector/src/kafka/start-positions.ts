import { type Position, toPosition } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import { type Clock, waitWhile } from '../lifecycle/clock.ts'
import { type Committed, partitionName, readMetadata, type Start, type TopicPartition } from './consumer-port.ts'
import type { Assignment } from './delivery.ts'
import { type KafkaFailure, toKafkaFailure } from './kafka-errors.ts'

/** Reads the offsets that the group stores for these partitions. */
export async function readCommitted(
  admin: Pick<Admin, 'fetchOffsets'>,
  groupId: string,
  partitions: readonly TopicPartition[]
): Promise<readonly Committed[]> {
  if (partitions.length === 0) return []
  const stored = await admin.fetchOffsets({ groupId, topics: [...new Set(partitions.map(({ topic }) => topic))] })
  const initial = new Map(stored.map(({ topic, partitions: all }) => [topic, initialPartitions(all)] as const))
  const byName = new Map(
    stored.flatMap(({ topic, partitions: all }) =>
      all.map(({ partition, offset, metadata }) => [partitionName({ topic, partition }), { offset, metadata }] as const)
    )
  )
  return partitions.map(({ topic, partition }) => {
    const { offset = NONE, metadata } = byName.get(partitionName({ topic, partition })) ?? {}
    return {
      topic,
      partition,
      position: Number(offset) < 0 ? undefined : toPosition(offset),
      metadata: metadata ?? '',
      initialPartitions: initial.get(topic)
    }
  })
}

const NONE = '-1'

/** Stored offset of one partition, as kafkajs returns it. */
interface StoredOffset {
  readonly partition: number
  readonly offset: string
  readonly metadata: string | null
}

/**
 * Number of partitions when the group began to read the topic, from the metadata of commits. Without such metadata: the
 * number of partitions up to the last one that has a stored offset.
 */
function initialPartitions(all: readonly StoredOffset[]): number {
  const stored = all.filter(({ offset }) => Number(offset) >= 0)
  if (stored.length === 0) return all.length
  const named = stored.flatMap(({ metadata }) => readMetadata(metadata ?? '')?.partitions ?? [])
  return named.length > 0 ? Math.max(...named) : Math.max(...stored.map(({ partition }) => partition)) + 1
}

/** First offsets of the partitions of an assignment. */
export interface StartPositions {
  /** Offsets of all partitions, by `partitionName`. */
  readonly positions: Map<string, Position>
  /** Partitions without a stored offset. */
  readonly starts: readonly FoundStart[]
}

/** Start offset of a partition, with the range of its offsets. */
interface FoundStart extends Start {
  readonly low: Position
  readonly high: Position
}

/**
 * Finds where reading of each partition begins: at the stored offset, or where `from` says: at the earliest or latest
 * record, or at the first record of a time (at the latest record, if all are older). A partition that was added after the group began to read the topic always begins at its earliest record: a
 * producer may have used it before this member knew it.
 *
 * `learned` holds the start offsets that this process found earlier and that the group has not stored. A partition that
 * is assigned again begins there, so that no record is skipped that arrived meanwhile.
 */
export async function findStartPositions(
  admin: Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets' | 'fetchTopicOffsetsByTimestamp'>,
  { group, from }: Pick<KafkaSettings, 'group' | 'from'>,
  partitions: readonly TopicPartition[],
  learned: Map<string, Position> = new Map()
): Promise<StartPositions> {
  const committed = await readCommitted(admin, group, partitions)
  const positions = new Map<string, Position>()
  for (const { position, ...topicPartition } of committed) {
    if (position === undefined) continue
    positions.set(partitionName(topicPartition), position)
    learned.delete(partitionName(topicPartition))
  }
  const fresh = new Map(
    committed
      .filter(({ position }) => position === undefined)
      .map((topicPartition) => [partitionName(topicPartition), topicPartition])
  )
  const starts: FoundStart[] = []
  for (const topic of new Set([...fresh.values()].map((topicPartition) => topicPartition.topic))) {
    const ofTime = typeof from === 'number' ? await admin.fetchTopicOffsetsByTimestamp(topic, from) : []
    const offsetsOfTime = new Map(ofTime.map(({ partition, offset }) => [partition, toPosition(offset)]))
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const name = partitionName({ topic, partition })
      const topicPartition = fresh.get(name)
      if (topicPartition === undefined) continue
      const isAdded = partition >= (topicPartition.initialPartitions ?? 0)
      const ends = { low: toPosition(low), high: toPosition(high) }
      const wanted = from === 'latest' ? ends.high : (offsetsOfTime.get(partition) ?? ends.low)
      const end = isAdded ? ends.low : wanted
      // records that Kafka has removed meanwhile cannot be read, and a topic that was created again may be shorter
      const position = toPosition(Math.max(ends.low, Math.min(learned.get(name) ?? end, end)))
      learned.set(name, position)
      positions.set(name, position)
      starts.push({ topic, partition, position, ...ends })
    }
  }
  return { positions, starts }
}

interface LearnOptions<Found extends { readonly positions: Map<string, Position> }> {
  readonly assignment: Assignment
  /** Whether the assignment has not been replaced. */
  readonly isCurrent: () => boolean
  readonly find: () => Promise<Found>
  /** Called once, when the assignment has its start offsets. */
  readonly onLearned: (found: Found) => void
  readonly clock: Clock
  /** Whether retrying can help. */
  readonly passes: (failure: KafkaFailure) => boolean
  readonly fail: (error: Error) => void
}

/** Reads the start offsets of an assignment. Retries until Kafka answers, or the assignment has ended. */
export async function learnPositions<Found extends { readonly positions: Map<string, Position> }>({
  assignment,
  isCurrent,
  find,
  onLearned,
  clock,
  passes,
  fail
}: LearnOptions<Found>): Promise<void> {
  const delay = new RetryDelay(ASK_AGAIN_MS)
  while (isCurrent() && !assignment.isKnown) {
    try {
      const found = await find()
      if (!isCurrent()) return
      assignment.learn(found.positions)
      onLearned(found)
    } catch (error) {
      const failure = toKafkaFailure(error, 'to return the start offsets')
      if (!passes(failure)) return fail(failure.error)
      await waitWhile(isCurrent, delay.next(failure.isUnauthorized), clock)
    }
  }
}

const ASK_AGAIN_MS = 200
