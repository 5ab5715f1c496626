import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanNumber } from '../../src/json/scan-number.ts'

/** Whether the scanner takes a text as a whole for a number as JSON.stringify writes it. */
const isKnown = (text: string): boolean => scanNumber(Buffer.from(`[${text}]`), 1) === text.length + 1
/** The same, decided by the engine. */
const isWritten = (text: string): boolean => isJson(text) && JSON.stringify(JSON.parse(text)) === text

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'number'
  } catch {
    return false
  }
}

const digits = (length: number): fc.Arbitrary<string> =>
  fc.array(fc.nat(9), { minLength: length, maxLength: length }).map((list) => list.join(''))
const anyDigits = fc.oneof(fc.nat(2), fc.nat(20)).chain(digits)
const sign = fc.constantFrom('', '', '-')
const exponent = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom('e', 'e-', 'e+', 'E-'), fc.oneof(fc.nat(12), fc.nat(330))).map((parts) => parts.join(''))
)
const printed = fc.tuple(sign, anyDigits, fc.constantFrom('', '.', '.0', '.000000'), anyDigits, exponent).map((parts) => parts.join(''))
/** Of as many digits as doubles just about tell apart, with the point anywhere. */
const long = fc
  .tuple(sign, fc.integer({ min: 15, max: 18 }).chain(digits), fc.nat(18), exponent)
  .map(([minus, all, point, e]) => `${minus}${all.slice(0, point) || '0'}.${all.slice(point) || '5'}${e}`)

describe('the scanner of numbers', () => {
  it('knows every number that JSON.stringify writes', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -200, max: 200, noNaN: true }),
      fc.integer()
    )
    fc.assert(
      fc.property(number, (value) => {
        expect(isKnown(JSON.stringify(value))).toBe(true)
      }),
      { numRuns: 5000 }
    )
  })

  it('knows of any text what the engine would say of it', () => {
    const counts = { known: 0, unknown: 0 }
    fc.assert(
      fc.property(fc.oneof(printed, long), (text) => {
        counts[isWritten(text) ? 'known' : 'unknown'] += 1

        expect(isKnown(text)).toBe(isWritten(text))
      }),
      { numRuns: 20_000 }
    )
    expect(Math.min(counts.known, counts.unknown)).toBeGreaterThan(1000)
  })

  it.each([
    ['1e-7', true],
    ['9.5e-99', true],
    ['1e-100', true],
    ['1e-6', false],
    ['1e-07', false],
    ['10e-8', false],
    ['1.0e-7', false],
    ['0.1e-7', false],
    ['1E-7', false],
    ['1e7', false],
    ['1e-7e-7', false],
    ['1e-', false],
    ['3.999999999999999', true],
    ['9007199254740991', true],
    ['9007199254740993', false],
    ['9.279495422621307', false]
  ])('decides right about %s', (text, expected) => {
    expect(isWritten(text)).toBe(expected)
    expect(isKnown(text)).toBe(expected)
  })
})
