import { type Position, toPosition } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import { type Committed, type Consumer, partitionName, type TopicPartition } from './consumer-port.ts'
import { type KafkaFailure, type RefusedRequests, toKafkaFailure } from './kafka-errors.ts'
import { readCommitted } from './start-positions.ts'

export interface GroupQueriesOptions {
  /** The admin that is connected now; a new member has a new one. */
  readonly admin: () => Pick<Admin, 'fetchOffsets' | 'fetchTopicMetadata' | 'fetchTopicOffsets'>
  readonly group: string
  readonly topics: () => readonly string[]
  readonly refused: RefusedRequests
}

/** Queries of a member in addition to its fetches. They throw KAFKA_UNAVAILABLE where Kafka does not answer. */
export function createGroupQueries({
  admin,
  group,
  topics,
  refused
}: GroupQueriesOptions): Pick<Consumer, 'committed' | 'countPartitions' | 'ends'> {
  return {
    committed: (partitions) => repeated('to say what the group has stored', () => committed(partitions)),
    countPartitions: () => repeated('to say how many partitions there are', countPartitions),
    ends: (partitions) => asked('to say where partitions end', () => ends(partitions))
  }

  /** For queries that the caller repeats until there is an answer. */
  function repeated<T>(doing: string, ask: () => Promise<T>): Promise<T> {
    return asked(
      doing,
      () => refused.ask(doing, ask),
      (failure) => refused.passes(failure, doing)
    )
  }

  function committed(partitions: readonly TopicPartition[]): Promise<readonly Committed[]> {
    return readCommitted(admin(), group, partitions)
  }

  async function countPartitions(): Promise<number> {
    const described = await admin().fetchTopicMetadata({ topics: [...topics()] })
    return described.topics.reduce((count, { partitions }) => count + partitions.length, 0)
  }

  async function ends(partitions: readonly TopicPartition[]): Promise<ReadonlyMap<string, Position>> {
    const found = new Map<string, Position>()
    for (const topic of new Set(partitions.map((topicPartition) => topicPartition.topic))) {
      const offsets = await admin().fetchTopicOffsets(topic)
      for (const { partition, high } of offsets) found.set(partitionName({ topic, partition }), toPosition(high))
    }
    return found
  }
}

async function asked<T>(doing: string, ask: () => Promise<T>, failed?: (failure: KafkaFailure) => void): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const failure = toKafkaFailure(error, doing)
    failed?.(failure)
    throw failure.error
  }
}
