import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonWriter } from '../../src/json/json-writer.ts'

const NUMBERS = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(0, -0, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 999_999_999, 1_000_000_000, 1e21, 5e-324, Number.NaN)
)
const STRINGS = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
  fc.constantFrom('\ud800', '\udc00\ud800', '"', '\\', '\u007f', '\u0080', '\u2028', '\0\n', '__proto__', 'toJSON')
)
const VALUES = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, NUMBERS, STRINGS, fc.boolean(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(STRINGS, fc.oneof(tie('value'), fc.constant(undefined)), { maxKeys: 5, noNullPrototype: true })
})).value

describe('a JSON writer', () => {
  const writer = new JsonWriter()
  const textOf = (value: unknown): string => {
    writer.write(value)
    return writer.bytes.toString('utf8', 0, writer.length)
  }

  it('writes what JSON.stringify writes, and knows whether it is ASCII', () => {
    fc.assert(
      fc.property(VALUES, (value) => {
        const expected = JSON.stringify(value)

        expect(textOf(value)).toBe(expected)
        expect(writer.isAscii).toBe(Buffer.byteLength(expected) === expected.length)
      }),
      { numRuns: 2000 }
    )
  })

  it('writes values that are nested deeply, and values with undefined elements', () => {
    let nested: unknown = { a: 1 }
    for (let depth = 0; depth < 200; depth++) nested = depth % 2 === 0 ? [nested, 'é'] : { nested, depth }

    expect(textOf(nested)).toBe(JSON.stringify(nested))
    expect(textOf([undefined, { a: undefined, b: [undefined] }])).toBe('[null,{"b":[null]}]')
  })
})
