import { randomUUID } from 'node:crypto'
import type { Position } from '@keystamp/core'
import { connectKafka, type KafkaClient } from '@keystamp/testkit'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { KafkaSettings } from '../../../src/config/settings.ts'
import type { Consumer, RecordBatch } from '../../../src/kafka/consumer-port.ts'
import { kafkaSettings } from '../kafka-settings.ts'
import { type Listening, listenTo } from '../listening.ts'

/** How to create the consumer under test, and the brokers that it connects to. */
export interface FixtureOptions {
  readonly brokers: string
  readonly create: (settings: KafkaSettings) => Consumer
}

/** Creates topics and consumers for the contract tests. */
export interface ConsumerFixture {
  readonly create: (settings: KafkaSettings) => Consumer
  readonly newTopic: (partitions?: number, config?: Readonly<Record<string, string>>) => Promise<OwnTopic>
}

/** A topic and a group that no other test uses. */
export interface OwnTopic {
  readonly kafka: KafkaClient
  readonly topic: string
  readonly group: string
  /** Creates a consumer of the group, which is stopped after the test. */
  readonly make: (others?: Partial<KafkaSettings>) => Consumer
  /** Creates and starts such a consumer. */
  readonly join: (
    others?: Partial<KafkaSettings>,
    received?: (batch: RecordBatch) => Position | undefined
  ) => Promise<Listening>
}

/** Opens the fixture that the tests of one `describe` share, and closes it after them. */
export function openConsumerFixture({ brokers, create }: FixtureOptions): ConsumerFixture {
  let kafka: KafkaClient
  const started: Consumer[] = []

  beforeAll(async () => {
    kafka = await connectKafka(brokers)
  })

  afterEach(async () => {
    await Promise.all(started.splice(0).map((consumer) => consumer.stop()))
  })

  afterAll(() => kafka?.close())

  async function newTopic(partitions = 1, config: Readonly<Record<string, string>> = {}): Promise<OwnTopic> {
    const topic = `contract-${randomUUID().slice(0, 8)}`
    const group = `group-of-${topic}`
    await kafka.createTopic(topic, { partitions, config })
    const make = (others: Partial<KafkaSettings> = {}): Consumer => {
      const consumer = create(kafkaSettings(brokers, group, [topic], others))
      started.push(consumer)
      return consumer
    }
    return { kafka, topic, group, make, join: (others, received) => listenTo(make(others), received) }
  }

  return { create, newTopic }
}
