import type { Operation } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { decodedOf, mapOne, mapperOptions, SAMPLE_PLAN, sampleRecord, type Setting, storedText } from './sample.ts'

const IN_RECORD: Setting = { plan: SAMPLE_PLAN, write: { rehome: { before: { field: '/meta/before' } } } }
const IN_HEADER: Setting = { plan: SAMPLE_PLAN, write: { rehome: { before: { header: 'before' } } } }

describe('the previous image in a record', () => {
  it('names the document under the old key', () => {
    const mapped = mapOne({ id: 'a', device: 'new', meta: { before: { id: 'a', device: 'old' } } }, IN_RECORD)

    expect(mapped).toMatchObject({ kind: 'upsert', before: { key: ['old'], id: 'a' } })
  })

  it('names a document whose id has changed', () => {
    const mapped = mapOne({ id: 'b', device: 'd', meta: { before: { id: 'a', device: 'd' } } }, IN_RECORD)

    expect(mapped).toMatchObject({ before: { key: ['d'], id: 'a' } })
  })

  it('gets the id from the Kafka key if the settings make it so', () => {
    const id = { strategy: 'fullKey', escape: 'lossless' } as const
    const mapped = mapOne({ device: 'new', meta: { before: { device: 'old' } } }, { ...IN_RECORD, id })

    expect(mapped).toMatchObject({ before: { key: ['old'], id: 'vin-1' } })
  })

  it('is read with all digits of its numbers, and with whitespace, as JSON.parse reads names that are repeated', () => {
    const text =
      '{"id":"a","device":"x","meta":{"before":1},"meta" : { "before" :\n{"id":"a","device":9007199254740993} } }'

    expect(mapOne(text, IN_RECORD)).toMatchObject({ before: { key: ['9007199254740993'], id: 'a' } })
  })

  it('changes nothing if key and id are still the same', () => {
    const mapped = mapOne({ id: 'a', device: 'd', n: 2, meta: { before: { id: 'a', device: 'd', n: 1 } } }, IN_RECORD)

    expect(mapped).not.toHaveProperty('before')
  })

  it('is stored with the record, unless its property is dropped', () => {
    const value = { id: 'a', device: 'new', meta: { before: { id: 'a', device: 'old' } } }
    const mapped = mapOne(value, { ...IN_RECORD, write: { ...IN_RECORD.write, drop: ['meta'] } })

    expect(mapped).toMatchObject({ before: { key: ['old'], id: 'a' } })
    expect(JSON.parse(storedText(mapped))).toEqual({ id: 'a', device: 'new', pk: 'new' })
  })

  it.each<[string, object]>([
    ['without an image', { id: 'a', device: 'd' }],
    ['with null', { id: 'a', device: 'd', meta: { before: null } }],
    ['with another value on the way to it', { id: 'a', device: 'd', meta: 'text' }]
  ])('is not needed: a record %s is stored, and counted', (_what, value) => {
    const mapper = createRecordMapper(mapperOptions(IN_RECORD))
    const record = sampleRecord()

    const mapped = mapper.map(record, decodedOf(record, value)) as Operation

    expect(mapped).toMatchObject({ kind: 'upsert' })
    expect(mapped).not.toHaveProperty('before')
    expect(mapper.oldNames).toMatchObject({ withoutImage: 1 })
  })

  it.each<[string, unknown, string]>([
    ['lacks a field of the key', { id: 'a' }, '/meta/before/device'],
    ['lacks the id', { device: 'd' }, '/meta/before/id'],
    ['is a string', '{"id":"a"}', '/meta/before'],
    ['is a list', [{ id: 'a', device: 'd' }], '/meta/before'],
    ['is empty', {}, '/meta/before/id']
  ])('rejects the record if it %s, since a document under the old key may exist', (_what, before, path) => {
    const mapped = mapOne({ id: 'a', device: 'new', meta: { before } }, IN_RECORD)

    expect(mapped).toMatchObject({ ok: false, stage: 'map', code: 'BEFORE_INVALID', path })
    expect((mapped as { message: string }).message).toContain('The old key is not known')
  })

  it('is not read from a tombstone, which has its own key', () => {
    const plan = { into: '/pk', from: [{ kafka: 'key' }] } as const
    const id = { strategy: 'fullKey', escape: 'lossless' } as const

    expect(mapOne(undefined, { ...IN_RECORD, plan, id })).toMatchObject({ kind: 'delete' })
  })
})

describe('the previous image in a header', () => {
  it.each<[string, Uint8Array | string | readonly string[]]>([
    ['bytes', Buffer.from('{"id":"a","device":"old"}')],
    ['a string', ' {"id":"a","device":"old"} '],
    ['the last one of several', ['{"id":"a","device":"older"}', '{"id":"a","device":"old"}']]
  ])('names the document under the old key, as %s', (_form, before) => {
    const mapped = mapOne({ id: 'a', device: 'new' }, { ...IN_HEADER, record: { headers: { before } } })

    expect(mapped).toMatchObject({ before: { key: ['old'], id: 'a' } })
  })

  it.each<[string, Record<string, string>]>([
    ['missing', {}],
    ['empty', { before: '' }],
    ['null', { before: 'null' }]
  ])('may be %s', (_what, headers) => {
    expect(mapOne({ id: 'a', device: 'new' }, { ...IN_HEADER, record: { headers } })).not.toHaveProperty('before')
  })

  it('rejects the record if it is not JSON', () => {
    const mapped = mapOne({ id: 'a', device: 'new' }, { ...IN_HEADER, record: { headers: { before: '{"id":' } } })

    expect(mapped).toMatchObject({ ok: false, code: 'BEFORE_INVALID', path: '' })
  })
})
