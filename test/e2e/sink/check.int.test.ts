import { checkService, readConfig, type SinkReport } from '@keystamp/connector'
import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { connectKafka, type KafkaClient, type RegistryHandle, startRegistry } from '@keystamp/testkit'
import { Kafka, logLevel } from 'kafkajs'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'

const { brokers, isMissing, why } = await sharedKafka()

describe.skipIf(isMissing)(`a live check of a sink${why}`, () => {
  const topic = `check-${randomUUID()}`
  let kafka: KafkaClient
  let emulator: Emulator
  let registry: RegistryHandle

  beforeAll(async () => {
    kafka = await connectKafka(brokers)
    emulator = await startEmulator({ port: 0 })
    registry = await startRegistry()
    await kafka.createTopic(topic, { partitions: 3 })
    await kafka.createTopic(`${topic}-dead`, {})
    await kafka.produce(topic, [{ partition: 2, key: 'k', value: '{"id":"a","date":"2018-08-09"}' }])
    const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
    await client.databases.create({ id: 'fleet' })
    for (const id of ['drives', 'by-id'])
      await client
        .database('fleet')
        .containers.create({ id, partitionKey: { paths: ['/pk'], version: PartitionKeyDefinitionVersion.V2 } })
  })

  afterAll(async () => {
    await kafka?.close()
    await emulator?.stop()
    await registry?.stop()
  })

  async function look(
    more: string = '',
    container: string = 'drives',
    topics: string = `[${topic}]`
  ): Promise<SinkReport> {
    const text = `name: check
kafka: { brokers: ["${brokers.split(',').join('", "')}"], topics: ${topics}, connectionTimeout: 2s, requestTimeout: 5s }
cosmos: { endpoint: "${emulator.endpoint}", key: "\${env:KEY}", database: fleet, container: ${container} }
plan: { into: /pk, from: [{ field: /date }] }
${more}`
    const settings = await readConfig(
      { text, name: 'sink.yaml' },
      { env: { KEY: emulator.key }, readFile: () => Promise.reject(new Error('none')) }
    )
    const { sinks } = await checkService(settings, { showValues: false })
    return sinks[0]
  }

  it('reports no failure, shows a record, and leaves no consumer group in Kafka', async () => {
    const { findings, samples } = await look(
      `rejects: { topic: ${topic}-dead }\nregistry: { url: "${registry.url}" }\nkey: registry\n`
    )

    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
      {
        of: 'sample',
        state: 'warning',
        message: `The next record of ${topic} (partition 2, offset 0) will be rejected with DECODE_FAILED.`
      }
    ])
    expect(findings.map(({ of }) => of)).toEqual([
      'topics',
      'codecs',
      'registry',
      'container',
      'group',
      'rejects',
      'sample'
    ])
    expect(samples).toMatchObject([
      { topic, partition: 2, offset: '0', becomes: { kind: 'rejected', code: 'DECODE_FAILED' } }
    ])
    expect((await look()).samples).toMatchObject([{ becomes: { kind: 'stored', key: ['2018-08-09'], id: 'a' } }])
    expect((await groups()).filter((name) => name.startsWith('keystamp-check'))).toEqual([])
  })

  it('reports the new container of a move, or that it does not exist', async () => {
    const { findings } = await look(moveTo('by-id', '/pk'))
    const missing = await look(moveTo('nowhere', '/pk'))
    const mismatched = await look(moveTo('by-id', '/other'))

    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(findings.filter(({ of }) => of === 'move')).toHaveLength(3)
    expect(failed(missing)).toEqual([expect.stringMatching(/^move\.to: .*`keystamp rekey --create` creates it\.$/)])
    expect(failed(mismatched)).toEqual([expect.stringMatching(/^move\.to: .*\/pk/)])
  })

  it('reports missing topics and containers by their names', async () => {
    const wrong = await look(`rejects: { topic: nowhere-${topic} }\n`, 'nowhere', `[${topic}, other-${topic}]`)

    expect(wrong.findings.filter(({ state }) => state === 'failed').map(({ of }) => of)).toEqual([
      'topics',
      'container',
      'rejects'
    ])
    expect(wrong.findings[0].message).toContain(`There is no topic "other-${topic}"`)
  })
})

function moveTo(container: string, into: string): string {
  return `move: { name: by-id, to: { container: ${container}, plan: { into: ${into}, from: [{ field: /id }] } } }\n`
}

function failed({ findings }: SinkReport): readonly string[] {
  return findings.filter(({ state }) => state === 'failed').map(({ message }) => message)
}

async function groups(): Promise<readonly string[]> {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const { groups: all } = await admin.listGroups()
  await admin.disconnect()
  return all.map(({ groupId }) => groupId)
}
