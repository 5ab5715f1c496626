import { isKeystampError, KeystampError, type Position } from '@keystamp/core'
import { randomUUID } from 'node:crypto'
import type { KafkaSettings } from '../config/settings.ts'
import { partitionName, type Consumer, type SinkRecord, type TopicPartition } from '../kafka/consumer-port.ts'
import { createKafkajsClient } from '../kafka/kafka-client.ts'
import { createKafkajsConsumer } from '../kafka/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { getEntraToken } from '../write/entra.ts'

interface DeadLetterTopicOptions {
  readonly kafka: KafkaSettings
  readonly topic: string
  readonly log: Log
  readonly signal: AbortSignal
  readonly onRecord: (record: SinkRecord) => void
}

/** Reading fails if no record has arrived for this time, although there are more. */
const SILENT_MS = 60_000
const CHECK_MS = 1000

/**
 * Reads a dead-letter topic from its beginning to its end as it was at the start, each record once. Uses a consumer
 * group of its own, which commits nothing and is deleted.
 */
export async function readDeadLetterTopic(options: DeadLetterTopicOptions): Promise<void> {
  const { kafka, topic, log, signal } = options
  const group = `${kafka.group}-replay-${randomUUID()}`
  const settings: KafkaSettings = { ...kafka, group, topics: [topic], from: 'earliest', lostOffsets: 'earliest' }
  const consumer = createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log, getToken: getEntraToken })
  try {
    await readToEnd(consumer, options)
  } catch (error) {
    throw isKeystampError(error) && error.code === 'TOPIC_MISSING' ? missing(topic, error) : error
  } finally {
    await consumer.stop()
    await deleteGroup(settings, log)
  }
  signal.throwIfAborted()
}

async function readToEnd(consumer: Consumer, { topic, signal, onRecord }: DeadLetterTopicOptions): Promise<void> {
  const positions = new Map<string, Position>()
  let ends: ReadonlyMap<string, Position> | undefined
  let partitions: readonly TopicPartition[] = []
  let movedMs = performance.now()
  // records that arrive before the ends are known are delivered again
  const isOver = (name: string, position: Position): boolean => position >= ends!.get(name)!
  const isDone = (): boolean =>
    ends !== undefined && [...ends].every(([name, end]) => (positions.get(name) ?? 0) >= end)

  await new Promise<void>((resolve, reject) => {
    const checking = setInterval(() => {
      if (isDone() || signal.aborted) settle(resolve)
      else if (performance.now() - movedMs > SILENT_MS) settle(() => reject(silent(topic)))
    }, CHECK_MS)
    const end = (): void => settle(resolve)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()

    function settle(how: () => void): void {
      clearInterval(checking)
      signal.removeEventListener('abort', end)
      how()
    }

    const move = (topicPartition: TopicPartition, position: Position): void => {
      const name = partitionName(topicPartition)
      if (position > (positions.get(name) ?? -1)) movedMs = performance.now()
      positions.set(name, Math.max(position, positions.get(name) ?? 0) as Position)
      if (isDone()) end()
    }

    consumer
      .start({
        assigned: (all) => void (partitions = all),
        rebalancing: () => {},
        learned: (starts) => {
          for (const { position, ...topicPartition } of starts) move(topicPartition, position)
        },
        outOfRange: ({ to, ...topicPartition }) => {
          move(topicPartition, to)
          return to
        },
        received: (batch) => {
          const name = partitionName(batch)
          if (ends === undefined || !ends.has(name)) return batch.from
          for (const record of batch.records) {
            // after a rejoin, records are delivered again from the beginning
            if (record.offset >= (positions.get(name) ?? 0) && !isOver(name, record.offset)) onRecord(record)
          }
          move(batch, batch.next)
          return batch.next
        },
        failed: (error) => settle(() => reject(error))
      })
      .then(async () => {
        const assigned = partitions
        const found = await consumer.ends(assigned)
        // a partition that is not assigned would not be read, and its dead letters would not be missed
        if (assigned.length !== (await consumer.countPartitions())) throw silent(topic)
        ends = new Map(assigned.map((each) => [partitionName(each), found.get(partitionName(each))!] as const))
        if (isDone()) end()
        return undefined
      })
      .catch((error: unknown) => settle(() => reject(error)))
  })
}

function missing(topic: string, cause: Error): KeystampError {
  return new KeystampError(
    'TOPIC_MISSING',
    `There is no dead-letter topic "${topic}", or no permission to read it. Check \`rejects.topic\`, or name files of dead letters.`,
    { cause }
  )
}

function silent(topic: string): KeystampError {
  return new KeystampError(
    'KAFKA_UNAVAILABLE',
    `The dead-letter topic "${topic}" could not be read to its end. Nothing was replayed: run the command again.`
  )
}

async function deleteGroup(settings: KafkaSettings, log: Log): Promise<void> {
  const admin = createKafkajsClient(settings, { clock: MACHINE_CLOCK, log, getToken: getEntraToken }).admin()
  try {
    await admin.connect()
    await admin.deleteGroups([settings.group])
  } catch {
    // the brokers delete an empty group later
  } finally {
    await admin.disconnect().catch(() => {})
  }
}
