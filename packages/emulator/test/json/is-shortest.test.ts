import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isShortest } from '../../src/json/is-shortest.ts'

/** What is said of a decimal of 16 or 17 digits without an exponent. */
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
  // near powers of two as well, where the gaps between doubles change
  .map(([exponent, more]) => 2 ** exponent * (1 + Math.abs(more) * 2 ** -52 - (more < 0 ? 2 ** -53 : 0)))
  .filter((value) => value >= 1e-6)
const written = double.map(String).filter(isLong)
const changed = fc.tuple(written, fc.nat(3), fc.integer({ min: 1, max: 9 })).map(([text, how, digit]) => {
  if (how === 0) return Number(text).toPrecision(17)
  if (how === 1) return Number(text).toPrecision(16)
  return how === 2 && text.includes('.') ? text + digit : text.slice(0, -1) + digit
})

describe('the shortest decimal of a double', () => {
  it('is never taken for it when it is not', () => {
    fc.assert(
      fc.property(fc.oneof(written, changed.filter(isLong)), (text) => {
        expect(isSaid(text) && String(Number(text)) !== text).toBe(false)
      }),
      { numRuns: 20_000 }
    )
  })

  it('is almost always known', () => {
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

  it('is left to others for powers of two', () => {
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
  ])('is decided on for %s', (text, expected) => {
    expect(String(Number(text)) === text).toBe(expected)
    expect(isSaid(text)).toBe(expected)
  })
})
