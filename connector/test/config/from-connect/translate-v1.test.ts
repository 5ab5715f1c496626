import { describe, expect, test } from 'vitest'
import { translateConnect } from '../../../src/config/from-connect/translate-connect.ts'
import { readText } from '../read-text.ts'
import { ENVIRONMENT, WORKER_KEYS } from './worker.ts'

const V1 = {
  'connector.class': 'com.azure.cosmos.kafka.connect.sink.CosmosDBSinkConnector',
  'connect.cosmos.connection.endpoint': 'https://my-account.documents.azure.com:443/',
  'connect.cosmos.master.key': 'bXkgbWFzdGVyIGtleQ==',
  'connect.cosmos.databasename': 'fleet',
  'connect.cosmos.containers.topicmap': 'drives#drives',
  ...WORKER_KEYS
}

describe('a configuration of version 1 of Microsoft’s connector', () => {
  test('with all its keys becomes a valid configuration of a sink', async () => {
    const config = {
      ...V1,
      'tasks.max': 1,
      'connect.cosmos.connection.gateway.enabled': false,
      'connect.cosmos.connection.sharing.enabled': 'false',
      'connect.cosmos.sink.bulk.enabled': 'true',
      'connect.cosmos.sink.bulk.compression.enabled': 'true',
      'connect.cosmos.sink.maxRetryCount': '10',
      'connect.cosmos.provider.name': '',
      'id.strategy': 'com.azure.cosmos.kafka.connect.sink.id.strategy.ProvidedInValueStrategy',
      'id.strategy.jsonPath': '$.vehicle.vin',
      'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'key.converter.schemas.enable': 'true',
      'value.converter': 'io.confluent.connect.avro.AvroConverter',
      'value.converter.schema.registry.url': 'http://registry:8081',
      'value.converter.basic.auth.credentials.source': 'USER_INFO',
      'value.converter.basic.auth.user.info': 'me:secret'
    }

    const { yaml, notes } = translateConnect(JSON.stringify({ name: 'old', config }))
    const { sinks } = await readText(yaml, { env: ENVIRONMENT })

    expect(notes.filter(({ kind }) => kind === 'refused')).toEqual([])
    expect(sinks[0]).toMatchObject({
      kafka: { group: 'connect-old', topics: ['drives'] },
      key: { format: 'json-envelope' },
      value: { format: 'registry' },
      registry: { url: 'http://registry:8081', username: 'me' },
      numbers: { int64: 'number', decimal: 'number' },
      cosmos: { container: 'drives', database: 'fleet' },
      id: { strategy: 'inValue', path: '$.vehicle.vin', escape: 'underscore' },
      write: { strategy: 'overwrite', tombstones: 'reject' },
      rejects: { policy: 'stop' }
    })
  })

  test('without brokers and converters is translated with notes, since the configuration of the worker may contain them', async () => {
    const {
      'key.converter': _key,
      'value.converter': _value,
      'consumer.override.bootstrap.servers': _brokers,
      ...bare
    } = V1
    const { yaml, notes } = translateConnect(
      JSON.stringify({ name: 'old', ...bare, 'value.converter.schemas.enable': 'false' })
    )

    expect(notes.map(({ message }) => message).join('\n')).toMatch(
      /bootstrap\.servers[\s\S]*look there, and write `key: json`[\s\S]*write `value: json`/
    )
    expect((await readText(yaml, { env: ENVIRONMENT })).sinks[0].kafka.brokers).toEqual(['broker-1:9092'])
  })
})
