import { isKeystampError, KeystampError, type Position, toPosition } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import { TopicPattern } from '../config/topic-pattern.ts'
import { type Clock, waitFor } from '../lifecycle/clock.ts'
import { type Committed, type Consumer, partitionName, type TopicPartition } from './consumer-port.ts'
import { type KafkaFailure, type RefusedRequests, toKafkaFailure } from './kafka-errors.ts'
import { readCommitted } from './start-positions.ts'

interface TopicWatchOptions {
  readonly clock: Clock
  readonly everyMs: number
  /** Throws TOPIC_MISSING if a topic does not exist any more. */
  readonly find: () => Promise<readonly string[]>
  readonly onFound: (topics: readonly string[]) => void
  readonly onMissing: (error: Error) => void
}

/**
 * Lists the topics at intervals: kafkajs resolves a pattern only once, and retries forever to read a topic that was
 * deleted.
 */
export interface TopicWatch {
  /** Lists the topics now. */
  readonly look: () => void
  readonly stop: () => void
}

export function watchTopics({ clock, everyMs, find, onFound, onMissing }: TopicWatchOptions): TopicWatch {
  let isLooking = false
  let isStopped = false
  let cancel = clock.schedule(everyMs, look)
  return { look, stop }

  function look(): void {
    if (isLooking || isStopped) return
    isLooking = true
    cancel()
    void lookAndReport().finally(() => {
      isLooking = false
      if (!isStopped) cancel = clock.schedule(everyMs, look)
    })
  }

  async function lookAndReport(): Promise<void> {
    try {
      const found = await findTopicsWithRetry(find, clock)
      if (!isStopped) onFound(found)
    } catch (error) {
      // no answer: the next interval tries again
      if (isMissing(error) && !isStopped) onMissing(error)
    }
  }

  function stop(): void {
    isStopped = true
    cancel()
  }
}

/**
 * Lists the topics a second time before one counts as missing: a broker that has just started may not know all of them
 * yet.
 */
export async function findTopicsWithRetry(
  find: () => Promise<readonly string[]>,
  clock: Clock
): Promise<readonly string[]> {
  try {
    return await find()
  } catch (error) {
    if (!isMissing(error)) throw error
    await waitFor(LOOK_AGAIN_MS, clock)
    return find()
  }
}

const LOOK_AGAIN_MS = 1000

function isMissing(error: unknown): error is KeystampError {
  return isKeystampError(error) && error.code === 'TOPIC_MISSING'
}

/** Lists the topics to read. Throws TOPIC_MISSING if a named topic is missing, or no topic matches the pattern. */
export async function findTopics(
  admin: Pick<Admin, 'listTopics'>,
  wanted: readonly string[] | TopicPattern
): Promise<readonly string[]> {
  const existing = await admin.listTopics()
  return wanted instanceof TopicPattern ? matching(existing, wanted) : named(existing, wanted)
}

function matching(existing: readonly string[], pattern: TopicPattern): readonly string[] {
  const found = existing.filter((topic) => !isInternal(topic) && pattern.matches(topic)).toSorted()
  if (found.length === 0)
    throw new KeystampError('TOPIC_MISSING', `No topic's name matches ${pattern.source}. Check \`kafka.topicPattern\`.`)
  return found
}

function named(existing: readonly string[], names: readonly string[]): readonly string[] {
  const missing = names.filter((name) => !existing.includes(name))
  if (missing.length === 0) return names
  const list = missing.map((name) => `"${name}"`).join(', ')
  throw new KeystampError(
    'TOPIC_MISSING',
    `There is no topic ${list}, or no permission to read it. Check \`kafka.topics\`, or create it first.`
  )
}

// topics of Kafka itself, such as __consumer_offsets
function isInternal(topic: string): boolean {
  return topic.startsWith('__')
}

interface GroupQueriesOptions {
  /** The admin that is connected now; a new member has a new one. */
  readonly admin: () => Pick<Admin, 'fetchOffsets' | 'fetchTopicMetadata' | 'fetchTopicOffsets'>
  readonly group: string
  readonly topics: () => readonly string[]
  readonly refused: RefusedRequests
  /** Called with the stored offsets after each query for them. */
  readonly onCommitted: (committed: readonly Committed[]) => void
}

/** Queries of a member in addition to its fetches. They throw KAFKA_UNAVAILABLE if Kafka does not answer. */
export function createGroupQueries({
  admin,
  group,
  topics,
  refused,
  onCommitted
}: GroupQueriesOptions): Pick<Consumer, 'committed' | 'countPartitions' | 'ends'> {
  return {
    committed: (partitions) => repeated('to return the stored offsets of the group', () => committed(partitions)),
    countPartitions: () => repeated('to return the number of partitions', countPartitions),
    ends: (partitions) => asked('to return the end offsets of partitions', () => ends(partitions))
  }

  /** For queries that the caller repeats until Kafka answers. */
  function repeated<T>(doing: string, ask: () => Promise<T>): Promise<T> {
    return asked(
      doing,
      () => refused.ask(doing, ask),
      (failure) => refused.passes(failure, doing)
    )
  }

  async function committed(partitions: readonly TopicPartition[]): Promise<readonly Committed[]> {
    const found = await readCommitted(admin(), group, partitions)
    onCommitted(found)
    return found
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
