import { type EachMessagePayload, Kafka, logLevel } from 'kafkajs'
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

/** The ends of `__consumer_offsets` at a moment, by partition; empty if the topic did not exist. */
export type CommitMark = ReadonlyMap<number, string>

const TOPIC = '__consumer_offsets'

/** Remembers where `__consumer_offsets` ends now, so that `readCommits` does not read earlier runs. */
export function markCommits(brokers: string): Promise<CommitMark> {
  return withAdmin(brokers, endsOf)
}

/** Reads every commit of a group for a topic since the mark; sampling the offsets could miss some. */
export async function readCommits(
  brokers: string,
  { group, topic, mark }: { readonly group: string; readonly topic: string; readonly mark: CommitMark }
): Promise<readonly StoredCommit[]> {
  const ends = await withAdmin(brokers, endsOf)
  if (ends.size === 0) return []
  const partition = partitionOf(group, ends.size)
  const begin = mark.get(partition) ?? '0'
  const end = Number(ends.get(partition) ?? 0)
  if (Number(begin) >= end) return []
  // keyed by the offset in the log, since the consumer reads the log again after a rebalance
  const commits = new Map<number, StoredCommit>()
  const consumer = createKafka(brokers).consumer({
    groupId: `fault-commits-${randomUUID()}`,
    maxWaitTimeInMs: 50,
    retry: { restartOnFailure: async () => false }
  })
  const eachMessage = async ({ partition: of, message }: EachMessagePayload): Promise<void> => {
    const commit = of === partition ? parseCommit(message, group, topic) : undefined
    if (commit !== undefined) commits.set(Number(message.offset), commit)
  }
  try {
    await consumer.connect()
    await consumer.subscribe({ topic: TOPIC, fromBeginning: false })
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
        if (payload.partition === partition && Number(payload.lastOffset) + 1 >= end) resolve()
      })
      consumer.on(consumer.events.GROUP_JOIN, () => consumer.seek({ topic: TOPIC, partition, offset: begin }))
      consumer.run({ autoCommit: false, eachMessage }).catch(reject)
    })
  } finally {
    await consumer.disconnect()
  }
  return [...commits].toSorted(([one], [other]) => one - other).map(([, commit]) => commit)
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
