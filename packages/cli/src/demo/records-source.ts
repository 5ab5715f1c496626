import type { Consumer, ConsumerListener, SinkRecord } from '@keystamp/connector'
import { type Position, toPosition } from '@keystamp/core'
import type { Producer } from 'kafkajs'
import type { Dependencies } from '../dependencies.ts'
import { PARTITIONS, TOPIC } from './demo-setup.ts'
import type { GeneratedRecord } from './vehicle-records.ts'

/** The topic of the demo, in a real Kafka or in memory. */
interface RecordsSource {
  /** One sentence: the version and address of the Kafka, or the reason why there is none. */
  readonly about: string
  /** `host:port`. */
  readonly brokers: string
  /** Creates the consumer of a sink; undefined with a real Kafka. */
  readonly createConsumer: (() => Consumer) | undefined
  readonly append: (records: readonly GeneratedRecord[]) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Opens a topic of a real Kafka if there is one, else a topic in memory. */
export async function openRecordsSource(
  say: (line: string) => void,
  { env, now }: Pick<Dependencies, 'env' | 'now'>
): Promise<RecordsSource> {
  const kafka = await findKafka(say, env)
  if ('missing' in kafka) return openGeneratedTopic(kafka.missing, now)
  try {
    const producer = await createTopic(kafka.brokers)
    return {
      about: `Kafka ${kafka.version} at ${kafka.brokers}, a topic of ${PARTITIONS} partitions.`,
      brokers: kafka.brokers,
      createConsumer: undefined,
      append: async (records) => void (await producer.send({ topic: TOPIC, messages: [...records] })),
      stop: async () => {
        await producer.disconnect()
        await kafka.stop()
      }
    }
  } catch (error) {
    await kafka.stop()
    throw error
  }
}

interface RunningKafka {
  readonly brokers: string
  readonly version: string
  readonly stop: () => Promise<void>
}

async function findKafka(
  say: (line: string) => void,
  env: Dependencies['env']
): Promise<RunningKafka | { readonly missing: string }> {
  const { KEYSTAMP_KAFKA: brokers } = env
  if (brokers !== undefined) return { brokers, version: 'of KEYSTAMP_KAFKA', stop: () => Promise.resolve() }
  try {
    const { startKafka } = await import('@keystamp/testkit')
    return await startKafka({ say })
  } catch (error) {
    // an installed command has no testkit: only the repository does
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return { missing: 'KEYSTAMP_KAFKA is not set to the host:port of one.' }
  }
}

async function createTopic(brokers: string): Promise<Producer> {
  const { Kafka, logLevel, Partitioners } = await import('kafkajs')
  const kafka = new Kafka({ brokers: brokers.split(','), clientId: 'keystamp-demo', logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  try {
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }], waitForLeaders: true })
  } finally {
    await admin.disconnect()
  }
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner
  })
  await producer.connect()
  return producer
}

function openGeneratedTopic(missing: string, now: () => number): RecordsSource {
  const topic = createGeneratedTopic(now)
  return {
    about: `No Kafka: ${missing} A generator feeds the same sinks instead.`,
    brokers: 'none:9092',
    createConsumer: topic.createConsumer,
    append: (records) => {
      topic.append(records)
      return Promise.resolve()
    },
    stop: () => Promise.resolve()
  }
}

/** A topic in memory, for a demo without Kafka. */
interface GeneratedTopic {
  readonly append: (records: readonly GeneratedRecord[]) => void
  /** A consumer for one sink; each sink reads all records. */
  readonly createConsumer: () => Consumer
}

/** Creates the topic. It keeps all records: the demo is short. */
export function createGeneratedTopic(now: () => number): GeneratedTopic {
  const partitions: SinkRecord[][] = Array.from({ length: PARTITIONS }, () => [])
  const wakes = new Set<() => void>()
  let count = 0

  function append(records: readonly GeneratedRecord[]): void {
    for (const { key, value } of records) {
      const partition = count++ % PARTITIONS
      const offset = toPosition(partitions[partition].length)
      partitions[partition].push({
        topic: TOPIC,
        partition,
        offset,
        timestamp: String(Date.now()),
        key: Buffer.from(key),
        value,
        headers: {}
      })
    }
    for (const wake of wakes) wake()
  }

  function createConsumer(): Consumer {
    const positions = partitions.map((): Position => toPosition(0))
    const paused = new Set<number>()
    let listener: ConsumerListener | undefined
    let isQueued = false

    function deliver(): void {
      isQueued = false
      for (const [partition, log] of partitions.entries()) {
        const from = positions[partition]
        if (listener === undefined || paused.has(partition) || from >= log.length) continue
        const records = log.slice(from, from + MAX_BATCH_RECORDS)
        const next = toPosition(from + records.length)
        const highWatermark = toPosition(log.length)
        positions[partition] = listener.received({ topic: TOPIC, partition, records, from, next, highWatermark })
        if (positions[partition] < log.length) wake()
      }
    }

    function wake(): void {
      if (isQueued) return
      isQueued = true
      setImmediate(deliver)
    }

    return {
      start: (given) => {
        listener = given
        wakes.add(wake)
        listener.assigned(partitions.map((_, partition) => ({ topic: TOPIC, partition })))
        wake()
        return Promise.resolve()
      },
      pause: (topicPartitions) => {
        for (const { partition } of topicPartitions) paused.add(partition)
      },
      resume: (topicPartitions) => {
        for (const { partition } of topicPartitions) paused.delete(partition)
        wake()
      },
      deliverFrom: () => {
        // each consumer owns all partitions from beginning to end
      },
      resumeDelayMs: 0,
      sessionTimeoutMs: 30_000,
      get lastHeartbeatMs() {
        return now()
      },
      commit: (commits) => Promise.resolve(commits),
      committed: (topicPartitions) =>
        Promise.resolve(
          topicPartitions.map((topicPartition) => ({ ...topicPartition, position: undefined, metadata: '' }))
        ),
      countPartitions: () => Promise.resolve(PARTITIONS),
      ends: () => Promise.resolve(new Map()),
      stop: () => {
        listener = undefined
        wakes.delete(wake)
        return Promise.resolve()
      }
    }
  }

  return { append, createConsumer }
}

const MAX_BATCH_RECORDS = 500
