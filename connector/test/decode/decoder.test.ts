import avro from 'avsc'
import { describe, expect, it } from 'vitest'
import type { FormatSettings } from '../../src/config/settings.ts'
import { createDecoder, type Decoded } from '../../src/decode/decoder.ts'
import { type Bytes, decode, type DecoderSettings, recordOf, settingsOf, shown } from './decoding.ts'
import { ANN, ANN_JSON, PERSON } from './person.ts'

describe('the value of a record', () => {
  it('under the format `json` is returned without its byte order mark, and is not validated', () => {
    const value = Buffer.from('\ufeff{"a": 1 }')
    const decoded = createDecoder(settingsOf({ format: 'json' })).decode(recordOf(value)) as Decoded

    expect(String(decoded.json)).toBe('{"a": 1 }')
    expect(decoded.json!.buffer).toBe(value.buffer)
    for (const text of ['null', 'no JSON', ''])
      expect(decode(text, { format: 'json' })).toEqual({ json: text, key: null })
  })

  it.each<readonly [string, FormatSettings, Bytes, string]>([
    ['JSON with a schema', { format: 'json-envelope' }, '{"schema":null,"payload":{"a":1}}', '{"a":1}'],
    ['text', { format: 'text' }, 'hello', '{"value":"hello"}'],
    ['bytes', { format: 'bytes' }, Uint8Array.of(1), '{"value":"AQ=="}'],
    ['Avro', { format: 'avro', schema: PERSON }, ANN, ANN_JSON]
  ])('is converted to JSON from %s', (_name, format, value, json) => {
    expect(decode(value, format, 'k')).toEqual({ json, key: 'bytes k' })
  })

  it.each<readonly [string, FormatSettings, Bytes]>([
    ['no value', { format: 'json' }, null],
    [
      'a null with a schema',
      { format: 'json-envelope' },
      '{"schema":{"type":"string","optional":true},"payload":null}'
    ],
    ['a null of Avro', { format: 'avro', schema: ['null', PERSON] as never }, Uint8Array.of(0)]
  ])('counts as a tombstone if it is %s', (_name, format, value) => {
    expect(decode(value, format, 'k')).toEqual({ json: undefined, key: 'bytes k' })
  })

  it('that cannot be decoded is rejected with path and reason, without any content of the payload', () => {
    const canary = 'c4n4ry'
    const schema = {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'double' }
      ]
    }
    const value = avro.Type.forSchema(schema as never).toBuffer({ a: canary, b: NaN })

    const rejection = decode(value, { format: 'avro', schema }, canary)

    expect(rejection).toEqual({
      ok: false,
      stage: 'decode',
      code: 'DECODE_FAILED',
      message: 'The value cannot be read as Avro: a number in it is NaN or infinite, which JSON cannot represent.',
      path: '/b'
    })
    for (const format of ['json-envelope', 'registry'] as const) {
      for (const text of [canary, `{"${canary}":1}`, `{"schema":{"type":"${canary}"},"payload":${canary}`]) {
        expect(JSON.stringify(decode(text, { format }))).not.toContain(canary)
      }
    }
  })

  it('is decoded even if the value before it could not be decoded', () => {
    const decoder = createDecoder(settingsOf({ format: 'avro', schema: PERSON }))

    expect(shown(decoder.decode(recordOf(ANN.subarray(0, 2))))).toHaveProperty('code', 'DECODE_FAILED')
    expect(shown(decoder.decode(recordOf(ANN)))).toEqual({ json: ANN_JSON, key: null })
  })
})

describe('the key of a record', () => {
  it.each<readonly [string, FormatSettings, Bytes, unknown]>([
    ['text, as is', { format: 'text' }, 'abc', 'bytes abc'],
    ['bytes', { format: 'bytes' }, Uint8Array.of(255), '/w=='],
    ['a JSON string', { format: 'json' }, '"a\\u0062c"', 'abc'],
    ['a JSON object', { format: 'json' }, '{"id":"abc"}', 'bytes {"id":"abc"}'],
    ['a JSON number', { format: 'json' }, '5', 'bytes 5'],
    ['a JSON null', { format: 'json' }, 'null', null],
    ['a string with a schema', { format: 'json-envelope' }, '{"schema":{"type":"string"},"payload":"abc"}', 'abc'],
    ['an object with a schema', { format: 'json-envelope' }, '{"schema":null,"payload":{"id":1}}', 'bytes {"id":1}'],
    ['an Avro string', { format: 'avro', schema: { type: 'string' } }, Uint8Array.of(6, 0x61, 0x22, 0x63), 'a"c'],
    ['an Avro long', { format: 'avro', schema: { type: 'long' } }, Uint8Array.of(9), 'bytes -5'],
    ['an Avro record', { format: 'avro', schema: PERSON }, ANN, `bytes ${ANN_JSON}`]
  ])('is converted to the form that a plan reads: %s', (_name, format, given, key) => {
    expect(decode('{}', { format: 'json' }, given, format)).toEqual({ json: '{}', key })
  })

  it('that cannot be decoded causes the rejection of the record', () => {
    expect(decode('{}', { format: 'json' }, '"half', { format: 'json' })).toMatchObject({
      code: 'DECODE_FAILED',
      message: 'The key cannot be read as JSON: it is not valid JSON.'
    })
  })

  it('is decoded independently of a value with the same schema', () => {
    expect(decode(ANN, { format: 'avro', schema: PERSON }, ANN, { format: 'avro', schema: PERSON })).toEqual({
      json: ANN_JSON,
      key: `bytes ${ANN_JSON}`
    })
  })
})

describe('a decoder', () => {
  it.each<readonly [string, DecoderSettings]>([
    [
      'the format `registry` without settings of the registry',
      { ...settingsOf({ format: 'registry' }), registry: undefined }
    ],
    ['an invalid Avro schema', settingsOf({ format: 'avro', schema: { type: 'recrod' } })],
    ['an invalid Avro schema for the key', settingsOf({ format: 'json' }, { format: 'avro', schema: {} })]
  ])('refuses a configuration that can never work: %s', (_name, settings) => {
    expect(() => createDecoder(settings)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }) as Error)
  })
})
