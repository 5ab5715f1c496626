// node finds `ConfigResourceTypes` only on the default export: kafkajs is a CommonJS module
import kafkajs, { type Admin, type Cluster, type Kafka, PartitionAssigners } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { type Committed, partitionName, type SinkRecord, type TopicPartition } from '../kafka/consumer-port.ts'
import { findTopics } from '../kafka/topics.ts'
import { toKafkaFailure } from '../kafka/kafka-errors.ts'
import { readCommitted } from '../kafka/start-positions.ts'
import { toRecord } from '../kafka/kafkajs-records.ts'
import { askTopicIds } from '../kafka/topic-id-request.ts'

/** Read-only access to Kafka. It does not join the group of the sink. */
export interface KafkaProbe {
  /** The topics that would be read. Throws KAFKA_UNAVAILABLE or TOPIC_MISSING. */
  readonly topics: () => Promise<readonly TopicSize[]>
  /** Reads the offsets that the group of the sink has stored. */
  readonly committed: (partitions: readonly TopicPartition[]) => Promise<readonly Committed[]>
  /**
   * Reads one record of each topic that has any: the next record that the group would read, or the last record if the
   * group has read all of them.
   */
  readonly samples: (topics: readonly string[]) => Promise<readonly ProbedRecord[]>
  readonly close: () => Promise<void>
}

export interface ProbedRecord {
  readonly record: SinkRecord
  /** True if the group has not read the record yet. */
  readonly isNext: boolean
}

export interface TopicSize {
  readonly topic: string
  readonly partitions: number
  /** Retention of records, in milliseconds; -1 for ever, undefined if it is not known. */
  readonly retentionMs?: number | undefined
}

export interface KafkajsProbeOptions {
  readonly kafka: Kafka
  readonly settings: Pick<KafkaSettings, 'group' | 'topics' | 'brokers' | 'from'>
  /** Name of the consumer group that the probe creates for its samples and deletes again; differs for each probe. */
  readonly name: string
  readonly sleep: (ms: number) => Promise<void>
  /** Whether samples get the id of their topic. Default: false. */
  readonly readsTopicIds?: boolean
}

// with its default settings, a broker lets a new group wait three seconds for more members
const SAMPLE_TIMEOUT_MS = 15_000

/** Reads metadata through an admin client, and samples through a consumer group of its own. */
export function createKafkajsProbe({
  kafka,
  settings,
  name,
  sleep,
  readsTopicIds = false
}: KafkajsProbeOptions): KafkaProbe {
  const admin = kafka.admin()
  let connected: Promise<void> | undefined

  async function ask<T>(doing: string, question: (asked: Admin) => Promise<T>): Promise<T> {
    try {
      await (connected ??= admin.connect())
      return await question(admin)
    } catch (error) {
      throw toKafkaFailure(error, doing).error
    }
  }

  return {
    topics: () => ask('to list its topics', () => sizesOf(admin, settings.topics)),
    committed: (partitions: readonly TopicPartition[]) =>
      ask('to return the stored offsets of the group', () => readCommitted(admin, settings.group, partitions)),
    samples: (topics) => ask('to return a sample record', () => takeSamples(topics)),
    close: async () => {
      await connected?.then(() => admin.disconnect()).catch(() => {})
    }
  }

  async function takeSamples(topics: readonly string[]): Promise<readonly ProbedRecord[]> {
    const starts = await findStarts(admin, settings, topics)
    const wanted = new Set([...starts.values()].map(({ topic }) => topic))
    if (wanted.size === 0) return []
    const found = new Map<string, ProbedRecord>()
    let cluster: Cluster | undefined
    const consumer = kafka.consumer({
      partitionAssigners: [
        (group) => {
          cluster = group.cluster
          return PartitionAssigners.roundRobin(group)
        }
      ],
      groupId: name,
      maxWaitTimeInMs: 100,
      allowAutoTopicCreation: false,
      retry: NO_RETRY
    })
    try {
      await consumer.connect()
      await consumer.subscribe({ topics: [...wanted], fromBeginning: true })
      await new Promise<void>((resolve, reject) => {
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
        void sleep(SAMPLE_TIMEOUT_MS).then(resolve)
        consumer
          .run({
            autoCommit: false,
            eachMessage: async ({ topic, partition, message }) => {
              const start = starts.get(partitionName({ topic, partition }))
              // a fetch that began before the seek returns other records
              if (start === undefined || Number(message.offset) < start.offset || found.has(topic)) return
              const ids = readsTopicIds ? await askTopicIds(cluster!, [topic]) : undefined
              const record = toRecord(topic, partition, message, ids?.[0]?.id)
              found.set(topic, { record, isNext: start.isNext })
              if (found.size === wanted.size) resolve()
            }
          })
          .then(() => {
            for (const { topic, partition, offset } of starts.values())
              consumer.seek({ topic, partition, offset: String(offset) })
            return undefined
          })
          .catch(reject)
      })
    } finally {
      await consumer.disconnect()
      await admin.deleteGroups([name]).catch(() => {})
    }
    return topics.flatMap((topic) => found.get(topic) ?? [])
  }
}

const NO_RETRY = {
  retries: 5,
  initialRetryTime: 100,
  factor: 0.2,
  multiplier: 2,
  maxRetryTime: 1000,
  restartOnFailure: async () => false
}

async function sizesOf(admin: Admin, wanted: KafkaSettings['topics']): Promise<readonly TopicSize[]> {
  const names = await findTopics(admin, wanted)
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] })
  const retention = await retentionOf(admin, names)
  return topics
    .map(({ name, partitions }) => ({
      topic: name,
      partitions: partitions.length,
      retentionMs: retention.get(name)
    }))
    .toSorted((a, b) => (a.topic < b.topic ? -1 : 1))
}

/** Reads `retention.ms` of topics. Many roles may not read it. */
async function retentionOf(admin: Admin, topics: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const resources = topics.map((name) => ({
    type: kafkajs.ConfigResourceTypes.TOPIC,
    name,
    configNames: ['retention.ms']
  }))
  try {
    const described = await admin.describeConfigs({ resources, includeSynonyms: false })
    return new Map(
      described.resources.flatMap(({ resourceName, configEntries }) =>
        configEntries.map(({ configValue }) => [resourceName, Number(configValue)] as const)
      )
    )
  } catch {
    return new Map()
  }
}

/** Position of a sample in a partition. */
interface Start extends TopicPartition {
  readonly offset: number
  readonly isNext: boolean
}

/**
 * Finds the first record of each partition that the group has not read yet. If the group has read a whole topic, finds
 * the last record of each of its partitions instead.
 */
async function findStarts(
  admin: Admin,
  { group, from }: Pick<KafkaSettings, 'group' | 'from'>,
  topics: readonly string[]
): Promise<ReadonlyMap<string, Start>> {
  const starts = new Map<string, Start>()
  for (const topic of topics) {
    const ofTopic = await startsOf(admin, { group, from }, topic)
    const next = ofTopic.filter(({ isNext }) => isNext)
    for (const start of next.length > 0 ? next : ofTopic) starts.set(partitionName(start), start)
  }
  return starts
}

async function startsOf(
  admin: Admin,
  { group, from }: Pick<KafkaSettings, 'group' | 'from'>,
  topic: string
): Promise<readonly Start[]> {
  const sizes = await admin.fetchTopicOffsets(topic)
  const stored = await readCommitted(
    admin,
    group,
    sizes.map(({ partition }) => ({ topic, partition }))
  )
  return sizes.flatMap(({ partition, low, high }): readonly Start[] => {
    if (low === high) return []
    const committed = stored.find((each) => each.partition === partition)?.position
    const next = Math.max(Number(low), committed ?? Number(from === 'earliest' ? low : high))
    const isNext = next < Number(high)
    return [{ topic, partition, offset: isNext ? next : Number(high) - 1, isNext }]
  })
}
