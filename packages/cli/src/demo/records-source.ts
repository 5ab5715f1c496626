import type { Consumer } from '@keystamp/connector'
import { connectKafka, createTelemetry, startKafka } from '@keystamp/lab'
import { PARTITIONS, TOPIC } from './demo-world.ts'
import { createGeneratedTopic, type GeneratedRecord } from './generated-topic.ts'

/** Where the records of the demo go, and where sinks find them. */
export interface RecordsSource {
  /** One sentence: a real Kafka, or why there is none. */
  readonly about: string
  /** `host:port`. */
  readonly brokers: string
  /** Given where there is no Kafka: the sinks read through it. */
  readonly createConsumer: (() => Consumer) | undefined
  readonly append: (records: readonly GeneratedRecord[]) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A Kafka where it can be had, else records in memory. */
export async function openRecordsSource(say: (line: string) => void, now: () => number): Promise<RecordsSource> {
  const kafka = await startKafka({ say })
  if ('missing' in kafka) return generated(kafka.missing, now)
  const client = await connectKafka(kafka.brokers)
  await client.createTopic(TOPIC, { partitions: PARTITIONS })
  return {
    about: `Kafka ${kafka.version} at ${kafka.brokers}, a topic of ${PARTITIONS} partitions.`,
    brokers: kafka.brokers,
    createConsumer: undefined,
    append: (records) => client.produce(TOPIC, records),
    stop: async () => {
      await client.close()
      await kafka.stop()
    }
  }
}

function generated(missing: string, now: () => number): RecordsSource {
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

/** An endless day of vehicle telemetry, about 1 KB a record. */
export function createDay(seed: number): (count: number) => readonly GeneratedRecord[] {
  const { big } = createTelemetry(seed)
  return (count) =>
    Array.from({ length: count }, () => {
      // one in a hundred comes with a key of its own, which is another story
      const record = { ...big(), day: '2018-08-09', partitionKey: undefined }
      return { key: record.VIN, value: Buffer.from(JSON.stringify(record)) }
    })
}
