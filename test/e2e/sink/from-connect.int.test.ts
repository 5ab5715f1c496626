import { createSink, type Log, readConfig, translateConnect } from '@keystamp/connector'
import { Kafka, logLevel } from 'kafkajs'
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld, type World } from './start-world.ts'

const { brokers, isMissing, why } = await sharedKafka()
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe.skipIf(isMissing)(`a sink with a translated configuration of version 2 of Microsoft’s connector${why}`, () => {
  it('resumes at the offsets of the connector’s group, and stores the same ids and properties as the connector', async () => {
    const world = await startWorld({ brokers, partitions: 1, keyPaths: ['/vehicle/vin'], defaultTtl: -1 })
    const name = `fleet-${randomUUID()}`
    await world.kafka.createTopic(`${world.topic}-dead`)
    await world.kafka.produce(world.topic, [
      { key: '{"order":"0"}', value: record('done before', '0') },
      { key: '{"order":"1"}', value: record('a/b#c', '1') },
      { key: '{"order":"2"}', value: 'no JSON' },
      { key: '{"order":"3"}', value: record('a b', '3') }
    ])
    await commitAsConnect(`connect-${name}`, world.topic, '1')

    const { yaml, notes } = translateConnect(JSON.stringify(connectorOf(name, world)))
    await run(yaml, world)

    expect(notes.filter(({ kind }) => kind === 'refused')).toEqual([])
    expect((await world.documents()).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 'a b', vehicle: { vin: 'v' }, label: 'a b', order: '3', ttl: 100 },
      { id: 'a_b_c', vehicle: { vin: 'v' }, label: 'a/b#c', order: '1', ttl: 100 }
    ])
    const [dead, ...others] = await world.kafka.read(`${world.topic}-dead`)
    expect(others).toEqual([])
    expect([String(dead.key), String(dead.value)]).toEqual(['{"order":"2"}', 'no JSON'])
  })
})

function record(label: string, order: string): string {
  return JSON.stringify({ id: 'overwritten', vehicle: { vin: 'v' }, label, order, debug: true })
}

/** Ids come from a field of the value, which transforms copy into the key: the usual way in Kafka Connect. */
function connectorOf(name: string, { emulator, topic }: World): object {
  const transforms = 'org.apache.kafka.connect.transforms'
  return {
    name,
    config: {
      'connector.class': 'com.azure.cosmos.kafka.connect.CosmosSinkConnector',
      'tasks.max': '2',
      topics: topic,
      'azure.cosmos.account.endpoint': emulator.endpoint,
      'azure.cosmos.account.key': '${env:COSMOS_KEY}',
      'azure.cosmos.sink.database.name': 'db',
      'azure.cosmos.sink.containers.topicMap': `${topic}#things`,
      'azure.cosmos.sink.id.strategy': 'FullKeyStrategy',
      'azure.cosmos.sink.errors.tolerance.level': 'All',
      'errors.tolerance': 'all',
      'errors.deadletterqueue.topic.name': `${topic}-dead`,
      'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter.schemas.enable': 'false',
      'consumer.override.bootstrap.servers': brokers,
      'consumer.override.session.timeout.ms': '12000',
      transforms: 'toKey,label,drop,ttl,ttlType',
      'transforms.toKey.type': `${transforms}.ValueToKey`,
      'transforms.toKey.fields': 'label',
      'transforms.label.type': `${transforms}.ExtractField$Key`,
      'transforms.label.field': 'label',
      'transforms.drop.type': `${transforms}.ReplaceField$Value`,
      'transforms.drop.exclude': 'debug',
      'transforms.ttl.type': `${transforms}.InsertField$Value`,
      'transforms.ttl.static.field': 'ttl',
      'transforms.ttl.static.value': '100',
      'transforms.ttlType.type': `${transforms}.Cast$Value`,
      'transforms.ttlType.spec': 'ttl:int32'
    }
  }
}

async function run(yaml: string, world: World): Promise<void> {
  const { sinks } = await readConfig(
    { text: yaml, name: 'sink.yaml' },
    { env: { COSMOS_KEY: world.emulator.key }, readFile: () => Promise.reject(new Error('No file.')) }
  )
  const sink = createSink(sinks[0], { log: SILENT })
  onTestFinished(() => sink.stop())
  await sink.start()
  await expect
    .poll(() => sink.stats().written + Object.values(sink.stats().rejected).length, { timeout: 20_000 })
    .toBe(3)
  await sink.stop()
}

/** The worker of Kafka Connect commits offsets without metadata. */
async function commitAsConnect(groupId: string, topic: string, offset: string): Promise<void> {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset }] })
  await admin.disconnect()
}
