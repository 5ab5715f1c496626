import { Kafka, type KafkaMessage, logLevel } from 'kafkajs'
import { randomUUID } from 'node:crypto'

/** One offset that a consumer group stored, in the order of the broker's log. */
export interface StoredCommit {
  readonly partition: number
  readonly offset: number
  /** Id of the process that committed; undefined if the metadata is not that of a sink. */
  readonly by: string | undefined
  /** The process reported that it has left, with no request in flight. */
  readonly hasLeft: boolean
  /** The broker's time, in milliseconds since 1970. */
  readonly atMs: number
}

/** The commits of a group for a topic since the log was opened. */
export interface CommitLog {
  /** Every commit so far, in the order of the broker's log; sampling the offsets could miss some. */
  readonly commits: () => Promise<readonly StoredCommit[]>
  readonly close: () => Promise<void>
}

const TOPIC = '__consumer_offsets'

/**
 * Opens `__consumer_offsets` at its end, so that earlier runs are not read. All calls of `commits` share a consumer:
 * joining a group in each of them takes seconds on a busy machine.
 */
export async function openCommitLog(
  brokers: string,
  { group, topic }: { readonly group: string; readonly topic: string }
): Promise<CommitLog> {
  const mark = await withAdmin(brokers, endsOf)
  let reader: LogReader | undefined
  return { commits, close: async () => reader?.close() }

  async function commits(): Promise<readonly StoredCommit[]> {
    const ends = await withAdmin(brokers, endsOf)
    const partition = partitionOf(group, ends.size)
    const begin = Number(mark.get(partition) ?? 0)
    const end = Number(ends.get(partition) ?? 0)
    if (begin >= end) return []
    // a reader ends when its broker is killed
    if (reader?.hasFailed() === true) {
      await reader.close()
      reader = undefined
    }
    reader ??= startReader(brokers, { partition, begin })
    const messages = await reader.readTo(end)
    return messages.flatMap((message) => parseCommit(message, group, topic) ?? [])
  }
}

interface LogReader {
  /** The messages before this offset, and maybe later ones. */
  readonly readTo: (end: number) => Promise<readonly KafkaMessage[]>
  readonly hasFailed: () => boolean
  readonly close: () => Promise<void>
}

/** Starts a consumer that reads one partition of `__consumer_offsets` from this offset on. */
function startReader(
  brokers: string,
  { partition, begin }: { readonly partition: number; readonly begin: number }
): LogReader {
  // keyed by the offset in the log, since the consumer may read messages again after a rebalance
  const messages = new Map<number, KafkaMessage>()
  const waiting = new Set<() => void>()
  let next = begin
  let failure: Error | undefined
  const consumer = createKafka(brokers).consumer({
    groupId: `fault-commits-${randomUUID()}`,
    maxWaitTimeInMs: 300,
    retry: { restartOnFailure: async () => false }
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => fail(payload.error))
  consumer.on(consumer.events.GROUP_JOIN, () => consumer.seek({ topic: TOPIC, partition, offset: String(next) }))
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    if (payload.partition !== partition) return
    next = Math.max(next, Number(payload.lastOffset) + 1)
    wake()
  })
  run().catch(fail)
  return { readTo, hasFailed: () => failure !== undefined, close: () => consumer.disconnect() }

  async function run(): Promise<void> {
    await consumer.connect()
    await consumer.subscribe({ topic: TOPIC, fromBeginning: false })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ partition: of, message }) => {
        if (of === partition && Number(message.offset) >= begin) messages.set(Number(message.offset), message)
      }
    })
  }

  async function readTo(end: number): Promise<readonly KafkaMessage[]> {
    const isRead = (): boolean => next >= end
    while (!isRead()) {
      if (failure !== undefined) throw failure
      await new Promise<void>((resolve) => waiting.add(resolve))
    }
    return [...messages].toSorted(([one], [other]) => one - other).map(([, message]) => message)
  }

  function fail(error: Error): void {
    failure ??= error
    wake()
  }

  function wake(): void {
    for (const resume of waiting) resume()
    waiting.clear()
  }
}

function createKafka(brokers: string): Kafka {
  const retry = { retries: 10, initialRetryTime: 100, factor: 0.2, multiplier: 1.5, maxRetryTime: 1000 }
  return new Kafka({ brokers: brokers.split(','), clientId: 'keystamp-testkit', logLevel: logLevel.NOTHING, retry })
}

async function withAdmin<Answer>(
  brokers: string,
  work: (admin: ReturnType<Kafka['admin']>) => Promise<Answer>
): Promise<Answer> {
  const admin = createKafka(brokers).admin()
  try {
    await admin.connect()
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

async function endsOf(admin: ReturnType<Kafka['admin']>): Promise<ReadonlyMap<number, string>> {
  if (!(await admin.listTopics()).includes(TOPIC)) return new Map()
  return new Map((await admin.fetchTopicOffsets(TOPIC)).map(({ partition, high }) => [partition, high]))
}

/** Partition of `__consumer_offsets` for a group, by Java's hash of the group id. */
export function partitionOf(group: string, partitions: number): number {
  let hash = 0
  for (let index = 0; index < group.length; index++) hash = (Math.imul(31, hash) + group.charCodeAt(index)) | 0
  return (hash === -(2 ** 31) ? 0 : Math.abs(hash)) % partitions
}

/** Undefined for records that are not offsets of this group and topic: group members, other groups, expired offsets. */
export function parseCommit(
  { key, value }: { readonly key: Buffer | null; readonly value: Buffer | null },
  group: string,
  topic: string
): StoredCommit | undefined {
  if (key === null || value === null || key.readInt16BE(0) > HIGHEST_OFFSET_KEY) return undefined
  const keyReader = createReader(key, 2)
  if (keyReader.text() !== group || keyReader.text() !== topic) return undefined
  const partition = keyReader.int32()
  const version = value.readInt16BE(0)
  const reader = createReader(value, 2)
  const offset = reader.int64()
  if (version >= VERSION_WITH_EPOCH) reader.int32()
  const metadata = version >= FLEXIBLE_VERSION ? reader.compactText() : reader.text()
  const { by, left } = parseMetadata(metadata)
  return { partition, offset, by, hasLeft: left === true, atMs: reader.int64() }
}

/** Keys of version 2 are members of a group. */
const HIGHEST_OFFSET_KEY = 1
const VERSION_WITH_EPOCH = 3
/** From this version on, lengths have a variable size, and are stored plus one. */
const FLEXIBLE_VERSION = 4

function createReader(
  buffer: Buffer,
  start: number
): {
  readonly text: () => string
  readonly compactText: () => string
  readonly int32: () => number
  readonly int64: () => number
} {
  let at = start
  return {
    text: () => {
      const length = buffer.readInt16BE(at)
      at += 2 + length
      return buffer.toString('utf8', at - length, at)
    },
    compactText: () => {
      let length = -1
      for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
        byte = buffer[at++]
        length += (byte & 0x7f) << shift
      }
      at += length
      return buffer.toString('utf8', at - length, at)
    },
    int32: () => buffer.readInt32BE((at += 4) - 4),
    int64: () => Number(buffer.readBigInt64BE((at += 8) - 8))
  }
}

function parseMetadata(text: string): { readonly by?: string; readonly left?: boolean } {
  try {
    return JSON.parse(text) as { readonly by?: string; readonly left?: boolean }
  } catch {
    return {}
  }
}
