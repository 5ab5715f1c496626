import type { Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { createKafkajsProducer } from '../../src/dead-letter/kafkajs-producer.ts'
import { toDeadLetterRecord } from '../../src/dead-letter/dead-letter-record.ts'
import { recordAt, REJECTION } from './sample.ts'

/** A simulated Kafka whose topic has this size limit; undefined if the limit cannot be read. */
function kafkaWith(maxMessageBytes: number | undefined): { readonly kafka: Kafka; readonly sent: number[] } {
  const sent: number[] = []
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicMetadata: async () => ({ topics: [{ partitions: [{}] }] }),
    describeConfigs: async () => {
      if (maxMessageBytes === undefined) throw new Error('TOPIC_AUTHORIZATION_FAILED')
      return {
        resources: [{ configEntries: [{ configName: 'max.message.bytes', configValue: String(maxMessageBytes) }] }]
      }
    }
  }
  const producer = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    send: async ({ messages }: { readonly messages: readonly { readonly value: Buffer | null }[] }) => {
      sent.push(...messages.map(({ value }) => value?.length ?? 0))
    }
  }
  return { kafka: { admin: () => admin, producer: () => producer } as unknown as Kafka, sent }
}

function deadLetterOf(bytes: number): ReturnType<typeof toDeadLetterRecord> {
  return toDeadLetterRecord(recordAt(1, { value: Buffer.alloc(bytes) }), REJECTION, { name: 'cars', taskId: '0' })
}

// checks L6
it('a dead-letter record above the size limit of the topic is never sent', async () => {
  const { kafka, sent } = kafkaWith(50_000)
  const producer = createKafkajsProducer(() => kafka, 'dead')

  await producer.send([deadLetterOf(1000)])
  await expect(producer.send([deadLetterOf(1000), deadLetterOf(50_000)])).rejects.toMatchObject({ kind: 'tooLarge' })
  expect(sent).toEqual([1000])
})

it('a dead-letter record of more than 16 MiB is never sent if the sink may not read the limit of the topic', async () => {
  const { kafka, sent } = kafkaWith(undefined)
  const producer = createKafkajsProducer(() => kafka, 'dead')

  await expect(producer.send([deadLetterOf(17 * 1_048_576)])).rejects.toMatchObject({ kind: 'tooLarge' })
  await producer.send([deadLetterOf(2_000_000)])
  expect(sent).toEqual([2_000_000])
})
