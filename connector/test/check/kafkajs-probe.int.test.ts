import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectKafka, type KafkaClient } from '@keystamp/testkit'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import { createKafkajsProbe } from '../../src/check/kafkajs-probe.ts'

const { brokers, isMissing, why } = await sharedKafka()

describe.skipIf(isMissing)(`samples of the records of topics${why}`, () => {
  const topic = `probed-${randomUUID().slice(0, 8)}`
  const kafka = new Kafka({ brokers: [brokers], clientId: 'keystamp-test', logLevel: logLevel.NOTHING })
  let client: KafkaClient

  beforeAll(async () => {
    client = await connectKafka(brokers)
    await client.createTopic(topic, { partitions: 2, config: { 'retention.ms': '604800000' } })
    await client.produce(topic, [
      { value: 'a0', partition: 0 },
      { value: 'a1', partition: 0 },
      { value: 'a2', partition: 0 }
    ])
  })

  afterAll(() => client?.close())

  async function look(group: string, from: 'earliest' | 'latest' = 'earliest'): Promise<unknown> {
    const settings = { group, topics: [topic], brokers: [brokers], from }
    const probe = createKafkajsProbe({
      kafka,
      settings,
      name: `look-${randomUUID()}`,
      sleep: (ms) => sleep(ms, undefined, { ref: false })
    })
    try {
      return (await probe.samples([topic])).map(({ record, isNext }) => [String(record.value), record.offset, isNext])
    } finally {
      await probe.close()
    }
  }

  it('show the record that the group reads next', async () => {
    const group = `group-${randomUUID()}`
    expect(await look(group)).toEqual([['a0', 0, true]])

    await commit(group, 1)
    expect(await look(group)).toEqual([['a1', 1, true]])
  })

  it('show the last record, marked as read, if the group has read all records', async () => {
    const group = `group-${randomUUID()}`
    await commit(group, 3)

    expect(await look(group)).toEqual([['a2', 2, false]])
    expect(await look(`group-${randomUUID()}`, 'latest')).toEqual([['a2', 2, false]])
  })

  it('have the id of their topic, and topics their retention', async () => {
    const settings = { group: `group-${randomUUID()}`, topics: [topic], brokers: [brokers], from: 'earliest' } as const
    const probe = createKafkajsProbe({
      kafka,
      settings,
      name: `look-${randomUUID()}`,
      sleep: (ms) => sleep(ms, undefined, { ref: false }),
      readsTopicIds: true
    })
    try {
      const [{ record }] = await probe.samples([topic])
      expect(record.topicId).toMatch(/^[0-9a-f]{32}$/)
      expect(await probe.topics()).toEqual([{ topic, partitions: 2, retentionMs: 7 * 86_400_000 }])
    } finally {
      await probe.close()
    }
  })

  async function commit(groupId: string, offset: number): Promise<void> {
    const admin = kafka.admin()
    await admin.connect()
    await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: String(offset) }] })
    await admin.disconnect()
  }
})
