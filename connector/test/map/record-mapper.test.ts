import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { decodedOf, SAMPLE_PLAN, sampleRecord, type Setting, mapOne, mapperOptions, storedText } from './sample.ts'

const plan = SAMPLE_PLAN
const document = { id: 'i', device: 'd' }

describe('a record', () => {
  it.each([
    ['overwrite', document, { kind: 'upsert' }],
    ['append', document, { kind: 'create', ignore: [409] }],
    ['delete', document, { kind: 'delete', ignore: [404] }],
    ['deleteIfNotModified', { ...document, _etag: '"e"' }, { kind: 'delete', ignore: [404, 412], ifMatch: '"e"' }],
    ['deleteIfNotModified', document, { kind: 'delete', ifMatch: '' }],
    [
      'overwriteIfNotModified',
      { ...document, _etag: '"e"' },
      { kind: 'replace', ignore: [404, 409, 412], ifMatch: '"e"' }
    ],
    ['overwriteIfNotModified', document, { kind: 'create', ignore: [409] }]
  ] as const)('becomes the operation of the strategy %s', (strategy, value, wanted) => {
    const mapped = mapOne(value, { plan, write: { strategy } })

    expect(mapped).toMatchObject({ ...wanted, stamped: { values: ['d'], id: 'i' } })
    expect(storedText(mapped)).toBe(JSON.stringify({ ...value, pk: 'd' }))
  })

  it('is rejected if it has no key or id, or is not JSON', () => {
    expect(mapOne({ id: 'i' }, { plan })).toEqual({
      ok: false,
      stage: 'map',
      code: 'FIELD_MISSING',
      message: 'A field of the key is missing: /device.',
      path: '/device'
    })
    expect(mapOne('{"id":', { plan })).toMatchObject({ stage: 'map', code: 'JSON_INVALID' })
    expect(mapOne({ device: 'd' }, { plan })).toMatchObject({ stage: 'map', code: 'ID_MISSING' })
  })

  it('becomes a document with its original bytes, except for added properties', () => {
    expect(storedText(mapOne('{ "id" :"i", "device":"d","n":1.0e0,"n":2 }', { plan }))).toBe(
      '{ "id" :"i", "device":"d","n":1.0e0,"n":2 ,"pk":"d"}'
    )
  })

  it('becomes an operation with a key from the decoded Kafka key', () => {
    const record = sampleRecord({ key: Buffer.from([0, 1, 2]) })
    const { map } = createRecordMapper(
      mapperOptions({ plan: { into: '/pk', from: [{ kafka: 'key', field: '/vin' }] } })
    )

    expect(map(record, { ...decodedOf(record, { id: 'i' }), key: '{"vin":"v"}' })).toMatchObject({
      stamped: { values: ['v'] }
    })
  })
})

describe('a tombstone', () => {
  const fromKey = { into: '/pk', from: [{ field: '/device', orKey: '/device' }] } as const
  const record = { key: Buffer.from('{"device":"d","vin":"v"}') }
  const id = { strategy: 'inKey', path: '/vin', escape: 'lossless' } as const

  it('deletes the document that its key identifies', () => {
    expect(mapOne(undefined, { plan: fromKey, id, record })).toMatchObject({
      kind: 'delete',
      ignore: [404],
      stamped: { values: ['d'], id: 'v' }
    })
  })

  it('deletes its document under every write strategy', () => {
    expect(mapOne(undefined, { plan: fromKey, id, record, write: { strategy: 'patch' } })).toMatchObject({
      kind: 'delete',
      ignore: [404]
    })
  })

  it('is rejected if the key does not identify a document', () => {
    expect(mapOne(undefined, { plan, id, record })).toMatchObject({
      stage: 'map',
      code: 'FIELD_MISSING',
      path: '/device'
    })
  })

  it('is ignored or rejected under `tombstones: ignore` or `reject`', () => {
    expect(mapOne(undefined, { plan: fromKey, id, record, write: { tombstones: 'ignore' } })).toBe('ignore')
    expect(mapOne(undefined, { plan: fromKey, id, record, write: { tombstones: 'reject' } })).toEqual({
      ok: false,
      stage: 'map',
      code: 'TOMBSTONE_REJECTED',
      message: 'The record is a tombstone: it has a key and no value.',
      path: ''
    })
  })
})

describe('a mapper without a plan', () => {
  it.each<[string, readonly string[], string, Setting['id'], readonly unknown[], string]>([
    ['from the key path of the container', ['/pk'], '{"pk":7,"id":"i"}', undefined, [7], '{"pk":7,"id":"i"}'],
    [
      'from several levels',
      ['/a/b', '/c'],
      '{"a":{"b":"x"},"c":true,"id":"i"}',
      undefined,
      ['x', true],
      '{"a":{"b":"x"},"c":true,"id":"i"}'
    ],
    [
      'from a quoted path',
      ['/"b c"/"d/e"'],
      '{"b c":{"d/e":"x"},"id":"i"}',
      undefined,
      ['x'],
      '{"b c":{"d/e":"x"},"id":"i"}'
    ],
    ['from a name with a tilde', ['/a~b'], '{"a~b":"x","id":"i"}', undefined, ['x'], '{"a~b":"x","id":"i"}'],
    ['from an empty string', ['/pk'], '{"pk":"","id":"i"}', undefined, [''], '{"pk":"","id":"i"}'],
    ['from the id', ['/id'], '{"id":"i","key":1}', undefined, ['i'], '{"id":"i","key":1}'],
    [
      'from the last of several ids',
      ['/id'],
      '{"id":"o","ttl":1,"id":"i","ttl":2}',
      undefined,
      ['i'],
      '{"id":"i","ttl":2}'
    ],
    [
      'from the id as a level',
      ['/tenant', '/id'],
      '{"id":"i","tenant":"t"}',
      undefined,
      ['t', 'i'],
      '{"id":"i","tenant":"t"}'
    ],
    [
      'from its own path, in addition to an id that the sink makes',
      ['/pk'],
      '{"pk":7}',
      fullKey(),
      [7],
      '{"pk":7,"id":"vin-1"}'
    ],
    ['from the id that the sink makes', ['/id'], '{"key":1}', fullKey(), ['vin-1'], '{"key":1,"id":"vin-1"}'],
    [
      'from the id that the sink makes, which replaces that of the record',
      ['/id'],
      '{"id":5,"key":1,"id":"x"}',
      fullKey(),
      ['vin-1'],
      '{"key":1,"id":"vin-1"}'
    ],
    [
      'from the id that the sink makes, with a single time to live',
      ['/id'],
      '{"ttl":1,"a":0,"ttl":2}',
      fullKey(),
      ['vin-1'],
      '{"a":0,"ttl":2,"id":"vin-1"}'
    ],
    ['from the id that the sink makes for an empty record', ['/id'], '{}', fullKey(), ['vin-1'], '{"id":"vin-1"}'],
    [
      'from the id that the sink makes, as a level',
      ['/id', '/tenant'],
      '{"tenant":"t"}',
      fullKey(),
      ['vin-1', 't'],
      '{"tenant":"t","id":"vin-1"}'
    ]
  ])('takes the partition key %s', (_, paths, text, id, values, stored) => {
    const mapped = mapOne(text, { paths, id })

    expect(mapped).toMatchObject({ kind: 'upsert', stamped: { values, id: id === undefined ? 'i' : 'vin-1' } })
    expect(storedText(mapped)).toBe(stored)
  })

  it('rejects a record without the partition key', () => {
    expect(mapOne({ id: 'i' })).toMatchObject({ stage: 'map', code: 'FIELD_MISSING', path: '/pk' })
    expect(mapOne({}, { paths: ['/id'] })).toMatchObject({ stage: 'map', code: 'ID_MISSING' })
  })

  it('has another fingerprint for another definition of ids', () => {
    const fingerprints = [undefined, fullKey()].flatMap((id) =>
      [['/pk'], ['/id']].map((paths) => createRecordMapper(mapperOptions({ paths, id })).fingerprint)
    )

    expect(new Set(fingerprints).size).toBe(4)
  })
})

function fullKey(): Setting['id'] {
  return { strategy: 'fullKey', escape: 'lossless' }
}

describe('properties that are written in addition to the key', () => {
  it('include a time to live', () => {
    expect(storedText(mapOne(document, { plan, defaultTtl: -1, write: { ttl: 60 } }))).toBe(
      '{"id":"i","device":"d","pk":"d","ttl":60}'
    )
    expect(
      storedText(mapOne('{"ttl":1,"id":"i","ttl":2,"device":"d"}', { plan, defaultTtl: -1, write: { ttl: -1 } }))
    ).toBe('{"id":"i","device":"d","pk":"d","ttl":-1}')
  })

  it.each([
    [{ life: { seconds: 30 } }, ',"ttl":30'],
    [{ life: { seconds: -1 } }, ',"ttl":-1'],
    [{ life: { seconds: null } }, ''],
    [{ life: 5 }, ''],
    [{}, '']
  ])('include the time to live in the record: %j', (more, wanted) => {
    const write = { ttl: { field: '/life/seconds' } }

    expect(storedText(mapOne({ ...document, ...more }, { plan, defaultTtl: -1, write }))).toBe(
      `${JSON.stringify({ ...document, ...more }).slice(0, -1)},"pk":"d"${wanted}}`
    )
  })

  it.each(['60', 0, -2, 1.5, 2 ** 31, true, [], {}])(
    'do not include an invalid time to live, for which the record is rejected: %j',
    (seconds) => {
      expect(mapOne({ ...document, seconds }, { plan, defaultTtl: -1, write: { ttl: { field: '/seconds' } } })).toEqual(
        {
          ok: false,
          stage: 'map',
          code: 'TTL_INVALID',
          message: 'The field with the time to live is not a number of seconds: /seconds.',
          path: '/seconds'
        }
      )
    }
  )

  it('include the origin of the record', () => {
    const fields = ['topic', 'partition', 'offset', 'timestamp', 'key', 'headers'] as const
    const headers = { one: Buffer.from('é'), many: ['a', Buffer.from([0xff])], none: undefined }
    const mapped = mapOne(document, { plan, write: { metadata: { into: 'kafka', fields } }, record: { headers } })

    expect(JSON.parse(storedText(mapped))).toEqual({
      ...document,
      pk: 'd',
      kafka: {
        topic: 'cars/eu',
        partition: 2,
        offset: 7,
        timestamp: 1786262400000,
        key: 'vin-1',
        headers: { one: 'é', many: ['a', '/w=='], none: null }
      }
    })
  })

  it.each([
    [null, null],
    [Buffer.from([0xc3, 0x28]), 'wyg='],
    [Buffer.from('"quoted" \u{1f697}'), '"quoted" \u{1f697}']
  ])('include the Kafka key as text, or in base64: %j', (key, wanted) => {
    const write = { metadata: { into: 'kafka', fields: ['key'] } } as const

    expect(JSON.parse(storedText(mapOne({ pk: 'p', id: 'i' }, { write, record: { key } })))).toMatchObject({
      kafka: { key: wanted }
    })
  })

  it('replace dropped properties of the same name', () => {
    const write = { drop: ['device', 'kafka'], metadata: { into: 'kafka', fields: ['topic'] } } as const

    expect(storedText(mapOne({ device: 'd', kafka: 'old', id: 'i' }, { plan, write }))).toBe(
      '{"id":"i","pk":"d","kafka":{"topic":"cars/eu"}}'
    )
  })
})

describe('settings that do not fit the container', () => {
  it.each<[string, Setting]>([
    ['`write.dropProperties` names "pk"', { write: { drop: ['a', 'pk'] } }],
    ['`write.dropProperties` names "id"', { write: { drop: ['id'] } }],
    ['`write.dropProperties` names "meta"', { paths: ['/meta/tenant'], write: { drop: ['meta'] } }],
    ['`write.dropProperties` names "ttl"', { defaultTtl: -1, write: { ttl: 5, drop: ['ttl'] } }],
    ['no document of the container expires', { write: { ttl: 5 } }],
    ['`write.metadata.into` is "pk"', { write: { metadata: { into: 'pk', fields: ['topic'] } } }],
    ['`write.metadata.into` is "ttl"', { write: { metadata: { into: 'ttl', fields: ['topic'] } } }],
    ['`write.metadata.into` is "_ts"', { write: { metadata: { into: '_ts', fields: ['topic'] } } }],
    ['writes "a" to /id', { write: { patch: patchTo('/id') } }],
    ['writes "a" to /meta', { paths: ['/meta/tenant'], write: { patch: patchTo('/meta') } }],
    ['writes "a" to /pk/x', { write: { patch: patchTo('/pk/x') } }]
  ])('are refused: %s', (sentence, setting) => {
    expect(() => createRecordMapper(mapperOptions(setting))).toThrow(sentence)
    expect(() => createRecordMapper(mapperOptions(setting))).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }) as Error
    )
  })

  it('are all reported in one error', () => {
    const write = { drop: ['pk'], ttl: 5 }

    expect(() => createRecordMapper(mapperOptions({ write }))).toThrow(/drop.*expire/)
  })
})

function patchTo(path: string): NonNullable<Setting['write']>['patch'] {
  return { operation: 'set', members: new Map([['a', { operation: 'set', path }]]), condition: undefined }
}
