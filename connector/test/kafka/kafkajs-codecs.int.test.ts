import { randomUUID } from 'node:crypto'
import { connectKafka, createTelemetry, type KafkaClient } from '@keystamp/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { expectContiguous, listenTo } from './listening.ts'
import { QUIET } from './quiet-log.ts'

const { brokers, isMissing, why } = await sharedKafka()

describe.skipIf(isMissing)(`compressed batches${why}`, () => {
  const telemetry = createTelemetry(3)
  const values = Array.from({ length: 300 }, () => JSON.stringify(telemetry.big()))
  let kafka: KafkaClient

  beforeAll(async () => {
    kafka = await connectKafka(brokers)
  })

  afterAll(() => kafka?.close())

  // the broker compresses the stored batches again, with the same code as Java producers
  it.for(['gzip', 'snappy', 'lz4', 'zstd'])('from Java are read: %s', async (type) => {
    const topic = await newTopic(type)
    await kafka.produce(
      topic,
      values.map((value) => ({ value }))
    )

    expect(await readBack(topic)).toEqual(values)
  })

  it('above the limit are refused with their offsets, and the batches around them are read', async () => {
    const topic = await newTopic('gzip', { partitions: 2, config: { 'max.message.bytes': '20000000' } })
    const settings = kafkaSettings(brokers, `group-of-${topic}`, [topic], { maxInflatedBatchBytes: 1_048_576 })
    for (const value of ['before', Buffer.alloc(8_000_000), 'after']) {
      await kafka.produce(topic, [{ value, partition: 0 }])
    }
    await kafka.produce(topic, [{ value: 'other', partition: 1 }])
    const consumer = createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET })
    try {
      const member = await listenTo(consumer)
      await member.untilValues(4)

      expect(member.values({ topic, partition: 0 })).toEqual(['before', '(null)', 'after'])
      expect(member.values({ topic, partition: 1 })).toEqual(['other'])
      expect(member.records({ topic, partition: 0 })[1]).toMatchObject({
        offset: 1,
        oversizedBatch: { firstOffset: '1', lastOffset: '1' }
      })
      expectContiguous(member.batches)
    } finally {
      await consumer.stop()
    }
  })

  async function newTopic(
    compression: string,
    more: { partitions?: number; config?: Record<string, string> } = {}
  ): Promise<string> {
    const topic = `codec-${randomUUID().slice(0, 8)}`
    await kafka.createTopic(topic, { ...more, config: { ...more.config, 'compression.type': compression } })
    return topic
  }

  async function readBack(topic: string): Promise<readonly string[]> {
    const consumer = createKafkajsConsumer({
      settings: kafkaSettings(brokers, `group-of-${topic}`, [topic]),
      clock: MACHINE_CLOCK,
      log: QUIET
    })
    try {
      const member = await listenTo(consumer)
      await member.untilValues(values.length)
      return member.values()
    } finally {
      await consumer.stop()
    }
  }
})
