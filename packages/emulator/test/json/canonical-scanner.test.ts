import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileIndexPolicy, countTerms } from '../../src/charge/index-policy.ts'
import { CanonicalScanner } from '../../src/json/canonical-scanner.ts'

const ALL = compileIndexPolicy({ indexingMode: 'consistent', includedPaths: [{ path: '/*' }], excludedPaths: [] })
const scanner = new CanonicalScanner()

/** The end of the object at the start of a string; undefined when the scanner is not certain. */
function scan(text: string | Uint8Array, followedBy = ''): number | undefined {
  const bytes = Buffer.concat([Buffer.from('[['), Buffer.from(text), Buffer.from(followedBy)])
  const end = scanner.scan(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 2, bytes.length)
  return end === 0 ? undefined : end - 2
}

/** The properties that the scanner has found, as in the text. */
function members(text: string): Record<string, unknown> {
  const bytes = Buffer.from(`[[${text}`)
  const { nameStarts, nameLengths, valueEnds } = scanner
  return Object.fromEntries(
    Array.from({ length: scanner.memberCount }, (_, at) => {
      const nameEnd = nameStarts[at] + nameLengths[at]
      return [
        bytes.toString('utf8', nameStarts[at], nameEnd),
        JSON.parse(bytes.toString('utf8', nameEnd + 2, valueEnds[at]))
      ]
    })
  )
}

const isNumberLike = (name: string): boolean => /^\d/.test(name)
// a control character without a short escape, and half of a surrogate pair
const isPlain = (candidate: string): boolean => !JSON.stringify(candidate).includes('\\u')
const text = fc.string({ unit: 'binary', maxLength: 30 }).filter(isPlain)
const name = text.filter((candidate) => !isNumberLike(candidate) && JSON.stringify(candidate) === `"${candidate}"`)
const number = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ min: -1e6, max: 1e6, noNaN: true })
  )
  .map((value) => (Object.is(value, -0) ? 0 : value))
/** Values whose JSON the scanner recognizes as canonical. */
const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(true, false, null),
    text,
    number,
    fc.array(tie('value'), { maxLength: 5 }),
    tie('object')
  ),
  object: fc.dictionary(name, tie('value'), { maxKeys: 8, noNullPrototype: true })
}))
/** Mutations that change the spelling or the meaning of JSON, or make it invalid. */
const MUTILATIONS: readonly ((text: string, pick: number) => string | Uint8Array)[] = [
  (written, pick) => replaceOne(written, /[[\]{},:]/g, pick, (mark) => `${mark}${[' ', '\n', '\t'][pick % 3]}`),
  (written, pick) =>
    replaceOne(
      written,
      /-?\d[\d.e+-]*/g,
      pick,
      (n) => [`${n}.0`, `${n}0`, `${n}e0`, `-${n}`, `0${n}`, `${n}E1`, `${n}.`][pick % 7]
    ),
  (written, pick) =>
    replaceOne(written, /-?\d[\d.e+-]*/g, pick, (n) => `${n}${'123456789'.repeat(2).slice(0, pick % 19)}`),
  (written, pick) => replaceOne(written, /\{"(?:[^"\\]|\\.)*":/g, pick, (open) => `${open}1,${open.slice(1)}`),
  (written, pick) =>
    replaceOne(written, /[^"\\]/g, pick, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (written, pick) => replaceOne(written, /[,:"[\]{}]/g, pick, () => ''),
  (written, pick) => replaceOne(written, /[,:"[\]{}]/g, pick, (mark) => mark + mark),
  (written, pick) =>
    replaceOne(
      written,
      /./gs,
      pick,
      (one) => `${one}${['\\', '\\/', '"', '\u0001', '\u00e9', '{}', '1', 'null,'][pick % 8]}`
    ),
  (written, pick) => written.slice(0, pick % (written.length + 1)),
  (written, pick) => {
    const bytes = Buffer.from(written)
    bytes[pick % bytes.length] ^= 1 << (pick % 8)
    return isUtf8(bytes) ? bytes : written
  }
]

function replaceOne(written: string, what: RegExp, pick: number, by: (found: string) => string): string {
  const found = [...written.matchAll(what)]
  if (found.length === 0) return written
  const { 0: struck, index } = found[pick % found.length]
  return written.slice(0, index) + by(struck) + written.slice(index + struck.length)
}

const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)
const wide = (count: number, last = '1'): string =>
  `{${Array.from({ length: count }, (_, i) => `"n${i}":${i < count - 1 ? '1' : last}`).join(',')}}`
const deep = (levels: number): string => (levels === 0 ? '1' : wide(64, deep(levels - 1)))

describe('the scanner of canonical documents', () => {
  it('recognizes the output of JSON.stringify, and finds and counts its properties and scalars', () => {
    fc.assert(
      fc.property(object, (document) => {
        const written = JSON.stringify(document)

        expect(scan(written, ',"x"}]')).toBe(Buffer.byteLength(written))
        expect(scanner.isAscii).toBe(Buffer.byteLength(written) === written.length)
        expect(scanner.scalars).toBe(countTerms(document, ALL))
        expect(members(written)).toEqual(JSON.parse(written))
      }),
      { numRuns: 500 }
    )
  })

  it('agrees with JSON.parse and JSON.stringify about mutated documents, unless it is not certain', () => {
    const counts = { known: 0, unknown: 0 }
    fc.assert(
      fc.property(object, fc.constantFrom(...MUTILATIONS), fc.nat(), (document, mutilate, pick) => {
        const written = Buffer.concat([Buffer.from(mutilate(JSON.stringify(document), pick)), Buffer.from('}]')])
        const end = scan(written)
        counts[end === undefined ? 'unknown' : 'known'] += 1
        if (end === undefined) return
        const found = written.toString('utf8', 0, end)
        const parsed = JSON.parse(found) as Record<string, unknown>

        expect(JSON.stringify(parsed)).toBe(found)
        expect(scanner.isAscii).toBe(Buffer.byteLength(found) === found.length)
        expect(scanner.scalars).toBe(countTerms(parsed, ALL))
        expect(members(found)).toEqual(parsed)
      }),
      { numRuns: 4000 }
    )
    expect(Math.min(counts.known, counts.unknown)).toBeGreaterThan(400)
  })

  it.each([
    '{}',
    '{"":""}',
    '{"a":{},"b":[],"c":[[],{}]}',
    '{"__proto__":1,"toJSON":"x","constructor":null,"a":{"__proto__":{"a":1}}}',
    '{"a":"\\"\\\\\\b\\f\\n\\r\\t/"}',
    '{"a":"\u007f\u2028\u2029\ud83d\ude97"}',
    '{"-1":1,"a1":1," 1":1}',
    '{"a":[0,-1,12,-0.5,0.000001,123456789012345,0.123456789012345,1.5]}',
    '{"a":[1e+21,1e-7,-3.5e-7,1.7976931348623157e+308,5e-324,9007199254740993e+10]}'.replace(
      '9007199254740993e+10',
      '90071992547409920000'
    ),
    '{"a":[0.6011037519201636,91.23456789012344,9007199254740991,12345678901234568]}',
    '{"a":true,"b":false,"c":null}',
    '{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}'
  ])('recognizes %s', (canonical) => {
    expect(JSON.stringify(JSON.parse(canonical))).toBe(canonical)
    expect(scan(canonical, '}]')).toBe(Buffer.byteLength(canonical))
  })

  it.each([
    ['an array', '[1]'],
    ['a scalar', '"a"'],
    ['an empty string', ''],
    ['whitespace before a name', '{ "a":1}'],
    ['whitespace before a value', '{"a": 1}'],
    ['whitespace before the end', '{"a":1 }'],
    ['a comma at the end of an object', '{"a":1,}'],
    ['a comma at the end of an array', '{"a":[1,]}'],
    ['a comma at the head of an array', '{"a":[,1]}'],
    ['a comma at the head of an object', '{,"a":1}'],
    ['two commas', '{"a":1,,"b":1}'],
    ['a missing comma', '{"a":[1"b"]}'],
    ['a missing value', '{"a":}'],
    ['a missing colon', '{"a"1}'],
    ['a name without quotes', '{a:1}'],
    ['an array closed like an object', '{"a":[1}}'],
    ['an object closed like an array', '{"a":{"b":1]}'],
    ['a property in an array', '{"a":["b":1]}'],
    ['a value in an object', '{"a":1,2}'],
    ['a name that is a number', '{"b":1,"0":1}'],
    ['an escape in a name', '{"\\n":1}'],
    ['a control in a name', '{"\n":1}'],
    ['a repeated name', '{"a":1,"b":2,"a":3}'],
    ['a repeated name in an object within', '{"a":[{"b":{},"c":1,"b":2}]}'],
    ['a repeated name with an object in between', '{"a":1,"b":{"a":{"a":1}},"a":2}'],
    ['a slash escaped', '{"a":"\\/"}'],
    ['an ASCII character escaped', '{"a":"\\u0041"}'],
    ['a control escaped by its number', '{"a":"\\u0001"}'],
    ['half a surrogate pair', '{"a":"\\ud800"}'],
    ['an unknown escape', '{"a":"\\x"}'],
    ['a control in a string', '{"a":"\n"}'],
    ['a string without end', '{"a":"b'],
    ['a string that ends in a backslash', '{"a":"b\\'],
    ['a name without end', '{"a'],
    ['an object without end', '{"a":1'],
    ['a word in capitals', '{"a":True}'],
    ['half a word', '{"a":tru}'],
    ['half a word at the end', '{"a":nul'],
    ['a word too long', '{"a":nullx}'],
    ['fals and another character', '{"a":falsy}'],
    ...[
      '-0',
      '-0.0',
      '0.0',
      '1.0',
      '1.10',
      '1E5',
      '1e5',
      '1e+5',
      '1e21',
      '00',
      '01',
      '-01',
      '00.5',
      '.5',
      '1.',
      '-',
      '-.5',
      '+1',
      '1e400'
    ].map((n) => ['the number', n]),
    ...[
      '1e',
      '1.e5',
      '1.5.5',
      '1-1',
      '0x1',
      '0.0000001',
      '9.279495422621307',
      '9007199254740993',
      '0.1e1',
      '12345678901234567890',
      '0.1000000000000000055',
      'NaN',
      'Infinity',
      '-Infinity',
      '1e-400'
    ].map((n) => ['the number', n])
  ])('is not certain about %s: %s', (what, odd) => {
    const written = what === 'the number' ? `{"a":${odd}}` : odd
    expect(scan(written, what.includes('end') ? '' : '}]')).toBeUndefined()
  })

  it('scans documents of up to 128 levels', () => {
    expect(scan(nested(128), ']')).toBe(nested(128).length)
    expect(scan(nested(129), ']')).toBeUndefined()
    expect(scan(`{"a":${'['.repeat(127)}${']'.repeat(127)}}`)).toBeDefined()
    expect(scan(`{"a":${'['.repeat(128)}${']'.repeat(128)}}`)).toBeUndefined()
  })

  it('is not certain about objects with more than 64 properties, and about more than 1,024 names in open objects', () => {
    expect(scan(wide(64))).toBeDefined()
    expect(scan(wide(65))).toBeUndefined()
    expect(scan(deep(16))).toBeDefined()
    expect(scan(deep(17))).toBeUndefined()
  })

  it('distinguishes names with the same hash', () => {
    expect(scan('{"Aa":1,"BB":2}')).toBeDefined()
    expect(scan('{"Aa":1,"BB":2,"Aa":3}')).toBeUndefined()
  })
})
