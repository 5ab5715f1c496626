import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isShortest, scanNumber } from '../../src/json/scan-number.ts'

/** Whether the scanner accepts a whole string as a number that JSON.stringify would write. */
const isKnown = (text: string): boolean => scanNumber(Buffer.from(`[${text}]`), 1) === text.length + 1
/** The same, decided by JSON.parse and JSON.stringify. */
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
const exponentPart = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom('e', 'e-', 'e+', 'E-'), fc.oneof(fc.nat(12), fc.nat(330))).map((parts) => parts.join(''))
)
const printed = fc
  .tuple(sign, anyDigits, fc.constantFrom('', '.', '.0', '.000000'), anyDigits, exponentPart)
  .map((parts) => parts.join(''))
/** Decimals of 16 or 17 digits, the most that a double can distinguish, with the point anywhere. */
const long = fc
  .tuple(sign, fc.integer({ min: 15, max: 18 }).chain(digits), fc.nat(18), exponentPart)
  .map(([minus, all, point, e]) => `${minus}${all.slice(0, point) || '0'}.${all.slice(point) || '5'}${e}`)

describe('the scanner of numbers', () => {
  it('accepts every number that JSON.stringify writes', () => {
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

  it('agrees with JSON.stringify about any string', () => {
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
  ])('decides correctly about %s', (text, expected) => {
    expect(isWritten(text)).toBe(expected)
    expect(isKnown(text)).toBe(expected)
  })
})

/** The verdict on a decimal of 16 or 17 digits without an exponent. */
function isSaid(text: string): boolean {
  const decimals = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
  return isShortest(Buffer.from(text), text.search(/[1-9]/), text.length, digitsOf(text), decimals)
}

function digitsOf(text: string): number {
  return text.replace('.', '').replace(/^0+/, '').length
}

const isLong = (text: string): boolean => !text.includes('e') && [16, 17].includes(digitsOf(text))
const double = fc
  .tuple(fc.integer({ min: -19, max: 55 }), fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 })))
  // also near powers of two, at which the gaps between doubles change
  .map(([exponent, more]) => 2 ** exponent * (1 + Math.abs(more) * 2 ** -52 - (more < 0 ? 2 ** -53 : 0)))
  .filter((value) => value >= 1e-6)
const written = double.map(String).filter(isLong)
const changed = fc.tuple(written, fc.nat(3), fc.integer({ min: 1, max: 9 })).map(([text, how, digit]) => {
  if (how === 0) return Number(text).toPrecision(17)
  if (how === 1) return Number(text).toPrecision(16)
  return how === 2 && text.includes('.') ? text + digit : text.slice(0, -1) + digit
})

describe('the check for the shortest decimal of a double', () => {
  it('never accepts a decimal that is not the shortest', () => {
    fc.assert(
      fc.property(fc.oneof(written, changed.filter(isLong)), (text) => {
        expect(isSaid(text) && String(Number(text)) !== text).toBe(false)
      }),
      { numRuns: 20_000 }
    )
  })

  it('accepts almost every shortest decimal', () => {
    const counts = { known: 0, all: 0 }
    fc.assert(
      fc.property(written, (text) => {
        counts.known += isSaid(text) ? 1 : 0
        counts.all += 1
      }),
      { numRuns: 2000 }
    )
    expect(counts.known / counts.all).toBeGreaterThan(0.9)
  })

  it('is not certain about powers of two', () => {
    expect(isSaid('18014398509481984')).toBe(false)
    expect(isSaid('18014398509482004')).toBe(true)
  })

  it.each([
    ['0.6011037519201636', true],
    ['91.23456789012344', true],
    ['9.279495422621307', false],
    ['12345678901234567', false],
    ['0.30000000000000004', true],
    ['0.10000000000000001', false],
    ['4.503599627370497', true]
  ])('decides correctly about %s', (text, expected) => {
    expect(String(Number(text)) === text).toBe(expected)
    expect(isSaid(text)).toBe(expected)
  })
})
