import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { distinctInterval, distinctKeys } from '../../src/model/distinct-keys.ts'
import { largestKeyShare, shareOf } from '../../src/model/largest-key.ts'
import { createProfiler } from '../../src/sample/profiler.ts'
import { createRandom } from '../../src/sample/random.ts'
import { type Counted, profileOf } from './profiles.ts'

const exact = { isExact: true }

describe('distinctKeys', () => {
  test('returns the GEE estimate, between the number of keys in the sample and an upper bound', () => {
    const { low, mid, high } = distinctInterval({ ...exact, distinct: 500, once: 400, atLeast: 500 }, 1000, 100_000)
    expect([low, mid]).toEqual([500, 500 - 400 + 400 * 10])
    expect(high).toBeGreaterThan(500 - 400 + 400 * 100)
    expect(high).toBeLessThan(1.2 * 400 * 100)
  })

  test('has no upper bound without the number of documents', () => {
    expect(distinctInterval({ ...exact, distinct: 5, once: 1, atLeast: 5 }, 10, null)).toEqual({
      low: 5,
      mid: null,
      high: null
    })
  })

  test('is exact if the sample has all documents', () => {
    expect(distinctInterval({ ...exact, distinct: 5, once: 1, atLeast: 5 }, 10, 10)).toEqual({
      low: 5,
      mid: 5,
      high: 5
    })
  })

  test('returns at most as many keys as there are documents', () => {
    expect(distinctInterval({ ...exact, distinct: 1000, once: 1000, atLeast: 1000 }, 1000, 50_000).high).toBe(50_000)
  })

  test('widens the interval by the error of a sketch, up to the number of documents', () => {
    const sketched = { isExact: false, distinct: 9950, once: 9900, atLeast: 2000 }
    const { low, high } = distinctInterval(sketched, 10_000, 10_000)
    expect(low).toBe(Math.floor(9950 * (1 - 2.576 * 0.008125)))
    expect(high).toBe(10_000)
  })

  test('has an upper bound above the keys in the sample, even if each of them was seen more than once', () => {
    const { high } = distinctInterval({ ...exact, distinct: 7, once: 0, atLeast: 7 }, 1000, 1_000_000)
    // 0.5 % of all samples have none of the records of 5,300 keys with one record each
    expect(high).toBeGreaterThan(5000)
    expect(high).toBeLessThan(6000)
  })

  test('never has a lower bound below the number of keys that were seen', () => {
    const values = fc.array(fc.nat(5000), { minLength: 1, maxLength: 3000 })
    fc.assert(
      fc.property(values, fc.constantFrom(100, 2_000_000), (list, maxKeys) => {
        const candidates = [{ name: 'a', plan: null, partitionKeyPaths: ['/a'] }]
        const profiler = createProfiler({ candidates, fields: [], random: createRandom(1), maxKeys, reservoirSize: 1 })
        const seen = new Set<number>()
        let before = 0
        for (const [index, a] of list.entries()) {
          profiler.add(Buffer.from(`{"a":${a}}`))
          seen.add(a)
          if (index % 500 !== 499 && index !== list.length - 1) continue
          const profile = profiler.peek(0)!
          const { low } = distinctKeys(profile, { method: 'uniform', population: 1e6 })
          expect(low).toBeGreaterThanOrEqual(before)
          before = profile.isExact ? seen.size : profile.atLeast
        }
      }),
      { numRuns: 20 }
    )
  })
})

test('distinctKeys returns no estimate for sorted records, but returns the number of documents as an upper bound', () => {
  const halves = { first: Float64Array.of(50, 0), second: Float64Array.of(0, 50) }
  const ordered = profileOf(
    Array.from({ length: 50 }, (_, key): Counted => [key / 50, 2]),
    halves
  )
  expect(distinctKeys(ordered, { method: 'whole', population: 1000 })).toEqual({ low: 50, mid: null, high: 950 })
  expect(distinctKeys(ordered, { method: 'head', population: 1000 })).toEqual({ low: 50, mid: null, high: 950 })
  expect(distinctKeys(ordered, { method: 'whole', population: 100 })).toEqual({ low: 50, mid: 50, high: 50 })
})

describe('largestKeyShare', () => {
  test('is the share of the most frequent key if the sample has all documents', () => {
    const { value } = largestKeyShare(
      profileOf([
        [0.1, 30],
        [0.2, 70]
      ]),
      { method: 'whole', population: 100 }
    )
    expect(value).toEqual({ low: 0.7, mid: 0.7, high: 0.7 })
  })

  test('has an interval around the share of a dominant key', () => {
    const { low, mid, high } = largestKeyShare(
      profileOf([
        [0.1, 400],
        [0.2, 600 - 1],
        [0.3, 1]
      ]),
      {
        method: 'uniform',
        population: null
      }
    ).value!
    expect(mid).toBeCloseTo(0.599, 3)
    expect(low).toBeCloseTo(0.557, 2)
    expect(high).toBeCloseTo(0.638, 2)
  })

  test('is lower than the largest count in the sample if all keys are equally frequent', () => {
    const random = createRandom(2)
    const counts = new Map<number, number>()
    for (let record = 0; record < 3000; record++) {
      const key = Math.floor(random() * 100)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const keys = [...counts].map(([key, count]): Counted => [key / 100, count])
    const { low, mid } = largestKeyShare(profileOf(keys), { method: 'uniform', population: 1e6 }).value!
    const largest = Math.max(...counts.values()) / 3000
    expect(mid).toBeLessThan(0.9 * largest)
    expect(low).toBeLessThan(0.01)
  })

  test('is unknown if the sample is the beginning of the data', () => {
    expect(largestKeyShare(profileOf([[0.1, 5]]), { method: 'head', population: null }).value).toBeNull()
  })
})

describe('shareOf', () => {
  test('treats the records of the sample as known, and estimates only the remaining documents', () => {
    const { low, high } = shareOf(30, 90, 100)
    expect(low).toBeGreaterThanOrEqual(0.3)
    expect(high).toBeLessThanOrEqual(0.4)
    expect(shareOf(30, 100, 100)).toEqual({ low: 0.3, mid: 0.3, high: 0.3 })
  })

  test('widens the interval by the error of a sketch', () => {
    expect(shareOf(30, 100, 100, 10)).toEqual({ low: 0.2, mid: 0.3, high: 0.3 })
    expect(shareOf(300, 1000, null, 100).low).toBeLessThan(shareOf(300, 1000, null).low)
  })
})
