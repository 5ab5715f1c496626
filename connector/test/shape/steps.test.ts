import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { toPosition } from '@keystamp/core'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { shaped, shapedText, shapedTexts } from './shape-of.ts'

describe('a step', () => {
  test.each(documented())('`%s` makes of %s what the documentation says', (step, value, document) => {
    expect(shapedText([parse(step) as object], value, { record: { offset: toPosition(42) } })).toBe(document)
  })

  test.each([
    [
      'include of a field and one inside of it',
      [{ include: ['/b', '/b/c'] }],
      '{"b":{"c":2,"d":3}}',
      '{"b":{"c":2,"d":3}}'
    ],
    [
      'include of a field and the object around it',
      [{ include: ['/b/c', '/b'] }],
      '{"b":{"c":2,"d":3}}',
      '{"b":{"c":2,"d":3}}'
    ],
    [
      'rename of two fields that change places',
      [{ rename: { '/a': '/b', '/b': '/a' } }],
      '{"a":1,"b":2}',
      '{"b":1,"a":2}'
    ],
    [
      'copy of an object, of which a later step changes one',
      [{ copy: { '/a': '/b' } }, { exclude: ['/b/x'] }],
      '{"a":{"x":1,"y":2}}',
      '{"a":{"x":1,"y":2},"b":{"y":2}}'
    ],
    [
      'insert into an empty object',
      [{ insert: { '/s': { literal: 'x' }, '/n': { literal: null } } }],
      '{}',
      '{"s":"x","n":null}'
    ],
    ['flatten of an empty object', [{ flatten: {} }], '{"a":{"b":1},"c":{}}', '{"a.b":1,"c":{}}'],
    ['hoist of a value in spaces', [{ hoist: 'in' }], ' {"a":1} ', '{"in":{"a":1}}'],
    ['hoist of text', [{ hoist: 'in' }], '"x"', '{"in":"x"}'],
    ['extract of an object with spaces', [{ extract: '/after' }], '{"after":{"a": 1},"b":2}', '{"a": 1}']
  ])('%s', (_name, steps, value, document) => {
    expect(shapedText(steps, value)).toBe(document)
  })

  test('leaves all other bytes as they are, with every digit of a number', () => {
    const value = '{ "a" : 9007199254740993, "b":1.10 ,"x":{"deep" :[ 1e400 ]},"c":"\\u00e9"}'

    expect(shapedText([{ exclude: ['/c'] }], value)).toBe('{"a" : 9007199254740993, "b":1.10 ,"x":{"deep" :[ 1e400 ]}}')
    expect(shapedText([{ rename: { '/x': '/y' } }], value)).toBe(
      '{"a" : 9007199254740993, "b":1.10,"c":"\\u00e9","y":{"deep" :[ 1e400 ]}}'
    )
  })

  test('that changes nothing gives the bytes of the record', () => {
    const value = Buffer.from('{"a":{"b":1, "b":2}}')

    expect(shaped([{ exclude: ['/none'] }, { mask: { fields: ['/none'] } }], value)).toMatchObject({ json: value })
  })

  test('finds a field whose name has escapes, or occurs twice', () => {
    expect(shapedText([{ exclude: ['/bc'] }], String.raw`{"\u0062\u0063":1,"bc":2,"b":3}`)).toBe('{"b":3}')
    expect(shapedText([{ mask: { fields: ['/a'] } }], '{"a":"one","b":1,"a":"two"}')).toBe('{"a":"","b":1}')
  })

  test.each([[{ mask: { fields: ['/a/b'] } }], [{ exclude: ['/a/b'] }]])(
    'leaves no earlier value of an object that it looks into: %j',
    (step) => {
      expect(shapedText([step], '{"a":{"b":"secret"},"a":{}}')).toBe('{"a":{}}')
      expect(shapedText([step], '{"a":{"c":{"b":1},"c":2},"a":{"x":1}}')).toBe('{"a":{"x":1}}')
    }
  )

  test('keeps nothing of one record for the next', () => {
    const steps = [{ mask: { fields: ['/a'] } }, { copy: { '/b': '/a/b' } }]

    expect(shapedTexts(steps, ['{"a":{"x":1},"b":1}', '{"a":{"x":1}}'])).toEqual(['{"a":{"b":1},"b":1}', '{"a":{}}'])
  })

  test('leaves bytes that are not JSON to the plan, which rejects them', () => {
    expect(shapedText([{ exclude: ['/a'] }], '{"a":tru}')).toBe('{"a":tru}')
    expect(shapedText([{ exclude: ['/a'] }], '{"a":1}}')).toBe('{"a":1}}')
  })

  test('leaves tombstones', () => {
    expect(shapedText([{ exclude: ['/a'] }, { flatten: {} }, { hoist: 'a' }], null)).toBeUndefined()
  })
})

describe('a record that a step cannot convert without loss is rejected', () => {
  test.each([
    ['an integer out of range', [{ cast: { '/a': 'int8' } }], '{"a":128}', '/a is out of range for int8'],
    ['text that is no number', [{ cast: { '/a': 'float64' } }], '{"a":"NaN"}', '/a is a string that is not a number'],
    [
      'an object',
      [{ cast: { '/a': 'string' } }],
      '{"a":{}}',
      '/a is an object or an array, which cannot be cast to string'
    ],
    ['two fields with one name', [{ flatten: {} }], '{"a.b":1,"a":{"b":2}}', '/a.b would be two fields'],
    [
      'a new name that exists',
      [{ rename: { '/a': '/b' } }],
      '{"a":1,"b":2}',
      '/b exists already, and is not overwritten'
    ],
    [
      'a place inside of text',
      [{ copy: { '/a': '/b/c' } }],
      '{"a":1,"b":"x"}',
      '/b/c is inside of a value that is not an object'
    ],
    [
      'a masked field inside of a list',
      [{ mask: { fields: ['/a/b'] } }],
      '{"a":[{"b":1}]}',
      '/a/b is inside of a value that is not an object'
    ],
    [
      'a hash of an object',
      [{ mask: { fields: ['/a'], hash: 'sha256' } }],
      '{"a":{}}',
      '/a is an object, which has no hash'
    ],
    [
      'a time that does not exist',
      [{ timestamp: { fields: ['/a'], to: 'iso' } }],
      '{"a":"2018-02-30"}',
      '/a is not a time of the form'
    ],
    ['a value that is no object', [{ flatten: {} }], '[1]', 'the value is not an object'],
    ['a missing field', [{ extract: '/a' }], '{"b":1}', '/a is missing']
  ])('%s', (_name, steps, value, reason) => {
    expect(shapedText(steps, value)).toMatch(/^SHAPE_FAILED /)
    expect(shapedText(steps, value)).toContain(`At step 1 of the shape (${Object.keys(steps[0])[0]}): ${reason}`)
  })

  test('also if it would be longer than any document', () => {
    const steps = [{ insert: { '/b': { literal: 1 } } }]

    expect(shapedText(steps, `{"a":"${'x'.repeat(9_000_000)}"}`)?.slice(0, 200)).toMatch(
      /^SHAPE_FAILED .*longer than 8 MiB/
    )
  })

  test('without the value in the message', () => {
    expect(shapedText([{ cast: { '/a': 'int32' } }], '{"a":"classified"}')).not.toContain('classified')
  })
})

describe('numbers beyond 2^53', () => {
  test.each([
    ['string', '{"a":"9007199254740993"}'],
    ['number', '{"a":9007199254740993}'],
    ['reject', expect.stringMatching(/^SHAPE_FAILED \/a: .*numbers\.int64/)]
  ] as const)('that a step makes become what numbers.int64 says: %s', (int64, document) => {
    expect(shapedText([{ cast: { '/a': 'int64' } }], '{"a":"9007199254740993"}', { numbers: { int64 } })).toEqual(
      document
    )
  })

  test('keep all digits as times', () => {
    const steps = [{ timestamp: { fields: ['/a'], from: { unix: 'nanoseconds' }, to: 'iso' } }]

    expect(shapedText(steps, '{"a":1533798900250001002}')).toBe('{"a":"2018-08-09T07:15:00.250001002Z"}')
  })
})

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('mask with a hash', () => {
  test('gives equal values equal hashes, in hexadecimal', () => {
    const steps = [{ mask: { fields: ['/a', '/b'], hash: 'sha256' } }]

    expect(shapedText(steps, String.raw`{"a":"\u00e9t\u00e9","b":5,"c":null}`)).toBe(
      `{"a":"${sha('été')}","b":"${sha('5')}","c":null}`
    )
  })

  test('with a secret is an HMAC', () => {
    const steps = [{ mask: { fields: ['/a'], hash: 'sha256', secret: 'pepper' } }]

    expect(shapedText(steps, '{"a":"x"}')).toBe(`{"a":"${createHmac('sha256', 'pepper').update('x').digest('hex')}"}`)
  })
})

describe('timestamp', () => {
  test.each([
    [{ unix: 'seconds' }, { unix: 'milliseconds' }, '-1', '-1000'],
    [{ unix: 'microseconds' }, 'iso', '1533798900250001', '"2018-08-09T07:15:00.250001Z"'],
    [{ unix: 'milliseconds' }, 'date', '1533798900250', '"2018-08-09"'],
    [{ unix: 'milliseconds' }, 'time', '1533798900250', '"07:15:00.250"'],
    [{ unix: 'milliseconds' }, { unix: 'seconds' }, '-1', '-1'],
    [{ pattern: 'dd.MM.yyyy' }, 'iso', '"09.08.2018"', '"2018-08-09T00:00:00.000Z"'],
    [{}, { unix: 'seconds' }, '"2018-08-09T09:15:00+02:00"', '1533798900'],
    [{}, { pattern: "yyyy'Y'MM" }, '"2018-08-09T07:15:00Z"', '"2018Y08"']
  ])('from %j to %j', (from, to, given, made) => {
    expect(shapedText([{ timestamp: { fields: ['/a'], from, to } }], `{"a":${given}}`)).toBe(`{"a":${made}}`)
  })
})

describe('a step with `when`, and filter', () => {
  test.each([
    [{ field: '/state', in: ['done', 5, null] }, '{"state":"done"}', true],
    [{ field: '/state', in: ['done', 5, null] }, '{"state":5.0}', true],
    [{ field: '/state', in: ['done', 5, null] }, '{"state":null}', true],
    [{ field: '/state', in: ['done', 5, null] }, '{"state":"open"}', false],
    [{ field: '/state', in: ['done', 5, null] }, '{}', false],
    [{ field: '/state' }, '{"state":null}', true],
    [{ field: '/state', negate: true }, '{}', true],
    [{ topic: 't' }, '{}', true],
    [{ topic: 'tt' }, '{}', false],
    [{ header: 'h' }, '{}', false],
    [{ tombstone: true, negate: true }, '{}', true]
  ])('tests the condition %j on %s', (condition, value, isMet) => {
    expect(shapedText([{ filter: condition }], value)).toBe(isMet ? 'dropped' : value)
    expect(shapedText([{ hoist: 'x', when: condition }], value)).toBe(isMet ? `{"x":${value}}` : value)
  })

  test('drops a tombstone', () => {
    expect(shapedText([{ filter: { tombstone: true } }], null)).toBe('dropped')
  })
})

function keyOf(steps: readonly object[], key: string): unknown {
  const result = shaped(steps, '{"a":1,"b":{"c":"x"}}', { key, keyFormat: { format: 'json' } })
  if (!result.ok) return result.message
  return typeof result.key === 'string' ? result.key : String(result.key)
}

describe('the key of a record', () => {
  test.each([
    [[{ key: ['/b/c', '/none'] }], '"k"', '{"c":"x","none":null}'],
    [[{ key: ['/a'] }, { extract: '/a', of: 'key' }], '"k"', '1'],
    [[{ extract: '/id', of: 'key' }], '{"id":"k","x":1}', 'k'],
    [[{ hoist: 'id', of: 'key' }], '"k"', '{"id":"k"}'],
    [[{ rename: { '/id': '/x' }, of: 'key' }], '{"id":1}', '{"x":1}'],
    [[{ exclude: ['/a'] }], '{"id":1}', '{"id":1}']
  ])('%j makes of %s the key %s', (steps, key, made) => {
    expect(keyOf(steps, key)).toBe(made)
  })

  test('keeps its bytes if no step changes it', () => {
    const key = Buffer.from([0xff, 0xfe])

    expect(shaped([{ exclude: ['/x'], of: 'key', when: { tombstone: true } }], '{}', { key })).toMatchObject({ key })
  })

  test('that is not UTF-8, or no object, is rejected by a step that changes it', () => {
    const hoist = [{ hoist: 'id', of: 'key' }]

    expect(shapedText(hoist, '{}', { key: Buffer.from([0xff]) })).toContain('the key is not valid UTF-8')
    expect(shapedText([{ exclude: ['/a'], of: 'key' }], '{}', { key: 'k' })).toContain('the key is not an object')
    expect(shapedText([{ cast: { '/a': 'int8' }, of: 'key' }], '{}', { key: '{"a":"x"}' })).toContain(
      '/a of the key is a string'
    )
  })

  test('cannot be made of a tombstone', () => {
    expect(shapedText([{ key: ['/a'] }], null)).toContain('the value has no value to take the key from')
  })
})

describe('change data', () => {
  const debezium = {
    valueFormat: {
      format: 'debezium',
      encoding: { format: 'json' },
      truncate: 'reject',
      message: 'ignore',
      unavailable: 'reject'
    }
  } as const
  const steps = [{ rename: { '/a': '/id' } }]

  test('gets the shape on the row before the change, too', () => {
    const result = shaped(steps, '{"op":"u","before":{"a":1,"b":1},"after":{"a":2}}', debezium)

    expect(result).toMatchObject({
      ok: true,
      json: Buffer.from('{"id":2}'),
      change: { kind: 'store', before: Buffer.from('{"b":1,"id":1}') }
    })
  })

  test('of a delete gets it on the deleted row', () => {
    const result = shaped(
      [...steps, { filter: { tombstone: true } }],
      '{"op":"d","before":{"a":1},"after":null}',
      debezium
    )

    expect(result).toMatchObject({
      ok: true,
      json: undefined,
      change: { kind: 'delete', before: Buffer.from('{"id":1}') }
    })
  })
})

/** Rows of the table of steps: step, record, document. */
function documented(): readonly (readonly [string, string, string])[] {
  const page = readFileSync(new URL('../../../docs/shape.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+: .+?)` +\| `(.+?)` +\| `(.+?)` +\|$/gm)]
  if (rows.length < 13) throw new Error('The table of steps in docs/shape.md was not found.')
  return rows.map(([, step, record, document]) => [step, record, document])
}
