import { type RegistryHandle, startRegistry, type TopicRecord } from '@keystamp/testkit'
import avro from 'avsc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const PLAN = { into: '/partitionKey', from: [{ kafka: 'key' }] }
const ID_OF_KEY = { strategy: 'template', template: 'id-${key}' }

const READING = {
  type: 'record',
  name: 'Reading',
  fields: [
    { name: 'id', type: 'string' },
    { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'count', type: 'long' },
    { name: 'note', type: ['null', 'string'] }
  ]
}
const reading = avro.Type.forSchema(READING as never)
const AT = Date.UTC(2018, 7, 9)
const READ = { id: 'r', count: 7, note: 'hot', at: AT }

interface Row {
  readonly config: object
  readonly record: TopicRecord
  /** Stored properties in addition to the key, which is the record's key. */
  readonly stored: object
}

describe.skipIf(isMissing)(`a sink that reads${why}`, () => {
  let registry: RegistryHandle

  beforeAll(async () => {
    registry = await startRegistry()
  })

  afterAll(async () => registry?.stop())

  it.each<[string, () => Row]>([
    ['JSON', () => ({ config: {}, record: { key: 'k', value: '{"id":"a","n":1.50}' }, stored: { id: 'a', n: 1.5 } })],
    [
      'JSON in an envelope with its schema',
      () => ({
        config: { value: 'json-envelope' },
        record: { key: 'k', value: ENVELOPE },
        stored: { id: 'a', big: '9007199254740993' }
      })
    ],
    [
      'Avro with a registry',
      () => ({
        config: { value: 'registry', registry: { url: registry.url } },
        record: {
          key: 'k',
          value: framed(registry.register('a-value', JSON.stringify(READING)), reading.toBuffer(READ))
        },
        stored: STORED_READING
      })
    ],
    [
      'JSON Schema with a registry, with keys in Avro',
      () => ({
        config: { value: 'registry', key: 'registry', registry: { url: registry.url } },
        record: {
          key: framed(registry.register('j-key', '"string"'), avro.Type.forSchema('string').toBuffer('k')),
          value: framed(registry.register('j-value', '{"type":"object"}', 'JSON'), Buffer.from('{"id":"a","n":1}'))
        },
        stored: { id: 'a', n: 1 }
      })
    ],
    [
      'Protobuf with a registry, with keys in Protobuf',
      () => ({
        config: {
          value: 'registry',
          key: 'registry',
          registry: { url: registry.url },
          plan: { into: '/partitionKey', from: [{ kafka: 'key', field: '/id' }] }
        },
        record: {
          key: framed(registry.register('p-key', PROTO_KEY, 'PROTOBUF'), Buffer.from('\0\n\x01k')),
          // the second message of the schema: indexes [1], then id, count and at
          value: framed(
            registry.register('p-value', PROTO_READING, 'PROTOBUF'),
            Buffer.from('\x02\x02\n\x01r\x10\x07\x1a\x02\x08\x01', 'latin1')
          )
        },
        stored: { id: 'r', count: 7, at: '1970-01-01T00:00:01.000000000Z' }
      })
    ],
    [
      'JSON, and changes its shape,',
      () => ({
        config: {
          shape: [
            { filter: { tombstone: true } },
            { rename: { '/car/vin': '/id' } },
            { cast: { '/speed': 'int32' } },
            { mask: { fields: ['/driver'] } },
            { insert: { '/topic': { literal: 'drives' } } }
          ]
        },
        record: { key: 'k', value: '{"car":{"vin":"v"},"speed":"120","driver":"Ann"}' },
        stored: { id: 'v', car: {}, speed: 120, driver: '', topic: 'drives' }
      })
    ],
    [
      'Avro without a registry',
      () => ({
        config: { value: { format: 'avro', schema: READING } },
        record: { key: 'k', value: reading.toBuffer(READ) },
        stored: STORED_READING
      })
    ],
    [
      'text',
      () => ({
        config: { value: 'text', id: ID_OF_KEY },
        record: { key: 'k', value: 'says "hello"\n' },
        stored: { id: 'id-k', value: 'says "hello"\n' }
      })
    ],
    [
      'bytes',
      () => ({
        config: { value: 'bytes', id: ID_OF_KEY },
        record: { key: 'k', value: Buffer.from([0, 255, 1]) },
        stored: { id: 'id-k', value: 'AP8B' }
      })
    ],
    [
      'JSON with keys in JSON',
      () => ({
        config: { key: 'json', plan: { into: '/partitionKey', from: [{ kafka: 'key', field: '/tenant' }] } },
        record: { key: '{"tenant":"k"}', value: '{"id":"a"}' },
        stored: { id: 'a' }
      })
    ]
  ])('%s stores the decoded value', async (_, row) => {
    const world = await startWorld({ brokers, partitions: 1 })
    const { config, record, stored } = row()

    const documents = await world.play({ plan: PLAN, ...config }, [record])

    expect(documents).toEqual([{ ...stored, partitionKey: 'k' }])
  })
})

const ENVELOPE = `{"schema":{"type":"struct","fields":[{"field":"id","type":"string"},{"field":"big","type":"int64"}]},
"payload":{"id":"a","big":9007199254740993}}`

const PROTO_KEY = 'syntax = "proto3"; import "google/protobuf/wrappers.proto"; message Key { string id = 1; }'
const PROTO_READING = `syntax = "proto3";
import "google/protobuf/timestamp.proto";
message Other {}
message Reading { string id = 1; int64 count = 2; google.protobuf.Timestamp at = 3; }`

const STORED_READING = { id: 'r', at: '2018-08-09T00:00:00.000Z', count: 7, note: 'hot' }

/** Wire format of the registry: a zero byte, the id of the schema, and the bytes of the value. */
function framed(id: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeInt32BE(id, 1)
  return Buffer.concat([head, bytes])
}
