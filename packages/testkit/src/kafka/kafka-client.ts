import { randomUUID } from 'node:crypto'
import {
  type Admin,
  CompressionTypes,
  type ICustomPartitioner,
  type ITopicConfig,
  Kafka,
  type KafkaJSError,
  logLevel,
  type Message,
  Partitioners,
  type Producer,
  type ProducerConfig
} from 'kafkajs'
import { readToEnd } from './read-topic.ts'

/** A record to produce, or one that was read. */
export interface TopicRecord {
  readonly partition?: number
  readonly key?: Buffer | string | null
  /** Null for a tombstone. */
  readonly value: Buffer | string | null
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>
  /** Milliseconds since 1970. */
  readonly timestamp?: string
}

/** A stored record. */
export interface StoredRecord extends TopicRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
}

/** State of a group in one partition; `offset` is undefined if none is committed. */
export interface GroupOffset {
  readonly topic: string
  readonly partition: number
  readonly offset: string | undefined
  readonly metadata: string
}

/** Operations of tests, benches and the demo on a Kafka cluster. */
export interface KafkaClient {
  readonly createTopic: (
    topic: string,
    options?: { readonly partitions?: number; readonly config?: Readonly<Record<string, string>> }
  ) => Promise<void>
  /** Increases the number of partitions to `count`. */
  readonly addPartitions: (topic: string, count: number) => Promise<void>
  readonly deleteTopic: (topic: string) => Promise<void>
  /** Removes the records before this offset, as retention does. */
  readonly deleteRecordsBefore: (topic: string, partition: number, offset: string) => Promise<void>
  readonly produce: (
    topic: string,
    records: readonly TopicRecord[],
    options?: { readonly compression?: CompressionTypes }
  ) => Promise<void>
  /** Produces in one transaction, and commits it unless told to abort. */
  readonly produceTransaction: (
    topic: string,
    records: readonly TopicRecord[],
    options?: { readonly abort?: boolean }
  ) => Promise<void>
  /** Offset after the last record of each partition, control records included. */
  readonly ends: (topic: string) => Promise<ReadonlyMap<number, string>>
  /** Without topics: all offsets that the group has stored, including those of deleted topics. */
  readonly committed: (group: string, topics?: readonly string[]) => Promise<readonly GroupOffset[]>
  /** Waits for a group whose name begins with `prefix`, and returns its name. */
  readonly groupWith: (prefix: string) => Promise<string>
  /** Records of a topic, by partition and offset, without those of aborted transactions. */
  readonly read: (topic: string) => Promise<readonly StoredRecord[]>
  readonly close: () => Promise<void>
}

/** Connects to a Kafka cluster. */
export async function connectKafka(brokers: string): Promise<KafkaClient> {
  const kafka = new Kafka({
    brokers: brokers.split(','),
    clientId: 'keystamp-testkit',
    logLevel: logLevel.NOTHING,
    retry: RETRY
  })
  let producer: Promise<Producer> | undefined
  await asAdmin((admin) => admin.describeCluster())
  return {
    createTopic,
    addPartitions,
    deleteTopic,
    deleteRecordsBefore,
    produce,
    produceTransaction,
    ends,
    committed,
    groupWith,
    read,
    close
  }

  // a client that has used a topic fails for good after the topic is deleted: so each call gets a new admin client, and
  // `deleteTopic` ends the producer
  async function asAdmin<Answer>(work: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const admin = kafka.admin()
    try {
      await admin.connect()
      return await work(admin)
    } finally {
      await admin.disconnect()
    }
  }

  async function createTopic(
    topic: string,
    { partitions = 1, config = {} }: Parameters<KafkaClient['createTopic']>[1] = {}
  ): Promise<void> {
    const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }))
    const description: ITopicConfig = { topic, numPartitions: partitions, configEntries }
    await asAdmin(async (admin) => {
      await admin.createTopics({ topics: [description], waitForLeaders: false })
      await waitForLeaders(admin, topic, partitions)
    })
  }

  async function addPartitions(topic: string, count: number): Promise<void> {
    await asAdmin((admin) => admin.createPartitions({ topicPartitions: [{ topic, count }] }))
  }

  async function deleteTopic(topic: string): Promise<void> {
    await asAdmin((admin) => admin.deleteTopics({ topics: [topic] }))
    await close()
  }

  async function deleteRecordsBefore(topic: string, partition: number, offset: string): Promise<void> {
    await asAdmin(async (admin) => {
      // makes kafkajs fetch the leaders of the partitions, which `deleteTopicRecords` needs but does not fetch
      await admin.fetchTopicOffsets(topic)
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset }] })
    })
  }

  async function produce(
    topic: string,
    records: readonly TopicRecord[],
    { compression = CompressionTypes.None } = {}
  ): Promise<void> {
    // a request that one partition refuses is sent again as a whole: without idempotence the other partitions would
    // store their records twice
    producer ??= connectProducer({ idempotent: true, maxInFlightRequests: 1 })
    await (await producer).send({ topic, messages: toMessages(records), compression })
  }

  async function produceTransaction(
    topic: string,
    records: readonly TopicRecord[],
    { abort = false } = {}
  ): Promise<void> {
    const own = await connectProducer({
      idempotent: true,
      maxInFlightRequests: 1,
      transactionalId: `keystamp-testkit-${randomUUID()}`
    })
    try {
      const before = await countOf(topic)
      const transaction = await own.transaction()
      const touched = await transaction.send({ topic, messages: toMessages(records), acks: -1 })
      await (abort ? transaction.abort() : transaction.commit())
      // the answer comes before the transaction marker is written to each partition
      while ((await countOf(topic)) < before + records.length + touched.length)
        await new Promise((resolve) => setTimeout(resolve, 10))
    } finally {
      await own.disconnect()
    }
  }

  async function groupWith(prefix: string): Promise<string> {
    return asAdmin(async (admin) => {
      for (;;) {
        const { groups } = await admin.listGroups()
        const found = groups.find(({ groupId }) => groupId.startsWith(prefix))
        if (found !== undefined) return found.groupId
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
  }

  async function countOf(topic: string): Promise<number> {
    return [...(await ends(topic)).values()].reduce((sum, end) => sum + Number(end), 0)
  }

  async function ends(topic: string): Promise<ReadonlyMap<number, string>> {
    const found = await withRetries(() => asAdmin((admin) => admin.fetchTopicOffsets(topic)))
    return new Map(found.map(({ partition, high }) => [partition, high]))
  }

  async function committed(group: string, topics: readonly string[] = []): Promise<readonly GroupOffset[]> {
    const offsets = await withRetries(() =>
      asAdmin((admin) => admin.fetchOffsets({ groupId: group, topics: [...topics] }))
    )
    return offsets.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset, metadata }) => ({
        topic,
        partition,
        offset: offset === '-1' ? undefined : offset,
        metadata: metadata ?? ''
      }))
    )
  }

  async function read(topic: string): Promise<readonly StoredRecord[]> {
    return readToEnd(kafka, topic, await ends(topic))
  }

  async function close(): Promise<void> {
    await (await producer)?.disconnect()
    producer = undefined
  }

  async function connectProducer(config: ProducerConfig): Promise<Producer> {
    const made = kafka.producer({
      createPartitioner: createStablePartitioner,
      allowAutoTopicCreation: false,
      ...config
    })
    await made.connect()
    return made
  }
}

/**
 * Keeps the partition of a record when a request is sent again. The default partitioner chooses a new partition for
 * records without a key at each attempt, and the sequence numbers of an idempotent producer then do not fit the
 * batches.
 */
function createStablePartitioner(): ReturnType<ICustomPartitioner> {
  const choose = Partitioners.DefaultPartitioner()
  const chosen = new WeakMap<Message, number>()
  return (args) => {
    const partition = chosen.get(args.message) ?? choose(args)
    chosen.set(args.message, partition)
    return partition
  }
}

// explicit, since kafkajs has other defaults if NODE_ENV is "test"
const RETRY = { retries: 10, initialRetryTime: 100, factor: 0.2, multiplier: 1.5, maxRetryTime: 1000 }

/**
 * Retries if the leader or the coordinator was just killed: kafkajs asks it only once, and another broker soon replaces
 * it.
 */
async function withRetries<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error as KafkaJSError).retriable || attempt === MAX_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Retries if a busy broker does not know a topic yet that it has just created: kafkajs treats that as final. */
async function waitForLeaders(admin: Admin, topic: string, count: number): Promise<void> {
  let cause: unknown
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      if (topics[0]?.partitions.filter(({ leader }) => leader >= 0).length === count) return
    } catch (error) {
      cause = error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Topic "${topic}" was created, but its partitions have no leader.`, { cause })
}

const MAX_ATTEMPTS = 200

function toMessages(records: readonly TopicRecord[]) {
  return records.map(({ partition, key = null, value, headers, timestamp }) => ({
    key,
    value,
    ...(partition === undefined ? {} : { partition }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
    ...(timestamp === undefined ? {} : { timestamp })
  }))
}
