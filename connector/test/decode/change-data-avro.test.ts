import { GOLDEN_CHANGES, GOLDEN_MESSAGE, GOLDEN_TRUNCATE } from '@keystamp/testkit'
import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChangeDataSettings } from '../../src/config/settings.ts'
import { createDecoder, type Decoded, decodedDocumentBytes } from '../../src/decode/decoder.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'
import { framed, recordOf, settingsOf } from './decoding.ts'
import { exactLong } from './avro/exact-long.ts'
import { sample } from './avro/random-schemas.ts'
import { found, registryOf } from './registry-of.ts'

const CHANGES: Omit<ChangeDataSettings, 'encoding'> = {
  format: 'debezium',
  truncate: 'reject',
  message: 'ignore',
  unavailable: 'reject'
}

const optional = (type: unknown): object => ({ type: ['null', type], default: null })
const ROW = {
  type: 'record',
  name: 'Value',
  fields: [
    { name: 'id', type: 'int' },
    ...['first_name', 'last_name', 'email'].map((name) => ({ name, type: 'string' }))
  ]
}
/** MongoDB's documents are strings that contain JSON. */
const JSON_TEXT = { type: 'string', 'connect.name': 'io.debezium.data.Json' }

const tableEnvelope = envelopeOf(ROW, 'Value')
const collectionEnvelope = envelopeOf(JSON_TEXT, JSON_TEXT)

function envelopeOf(before: unknown, after: unknown): object {
  const source = {
    type: 'record',
    name: 'Source',
    fields: [
      { name: 'connector', type: 'string' },
      { name: 'ts_ms', type: 'long' }
    ]
  }
  return {
    type: 'record',
    name: 'Envelope',
    namespace: 'server.inventory.customers',
    fields: [
      { name: 'before', ...optional(before) },
      { name: 'after', ...optional(after) },
      { name: 'source', type: source },
      { name: 'op', type: 'string' },
      { name: 'ts_ns', ...optional('long') }
    ]
  }
}

const ALL = [...GOLDEN_CHANGES, GOLDEN_TRUNCATE, GOLDEN_MESSAGE]
const CHANGE_SOURCE = { connector: 'postgresql', ts_ms: 1 }
const CASES = ALL.map((change) => {
  const schema = change.database === 'MongoDB' ? collectionEnvelope : tableEnvelope
  const { before = null, after = null, source, op } = change.envelope as Record<string, object>
  const type = avro.Type.forSchema(schema as never, { wrapUnions: false })
  const bytes = type.toBuffer({ before, after, source, op, ts_ns: 1_559_033_904 })
  return [`${change.database} ${change.title}`, { change, schema, bytes }] as const
})

describe('change data in Avro', () => {
  it.each(CASES)('is the same as in JSON: %s', (_title, { change, schema, bytes }) => {
    const inJson = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'json' } }))
    const inAvro = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'avro', schema } }))

    const expected = inJson.decode(recordOf(JSON.stringify(change.envelope)))

    expect(contentOf(inAvro.decode(recordOf(bytes)))).toEqual(contentOf(expected))
  })

  it.each(CASES)('is the same with the schema of a registry: %s', async (_title, { change, schema, bytes }) => {
    const scripted = registryOf(() => found(schema))
    const decoder = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'registry' } }), scripted.dependencies)
    const inJson = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'json' } }))

    const decoded = await decoder.decode(recordOf(framed(7, bytes)))

    expect(contentOf(decoded)).toEqual(contentOf(inJson.decode(recordOf(JSON.stringify(change.envelope)))))
  })

  it('is read whatever other properties the envelope has, and its rows are those of the record alone', () => {
    fc.assert(
      fc.property(sample, sample, fc.constantFrom('c', 'd', 'm'), (other, { schema, value }, op) => {
        const fields = Object.entries({
          other: other.schema,
          before: ['null', { type: 'record', name: 'Row', fields: [{ name: 'v', type: schema }] }],
          after: ['null', 'Row'],
          op: 'string',
          last: { type: 'array', items: 'boolean' }
        }).map(([name, of]) => ({ name, type: of }))
        const whole = { type: 'record', name: 'Envelope', fields }
        const type = avro.Type.forSchema(whole as never, { wrapUnions: 'always', registry: { long: exactLong } })
        const row = { Row: { v: value } }
        const rows = { before: op === 'd' ? row : null, after: op === 'c' ? row : null }
        const bytes = type.toBuffer({ other: other.value, ...rows, op, last: [true, false] })
        const inAvro = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'avro', schema: whole } }))
        const plain = createDecoder(settingsOf({ format: 'avro', schema: whole }))

        const all = JSON.parse(Buffer.from((plain.decode(recordOf(bytes)) as Decoded).json!).toString()) as Record<
          string,
          unknown
        >
        expect(contentOf(inAvro.decode(recordOf(bytes)))).toEqual({
          kind: { c: 'store', d: 'delete', m: 'ignore' }[op],
          before: all['before'] ?? undefined,
          after: all['after'] ?? undefined
        })
        // every cut of the bytes is noticed
        expect(inAvro.decode(recordOf(bytes.subarray(0, -1)))).toMatchObject({ ok: false, code: 'DECODE_FAILED' })
        expect(inAvro.decode(recordOf(Buffer.concat([bytes, bytes])))).toMatchObject({ ok: false })
      }),
      { numRuns: 200 }
    )
  })

  it('is rejected if it is a row without an envelope, or has an op that is none', () => {
    const plain = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'avro', schema: ROW } }))
    const row = avro.Type.forSchema(ROW as never).toBuffer({ id: 1, first_name: 'a', last_name: 'b', email: 'c' })
    expect(plain.decode(recordOf(row))).toMatchObject({ code: 'OPERATION_MISSING' })
    const [, { schema }] = CASES[0]
    const decoder = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'avro', schema } }))
    const type = avro.Type.forSchema(schema as never, { wrapUnions: false })
    for (const op of ['x', 'cc', '']) {
      const bytes = type.toBuffer({ before: null, after: null, source: CHANGE_SOURCE, op, ts_ns: null })
      expect(decoder.decode(recordOf(bytes))).toMatchObject({ code: 'OPERATION_UNKNOWN' })
    }
  })

  it('counts the memory of the decoded envelope, with both of its rows', () => {
    const [, { schema, bytes }] = CASES.find(([title]) => title.endsWith('REPLICA IDENTITY FULL'))!
    const decoder = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'avro', schema } }))
    const record = recordOf(bytes)
    const decoded = decoder.decode(record) as Decoded

    expect(decodedDocumentBytes(record, decoded)).toBe(decoded.change!.envelope.length)
    expect(decoded.change!.envelope.length).toBeGreaterThan(decoded.json!.length + decoded.change!.before!.length)
  })

  it.each([
    ['part of the value', { op: 'u', before: { a: 1 }, after: { a: 2 } }, 0],
    ['a copy, for MongoDB', { op: 'u', before: '{"a":1}', after: '{"a":22}' }, 15],
    ['a copy of a deleted document', { op: 'd', before: '{"a":1}', after: null }, 7]
  ])('counts the memory of rows in JSON: each is %s', (_what, envelope, bytes) => {
    const record = recordOf(JSON.stringify(envelope))
    const decoder = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'json' } }))

    expect(decodedDocumentBytes(record, decoder.decode(record) as Decoded)).toBe(bytes)
  })

  it('keeps the rows of a record, whatever records follow', () => {
    const [[, first], [, second]] = CASES
    const decoder = createDecoder(settingsOf({ ...CHANGES, encoding: { format: 'avro', schema: first.schema } }))
    const decoded = decoder.decode(recordOf(first.bytes))
    for (let count = 0; count < 1000; count++) void decoder.decode(recordOf(second.bytes))

    expect(contentOf(decoded)).toMatchObject({ after: first.change.after })
  })
})

function contentOf(decoded: ReturnType<ReturnType<typeof createDecoder>['decode']> | Decoded | SinkRejection): unknown {
  if (decoded instanceof Promise) throw new Error('The decoder did not answer at once.')
  if (!decoded.ok) return decoded
  const [before, after] = [decoded.change?.before, decoded.json].map((row) =>
    row === undefined ? undefined : (JSON.parse(Buffer.from(row).toString()) as unknown)
  )
  return { kind: decoded.change?.kind, before, after }
}
