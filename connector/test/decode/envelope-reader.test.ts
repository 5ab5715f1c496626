import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { NumberPolicy } from '../../src/config/settings.ts'
import { DecodeFailure } from '../../src/decode/decode-failure.ts'
import { createEnvelopeReader } from '../../src/decode/envelope-reader.ts'
import { JsonTarget } from '../../src/decode/json/json-target.ts'

const EXACT: NumberPolicy = { int64: 'string', decimal: 'string' }

function readerOf(numbers: NumberPolicy = EXACT): (envelope: string) => string {
  const read = createEnvelopeReader(numbers, new JsonTarget())
  return (envelope) => String(read(Buffer.from(envelope)))
}

const structOf = (...fields: readonly object[]): object => ({ type: 'struct', optional: false, fields })
const envelope = (schema: unknown, payload: string): string =>
  `{"schema":${JSON.stringify(schema)},"payload":${payload}}`
const logical = (name: string, type: string, rest: object = {}): object => ({
  type,
  name: `org.apache.kafka.connect.data.${name}`,
  version: 1,
  ...rest
})
const decimal = (scale: number | string): object =>
  logical('Decimal', 'bytes', { parameters: { scale: String(scale) } })

describe('an envelope with schema and payload', () => {
  it('returns the bytes of its payload if nothing has to be converted', () => {
    const payload = '{ "a" : 1.50,"b":"\\u00e9",\n"c":[true , null] }'
    const schema = structOf(
      { field: 'a', type: 'double' },
      { field: 'b', type: 'string' },
      { field: 'c', type: 'array', items: { type: 'boolean' } }
    )

    expect(readerOf()(envelope(schema, payload))).toBe(payload)
    expect(readerOf()(envelope(null, payload))).toBe(payload)
    expect(readerOf()(` { "schema" : null , "payload" : ${payload} } \r\n`)).toBe(payload)
    expect(readerOf()(` { "payload" : ${payload} ,\n"schema" : null } `)).toBe(payload)
  })

  it('is not copied if nothing has to be converted', () => {
    const bytes = Buffer.from(envelope(structOf({ field: 'n', type: 'int64' }), '{"n":5}'))

    const json = createEnvelopeReader(EXACT, new JsonTarget())(bytes)

    expect(json.buffer).toBe(bytes.buffer)
  })

  it('returns null for a tombstone', () => {
    expect(readerOf()(envelope(structOf(), 'null'))).toBe('null')
    expect(readerOf()('{"schema":null,"payload": null }')).toBe('null')
  })

  it.each([
    '',
    '[]',
    '5',
    '{}',
    '{"schema":null}',
    '{"payload":{}}',
    '{"a":1}',
    '{"schema":null,"payload":{}} x',
    '{"payload":{},"schema":null} x',
    '{"schema":null,"payload"}',
    '{"schema":null,"payload":}',
    '{"payload":{},"schema":null,"more":1}',
    '{"payload":{},"payload":{},"schema":null}',
    '{"schema":5,"payload":{}}',
    '{"schema":{,"payload":{}}',
    '{"schema":{"type":"struct","fields":[5]},"payload":{}}',
    '{"schema',
    '{"schema":'.repeat(10_000),
    envelope(JSON.parse(`${'{"type":"array","items":'.repeat(200)}{}${'}'.repeat(200)}`), '[]')
  ])('is refused in one sentence when it is invalid: %s', (text) => {
    expect(() => readerOf()(text)).toThrow(DecodeFailure)
  })

  it('returns invalid JSON if the payload is not the last property of a complete envelope', () => {
    for (const text of ['{"schema":null,"payload":{},"more":1}', '{"schema":null,"payload":{}']) {
      expect(() => JSON.parse(readerOf()(text)) as unknown).toThrow(SyntaxError)
    }
  })
})

describe('the payload of an envelope', () => {
  it('has its values of logical types converted, and is unchanged otherwise', () => {
    const schema = structOf(
      { field: 'price', ...decimal(2) },
      { field: 'plain', ...decimal(0) },
      { field: 'big', ...decimal(-3) },
      { field: 'day', ...logical('Date', 'int32') },
      { field: 'at', ...logical('Timestamp', 'int64') },
      { field: 'time', ...logical('Time', 'int32') },
      { field: 'id', type: 'int64' },
      { field: 'small', type: 'int64' },
      { field: 'none', ...logical('Date', 'int32', { optional: true }) },
      { field: 'text', type: 'string' }
    )
    const payload =
      '{"price":"MDk=","plain":"hQ==","big":"BQ==","day":17752, "at":1533798900250,"time" : 26100250,"id":9007199254740993,"small":-7,"none":null,"text":"9007199254740993","other":9007199254740993}'

    expect(readerOf()(envelope(schema, payload))).toBe(
      '{"price":"123.45","plain":"-123","big":"5000","day":"2018-08-09", "at":"2018-08-09T07:15:00.250Z","time" : "07:15:00.250","id":"9007199254740993","small":-7,"none":null,"text":"9007199254740993","other":9007199254740993}'
    )
  })

  it('has values of logical types converted inside of structs, arrays and maps', () => {
    const day = logical('Date', 'int32')
    const schema = structOf(
      { field: 'inner', ...structOf({ field: 'd', ...day }) },
      { field: 'list', type: 'array', items: day },
      { field: 'map', type: 'map', keys: { type: 'string' }, values: day },
      { field: 'pairs', type: 'map', keys: day, values: { type: 'int64' } }
    )

    expect(
      readerOf()(
        envelope(schema, '{"inner":{"d":0},"list":[0,1,null],"map":{"a":2},"pairs":[[3,9007199254740993],[4,1]]}')
      )
    ).toBe(
      '{"inner":{"d":"1970-01-01"},"list":["1970-01-01","1970-01-02",null],"map":{"a":"1970-01-03"},"pairs":[["1970-01-04","9007199254740993"],["1970-01-05",1]]}'
    )
  })

  it('is converted as the setting `numbers` says', () => {
    const schema = structOf({ field: 'n', type: 'int64' }, { field: 'd', ...decimal(1) })
    const payload = '{"n":9007199254740993,"d":"e8o="}'

    expect(readerOf({ int64: 'number', decimal: 'number' })(envelope(schema, payload))).toBe(
      '{"n":9007199254740993,"d":3169.0}'
    )
    expect(() => readerOf({ int64: 'reject', decimal: 'number' })(envelope(schema, payload))).toThrow('numbers.int64')
    expect(readerOf({ int64: 'number', decimal: 'string' })(envelope(schema, '{"n":1,"d":12.50}'))).toBe(
      '{"n":1,"d":"12.50"}'
    )
  })

  it.each([
    ['{"d":"yesterday"}', '/d'],
    ['{"d":1.5}', '/d'],
    ['{"price":"no base 64"}', '/price'],
    ['{"price":"MDk"}', '/price'],
    ['{"d":}', '/d'],
    ['{"d":0x10}', '/d'],
    ['{"d":99999999999}', '/d'],
    ['{"d"', ''],
    ['{"l":[0,true]}', '/l/1']
  ])('is refused with the path of the value that cannot be decoded: %s', (payload, path) => {
    const day = logical('Date', 'int32')
    const read = (): string =>
      readerOf()(
        envelope(
          structOf(
            { field: 'd', ...day },
            { field: 'l', type: 'array', items: day },
            { field: 'price', ...decimal(2) }
          ),
          payload
        )
      )

    expect(read).toThrow(expect.objectContaining({ path }) as Error)
  })

  it('is unchanged if it does not match the schema', () => {
    const schema = structOf({ field: 'd', type: 'array', items: logical('Date', 'int32') })

    expect(readerOf()(envelope(schema, '{"d":{"a":5}}'))).toBe('{"d":{"a":5}}')
    expect(readerOf()(envelope(schema, '[1]'))).toBe('[1]')
  })
})

describe('envelopes with different schemas', () => {
  it('are each converted by their own schema', () => {
    const read = readerOf()
    const texts = Array.from({ length: 40 }, (_, index) =>
      envelope(structOf({ field: `f${index % 20}`, ...logical('Date', 'int32') }), `{"f${index % 20}":${index}}`)
    )

    expect(texts.map((text) => read(text))).toEqual(
      texts.map((_, index) => `{"f${index % 20}":"${new Date(index * 86_400_000).toISOString().slice(0, 10)}"}`)
    )
  })
})

describe('input that is not an envelope', () => {
  const schema = structOf(
    { field: 'd', ...decimal(2) },
    { field: 'at', ...logical('Timestamp', 'int64') },
    { field: 'n', type: 'int64' },
    { field: 'l', type: 'array', items: logical('Date', 'int32') },
    { field: 'm', type: 'map', keys: { type: 'string' }, values: structOf({ field: 't', ...logical('Time', 'int32') }) }
  )
  const whole = envelope(
    schema,
    '{"d":"MDk=","at":1533798900250,"n":9007199254740993,"l":[0,null],"m":{"a":{"t":1}},"x":[1.5,{"y":"\\u00e9"}]}'
  )
  const piece = fc.constantFrom('', ...'{}[],:"\\ \n-+.eE05antul', '\u0001', '\ud83d', 'null', '"":', '{}')
  const edit = fc.record({ at: fc.nat(whole.length), cut: fc.nat(3), piece })

  it('never becomes valid JSON if it is not valid JSON itself', () => {
    const read = readerOf()
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const text = edits.reduce(
          (before, each) => before.slice(0, each.at) + each.piece + before.slice(each.at + each.cut),
          whole
        )
        expect(isJson(() => read(text)) && !isJson(() => text)).toBe(false)
      }),
      { numRuns: 3000 }
    )
  })
})

/** Whether a string is valid JSON; a refused envelope is not. Throws any other error again. */
function isJson(text: () => string): boolean {
  try {
    JSON.parse(text())
    return true
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeFailure) return false
    throw error
  }
}
