import { randomUUID } from 'node:crypto'
import { KeystampError } from '@keystamp/core'
import type { Admin, Kafka } from 'kafkajs'
import type { SinkSettings } from '../config/settings.ts'
import type { Decoder } from '../decode/decoder.ts'
import { createShapedDecoder } from '../shape/shaped-decoder.ts'
import { partitionName, type SinkRecord } from '../kafka/consumer-port.ts'
import { createKafkajsClient } from '../kafka/kafka-client.ts'
import { toKafkaFailure } from '../kafka/kafka-errors.ts'
import { toRecord } from '../kafka/kafkajs-records.ts'
import { findTopics } from '../kafka/topics.ts'
import { MACHINE_CLOCK } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { getEntraToken } from '../write/entra.ts'

export interface TopicSampleOptions {
  readonly settings: Pick<SinkSettings, 'kafka' | 'key' | 'value' | 'registry' | 'numbers'>
  /** Records to read: the last ones, divided among the partitions by the number of their records. */
  readonly count: number
  /** Only records since this time, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined
  /** Reading ends after this time with the records that it has. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called for each batch with the records and bytes so far. */
  readonly onProgress?: ((records: number, bytes: number) => void) | undefined
}

/** The last records of topics, decoded as a sink decodes them. */
export interface TopicSample {
  /** Documents as JSON, by the time of their records. */
  readonly documents: readonly Uint8Array[]
  /** Records without a value. */
  readonly tombstones: number
  readonly rejected: number
  /** Reason of the first rejection. */
  readonly reason: string | undefined
  /** False if the time was over before all wanted records were read. */
  readonly isComplete: boolean
}

/** Reading ends this time after the last batch: the last offsets may be control records, which are not returned. */
const QUIET_MS = 3000
/** With its default settings, a broker lets a new group wait three seconds for more members. */
const FIRST_MS = 10_000
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Reads the last records of the topics of a sink, under a consumer group of its own, which commits nothing and is
 * deleted. Throws KAFKA_UNAVAILABLE, KAFKA_UNAUTHORIZED or TOPIC_MISSING.
 */
export async function sampleTopic(options: TopicSampleOptions): Promise<TopicSample> {
  const { settings, timeoutMs, signal } = options
  const kafka = createKafkajsClient(settings.kafka, { clock: MACHINE_CLOCK, log: SILENT, getToken: getEntraToken })
  const deadline = AbortSignal.timeout(timeoutMs)
  const admin = kafka.admin()
  try {
    const wanted = await asking('to list the records of its topics', async () => {
      await admin.connect()
      return findWanted(admin, options)
    })
    signal.throwIfAborted()
    const read = await asking('to return records', () => readWanted(kafka, admin, wanted, options, deadline))
    signal.throwIfAborted()
    return await decodeAll(read, options, deadline)
  } finally {
    await admin.disconnect().catch(() => {})
  }
}

async function asking<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toKafkaFailure(error, doing).error
  }
}

/** Offsets of a partition to read: from `start` on, before `end`. */
interface Wanted {
  readonly topic: string
  readonly partition: number
  readonly start: number
  readonly end: number
}

async function findWanted(
  admin: Admin,
  { settings, count, sinceMs }: TopicSampleOptions
): Promise<ReadonlyMap<string, Wanted>> {
  const found: Wanted[] = []
  for (const topic of await findTopics(admin, settings.kafka.topics)) {
    const since = sinceMs === undefined ? [] : await admin.fetchTopicOffsetsByTimestamp(topic, sinceMs)
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const from = since.find((each) => each.partition === partition)?.offset
      const start = Math.max(Number(low), from === undefined ? 0 : from === '-1' ? Number(high) : Number(from))
      found.push({ topic, partition, start, end: Number(high) })
    }
  }
  const all = found.reduce((sum, { start, end }) => sum + end - start, 0)
  const share = Math.min(1, count / Math.max(1, all))
  return new Map(
    found
      .map((each) => ({ ...each, start: each.end - Math.ceil((each.end - each.start) * share) }))
      .filter(({ start, end }) => start < end)
      .map((each) => [partitionName(each), each] as const)
  )
}

interface Read {
  readonly records: readonly SinkRecord[]
  readonly isComplete: boolean
}

async function readWanted(
  kafka: Kafka,
  admin: Admin,
  wanted: ReadonlyMap<string, Wanted>,
  { settings, signal, onProgress }: TopicSampleOptions,
  deadline: AbortSignal
): Promise<Read> {
  if (wanted.size === 0) return { records: [], isComplete: true }
  const groupId = `keystamp-plan-${randomUUID()}`
  const { maxWaitMs } = settings.kafka
  const consumer = kafka.consumer({
    groupId,
    maxWaitTimeInMs: maxWaitMs,
    allowAutoTopicCreation: false,
    retry: NO_RETRY
  })
  const records = new Map<string, SinkRecord>()
  const open = new Set(wanted.keys())
  let bytes = 0
  let quiet: NodeJS.Timeout | undefined
  try {
    await consumer.connect()
    await consumer.subscribe({
      topics: [...new Set([...wanted.values()].map(({ topic }) => topic))],
      fromBeginning: true
    })
    await new Promise<void>((resolve, reject) => {
      quiet = setTimeout(resolve, FIRST_MS)
      for (const ending of [deadline, signal]) ending.addEventListener('abort', () => resolve(), { once: true })
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      consumer
        .run({
          autoCommit: false,
          eachBatch: async ({ batch }) => {
            clearTimeout(quiet)
            quiet = setTimeout(resolve, QUIET_MS)
            const { topic, partition, messages } = batch
            const name = partitionName({ topic, partition })
            const range = wanted.get(name)
            if (range === undefined) return
            for (const message of messages) {
              const offset = Number(message.offset)
              // a fetch that began before the seek returns other records
              if (offset < range.start || offset >= range.end) continue
              records.set(`${name}/${message.offset}`, toRecord(topic, partition, message))
              bytes += message.value?.length ?? 0
            }
            onProgress?.(records.size, bytes)
            if (Number(batch.lastOffset()) + 1 >= range.end) open.delete(name)
            if (open.size === 0) resolve()
          }
        })
        .then(() => {
          for (const { topic, partition, start } of wanted.values())
            consumer.seek({ topic, partition, offset: String(start) })
          return undefined
        })
        .catch(reject)
    })
  } finally {
    clearTimeout(quiet)
    await consumer.disconnect().catch(() => {})
    await admin.deleteGroups([groupId]).catch(() => {})
  }
  return { records: [...records.values()], isComplete: !deadline.aborted }
}

const NO_RETRY = {
  retries: 5,
  initialRetryTime: 100,
  factor: 0.2,
  multiplier: 2,
  maxRetryTime: 1000,
  restartOnFailure: async () => false
}

async function decodeAll(
  { records, isComplete }: Read,
  { settings, signal }: TopicSampleOptions,
  deadline: AbortSignal
): Promise<TopicSample> {
  const decoder = createShapedDecoder(settings)
  const documents: Uint8Array[] = []
  let [tombstones, rejected] = [0, 0]
  let reason: string | undefined
  try {
    for (const record of records.toSorted((a, b) => Number(a.timestamp) - Number(b.timestamp))) {
      const decoded = await untilAborted(decoder.decode(record), decoder, AbortSignal.any([signal, deadline]))
      if (!decoded.ok) {
        rejected++
        reason ??= decoded.message
      } else if (decoded.json === undefined) tombstones++
      // the decoder reuses its memory
      else documents.push(Uint8Array.from(decoded.json))
    }
  } finally {
    decoder.close()
  }
  return { documents, tombstones, rejected, reason, isComplete }
}

/** A record whose schema cannot be fetched waits until the registry answers. */
async function untilAborted<T>(result: T | Promise<T>, decoder: Decoder, ending: AbortSignal): Promise<T> {
  if (!(result instanceof Promise)) return result
  return Promise.race([
    result,
    new Promise<never>((_resolve, reject) => {
      const end = (): void =>
        reject(new KeystampError('INPUT_UNREADABLE', decoder.waitingFor ?? 'The registry does not answer.'))
      if (ending.aborted) end()
      else ending.addEventListener('abort', end, { once: true })
    })
  ])
}
