import {
  GOLDEN_CHANGES,
  GOLDEN_MESSAGE,
  GOLDEN_TRUNCATE,
  type GoldenChange,
  withConnectSchema
} from '@keystamp/testkit'
import type { Operation } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import type { ChangeDataSettings, FormatSettings } from '../../src/config/settings.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'
import { createDecoder, type Decoded } from '../../src/decode/decoder.ts'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { recordOf, settingsOf } from '../decode/decoding.ts'
import { mapperOptions, type Setting, storedText } from './sample.ts'

const CHANGES: ChangeDataSettings = {
  format: 'debezium',
  encoding: { format: 'json' },
  truncate: 'reject',
  message: 'ignore',
  unavailable: 'reject'
}

/** Key and id are made of the row alone. */
const OF_ROW: Setting = {
  plan: { into: '/pk', from: [{ field: '/email', missing: { use: 'none' } }], id: { from: [{ field: '/id' }] } }
}

/** Key and id are made of the Kafka key, too. */
const OF_KEY: Setting = {
  plan: {
    into: '/pk',
    from: [{ field: '/id', orKey: '/id' }],
    id: { from: [{ field: '/id', orKey: '/id' }] }
  },
  write: { tombstones: 'repeated' }
}

const MONGODB: Setting = {
  plan: { into: '/pk', from: [{ field: '/first_name' }], id: { from: [{ field: '/_id/$oid' }] } }
}

type Mapped = Operation | SinkRejection | 'ignore'

/** Decodes and maps one record. */
function play(
  value: object | string | null,
  setting: Setting,
  { key = { id: 1 }, ...changes }: Partial<ChangeDataSettings> & { readonly key?: object | null } = {},
  keyFormat: FormatSettings = { format: 'json' }
): Mapped {
  const settings = settingsOf({ ...CHANGES, ...changes }, keyFormat)
  const text = typeof value === 'string' || value === null ? value : JSON.stringify(value)
  const record = recordOf(text, key === null ? null : JSON.stringify(key))
  const decoded = createDecoder(settings).decode(record) as Decoded | SinkRejection
  return decoded.ok ? createRecordMapper(mapperOptions(setting)).map(record, decoded) : decoded
}

const stored = GOLDEN_CHANGES.filter(({ envelope }) => envelope['op'] !== 'd')
const deletes = GOLDEN_CHANGES.filter(({ envelope }) => envelope['op'] === 'd')
const titled = (changes: readonly GoldenChange[]): (readonly [string, GoldenChange])[] =>
  changes.map((change) => [`${change.database} ${change.title}`, change])
const settingOf = ({ database }: GoldenChange): Setting => (database === 'MongoDB' ? MONGODB : OF_ROW)
const namesOf = ({ database }: GoldenChange): { readonly pk: string; readonly id: string } =>
  database === 'MongoDB' ? { pk: 'Anne', id: '596e275826f08b2730779e1f' } : { pk: 'anne@example.org', id: '1' }

describe('change data of Debezium', () => {
  it.each(titled(stored))('stores the row after the change: %s', (_title, change) => {
    const mapped = play(change.envelope, settingOf(change))

    expect(mapped).toMatchObject({ kind: 'upsert' })
    expect(JSON.parse(storedText(mapped))).toMatchObject({ ...change.after, ...namesOf(change) })
  })

  it.each(titled(deletes.filter(({ before }) => before !== undefined)))(
    'deletes the row before the change: %s',
    (_title, change) => {
      const mapped = play(change.envelope, settingOf(change))

      expect(mapped).toMatchObject({ kind: 'delete', ignore: [404] })
      expect(nameOf(mapped)).toEqual({ values: [namesOf(change).pk], id: namesOf(change).id })
    }
  )

  it.each(titled(deletes.filter(({ before }) => before === undefined)))(
    'rejects a delete if neither the row nor the Kafka key gives key and id: %s',
    (_title, change) => {
      expect(play(change.envelope, settingOf(change))).toMatchObject({ code: 'BEFORE_MISSING', path: '/before' })
    }
  )

  it.each(titled(deletes))(
    'makes key and id of the Kafka key alone, if the plan allows it: %s',
    (_title, { envelope }) => {
      expect(nameOf(play(envelope, OF_KEY))).toEqual({ values: ['1'], id: '1' })
    }
  )

  it('prefers the Kafka key to a deleted row that the database has written only in part', () => {
    expect(nameOf(play({ op: 'd', before: { id: 0 }, after: null }, OF_KEY))).toEqual({ values: ['1'], id: '1' })
  })

  it('falls back to the deleted row if the Kafka key lacks a field', () => {
    expect(nameOf(play({ op: 'd', before: { id: 2 }, after: null }, OF_KEY, { key: null }))).toMatchObject({ id: '2' })
  })

  it('says what the Kafka key lacks if the deleted row is not known', () => {
    const mapped = play({ op: 'd', before: null, after: null }, OF_KEY, { key: { other: 1 } })

    expect(mapped).toMatchObject({ code: 'BEFORE_MISSING', stage: 'map' })
    expect((mapped as SinkRejection).message).toContain('/id')
  })

  it('rejects a delete whose row gives no key', () => {
    const mapped = play({ op: 'd', before: { email: 'a' }, after: null }, OF_ROW)

    expect(mapped).toMatchObject({ code: 'BEFORE_INVALID', path: '/before/id' })
  })

  it('has a tombstone after each delete, which repeats it', () => {
    expect(nameOf(play(null, OF_KEY))).toEqual({ values: ['1'], id: '1' })
    expect(nameOf(play('{"schema":null,"payload":null}', OF_KEY))).toEqual({ values: ['1'], id: '1' })
    expect(play(null, { ...OF_ROW, write: { tombstones: 'repeated' } })).toBe('ignore')
    expect(play(null, { ...OF_KEY, write: { tombstones: 'reject' } })).toMatchObject({ code: 'TOMBSTONE_REJECTED' })
  })

  it.each(titled(GOLDEN_CHANGES))('is the same with a schema: %s', (_title, change) => {
    const wrapped = withConnectSchema([{ type: 'int32', field: 'id' }], change.envelope)
    const [plain, withSchema] = [change.envelope, wrapped].map((value) => play(value, settingOf(change)))

    expect(shape(withSchema)).toEqual(shape(plain))
  })

  it('converts only values of rows by the schema', () => {
    const fields = [
      { type: 'int64', field: 'id' },
      { type: 'bytes', name: 'org.apache.kafka.connect.data.Decimal', parameters: { scale: '2' }, field: 'price' },
      { type: 'int32', name: 'org.apache.kafka.connect.data.Date', field: 'day' },
      { type: 'int32', name: 'io.debezium.time.Date', field: 'debeziumDay' }
    ]
    const row = '{"id":9007199254740993,"price":"AJY=","day":17752,"debeziumDay":17752}'
    const { schema } = withConnectSchema(fields, {}) as { readonly schema: object }
    const value = `{"schema":${JSON.stringify(schema)},"payload":{"before":null,"after":${row},"op":"c","ts_ns":9007199254740993}}`

    expect(JSON.parse(storedText(play(value, OF_ROW)))).toEqual({
      id: '9007199254740993',
      price: '1.50',
      day: '2018-08-09',
      debeziumDay: 17752,
      pk: 'none'
    })
  })

  it('without a row is rejected or ignored', () => {
    const [truncate, message] = [GOLDEN_TRUNCATE, GOLDEN_MESSAGE].map(({ envelope }) => envelope)

    expect(play(truncate, OF_ROW)).toMatchObject({ stage: 'decode', code: 'TRUNCATE_REJECTED' })
    expect(play(truncate, OF_ROW, { truncate: 'ignore' })).toBe('ignore')
    expect(play(message, OF_ROW)).toBe('ignore')
    expect(play(message, OF_ROW, { message: 'reject' })).toMatchObject({ code: 'MESSAGE_REJECTED' })
  })

  it('without an op is rejected with a sentence that says so', () => {
    const mapped = play({ before: null, after: { id: 1 } }, OF_ROW)

    expect(mapped).toMatchObject({ stage: 'decode', code: 'OPERATION_MISSING', path: '/op' })
    expect((mapped as SinkRejection).message).toBe('The record does not say which operation it describes: /op.')
  })

  it.each(['__debezium_unavailable_value', Buffer.from('__debezium_unavailable_value').toString('base64')])(
    'is rejected if an update has the placeholder of an unknown value: %s',
    (note) => {
      const update = { before: null, after: { id: 1, note }, op: 'u' }

      expect(play(update, OF_ROW)).toMatchObject({ code: 'VALUE_UNAVAILABLE', path: '/after' })
      expect(play(update, OF_ROW, { unavailable: 'store' })).toMatchObject({ kind: 'upsert' })
      expect(play({ ...update, op: 'c' }, OF_ROW)).toMatchObject({ kind: 'upsert' })
    }
  )

  it('of MongoDB without pre-images is deleted by the Kafka key, if it makes the id of all documents', () => {
    const byKey: Setting = {
      plan: { into: '/pk', from: [{ id: true }] },
      id: { strategy: 'inKey', path: '/id', escape: 'lossless' }
    }
    const key = { id: '{"$oid": "596e275826f08b2730779e1f"}' }
    const created = play({ op: 'c', before: null, after: '{"_id":{"$oid":"596e275826f08b2730779e1f"}}' }, byKey, {
      key
    })
    const deleted = play({ op: 'd', before: null, after: null }, byKey, { key })

    expect(JSON.parse(storedText(created))).toMatchObject({ id: nameOf(deleted).id })
    expect(nameOf(deleted)).toEqual({ values: [key.id], id: key.id })
  })

  it('names the document under the old key by the row before an update', () => {
    const setting: Setting = { ...OF_ROW, write: { rehome: { before: 'envelope' } } }
    const update = { before: { id: 1, email: 'old' }, after: { id: 1, email: 'new' }, op: 'u' }

    expect(play(update, setting)).toMatchObject({ kind: 'upsert', before: { key: ['old'], id: '1' } })
    expect(play({ ...update, before: update.after }, setting)).not.toHaveProperty('before')
    expect(play({ ...update, before: null }, setting)).not.toHaveProperty('before')
    expect(play({ ...update, before: { email: 'old' } }, setting)).toMatchObject({
      code: 'BEFORE_INVALID',
      path: '/before/id'
    })
  })
})

function nameOf(mapped: Mapped): { readonly values: unknown; readonly id: unknown } {
  if (mapped === 'ignore' || !('kind' in mapped) || mapped.kind !== 'delete' || mapped.stamped === undefined)
    throw new Error(`Not a delete: ${JSON.stringify(mapped)}`)
  const { values, id } = mapped.stamped
  return { values, id }
}

function shape(mapped: Mapped | undefined): unknown {
  if (mapped === undefined || mapped === 'ignore' || !('kind' in mapped)) return mapped
  return mapped.kind === 'upsert' ? storedText(mapped) : nameOf(mapped)
}
