import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { writeDouble, writeFloat, writeInteger } from '../../../src/decode/json/write-number.ts'
import { written } from './written.ts'

const double = (value: number): string => written((target) => writeDouble(target, value))
const float = (value: number): string => written((target) => writeFloat(target, value))

describe('a whole number', () => {
  it('is written with every digit, at each length', () => {
    for (let value = 1; Number.isSafeInteger(value * 10); value *= 10) {
      for (const near of [value - 1, value, value + 1, 9 * value, -value])
        expect(written((target) => writeInteger(target, near))).toBe(String(near))
    }
  })

  it('is written as String writes it, for every integer that a double holds exactly', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(written((target) => writeInteger(target, value))).toBe(String(value))
      })
    )
  })
})

describe('a double', () => {
  it.each([
    0.1,
    0.5,
    -0.25,
    1.005,
    12.34,
    99.9999,
    1e-7,
    1e21,
    1e22,
    5e-324,
    1.7976931348623157e308,
    123456789012.3456,
    -0,
    0.3 - 0.1
  ])('is written as JSON.stringify writes %d', (value) => {
    expect(double(value)).toBe(JSON.stringify(value))
  })

  it('is written as JSON.stringify writes it, for any value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(double(value)).toBe(JSON.stringify(value))
      })
    )
  })

  it('with few decimals is written as JSON.stringify writes it', () => {
    const few = fc
      .tuple(fc.integer(), fc.constantFrom(10, 100, 1000, 10_000, 100_000))
      .map(([whole, scale]) => whole / scale)
    fc.assert(
      fc.property(few, (value) => {
        expect(double(value)).toBe(JSON.stringify(value))
      }),
      { numRuns: 2000 }
    )
  })

  it.each([NaN, Infinity, -Infinity])('has no JSON form when it is %d', (value) => {
    expect(() => double(value)).toThrow(DecodeFailure)
    expect(() => float(value)).toThrow(DecodeFailure)
  })
})

describe('a number of 32 bits', () => {
  it.each([
    [0.1, '0.1'],
    [-2.7, '-2.7'],
    [36.6, '36.6'],
    [0.001, '0.001'],
    [1e-5, '0.00001'],
    [3.4028234663852886e38, '3.4028235e+38'],
    [16_777_216, '16777216'],
    [1e20, '100000000000000000000'],
    [0, '0']
  ])('is written as the shortest decimal: %d', (value, text) => {
    expect(float(Math.fround(value))).toBe(text)
  })

  it('is read back as the same number', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(JSON.parse(float(value)) as number)).toBe(value === 0 ? 0 : value)
      })
    )
  })

  it('is written as the decimal of up to six digits from which it was made', () => {
    const decimal = fc
      .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, places]) => digits / 10 ** places)
    fc.assert(
      fc.property(decimal, (value) => {
        expect(Number(float(Math.fround(value)))).toBe(value)
      })
    )
  })
})
