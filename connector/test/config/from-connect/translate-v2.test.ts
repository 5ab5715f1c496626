import { describe, expect, test } from 'vitest'
import { translateConnect } from '../../../src/config/from-connect/translate-connect.ts'
import { readText } from '../read-text.ts'
import { ENVIRONMENT, WORKER_KEYS } from './worker.ts'

const V2 = {
  'connector.class': 'com.azure.cosmos.kafka.connect.CosmosSinkConnector',
  'azure.cosmos.account.endpoint': 'https://my-account.documents.azure.com:443/',
  'azure.cosmos.account.key': 'bXkgbWFzdGVyIGtleQ==',
  'azure.cosmos.sink.database.name': 'fleet',
  'azure.cosmos.sink.containers.topicMap': 'drives#drives',
  ...WORKER_KEYS
}

describe('a configuration of version 2 of Microsoft’s connector', () => {
  test('with all its keys becomes a valid configuration of a sink', async () => {
    const config = {
      ...V2,
      'tasks.max': '4',
      topics: 'drives,stops,trips',
      'azure.cosmos.sink.containers.topicMap': 'drives#drives,stops#places,trips#drives',
      'azure.cosmos.preferredRegionList': '[West Europe, North Europe]',
      'azure.cosmos.mode.gateway': 'true',
      'azure.cosmos.application.name': 'fleet',
      'azure.cosmos.sink.errors.tolerance.level': 'All',
      'azure.cosmos.sink.bulk.enabled': 'true',
      'azure.cosmos.sink.bulk.maxConcurrentCosmosPartitions': '-1',
      'azure.cosmos.sink.bulk.initialBatchSize': '1',
      'azure.cosmos.sink.write.strategy': 'ItemPatch',
      'azure.cosmos.sink.write.patch.operationType.default': 'Set',
      'azure.cosmos.sink.write.patch.property.configs':
        'property(speed).op(increment),property(at).path(/last/at).op(set),property(raw).op(none)',
      'azure.cosmos.sink.write.patch.filter': 'from c where c.open = true',
      'azure.cosmos.sink.maxRetryCount': '10',
      'azure.cosmos.sink.id.strategy': 'TemplateStrategy',
      'azure.cosmos.sink.id.strategy.template': '${topic}-${key}',
      'azure.cosmos.throughputControl.enabled': 'true',
      'azure.cosmos.throughputControl.group.name': 'sink',
      'azure.cosmos.throughputControl.targetThroughputThreshold': '0.55',
      'azure.cosmos.throughputControl.priorityLevel': 'Low',
      'azure.cosmos.throughputControl.globalControl.database.name': 'control',
      'azure.cosmos.throughputControl.globalControl.container.name': 'control',
      'errors.tolerance': 'all',
      'errors.deadletterqueue.topic.name': 'dead-letters',
      'errors.deadletterqueue.topic.replication.factor': '3',
      'errors.deadletterqueue.context.headers.enable': 'true',
      'errors.log.enable': 'true',
      'consumer.override.auto.offset.reset': 'latest',
      'consumer.override.max.poll.records': '20000',
      'consumer.override.session.timeout.ms': '45000',
      'consumer.override.max.partition.fetch.bytes': '2097152',
      'consumer.override.security.protocol': 'SASL_SSL',
      'consumer.override.sasl.mechanism': 'PLAIN',
      'consumer.override.sasl.jaas.config':
        'org.apache.kafka.common.security.plain.PlainLoginModule required username="me" password="secret";'
    }

    const { yaml, notes } = translateConnect(JSON.stringify({ name: 'fleet-sink', config }))
    const { sinks } = await readText(yaml, { env: ENVIRONMENT })

    expect(notes.filter(({ kind }) => kind === 'refused')).toEqual([])
    expect(sinks).toHaveLength(1)
    expect(sinks[0]).toMatchObject({
      name: 'fleet-sink',
      kafka: {
        brokers: ['broker-1:9092', 'broker-2:9092'],
        group: 'connect-fleet-sink',
        topics: ['drives', 'stops', 'trips'],
        from: 'latest',
        sessionTimeoutMs: 45_000,
        maxBytesPerPartition: 2_097_152,
        tls: true,
        sasl: { mechanism: 'plain', username: 'me' }
      },
      key: { format: 'text' },
      value: { format: 'json' },
      cosmos: {
        endpoint: 'https://my-account.documents.azure.com:443/',
        database: 'fleet',
        container: new Map([
          ['drives', 'drives'],
          ['stops', 'places'],
          ['trips', 'drives']
        ]),
        preferredRegions: ['West Europe', 'North Europe'],
        share: '55%',
        priority: { priorityLevel: 'Low' }
      },
      id: { strategy: 'template', template: '${topic}-${key}', escape: 'underscore' },
      write: {
        strategy: 'patch',
        patch: {
          operation: 'set',
          members: new Map([
            ['speed', { operation: 'increment', path: undefined }],
            ['at', { operation: 'set', path: '/last/at' }],
            ['raw', { operation: 'none', path: undefined }]
          ]),
          condition: 'from c where c.open = true'
        }
      },
      rejects: { policy: 'copy', topic: 'dead-letters' },
      plan: undefined
    })
    expect(sinks[0].cosmos.key?.reveal()).toBe(ENVIRONMENT.COSMOS_KEY)
    const named = new Set(notes.map(({ key }) => key))
    for (const key of ['tasks.max', 'azure.cosmos.account.key', 'consumer.override.max.poll.records']) {
      expect(named).toContain(key)
    }
  })

  test('is translated without its secrets', () => {
    const { yaml, notes } = translateConnect(
      JSON.stringify({
        ...V2,
        'value.converter': 'io.confluent.connect.avro.AvroConverter',
        'value.converter.schema.registry.url': 'http://registry:8081',
        'value.converter.basic.auth.user.info': 'me:bXkgbWFzdGVyIGtleQ==',
        'consumer.override.sasl.mechanism': 'PLAIN',
        'consumer.override.sasl.jaas.config': 'x required username="me" password="bXkgbWFzdGVyIGtleQ==";'
      })
    )

    expect(yaml + JSON.stringify(notes)).not.toContain('bXkgbWFzdGVyIGtleQ==')
  })

  test.each([
    ['${env:MY_KEY}', '${env:MY_KEY}'],
    ['${dir:/secrets:cosmos}', '${file:/secrets/cosmos}'],
    ['${file:/secrets.properties:cosmos}', '${env:COSMOS_KEY}']
  ])('with the reference %s is translated to the reference %s', (theirs, ours) => {
    const { yaml } = translateConnect(JSON.stringify({ ...V2, 'azure.cosmos.account.key': theirs }))

    expect(yaml).toContain(`key: ${ours}`)
  })

  test('with Entra is translated with notes that name the environment variables for @azure/identity', async () => {
    const { yaml, notes } = translateConnect(
      JSON.stringify({
        ...V2,
        'azure.cosmos.auth.type': 'ServicePrincipal',
        'azure.cosmos.account.tenantId': 't',
        'azure.cosmos.auth.aad.clientId': 'c',
        'azure.cosmos.auth.aad.clientSecret': 'hush'
      })
    )

    expect((await readText(yaml, { env: ENVIRONMENT })).sinks[0].cosmos.key).toBeUndefined()
    expect(notes.map(({ message }) => message).join(' ')).toMatch(
      /AZURE_TENANT_ID.*AZURE_CLIENT_ID.*AZURE_CLIENT_SECRET/s
    )
    expect(yaml).not.toContain('hush')
  })

  test.each([
    [{}, { strategy: 'inValue', path: '$.id', escape: 'underscore' }],
    [{ 'azure.cosmos.sink.id.strategy': 'FullKeyStrategy' }, { strategy: 'fullKey', escape: 'underscore' }],
    [
      { 'azure.cosmos.sink.id.strategy': 'ProvidedInKeyStrategy', 'azure.cosmos.sink.id.strategy.jsonPath': '$.vin' },
      { strategy: 'inKey', path: '$.vin', escape: 'underscore' }
    ],
    [
      { 'azure.cosmos.sink.id.strategy': 'KafkaMetadataStrategy', 'azure.cosmos.sink.id.strategy.delimiter': '_' },
      { strategy: 'metadata', delimiter: '_', escape: 'underscore' }
    ]
  ])('with %j is translated to settings that make the same ids', async (more, id) => {
    const { yaml } = translateConnect(JSON.stringify({ ...V2, ...more }))

    expect((await readText(yaml, { env: ENVIRONMENT })).sinks[0].id).toEqual(id)
  })

  test.each([
    [{ 'errors.tolerance': 'all' }, { policy: 'skip', topic: undefined }],
    [
      { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dead' },
      { policy: 'copy', topic: 'dead' }
    ],
    [
      { 'errors.tolerance': 'none', 'errors.deadletterqueue.topic.name': 'dead' },
      { policy: 'stop', topic: undefined }
    ],
    [{}, { policy: 'stop', topic: undefined }]
  ])('with %j is translated to one policy for rejected records', async (more, rejects) => {
    const { yaml } = translateConnect(JSON.stringify({ ...V2, ...more }))

    expect((await readText(yaml, { env: ENVIRONMENT })).sinks[0].rejects).toMatchObject(rejects)
  })

  test('is translated with a note for each unknown key and for each topic without a container', () => {
    const { notes, yaml } = translateConnect(
      JSON.stringify({ ...V2, topics: 'drives,stops', 'azure.cosmos.sink.newest': 'x', 'unheard.of': 'y' })
    )

    expect(notes.filter(({ kind }) => kind === 'refused').map(({ key }) => key)).toEqual([
      'azure.cosmos.sink.containers.topicMap',
      'azure.cosmos.sink.newest',
      'unheard.of'
    ])
    expect(yaml).toMatch(
      /^# Not translated: azure\.cosmos\.sink\.containers\.topicMap names no container for the topic stops/
    )
  })
})

// every key of the connector itself, with a value other than its default if possible
const EVERY_KEY: Readonly<Record<string, string>> = {
  'azure.cosmos.account.environment': 'AzureChina',
  'azure.cosmos.account.tenantId': 't',
  'azure.cosmos.auth.type': 'ServicePrincipal',
  'azure.cosmos.auth.aad.clientId': 'c',
  'azure.cosmos.auth.aad.clientSecret': 'hush',
  'azure.cosmos.auth.aad.authEndpointOverride': 'https://login.chinacloudapi.cn/',
  'azure.cosmos.mode.gateway': 'true',
  'azure.cosmos.preferredRegionList': '[]',
  'azure.cosmos.application.name': 'a',
  'azure.cosmos.applicationName': 'a',
  'azure.cosmos.sink.errors.tolerance.level': 'All',
  'azure.cosmos.sink.bulk.enabled': 'false',
  'azure.cosmos.sink.bulk.maxConcurrentCosmosPartitions': '4',
  'azure.cosmos.sink.bulk.initialBatchSize': '100',
  'azure.cosmos.sink.write.strategy': 'ItemAppend',
  'azure.cosmos.sink.maxRetryCount': '20',
  'azure.cosmos.sink.id.strategy': 'FullKeyStrategy',
  'azure.cosmos.sink.id.strategy.template': '${key}',
  'azure.cosmos.sink.id.strategy.delimiter': '_',
  'azure.cosmos.sink.id.strategy.jsonPath': '$.a',
  'azure.cosmos.sink.write.patch.operationType.default': 'Add',
  'azure.cosmos.sink.write.patch.property.configs': 'property(a).op(set)',
  'azure.cosmos.sink.write.patch.filter': 'from c',
  'azure.cosmos.throughputControl.enabled': 'true',
  'azure.cosmos.throughputControl.group.name': 'g',
  'azure.cosmos.throughputControl.targetThroughput': '4000',
  'azure.cosmos.throughputControl.targetThroughputThreshold': '-1',
  'azure.cosmos.throughputControl.priorityLevel': 'High',
  'azure.cosmos.throughputControl.throughputBucket': '3',
  'azure.cosmos.throughputControl.globalControl.database.name': 'd',
  'azure.cosmos.throughputControl.globalControl.container.name': 'c',
  'azure.cosmos.throughputControl.globalControl.renewIntervalInMS': '5000',
  'azure.cosmos.throughputControl.globalControl.expireIntervalInMS': '11000',
  'azure.cosmos.throughputControl.account.endpoint': 'https://control.documents.azure.com/',
  'azure.cosmos.throughputControl.account.key': 'hush',
  'azure.cosmos.throughputControl.auth.type': 'MasterKey',
  'azure.cosmos.throughputControl.preferredRegionList': '[]',
  'azure.cosmos.throughputControl.mode.gateway': 'true'
}

test('every key of version 2 of Microsoft’s connector is translated, or is reported with a remedy', async () => {
  const { notes, yaml } = translateConnect(JSON.stringify({ ...V2, ...EVERY_KEY }))
  const { sinks } = await readText(yaml, { env: ENVIRONMENT })
  const translated = [
    'azure.cosmos.auth.type',
    'azure.cosmos.preferredRegionList',
    'azure.cosmos.throughputControl.enabled',
    'azure.cosmos.throughputControl.targetThroughput',
    'azure.cosmos.throughputControl.targetThroughputThreshold',
    'azure.cosmos.throughputControl.group.name',
    'azure.cosmos.throughputControl.priorityLevel',
    'azure.cosmos.throughputControl.throughputBucket',
    'azure.cosmos.sink.write.strategy',
    'azure.cosmos.sink.id.strategy',
    'azure.cosmos.sink.errors.tolerance.level'
  ]
  const named = notes.map(({ key }) => key)

  expect(notes.filter(({ kind }) => kind === 'refused')).toEqual([])
  expect(Object.keys(EVERY_KEY).filter((key) => !translated.includes(key) && !named.includes(key))).toEqual([])
  expect(sinks[0]).toMatchObject({
    cosmos: { share: 4000, key: undefined, priority: { priorityLevel: 'High', throughputBucket: 3 } },
    write: { strategy: 'append' },
    rejects: { policy: 'skip' }
  })
  expect(JSON.stringify(notes) + yaml).not.toContain('hush')
})
