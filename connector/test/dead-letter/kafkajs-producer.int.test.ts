import { connectKafka, type KafkaClient, type KafkaHandle, startKafka, type StoredRecord } from '@keystamp/testkit'
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, logLevel, ResourcePatternTypes } from 'kafkajs'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import type { RejectSettings } from '../../src/config/settings.ts'
import { createDeadLetterTopic } from '../../src/dead-letter/dead-letter-topic.ts'
import { createKafkajsProducer } from '../../src/dead-letter/kafkajs-producer.ts'
import type { DeadLetterWriter } from '../../src/dead-letter/dead-letter-writer.ts'
import { recordAt, REJECTION } from './sample.ts'

const { brokers, isMissing, why } = await sharedKafka()

// a dead-letter record has the timestamp of its record: retention by time would delete old ones at once
const KEEPS = { 'retention.ms': '-1' }

/** Opens a dead-letter topic as the sink does, with a client that retries less. */
function openRejects(
  topic: string,
  tooLarge: RejectSettings['tooLarge'] = 'stop',
  address = brokers
): DeadLetterWriter {
  const kafka = new Kafka({
    brokers: [address],
    clientId: 'keystamp-test',
    logLevel: logLevel.NOTHING,
    requestTimeout: 5000,
    retry: { retries: 2, initialRetryTime: 100, factor: 0.2, multiplier: 2, maxRetryTime: 1000 }
  })
  return createDeadLetterTopic({ producer: createKafkajsProducer(() => kafka, topic), topic, tooLarge, name: 'cars' })
}

function texts(records: readonly StoredRecord[]): readonly (string | undefined)[] {
  return records.map(({ value }) => value?.toString())
}

describe.skipIf(isMissing)(`a dead-letter topic${why}`, () => {
  let client: KafkaClient

  beforeAll(async () => {
    client = await connectKafka(brokers)
  })

  afterAll(() => client?.close())

  async function createTopic(config: Readonly<Record<string, string>> = {}, partitions = 1): Promise<string> {
    const topic = `dead-${randomUUID()}`
    await client.createTopic(topic, { partitions, config: { ...KEEPS, ...config } })
    return topic
  }

  it('stores key, value, headers and timestamp unchanged, and the reason', async () => {
    const topic = await createTopic()
    const rejects = openRejects(topic)
    await rejects.check()
    const headers = { trace: Buffer.from([0, 0xff]), many: ['a', Buffer.from('b')], none: undefined }
    await rejects.send(
      recordAt(7, { key: Buffer.from([0xc3, 0x28]), value: Buffer.from([0, 1, 2]), headers }),
      REJECTION
    )
    await rejects.send(recordAt(8, { key: null, value: null }), REJECTION)
    await rejects.close()

    const [first, second] = await client.read(topic)
    expect(first).toMatchObject({
      key: Buffer.from([0xc3, 0x28]),
      value: Buffer.from([0, 1, 2]),
      timestamp: '1533818096000'
    })
    expect(first.headers).toMatchObject({
      trace: Buffer.from([0, 0xff]),
      many: [Buffer.from('a'), Buffer.from('b')],
      none: Buffer.alloc(0),
      '__connect.errors.topic': Buffer.from('cars'),
      '__connect.errors.offset': Buffer.from('7'),
      'keystamp.code': Buffer.from('FIELD_MISSING')
    })
    expect(second).toMatchObject({ key: null, value: null })
  })

  it('with `LogAppendTime` keeps the original timestamp in a header', async () => {
    const topic = await createTopic({ 'message.timestamp.type': 'LogAppendTime' })
    const rejects = openRejects(topic)
    await rejects.send(recordAt(7), REJECTION)
    await rejects.close()

    const [deadLetter] = await client.read(topic)
    expect(deadLetter.timestamp).not.toBe('1533818096000')
    expect(deadLetter.headers?.['keystamp.timestamp']?.toString()).toBe('1533818096000')
  })

  it('stores concurrent records once, and records of one key in order', async () => {
    const topic = await createTopic({}, 4)
    const rejects = openRejects(topic)
    const records = Array.from({ length: 1500 }, (_, offset) =>
      recordAt(offset, { key: offset % 3 === 0 ? null : Buffer.from(`k${offset % 10}`) })
    )
    await Promise.all(records.map((record) => rejects.send(record, REJECTION)))
    await rejects.close()

    const stored = await client.read(topic)
    const offsets = stored.map(({ value }) => Number(value?.toString().slice('value-'.length)))
    expect(offsets.toSorted((one, other) => one - other)).toEqual(records.map(({ offset }) => offset))
    for (let digit = 0; digit < 10; digit++) {
      const ofKey = stored.filter(({ key }) => key?.toString() === `k${digit}`)
      expect(new Set(ofKey.map(({ partition }) => partition)).size).toBe(1)
      const order = ofKey.map(({ value }) => Number(value?.toString().slice('value-'.length)))
      expect(order).toEqual(order.toSorted((one, other) => one - other))
    }
    expect(new Set(stored.map(({ partition }) => partition)).size).toBeGreaterThan(1)
  })

  it.each([
    ['skip', ['small-1', 'small-2']],
    ['withoutValue', ['small-1', undefined, 'small-2']]
  ] as const)(
    'with a small size limit gets all small records, and gets large records as `tooLarge: %s` says',
    async (tooLarge, wanted) => {
      const topic = await createTopic({ 'max.message.bytes': '20000' })
      const rejects = openRejects(topic, tooLarge)
      const values = ['small-1', 'large'.repeat(10_000), 'small-2']
      await Promise.all(
        values.map((value, offset) =>
          rejects.send(recordAt(offset, { key: Buffer.from('k'), value: Buffer.from(value) }), REJECTION)
        )
      )
      await rejects.close()

      const stored = await client.read(topic)
      expect(texts(stored)).toEqual(wanted)
      expect(
        stored
          .filter(({ value }) => value === null)
          .map(({ headers }) => headers?.['keystamp.value.omitted.bytes']?.toString())
      ).toEqual(tooLarge === 'skip' ? [] : ['50000'])
    }
  )

  it('with a small size limit stops the sink by default', async () => {
    const topic = await createTopic({ 'max.message.bytes': '20000' })
    const rejects = openRejects(topic)

    await expect(rejects.send(recordAt(1, { value: Buffer.alloc(30_000) }), REJECTION)).rejects.toMatchObject({
      code: 'REJECTS_FAILED',
      message: `The dead-letter topic "${topic}" does not accept a copy of this size.`
    })
    await rejects.close()
  })

  it('stores many records that together exceed the limit of a batch', async () => {
    const topic = await createTopic({ 'max.message.bytes': '20000' })
    const rejects = openRejects(topic)
    const records = Array.from({ length: 12 }, (_, offset) =>
      recordAt(offset, { key: Buffer.from('k'), value: Buffer.alloc(5000, offset) })
    )
    await Promise.all(records.map((record) => rejects.send(record, REJECTION)))
    await rejects.close()

    expect((await client.read(topic)).map(({ value }) => value?.[0])).toEqual(records.map(({ offset }) => offset))
  })

  it('that is compacted refuses records without a key', async () => {
    const rejects = openRejects(await createTopic({ 'cleanup.policy': 'compact' }))
    await rejects.send(recordAt(1), REJECTION)

    await expect(rejects.send(recordAt(2, { key: null }), REJECTION)).rejects.toMatchObject({
      code: 'REJECTS_FAILED',
      message: expect.stringMatching(
        / refuses copies \(INVALID_RECORD\)\. A compacted topic does not accept a copy without a key\.$/
      ) as string
    })
    await rejects.close()
  })

  it('that does not exist is named by the check', async () => {
    const topic = `dead-${randomUUID()}`
    const rejects = openRejects(topic)

    await expect(rejects.check()).rejects.toMatchObject({
      code: 'REJECTS_FAILED',
      message: `The dead-letter topic "${topic}" does not exist.`
    })
    await rejects.close()
  })
})

// a topic without ACLs is open to everyone
const WITH_ACLS = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'allow.everyone.if.no.acl.found': 'true'
}

describe.skipIf(isMissing)(`a dead-letter topic on a broker of its own${why}`, () => {
  let kafka: KafkaHandle
  let client: KafkaClient

  beforeAll(async () => {
    kafka = (await startKafka({
      properties: WITH_ACLS,
      env: { ...process.env, KEYSTAMP_KAFKA: undefined }
    })) as KafkaHandle
    client = await connectKafka(kafka.brokers)
    await client.createTopic('dead', { partitions: 2, config: KEEPS })
  })

  afterAll(async () => {
    await client?.close()
    await kafka?.stop()
  })

  it('that may not be written to stops the sink', async () => {
    await client.createTopic('forbidden')
    const admin = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const rule = {
      principal: 'User:ANONYMOUS',
      host: '*',
      resourceType: AclResourceTypes.TOPIC,
      resourceName: 'forbidden'
    }
    const exactly = { resourcePatternType: ResourcePatternTypes.LITERAL, permissionType: AclPermissionTypes.DENY }
    await admin.createAcls({ acl: [{ ...rule, ...exactly, operation: AclOperationTypes.WRITE }] })
    await admin.disconnect()
    const rejects = openRejects('forbidden', 'stop', kafka.brokers)

    await expect(rejects.send(recordAt(1), REJECTION)).rejects.toMatchObject({
      code: 'REJECTS_FAILED',
      message:
        'The dead-letter topic "forbidden" refuses copies (TOPIC_AUTHORIZATION_FAILED). Allow the sink to describe the topic and to write to it.'
    })
    await rejects.close()
  })

  it('gets every record after the broker is back', async () => {
    const rejects = openRejects('dead', 'stop', kafka.brokers)
    await rejects.send(recordAt(0), REJECTION)
    await kafka.kill()
    const answers = Array.from({ length: 50 }, (_, index) => rejects.send(recordAt(index + 1), REJECTION))
    const stopAt = Date.now() + 20_000
    while (!rejects.waitingFor?.includes(':') && Date.now() < stopAt)
      await new Promise((resolve) => setTimeout(resolve, 50))
    expect(rejects.waitingFor).toMatch(/^the dead-letter topic "dead": a request to Kafka failed/)

    await kafka.restart()
    await Promise.all(answers)
    expect(rejects.waitingFor).toBeUndefined()
    await rejects.close()

    expect(new Set(texts(await client.read('dead')))).toEqual(
      new Set(Array.from({ length: 51 }, (_, offset) => `value-${offset}`))
    )
  })
})
