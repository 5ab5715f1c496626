import avro from 'avsc'
import { describe, expect, it } from 'vitest'

import { isKeystampError } from '@keystamp/core'
import { type RegistryHandle, startRegistry } from '@keystamp/lab'

import type { FormatSettings, SinkSettings } from '../../src/config/settings.ts'
import { createDecoder } from '../../src/decode/create-decoder.ts'
import type { Decoded, Decoder } from '../../src/decode/decoder.ts'
import { checkRegistry } from '../../src/decode/registry/check-registry.ts'
import type { SinkRecord } from '../../src/record.ts'
import type { SinkRejection } from '../../src/rejects/sink-codes.ts'
import { found, missing, registryOf, SETTINGS } from './registry/registry-of.ts'

type Bytes = Uint8Array | string | null

const toBytes = (given: Bytes): Uint8Array | null => (typeof given === 'string' ? Buffer.from(given) : given)

function recordOf(value: Bytes, key: Bytes = null): SinkRecord {
  return {
    topic: 't',
    partition: 0,
    offset: 1 as SinkRecord['offset'],
    timestamp: '0',
    key: toBytes(key),
    value: toBytes(value),
    headers: {}
  }
}

type Settings = Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>

function settingsOf(value: FormatSettings, key: FormatSettings = { format: 'text' }): Settings {
  return { value, key, registry: SETTINGS, numbers: { int64: 'string', decimal: 'string' } }
}

/** An answer with its bytes as text; a decoder that needs no registry answers at once. */
function shown(answer: ReturnType<Decoder['decode']> | Decoded | SinkRejection): unknown {
  if (answer instanceof Promise) throw new Error('The decoder did not answer at once.')
  if (!answer.ok) return answer
  const key = answer.key instanceof Uint8Array ? `bytes ${Buffer.from(answer.key).toString()}` : answer.key
  return { json: answer.json === undefined ? undefined : Buffer.from(answer.json).toString(), key }
}

function decode(value: Bytes, format: FormatSettings, key: Bytes = null, keyFormat: FormatSettings = { format: 'text' }): unknown {
  return shown(createDecoder(settingsOf(format, keyFormat)).decode(recordOf(value, key)))
}

const person = {
  type: 'record',
  name: 'Person',
  fields: [
    { name: 'name', type: 'string' },
    { name: 'age', type: ['null', 'int'] }
  ]
}
const personType = avro.Type.forSchema(person as never)
const ann = personType.toBuffer({ name: 'Ann', age: 5 })
const ANN = '{"name":"Ann","age":5}'
const framed = (id: number, rest: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0, id >>> 24, (id >> 16) & 255, (id >> 8) & 255, id & 255]), rest])

describe('a value', () => {
  it('in JSON is handed on, without a mark before it, whatever it is', () => {
    const value = Buffer.from('\ufeff{"a": 1 }')
    const decoded = createDecoder(settingsOf({ format: 'json' })).decode(recordOf(value)) as Decoded

    expect(String(decoded.json)).toBe('{"a": 1 }')
    expect(decoded.json!.buffer).toBe(value.buffer)
    for (const text of ['null', 'no JSON', '']) expect(decode(text, { format: 'json' })).toEqual({ json: text, key: null })
  })

  it.each<readonly [string, FormatSettings, Bytes, string]>([
    ['JSON with a schema', { format: 'json-envelope' }, '{"schema":null,"payload":{"a":1}}', '{"a":1}'],
    ['text', { format: 'text' }, 'hello', '{"value":"hello"}'],
    ['bytes', { format: 'bytes' }, Uint8Array.of(1), '{"value":"AQ=="}'],
    ['Avro', { format: 'avro', schema: person }, ann, ANN]
  ])('becomes JSON: %s', (_name, format, value, json) => {
    expect(decode(value, format, 'k')).toEqual({ json, key: 'bytes k' })
  })

  it.each<readonly [string, FormatSettings, Bytes]>([
    ['no value', { format: 'json' }, null],
    ['a null with a schema', { format: 'json-envelope' }, '{"schema":{"type":"string","optional":true},"payload":null}'],
    ['a null of Avro', { format: 'avro', schema: ['null', person] as never }, Uint8Array.of(0)]
  ])('is a tombstone: %s', (_name, format, value) => {
    expect(decode(value, format, 'k')).toEqual({ json: undefined, key: 'bytes k' })
  })

  it('that cannot be read is an outcome that says where and why, and nothing of what was read', () => {
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
      message: 'The value cannot be read as Avro: a number in it is NaN or infinite, which JSON cannot say.',
      path: '/b'
    })
    for (const format of ['json-envelope', 'registry'] as const) {
      for (const text of [canary, `{"${canary}":1}`, `{"schema":{"type":"${canary}"},"payload":${canary}`]) {
        expect(JSON.stringify(decode(text, { format }))).not.toContain(canary)
      }
    }
  })

  it('is read anew after one that failed', () => {
    const decoder = createDecoder(settingsOf({ format: 'avro', schema: person }))

    expect(shown(decoder.decode(recordOf(ann.subarray(0, 2))))).toHaveProperty('code', 'DECODE_FAILED')
    expect(shown(decoder.decode(recordOf(ann)))).toEqual({ json: ANN, key: null })
  })
})

describe('a key', () => {
  it.each<readonly [string, FormatSettings, Bytes, unknown]>([
    ['text, as it is', { format: 'text' }, 'abc', 'bytes abc'],
    ['bytes', { format: 'bytes' }, Uint8Array.of(255), '/w=='],
    ['a JSON text', { format: 'json' }, '"a\\u0062c"', 'abc'],
    ['a JSON object', { format: 'json' }, '{"id":"abc"}', 'bytes {"id":"abc"}'],
    ['a JSON number', { format: 'json' }, '5', 'bytes 5'],
    ['a JSON null', { format: 'json' }, 'null', null],
    ['a text with a schema', { format: 'json-envelope' }, '{"schema":{"type":"string"},"payload":"abc"}', 'abc'],
    ['members with a schema', { format: 'json-envelope' }, '{"schema":null,"payload":{"id":1}}', 'bytes {"id":1}'],
    ['an Avro text', { format: 'avro', schema: { type: 'string' } }, Uint8Array.of(6, 0x61, 0x22, 0x63), 'a"c'],
    ['an Avro long', { format: 'avro', schema: { type: 'long' } }, Uint8Array.of(9), 'bytes -5'],
    ['an Avro record', { format: 'avro', schema: person }, ann, `bytes ${ANN}`]
  ])('is what a plan reads: %s', (_name, format, given, key) => {
    expect(decode('{}', { format: 'json' }, given, format)).toEqual({ json: '{}', key })
  })

  it('that cannot be read rejects the record', () => {
    expect(decode('{}', { format: 'json' }, '"half', { format: 'json' })).toMatchObject({
      code: 'DECODE_FAILED',
      message: 'The key cannot be read as JSON: it is not valid JSON.'
    })
  })

  it('and a value of one schema do not disturb each other', () => {
    expect(decode(ann, { format: 'avro', schema: person }, ann, { format: 'avro', schema: person })).toEqual({
      json: ANN,
      key: `bytes ${ANN}`
    })
  })
})

describe('what names its schema in a registry', () => {
  it('is read with that schema, after the first record at once', async () => {
    const told = registryOf((path) => (path === '/schemas/ids/16909060' ? found(person) : found('string')))
    const decoder = createDecoder(settingsOf({ format: 'registry' }, { format: 'registry' }), told.surroundings)
    const record = recordOf(framed(16_909_060, ann), framed(0xff_00_00_01, Uint8Array.of(2, 0x61)))

    const first = decoder.decode(record)
    expect(first).toBeInstanceOf(Promise)
    expect(decoder.waitingFor).toBe('the schema registry has not answered yet')

    expect(shown(await first)).toEqual({ json: ANN, key: 'a' })
    expect(decoder.waitingFor).toBeUndefined()
    expect(shown(decoder.decode(record))).toEqual({ json: ANN, key: 'a' })
    expect(told.asked.map(({ path }) => path)).toEqual(['/schemas/ids/16909060', '/schemas/ids/4278190081'])
  })

  it('is handed on when its schema is a JSON Schema, and raw when it is bytes', async () => {
    const json = registryOf(() => found({ type: 'object' }, { schemaType: 'JSON' }))
    const raw = registryOf(() => found('bytes'))
    const value = framed(1, Buffer.from('{"a": 1}'))

    const decoded = (await createDecoder(settingsOf({ format: 'registry' }), json.surroundings).decode(recordOf(value))) as Decoded
    expect(String(decoded.json)).toBe('{"a": 1}')
    expect(decoded.json!.buffer).toBe(value.buffer)
    const key = createDecoder(settingsOf({ format: 'json' }, { format: 'registry' }), raw.surroundings)
    expect(shown(await key.decode(recordOf('{}', framed(1, Uint8Array.of(1)))))).toEqual({ json: '{}', key: 'AQ==' })
  })

  it('may be of another schema with each record', async () => {
    const told = registryOf((path) => found(path === '/schemas/ids/1' ? person : 'string'))
    const decoder = createDecoder(settingsOf({ format: 'registry' }), told.surroundings)
    const records = [framed(1, ann), framed(2, Uint8Array.of(2, 0x61))].map((value) => recordOf(value))
    for (const record of records) await decoder.decode(record)

    const answers = [...records, ...records].map((record) => shown(decoder.decode(record)))

    expect(answers).toEqual([ANN, '"a"', ANN, '"a"'].map((json) => ({ json, key: null })))
  })

  it('finds what its schema refers to', async () => {
    const told = registryOf((path) =>
      path === '/schemas/ids/1'
        ? found({ type: 'array', items: 'Person' }, { references: [{ name: 'Person', subject: 'people', version: 3 }] })
        : found(person)
    )
    const decoder = createDecoder(settingsOf({ format: 'registry' }), told.surroundings)

    expect(shown(await decoder.decode(recordOf(framed(1, Buffer.concat([Uint8Array.of(2), ann, Uint8Array.of(0)])))))).toEqual({
      json: `[${ANN}]`,
      key: null
    })
  })

  it.each<readonly [string, object, string]>([
    ['an id that nobody knows', missing, 'the registry knows no schema 9'],
    ['Protobuf', found('syntax', { schemaType: 'PROTOBUF' }), 'schema 9 is Protobuf'],
    ['a schema that is none', found({ type: 'record', name: '1' }), 'its schema is no Avro schema']
  ])('is an outcome when the schema is not to be had: %s', async (_name, answer, words) => {
    const told = registryOf(() => answer as typeof missing)
    const decoder = createDecoder(settingsOf({ format: 'registry' }), told.surroundings)
    const record = recordOf(framed(9, ann))

    const expected = { ok: false, stage: 'decode', code: 'SCHEMA_UNKNOWN', path: '', message: expect.stringContaining(words) as string }
    expect(await decoder.decode(record)).toEqual(expected)
    const asked = told.asked.length
    expect(shown(decoder.decode(record))).toEqual(expected)
    expect(told.asked).toHaveLength(asked)
  })

  it.each<readonly [string, Bytes, string]>([
    ['nothing', '', "it does not begin with a zero byte and the four bytes of a schema's id."],
    ['half a frame', Uint8Array.of(0, 0, 0), "it does not begin with a zero byte and the four bytes of a schema's id."],
    ['another frame', Uint8Array.of(1, 0, 0, 0, 0), "it does not begin with a zero byte and the four bytes of a schema's id."],
    [
      'JSON',
      ' {"a":1}',
      "it does not begin with a zero byte and the four bytes of a schema's id; JSON without it is taken where `registry.unframed` is `json`."
    ]
  ])('is an outcome when it names none: %s', (_name, value, words) => {
    expect(decode(value, { format: 'registry' })).toMatchObject({
      code: 'DECODE_FAILED',
      message: expect.stringContaining(words) as string
    })
  })

  it('may be mixed with JSON where the configuration says so', () => {
    const settings = { ...settingsOf({ format: 'registry' }), registry: { ...SETTINGS, unframed: 'json' as const } }
    const decoder = createDecoder(settings)

    expect(shown(decoder.decode(recordOf(' {"a":1}')))).toEqual({ json: ' {"a":1}', key: null })
    expect(shown(decoder.decode(recordOf('hello')))).toHaveProperty('code', 'DECODE_FAILED')
  })

  it('ends the work when the registry refuses our credentials', async () => {
    const decoder = createDecoder(settingsOf({ format: 'registry' }), registryOf(() => ({ status: 401, body: {} })).surroundings)

    await expect(Promise.resolve(decoder.decode(recordOf(framed(1, ann))))).rejects.toThrow('refuses our credentials (401)')
  })
})

describe('a decoder', () => {
  it.each<readonly [string, Settings]>([
    ['a registry that is not named', { ...settingsOf({ format: 'registry' }), registry: undefined }],
    ['an Avro schema that is none', settingsOf({ format: 'avro', schema: { type: 'recrod' } })],
    ['one for the key', settingsOf({ format: 'json' }, { format: 'avro', schema: {} })]
  ])('refuses at the start what can never work: %s', (_name, settings) => {
    expect(() => createDecoder(settings)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }) as Error)
  })
})

describe('a registry on the network', () => {
  it('is waited for while it is down, and asked when it is back', async () => {
    await withRegistry(async (registry) => {
      const id = registry.register('people-value', JSON.stringify(person))
      const settings = { ...settingsOf({ format: 'registry' }), registry: { ...SETTINGS, url: registry.url } }
      const decoder = createDecoder(settings)
      registry.down(true)

      const answer = decoder.decode(recordOf(framed(id, ann)))
      await until(() => decoder.waitingFor?.endsWith('answers with status 503') === true)
      registry.down(false)

      expect(shown(await answer)).toEqual({ json: ANN, key: null })
      decoder.close()
    })
  })

  it('can be checked before the first record', async () => {
    const address = await withRegistry(async ({ url, down }) => {
      await checkRegistry({ ...SETTINGS, url })
      await expect(checkRegistry({ ...SETTINGS, url: `${url}/elsewhere` })).rejects.toThrow('as no schema registry does')
      down(true)
      await expect(checkRegistry({ ...SETTINGS, url })).rejects.toThrow('503')
      return url
    })

    const error = await checkRegistry({ ...SETTINGS, url: address }).catch((thrown: unknown) => thrown)
    expect(isKeystampError(error)).toBe(true)
    expect(error).toHaveProperty('message', expect.stringContaining(`the schema registry at ${address} cannot be reached (`))
  })
})

async function withRegistry<T>(use: (registry: RegistryHandle) => Promise<T>): Promise<T> {
  const registry = await startRegistry()
  try {
    return await use(registry)
  } finally {
    await registry.stop()
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}
