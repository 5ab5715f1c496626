import { describe, expect, it } from 'vitest'
import { createDecoder, type Decoded } from '../../src/decode/decoder.ts'
import { type Bytes, decode, framed, recordOf, settingsOf, shown } from './decoding.ts'
import { ANN, ANN_JSON, PERSON } from './person.ts'
import { field, framedIndexes } from './protobuf/proto-of.ts'
import { found, missing, registryOf, SETTINGS } from './registry-of.ts'

describe('a value in the format `registry`', () => {
  it('is decoded with the schema of its id, synchronously after the first record with this id', async () => {
    const scripted = registryOf((path) => (path === '/schemas/ids/16909060' ? found(PERSON) : found('string')))
    const decoder = createDecoder(settingsOf({ format: 'registry' }, { format: 'registry' }), scripted.dependencies)
    const record = recordOf(framed(16_909_060, ANN), framed(0xff_00_00_01, Uint8Array.of(2, 0x61)))

    const first = decoder.decode(record)
    expect(first).toBeInstanceOf(Promise)
    expect(decoder.waitingFor).toBe('the schema registry has not answered yet')

    expect(shown(await first)).toEqual({ json: ANN_JSON, key: 'a' })
    expect(decoder.waitingFor).toBeUndefined()
    expect(shown(decoder.decode(record))).toEqual({ json: ANN_JSON, key: 'a' })
    expect(scripted.asked.map(({ path }) => path)).toEqual(['/schemas/ids/16909060', '/schemas/ids/4278190081'])
  })

  it('is returned unchanged under a JSON Schema, and is decoded without a length under the Avro schema `bytes`', async () => {
    const json = registryOf(() => found({ type: 'object' }, { schemaType: 'JSON' }))
    const raw = registryOf(() => found('bytes'))
    const value = framed(1, Buffer.from('{"a": 1}'))

    const decoded = (await createDecoder(settingsOf({ format: 'registry' }), json.dependencies).decode(
      recordOf(value)
    )) as Decoded
    expect(String(decoded.json)).toBe('{"a": 1}')
    expect(decoded.json!.buffer).toBe(value.buffer)
    const key = createDecoder(settingsOf({ format: 'json' }, { format: 'registry' }), raw.dependencies)
    expect(shown(await key.decode(recordOf('{}', framed(1, Uint8Array.of(1)))))).toEqual({ json: '{}', key: 'AQ==' })
  })

  it('is decoded with a Protobuf schema and the files that it imports, as a value and as a key', async () => {
    const head = 'syntax = "proto3"; package fleet;'
    const files: Readonly<Record<string, object>> = {
      '/schemas/ids/1': proto(`${head} import "fleet/make.proto"; message Car { string vin = 1; Make make = 2; }`, [
        { name: 'fleet/make.proto', subject: 'make', version: 2 }
      ]),
      '/subjects/make/versions/2': proto(`${head} message Make { string name = 1; message Key { string id = 1; } }`),
      '/schemas/ids/2': proto(`${head} message Make { string name = 1; message Key { string id = 1; } }`)
    }
    const scripted = registryOf((path) => (files[path] ?? missing) as typeof missing)
    const decoder = createDecoder(settingsOf({ format: 'registry' }, { format: 'registry' }), scripted.dependencies)
    const car = framed(1, Buffer.concat([framedIndexes([0]), field(1, 'v1'), field(2, field(1, 'Škoda'))]))
    const key = framed(2, Buffer.concat([framedIndexes([0, 0]), field(1, 'k')]))

    expect(shown(await decoder.decode(recordOf(car, key)))).toEqual({
      json: '{"vin":"v1","make":{"name":"Škoda"}}',
      key: 'bytes {"id":"k"}'
    })
    expect(shown(decoder.decode(recordOf(car, key)))).toMatchObject({ key: 'bytes {"id":"k"}' })
  })

  it('may have a different schema in each record', async () => {
    const scripted = registryOf((path) => found(path === '/schemas/ids/1' ? PERSON : 'string'))
    const decoder = createDecoder(settingsOf({ format: 'registry' }), scripted.dependencies)
    const records = [framed(1, ANN), framed(2, Uint8Array.of(2, 0x61))].map((value) => recordOf(value))
    for (const record of records) await decoder.decode(record)

    const answers = [...records, ...records].map((record) => shown(decoder.decode(record)))

    expect(answers).toEqual([ANN_JSON, '"a"', ANN_JSON, '"a"'].map((json) => ({ json, key: null })))
  })

  it('may have a schema with references', async () => {
    const scripted = registryOf((path) =>
      path === '/schemas/ids/1'
        ? found({ type: 'array', items: 'Person' }, { references: [{ name: 'Person', subject: 'people', version: 3 }] })
        : found(PERSON)
    )
    const decoder = createDecoder(settingsOf({ format: 'registry' }), scripted.dependencies)

    expect(
      shown(await decoder.decode(recordOf(framed(1, Buffer.concat([Uint8Array.of(2), ANN, Uint8Array.of(0)])))))
    ).toEqual({
      json: `[${ANN_JSON}]`,
      key: null
    })
  })

  it.each<readonly [string, object, string]>([
    ['an unknown id', missing, 'the registry knows no schema 9'],
    [
      'Protobuf that cannot be parsed',
      found('syntax', { schemaType: 'PROTOBUF' }),
      'its schema is not a Protobuf schema'
    ],
    ['an unknown type', found('x', { schemaType: 'THRIFT' }), 'it reads Avro, JSON Schema and Protobuf'],
    ['an invalid schema', found({ type: 'record', name: '1' }), 'its schema is not an Avro schema']
  ])('is rejected when the schema is not available: %s', async (_name, answer, words) => {
    const scripted = registryOf(() => answer as typeof missing)
    const decoder = createDecoder(settingsOf({ format: 'registry' }), scripted.dependencies)
    const record = recordOf(framed(9, ANN))

    const expected = {
      ok: false,
      stage: 'decode',
      code: 'SCHEMA_UNKNOWN',
      path: '',
      message: expect.stringContaining(words) as string
    }
    expect(await decoder.decode(record)).toEqual(expected)
    const asked = scripted.asked.length
    expect(shown(decoder.decode(record))).toEqual(expected)
    expect(scripted.asked).toHaveLength(asked)
  })

  it.each<readonly [string, Bytes, string]>([
    ['an empty value', '', "it does not begin with a zero byte and the four bytes of a schema's id."],
    [
      'an incomplete schema id',
      Uint8Array.of(0, 0, 0),
      "it does not begin with a zero byte and the four bytes of a schema's id."
    ],
    [
      'another first byte',
      Uint8Array.of(1, 0, 0, 0, 0),
      "it does not begin with a zero byte and the four bytes of a schema's id."
    ],
    [
      'JSON',
      ' {"a":1}',
      "it does not begin with a zero byte and the four bytes of a schema's id; set `registry.unframed: json` to accept JSON without them."
    ]
  ])('is rejected when it has no schema id: %s', (_name, value, words) => {
    expect(decode(value, { format: 'registry' })).toMatchObject({
      code: 'DECODE_FAILED',
      message: expect.stringContaining(words) as string
    })
  })

  it('may be JSON without a schema id under `registry.unframed: json`', () => {
    const settings = { ...settingsOf({ format: 'registry' }), registry: { ...SETTINGS, unframed: 'json' as const } }
    const decoder = createDecoder(settings)

    expect(shown(decoder.decode(recordOf(' {"a":1}')))).toEqual({ json: ' {"a":1}', key: null })
    expect(shown(decoder.decode(recordOf('hello')))).toHaveProperty('code', 'DECODE_FAILED')
  })

  it('stops the sink when the registry refuses the credentials', async () => {
    const decoder = createDecoder(
      settingsOf({ format: 'registry' }),
      registryOf(() => ({ status: 401, body: {} })).dependencies
    )

    await expect(Promise.resolve(decoder.decode(recordOf(framed(1, ANN))))).rejects.toThrow(
      'refuses the credentials (401)'
    )
  })
})

/** Answer of a registry with a Protobuf schema, which is text. */
function proto(schema: string, references: readonly object[] = []): object {
  return { status: 200, body: { schema, schemaType: 'PROTOBUF', references } }
}
