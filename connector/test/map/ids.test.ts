import { describe, expect, it } from 'vitest'
import type { IdSettings } from '../../src/config/settings.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { toIdPointer } from '../../src/config/id-definition.ts'
import { mapOne, storedText } from './sample.ts'

function idOf(id: IdSettings, value: object = {}, record: Partial<SinkRecord> = {}): unknown {
  const mapped = mapOne(
    { pk: 'x', ...value },
    { id, record: { topic: 'mytopic', partition: 0, offset: 1 as SinkRecord['offset'], ...record } }
  )
  return mapped !== 'ignore' && 'kind' in mapped ? (JSON.parse(storedText(mapped)) as { id: unknown }).id : mapped
}

const escape = 'underscore'

describe('ids in the form of the connectors of Microsoft', () => {
  it.each<[string, string, Partial<SinkRecord>]>([
    ['${key}', 'test', { key: Buffer.from('test') }],
    ['${topic}-${partition}-${offset}', 'mytopic-0-1', {}],
    ['${partition}_${topic}--${key}', '0_mytopic--a-b~c', { key: Buffer.from('a-b~c') }],
    ['#my/special\\id?${key}', '_my_special_id_k', { key: Buffer.from('k') }],
    ['${topic}${key}', 'my_topica_b_c_d', { topic: 'my/topic', key: Buffer.from('a#b?c\\d') }],
    [
      '${key}',
      '{"string_field":"value","int64_field":0}',
      { key: Buffer.from('{"string_field":"value","int64_field":0}') }
    ]
  ])('follow the template %s', (template, wanted, record) => {
    expect(idOf({ strategy: 'template', template, escape }, {}, record)).toBe(wanted)
  })

  it.each([
    ['-', 'mytopic-0-1'],
    ['_', 'mytopic_0_1'],
    ['--', 'mytopic--0--1'],
    ['', 'mytopic01'],
    ['/', 'mytopic_0_1'],
    ['${key}', 'mytopic${key}0${key}1']
  ])('are made of topic, partition and offset, delimited by %j', (delimiter, wanted) => {
    expect(idOf({ strategy: 'metadata', delimiter, escape })).toBe(wanted)
  })

  it.each<[string, object, unknown]>([
    ['$.id', { id: '1234567' }, '1234567'],
    ['$.id', { id: 1234567 }, '1234567'],
    ['$.id', { id: '#my/special\\id?' }, '_my_special_id_'],
    ['$.vehicle.name', { vehicle: { name: 'franz kafka' } }, 'franz kafka'],
    ["$['vehicle']['full name']", { vehicle: { 'full name': 'franz' } }, 'franz'],
    ['$.list[1].name', { list: [{ name: 'cosmos kramer' }, { name: 'franz kafka' }] }, 'franz kafka'],
    ['/vehicle/name', { vehicle: { name: 'franz kafka' } }, 'franz kafka']
  ])('are read from the value at %s', (path, value, wanted) => {
    expect(idOf({ strategy: 'inValue', path, escape }, value)).toBe(wanted)
  })

  it.each([
    ['$.vin', '{"vin":"a-b"}', 'a-b'],
    ['/vehicle/vin', '{"vehicle":{"vin":7}}', '7'],
    ['$', 'whole/key', 'whole_key']
  ])('are read from the Kafka key at %s', (path, key, wanted) => {
    expect(idOf({ strategy: 'inKey', path, escape }, {}, { key: Buffer.from(key) })).toBe(wanted)
  })

  it('can be the whole Kafka key', () => {
    expect(idOf({ strategy: 'fullKey', escape }, {}, { key: Buffer.from('a/b') })).toBe('a_b')
  })

  it('replace the property id of the record', () => {
    expect(idOf({ strategy: 'fullKey', escape }, { id: 'own' }, { key: Buffer.from('made') })).toBe('made')
  })
})

describe('ids of the sink', () => {
  it('differ for Kafka keys that would be equal after replacing characters by underscores', () => {
    const id = { strategy: 'fullKey', escape: 'lossless' } as const

    expect(idOf(id, {}, { key: Buffer.from('a/b') })).toBe('a~2Fb')
    expect(idOf(id, {}, { key: Buffer.from('a_b') })).toBe('a_b')
  })

  it('cannot be made if their source is missing: the record is rejected', () => {
    expect(idOf({ strategy: 'inValue', path: '$.no.where', escape })).toMatchObject({
      stage: 'map',
      code: 'FIELD_MISSING',
      path: '/no/where'
    })
    expect(idOf({ strategy: 'fullKey', escape }, {}, { key: null })).toMatchObject({
      stage: 'map',
      code: 'SOURCE_MISSING'
    })
  })

  it.each<[string, IdSettings]>([
    ['`id.path` must name one value', { strategy: 'inValue', path: '$.a[*]', escape }],
    ['`id.path` must name one value', { strategy: 'inValue', path: '$', escape }],
    ['`id.path` must name one value', { strategy: 'inKey', path: 'invalid.path', escape }],
    [
      '${topic}, ${partition}, ${offset}, ${key}, but not ${value}',
      { strategy: 'template', template: '${key}${value}', escape }
    ]
  ])('are refused at the start: %s', (sentence, id) => {
    expect(() => idOf(id)).toThrow(sentence)
  })

  it('are refused if both the plan and the settings define them', () => {
    const plan = { into: '/pk', from: [{ field: '/a' }], id: { from: [{ field: '/a' }] } } as const

    expect(() => mapOne({}, { plan, id: { strategy: 'fullKey', escape } })).toThrow('Ids are defined twice')
  })

  it('are also made for older versions of a plan', () => {
    const plan = {
      into: '/pk',
      from: [{ field: '/a' }],
      previous: [{ until: { field: '/at', before: 10 }, plan: { into: '/pk', from: [{ field: '/b' }] } }]
    } as const

    expect(storedText(mapOne({ a: 'x', b: 'y', at: 5 }, { plan, id: { strategy: 'fullKey', escape } }))).toBe(
      '{"a":"x","b":"y","at":5,"pk":"y","id":"vin-1"}'
    )
  })
})

describe('a path', () => {
  it.each([
    ['$.a', '/a'],
    ['$', ''],
    ['$["a"]', '/a'],
    ["$['a/b~c']", '/a~1b~0c'],
    ["$['it\\'s']", "/it's"],
    ['/a~1b', '/a~1b']
  ])('of the form %s is converted to the JSON pointer %j', (path, pointer) => {
    expect(toIdPointer(path)).toBe(pointer)
  })

  it.each(['', 'a', '$a', '$..a', '$.a[*]', '$.a[?(@.b)]', '$.a[1:2]', '$.', '/', '/a~2', '$.a[-1]'])(
    'is refused if it does not name a single value: %j',
    (path) => {
      expect(toIdPointer(path)).toBeUndefined()
    }
  )
})
