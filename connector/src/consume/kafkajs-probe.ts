import type { Admin, Kafka } from 'kafkajs'
import type { KafkaProbe, TopicSize } from '../config/live/live-parts.ts'
import type { KafkaSettings } from '../config/settings.ts'
import type { SinkRecord } from '../record.ts'
import type { TopicPartition } from './consumer-port.ts'
import { findTopics } from './find-topics.ts'
import { toKafkaTrouble } from './kafka-trouble.ts'
import { readCommitted } from './start-positions.ts'
import { toRecord } from './to-record-batch.ts'

export interface KafkajsProbeOptions {
  readonly kafka: Kafka
  readonly settings: Pick<KafkaSettings, 'group' | 'topics' | 'brokers'>
  /** Tells one look from another; a group of this name is made, and taken away again. */
  readonly name: string
  readonly sleep: (ms: number) => Promise<void>
}

// a new group of a broker as it is installed waits three seconds for more members
const PATIENCE_MS = 15_000

/** Looks into Kafka by an admin, and takes samples by a group of its own. */
export function createKafkajsProbe({ kafka, settings, name, sleep }: KafkajsProbeOptions): KafkaProbe {
  const admin = kafka.admin()
  let connected: Promise<void> | undefined

  async function ask<T>(doing: string, question: (asked: Admin) => Promise<T>): Promise<T> {
    try {
      await (connected ??= admin.connect())
      return await question(admin)
    } catch (error) {
      throw toKafkaTrouble(error, doing).error
    }
  }

  return {
    topics: () => ask('to say which topics it has', () => sizesOf(admin, settings.topics)),
    committed: (partitions: readonly TopicPartition[]) =>
      ask('to say what the group has stored', () => readCommitted(admin, settings.group, partitions)),
    samples: (topics) => ask('to show a record', () => takeSamples(topics)),
    close: async () => {
      await connected?.then(() => admin.disconnect()).catch(() => {})
    }
  }

  async function takeSamples(topics: readonly string[]): Promise<readonly SinkRecord[]> {
    const filled = await filledTopics(admin, topics)
    if (filled.length === 0) return []
    const found = new Map<string, SinkRecord>()
    const consumer = kafka.consumer({ groupId: name, maxWaitTimeInMs: 100, allowAutoTopicCreation: false, retry: NO_RETRY })
    try {
      await consumer.connect()
      await consumer.subscribe({ topics: [...filled], fromBeginning: true })
      await new Promise<void>((resolve, reject) => {
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
        void sleep(PATIENCE_MS).then(resolve)
        consumer
          .run({
            autoCommit: false,
            eachMessage: async ({ topic, partition, message }) => {
              if (!found.has(topic)) found.set(topic, toRecord(topic, partition, message))
              if (found.size === filled.length) resolve()
            }
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

const NO_RETRY = { retries: 5, initialRetryTime: 100, factor: 0.2, multiplier: 2, maxRetryTime: 1000, restartOnFailure: async () => false }

async function sizesOf(admin: Admin, wanted: KafkaSettings['topics']): Promise<readonly TopicSize[]> {
  const names = await findTopics(admin, wanted)
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] })
  return topics
    .map(({ name, partitions }) => ({ topic: name, partitions: partitions.length }))
    .toSorted((a, b) => (a.topic < b.topic ? -1 : 1))
}

async function filledTopics(admin: Admin, topics: readonly string[]): Promise<readonly string[]> {
  const filled = await Promise.all(
    topics.map(async (topic) => ({ topic, isFilled: (await admin.fetchTopicOffsets(topic)).some(({ low, high }) => low !== high) }))
  )
  return filled.flatMap(({ topic, isFilled }) => (isFilled ? [topic] : []))
}
