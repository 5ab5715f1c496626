import { randomUUID } from 'node:crypto'
import { connectKafka, createTelemetry, type KafkaClient } from '@keystamp/lab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../../../test/integration/shared-kafka.ts'
import { createKafkajsConsumer } from '../../src/consume/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { listenTo } from './listening.ts'
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

  // the broker compresses again what it stores: by the code that Java's producers have
  it.for(['gzip', 'snappy', 'lz4', 'zstd'])('of Java are read: %s', async (type) => {
    const topic = await newTopic(type)
    await kafka.produce(
      topic,
      values.map((value) => ({ value }))
    )

    expect(await readBack(topic)).toEqual(values)
  })

  async function newTopic(compression: string): Promise<string> {
    const topic = `codec-${randomUUID().slice(0, 8)}`
    await kafka.createTopic(topic, { config: { 'compression.type': compression } })
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
