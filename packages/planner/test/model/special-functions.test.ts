import { describe, expect, test } from 'vitest'

import { createDraws } from '../../src/model/draws.ts'
import { wilsonInterval } from '../../src/model/interval.ts'
import {
  betaCdf,
  binomialTail,
  chiSquareTail,
  gammaCdf,
  logGamma,
  solveRising
} from '../../src/model/special-functions.ts'
import { createRandom } from '../../src/sample/random.ts'

describe('special functions', () => {
  test('logGamma returns the logarithms of factorials', () => {
    expect(logGamma(1)).toBeCloseTo(0, 12)
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12)
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 11)
  })

  test('chiSquareTail returns the known probabilities of critical values', () => {
    expect(chiSquareTail(3.841458820694124, 1)).toBeCloseTo(0.05, 10)
    expect(chiSquareTail(18.307038053275146, 10)).toBeCloseTo(0.05, 10)
    expect(chiSquareTail(135.80672317102676, 100)).toBeCloseTo(0.01, 10)
    expect(chiSquareTail(0, 5)).toBe(1)
  })

  test('binomialTail returns sums of binomial probabilities', () => {
    expect(binomialTail(0, 10, 0.3)).toBe(1)
    expect(binomialTail(11, 10, 0.3)).toBe(0)
    expect(binomialTail(10, 10, 0.3)).toBeCloseTo(0.3 ** 10, 14)
    expect(binomialTail(1, 10, 0.3)).toBeCloseTo(1 - 0.7 ** 10, 12)
    expect(binomialTail(50, 100, 0.5)).toBeCloseTo(0.5397946186935895, 10)
  })

  test('betaCdf and gammaCdf return known values', () => {
    expect(betaCdf(0.5, 2, 3)).toBeCloseTo(0.6875, 12)
    expect(betaCdf(0.2, 2, 3)).toBeCloseTo(0.1808, 12)
    expect(gammaCdf(1, 1)).toBeCloseTo(1 - Math.exp(-1), 12)
    expect(gammaCdf(20, 2)).toBeCloseTo(1 - 21 * Math.exp(-20), 12)
  })

  test('solveRising returns the argument at which a rising function has a given value', () => {
    expect(solveRising((x) => x * x, 2, 0, 10)).toBeCloseTo(Math.SQRT2, 12)
    expect(solveRising((x) => Math.log10(x), -9, 0, 1)).toBeCloseTo(1e-9, 16)
  })
})

describe('createDraws', () => {
  test.each([0.3, 1, 7, 200])('draws gamma variables of shape %d whose mean and variance equal the shape', (shape) => {
    const { gamma } = createDraws(createRandom(5))
    const values = Array.from({ length: 40_000 }, () => gamma(shape))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
    expect(Math.abs(mean / shape - 1)).toBeLessThan(0.03)
    expect(Math.abs(variance / shape - 1)).toBeLessThan(0.06)
  })
})

describe('wilsonInterval', () => {
  test('returns the interval for a confidence of 99 %', () => {
    const { low, mid, high } = wilsonInterval(40, 100, null)
    expect([low, mid, high].map((bound) => Number(bound.toFixed(4)))).toEqual([0.2839, 0.4, 0.5286])
  })

  test('stays between 0 and 1, and has no width if all documents were read', () => {
    expect(wilsonInterval(0, 50, null)).toMatchObject({ low: 0, mid: 0 })
    expect(wilsonInterval(50, 50, null)).toMatchObject({ mid: 1, high: 1 })
    expect(wilsonInterval(40, 100, 100)).toEqual({ low: 0.4, mid: 0.4, high: 0.4 })
  })
})
