import { connectKafka, type KafkaClient } from '@keystamp/testkit'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { readDeadLetterTopic } from '../../src/replay/read-dead-letter-topic.ts'
import { kafkaSettings } from '../kafka/kafka-settings.ts'
import { QUIET } from '../kafka/quiet-log.ts'

const { brokers, isMissing, why } = await sharedKafka()
const PARTITIONS = 4

describe.skipIf(isMissing)(`reading a dead-letter topic${why}`, () => {
  let client: KafkaClient
  beforeAll(async () => {
    client = await connectKafka(brokers)
  })
  afterAll(async () => {
    await client.close()
  })

  it('reads each dead letter once, although its partitions move to another member and back meanwhile', async () => {
    const count = 3000
    const dead = `dead-${randomUUID()}`
    await client.createTopic(dead, { partitions: PARTITIONS })
    for (let from = 0; from < count; from += 200) {
      const records = Array.from({ length: 200 }, (_, n) => ({ partition: n % PARTITIONS, value: 'x'.repeat(100) }))
      await client.produce(dead, records)
    }
    const kafka = kafkaSettings(brokers, `sink-${randomUUID()}`, [dead], {
      maxBytesPerPartition: 16_384,
      maxWaitMs: 20
    })
    const read: string[] = []
    let moved: Promise<readonly number[]> | undefined

    await readDeadLetterTopic({
      kafka,
      topic: dead,
      log: QUIET,
      signal: new AbortController().signal,
      onRecord: ({ partition, offset }) => {
        read.push(`${partition}/${offset}`)
        if (read.length === count / 8) moved = takePartitions()
        // lasts until the partitions have moved
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
      }
    })

    const [others, before] = (await moved!) as [number, number]
    expect(others).toBeGreaterThan(0)
    expect(before).toBeLessThan(count)
    expect(read).toHaveLength(count)
    expect(new Set(read).size).toBe(count)

    /** Joins the group and leaves it; resolves with the partitions that it got, and the records that were read then. */
    async function takePartitions(): Promise<readonly number[]> {
      const group = await client.groupWith(`${kafka.group}-replay-`)
      const settings = { ...kafka, group, topics: [dead] }
      const member = createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET })
      let got = 0
      await member.start({
        assigned: (partitions) => void (got = partitions.length),
        rebalancing: () => undefined,
        received: (batch) => batch.from,
        learned: () => undefined,
        outOfRange: ({ to }) => to,
        failed: () => undefined
      })
      const result = [got, read.length]
      await member.stop()
      return result
    }
  }, 60_000)
})
