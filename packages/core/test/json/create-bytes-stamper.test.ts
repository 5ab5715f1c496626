import { describe, expect, test } from 'vitest'
import { createBytesStamper } from '../../src/json/create-bytes-stamper.ts'
import { joinedLength, joinedLengthBound, joinInto, type StampedBytes } from '../../src/json/join.ts'
import type { Rejection } from '../../src/errors/rejection.ts'
import { COMPOSITE, type KeyValue } from '../../src/key/field-value.ts'
import { createExamplePlan, toBytes } from './example-plan.ts'

function stamped(text: string, writes: Readonly<Record<string, KeyValue | undefined>> = { '/pk': 'key' }): string {
  return joinedText(createBytesStamper(createExamplePlan([], writes)).stamp(toBytes(text)))
}

/** Returns the output, or the code of the rejection. */
function joinedText(result: StampedBytes | Rejection): string {
  if (!result.ok) return result.code
  const target = new Uint8Array(joinedLengthBound(result))
  const end = joinInto(result, target, 0)
  expect(end).toBe(joinedLength(result))
  return new TextDecoder().decode(target.subarray(0, end))
}

test.each([['{"a":1}'], [{ a: 1 }], [[]], [1]])('stamp rejects an argument that is not a Uint8Array: %j', (given) => {
  const { stamp } = createBytesStamper(createExamplePlan([], {}))

  expect(stamp(given as never)).toMatchObject({
    ok: false,
    code: 'RECORD_NOT_OBJECT',
    message: expect.stringContaining('not a Uint8Array') as string
  })
})

describe('a stamper of JSON bytes', () => {
  test.each([
    ['appends a missing property', '{"a":1}', '{"a":1,"pk":"key"}'],
    ['adds no comma in an empty object', '{ }', '{ "pk":"key"}'],
    ['replaces a property in its position', '{"pk" : [1,{}] ,"a":1}', '{"pk" : "key" ,"a":1}'],
    ['drops whitespace around the record', ' \r\n\t{"a": 1 } \n', '{"a": 1 ,"pk":"key"}'],
    ['finds a property whose name is escaped', '{"\\u0070k":1}', '{"\\u0070k":"key"}'],
    ['removes all but the last of repeated properties', '{"pk":1,"a":2,"pk":3}', '{"a":2,"pk":"key"}'],
    ['removes a repeated property whose name is escaped', '{"p\\u006b":{"x":"}"} , "pk":3}', '{ "pk":"key"}'],
    [
      'removes a repeated id and ttl, although no plan writes them',
      '{"id":1,"ttl":2,"id":3,"ttl":4}',
      '{"id":3,"ttl":4,"pk":"key"}'
    ],
    ['keeps repeated properties that neither a plan nor Cosmos DB uses', '{"a":1,"a":2}', '{"a":1,"a":2,"pk":"key"}'],
    ['does not change nested properties of the same name', '{"a":{"pk":1,"pk":2}}', '{"a":{"pk":1,"pk":2},"pk":"key"}']
  ])('%s', (_, text, wanted) => {
    expect(stamped(text)).toBe(wanted)
  })

  test.each([
    ['creates a missing parent', '{"x":1}', '{"x":1,"a":{"b":{"pk":"key"}}}'],
    ['creates a parent in the last existing parent', '{"a":{"x":1}}', '{"a":{"x":1,"b":{"pk":"key"}}}'],
    [
      'writes into the last of repeated parents and removes the others',
      '{"a":{"b":{"pk":1}},"a":{}}',
      '{"a":{"b":{"pk":"key"}}}'
    ],
    [
      'removes bytes only once if repeated properties are in a repeated parent',
      '{"a":{"b":1,"b":2},"a":{"b":{}}}',
      '{"a":{"b":{"pk":"key"}}}'
    ],
    ['rejects a parent that is not an object', '{"a":{"b":7}}', 'INTO_BLOCKED'],
    ['rejects a parent that is null', '{"a":null}', 'INTO_BLOCKED'],
    ['rejects a parent that is an array', '{"a":[]}', 'INTO_BLOCKED']
  ])('whose key path is nested %s', (_, text, wanted) => {
    expect(stamped(text, { '/a/b/pk': 'key' })).toBe(wanted)
  })

  test('writes several properties of one missing parent into one object', () => {
    expect(stamped('{}', { '/a/x': 'one', '/top': 'two', '/a/y': 3 })).toBe('{"a":{"x":"one","y":3},"top":"two"}')
  })

  test('creates no parent for a property that is not written', () => {
    expect(stamped('{"a":1}', { '/b/pk': undefined })).toBe('{"a":1}')
  })

  test.each<[KeyValue, string]>([
    ['a"b\\c\n\u0001', '"a\\"b\\\\c\\n\\u0001"'],
    ['日本é🚗', '"日本é🚗"'],
    [-0.5, '-0.5'],
    [true, 'true'],
    [null, 'null']
  ])('writes %j as JSON', (value, wanted) => {
    expect(stamped('{}', { '/pk': value })).toBe(`{"pk":${wanted}}`)
  })

  test('writes no byte after its output, even if it dropped much whitespace', () => {
    const result = createBytesStamper(createExamplePlan([], { '/pk': 'k' })).stamp(toBytes(`{}${' '.repeat(15)}`))
    if (!result.ok) throw new Error(result.message)
    const target = new Uint8Array(40).fill(1)

    expect(joinInto(result, target, 0)).toBe(10)
    expect([...target.subarray(10)]).toEqual(Array.from({ length: 30 }, () => 1))
  })

  test('writes its output into the middle of a buffer, and changes no other byte', () => {
    const record = toBytes(`{"text":"${'x'.repeat(100)}"}`)
    const result = createBytesStamper(createExamplePlan([], { '/pk': 'key' })).stamp(record)
    if (!result.ok) throw new Error(result.message)
    const target = new Uint8Array(joinedLength(result) + 10).fill(1)

    expect(joinInto(result, target, 5)).toBe(target.length - 5)
    expect([...target.subarray(0, 5), ...target.subarray(-5)]).toEqual(Array.from({ length: 10 }, () => 1))
  })
})

describe('the field values that a stamper reads', () => {
  const cases: readonly (readonly [string, string, unknown])[] = [
    ['a string', '{"f":"abc"}', 'abc'],
    ['an escaped string', '{"f":"\\u00e9\\n\\ud83d\\ude97"}', 'é\n🚗'],
    ['a string of wide characters', '{"f":"日本é🚗"}', '日本é🚗'],
    ['half of a surrogate pair', '{"f":"\\ud800"}', '\ud800'],
    ['a long string', `{"f":"${'abcdefgé'.repeat(5000)}"}`, 'abcdefgé'.repeat(5000)],
    ['an integer', '{"f":2018}', 2018],
    ['the largest safe integer', '{"f":9007199254740991}', 9007199254740991],
    ['an integer beyond that', '{"f":9007199254740993}', 9007199254740993n],
    ['a negative integer beyond 2^53', '{"f":-9007199254740993}', -9007199254740993n],
    ['a number with an exponent', '{"f":1e21}', 1e21],
    ['minus zero', '{"f":-0}', -0],
    ['a fraction', '{"f":0.1}', 0.1],
    ['more digits than a key can have', `{"f":${'9'.repeat(5000)}}`, Infinity],
    ['a boolean', '{"f":false}', false],
    ['null', '{"f":null}', null],
    ['an object', '{"f":{}}', COMPOSITE],
    ['an array', '{"f":[1]}', COMPOSITE],
    ['a missing property', '{"g":1}', undefined],
    ['the last of repeated properties', '{"f":1,"f":2}', 2]
  ]

  test.each(cases)('are correct for %s', (_, text, wanted) => {
    const plan = createExamplePlan([['f']], {})
    expect(createBytesStamper(plan).stamp(toBytes(text)).ok).toBe(true)

    expect(plan.seen).toEqual([wanted])
  })

  test.each([
    ['/a/b', '{"a":{"b":1}}', 1],
    ['/a/b', '{"a":{"b":1},"a":{}}', undefined],
    ['/a/b', '{"a":{"b":1},"a":2}', undefined],
    ['/a/1/c', '{"a":[{"c":1},{"c":2}]}', 2],
    ['/a/01/c', '{"a":[{"c":1},{"c":2}]}', undefined],
    ['/a/1', '{"a":{"1":5}}', 5],
    ['/__proto__/x', '{"__proto__":{"x":3}}', 3],
    ['/constructor', '{}', undefined]
  ])('are read at the path %s of %s', (path, text, wanted) => {
    const plan = createExamplePlan([path.split('/').slice(1)], {})
    createBytesStamper(plan).stamp(toBytes(text))

    expect(plan.seen).toEqual([wanted])
  })
})

describe('input that is not a JSON object', () => {
  test.each([
    ['', 'JSON_INVALID', 0],
    ['  ', 'JSON_INVALID', 2],
    ['{"a":1', 'JSON_INVALID', 6],
    ['{"a":tru}', 'JSON_INVALID', 8],
    ['{"a":01}', 'JSON_INVALID', 6],
    ['{"a":1}}', 'JSON_INVALID', 7],
    ['{"a":1} {}', 'JSON_INVALID', 8],
    ['{"a":1,}', 'JSON_INVALID', 7],
    ['{"a"}', 'JSON_INVALID', 4],
    ['{"a":"\t"}', 'JSON_INVALID', 6],
    ['{"a":"\\x"}', 'JSON_INVALID', 7],
    ['{"a":"b}', 'JSON_INVALID', 8],
    ['\ufeff{}', 'JSON_INVALID', 0],
    ['[{}]', 'JSON_NOT_OBJECT', undefined],
    [' "{}" ', 'JSON_NOT_OBJECT', undefined],
    ['12', 'JSON_NOT_OBJECT', undefined],
    ['null', 'JSON_NOT_OBJECT', undefined]
  ])('is rejected with its code and the position of the mistake: %j', (text, code, at) => {
    const result = createBytesStamper(createExamplePlan([], {})).stamp(toBytes(text))

    expect(result).toMatchObject({ ok: false, code, at })
  })

  test.each([
    ['an overlong form', [0xc0, 0xaf]],
    ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation', [0x80]],
    ['an incomplete sequence', [0xe2, 0x82]]
  ])('is rejected if its UTF-8 contains %s', (_, bytes) => {
    const record = Uint8Array.from([...toBytes('{"a":"'), ...bytes, ...toBytes('"}')])

    expect(createBytesStamper(createExamplePlan([], {})).stamp(record)).toMatchObject({
      ok: false,
      code: 'JSON_INVALID'
    })
  })

  // checks L12
  test('is rejected if it has more than 128 levels', () => {
    const stamper = createBytesStamper(createExamplePlan([], {}))

    expect(stamper.stamp(nested(128)).ok).toBe(true)
    expect(stamper.stamp(nested(129))).toMatchObject({ ok: false, code: 'JSON_TOO_DEEP' })
    expect(stamper.stamp(nested(100_000))).toMatchObject({ ok: false, code: 'JSON_TOO_DEEP' })
  })
})

describe('a stamper that gets a range of a larger buffer', () => {
  const stamper = createBytesStamper(createExamplePlan([], { '/pk': 'key' }))

  test('reads nothing outside of the given range', () => {
    const chunk = toBytes('xx{"a":1}"}yy{"b":2')

    expect(stamper.stamp(chunk, undefined, 2, 9)).toMatchObject({ ok: true, start: 2, end: 9 })
    expect(stamper.stamp(chunk, undefined, 2, 8)).toMatchObject({ ok: false, code: 'JSON_INVALID', at: 6 })
    expect(stamper.stamp(chunk, undefined, 13, 19)).toMatchObject({ ok: false, code: 'JSON_INVALID', at: 6 })
  })

  test('returns the end of an array element of each type', () => {
    const chunk = Uint8Array.from([...toBytes('[{"a":[]},12,"x",[1],{"b":tru}'), 0])
    const element = (start: number) => stamper.stampElement(chunk, undefined, start, chunk.length - 1)

    expect(element(1)).toMatchObject({ end: 9, result: { ok: true, start: 1, end: 9 } })
    expect(element(10)).toMatchObject({ end: 12, result: { code: 'JSON_NOT_OBJECT' } })
    expect(element(13)).toMatchObject({ end: 16, result: { code: 'JSON_NOT_OBJECT' } })
    expect(element(17)).toMatchObject({ end: 20, result: { code: 'JSON_NOT_OBJECT' } })
    expect(element(21)).toMatchObject({ end: undefined, result: { code: 'JSON_INVALID', at: 8 } })
  })

  test('returns the end of an array element that is nested too deeply, so that a stream can continue after it', () => {
    const deep = '{"a":'.repeat(200) + '"}"' + '}'.repeat(200)
    const chunk = Uint8Array.from([...toBytes(`${deep},{}`), 0])

    expect(stamper.stampElement(chunk, undefined, 0, chunk.length - 1)).toMatchObject({
      end: deep.length,
      result: { code: 'JSON_TOO_DEEP' }
    })
  })

  test('requests more bytes for an array element that is cut at any position', () => {
    const text = '{"a\\u00e9é":[-1.5e+3,true,null,"🚗"],"b":{"c":false}}'
    const bytes = toBytes(text)
    for (let cut = 1; cut < bytes.length; cut++) {
      const chunk = new Uint8Array(cut + 1)
      chunk.set(bytes.subarray(0, cut))

      expect(stamper.stampElement(chunk, undefined, 0, cut), `cut at ${cut}`).toBeUndefined()
    }
  })

  test('accepts a Uint8Array at any offset of its ArrayBuffer', () => {
    const bytes = toBytes('       {"pk":1,"a":"xyz"}')
    for (let offset = 0; offset < 8; offset++) {
      expect(stamper.stamp(bytes.subarray(offset))).toMatchObject({
        ok: true,
        splices: [{ at: 13 - offset, end: 14 - offset }]
      })
    }
  })
})

describe('the time to stamp a hostile record', () => {
  const stamper = createBytesStamper(createExamplePlan([['a', 'b']], { '/pk': 'key' }))
  const megabyte = 1 << 20

  test.each([
    ['a repeated property that the plan writes', `{${'"pk":1,'.repeat(megabyte / 7)}"pk":2}`],
    ['a repeated parent', `{${'"a":{"b":1},'.repeat(megabyte / 12)}"pk":2}`],
    ['very many names', `{${Array.from({ length: 60_000 }, (_, each) => `"name${each}":1`).join(',')}}`],
    ['escapes without end', `{"a":"${'\\u0041'.repeat(megabyte / 6)}"}`],
    ['whitespace without end', `{${' '.repeat(megabyte)}}`],
    ['an integer with a million digits', `{"a":{"b":${'9'.repeat(megabyte)}}}`],
    ['wide characters', `{"a":{"b":"${'é'.repeat(megabyte / 2)}"}}`]
  ])(
    'is proportional to the size of the record: %s',
    (_, text) => {
      expect(stamper.stamp(toBytes(text)).ok).toBe(true)
    },
    2000
  )
})

function nested(levels: number): Uint8Array {
  return toBytes('{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1))
}
