import { randomUUID } from 'node:crypto'
import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs'
import type { StoredRecord } from './kafka-client.ts'

/** Reads a topic from its beginning to these ends, with a new group that commits nothing. */
export async function readToEnd(
  kafka: Kafka,
  topic: string,
  ends: ReadonlyMap<number, string>
): Promise<readonly StoredRecord[]> {
  const missing = new Map(
    [...ends].filter(([, end]) => end !== '0').map(([partition, end]) => [partition, Number(end)])
  )
  if (missing.size === 0) return []
  const found: StoredRecord[] = []
  const groupId = `keystamp-testkit-${randomUUID()}`
  const consumer = kafka.consumer({
    groupId,
    maxWaitTimeInMs: 50,
    allowAutoTopicCreation: false,
    retry: { restartOnFailure: async () => false }
  })
  try {
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      // kafkajs also emits this for batches without visible records, whose offsets count as read
      consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, lastOffset } }) => {
        if (Number(lastOffset) + 1 >= (missing.get(partition) ?? 0)) missing.delete(partition)
        if (missing.size === 0) resolve()
      })
      const run = {
        autoCommit: false,
        eachBatch: async ({ batch: { partition, messages } }: EachBatchPayload) =>
          void found.push(...messages.map((message) => toRecord(topic, partition, message)))
      }
      consumer.run(run).catch(reject)
    })
  } finally {
    await consumer.disconnect()
  }
  return found.toSorted((one, other) => one.partition - other.partition || Number(one.offset) - Number(other.offset))
}

function toRecord(
  topic: string,
  partition: number,
  { key, value, headers, timestamp, offset }: KafkaMessage
): StoredRecord {
  return { topic, partition, offset, key, value, headers: headers ?? {}, timestamp }
}
