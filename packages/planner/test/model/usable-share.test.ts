import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { SampleBasis } from '../../src/model/interval.ts'
import { loadByRange } from '../../src/model/range-load.ts'
import { busiestShare, sampledUsableShare, usableShare } from '../../src/model/usable-share.ts'
import type { KeyProfile } from '../../src/sample/key-profile.ts'
import { createRandom } from '../../src/sample/random.ts'
import { type Counted, profileOf } from './profiles.ts'

const uniform: SampleBasis = { method: 'uniform', population: null }

function evenSample(records: number, seed: number): KeyProfile {
  const random = createRandom(seed)
  return profileOf(Array.from({ length: records }, (): Counted => [random(), 1]))
}

const shareOf = (profile: KeyProfile, basis: SampleBasis, ranges: number) =>
  usableShare(profile, { ...basis, ranges, random: createRandom(1) })

describe('usableShare', () => {
  test('is within two percentage points of the true value for an even key, with 2,000 records and 50 physical partitions', () => {
    for (let seed = 0; seed < 20; seed++) {
      const sample = evenSample(2000, seed)
      expect(sampledUsableShare(sample, 50)).toBeLessThan(0.85)
      const { low, mid, high } = shareOf(sample, uniform, 50).value!
      expect(Math.abs(mid - 1)).toBeLessThan(0.02)
      expect(low).toBeLessThan(mid)
      expect(low).toBeGreaterThan(0.85)
      expect(high).toBe(1)
    }
  })

  test('is exact if the sample has all documents', () => {
    const whole = profileOf([
      [0.1, 30],
      [0.6, 50],
      [0.9, 20]
    ])
    const { value } = shareOf(whole, { method: 'whole', population: 100 }, 2)
    expect(value).toEqual({ low: 1 / 1.4, mid: 1 / 1.4, high: 1 / 1.4 })
  })

  test('is 1 for one physical partition', () => {
    expect(shareOf(evenSample(100, 1), uniform, 1).value).toEqual({ low: 1, mid: 1, high: 1 })
  })

  test('is limited by the physical partition of the most frequent key', () => {
    const keys: Counted[] = [[0.05, 400], ...Array.from({ length: 600 }, (_, key): Counted => [key / 600, 1])]
    const { low, mid, high } = shareOf(profileOf(keys), uniform, 10).value!
    expect(mid).toBeCloseTo(1 / (10 * 0.46), 2)
    expect(low).toBeGreaterThan(0.18)
    expect(high).toBeLessThan(0.26)
  })

  test('has a narrower interval with more records', () => {
    const widths = [500, 5000, 50_000].map((records) => {
      const { low, high } = shareOf(evenSample(records, 1), uniform, 20).value!
      return high - low
    })
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))
  })

  test('is unknown if the sample is the beginning of the data', () => {
    const { value, reason } = shareOf(evenSample(100, 1), { method: 'head', population: null }, 4)
    expect(value).toBeNull()
    expect(reason).toContain('The sample is the beginning of the data')
  })

  test('is unknown if the two halves of the sample have different keys, unless the sample has all documents', () => {
    const halves = { first: Float64Array.of(500, 0, 0), second: Float64Array.of(0, 300, 200) }
    const ordered = profileOf(
      [
        [0.1, 500],
        [0.5, 300],
        [0.9, 200]
      ],
      halves
    )
    expect(shareOf(ordered, { method: 'whole', population: 5000 }, 4).reason).toContain('different keys')
    expect(shareOf(ordered, { method: 'whole', population: 1000 }, 4).value?.mid).toBe(0.5)
    expect(shareOf(ordered, { method: 'uniform', population: 5000 }, 4).value?.mid).toBeCloseTo(0.5, 1)
    expect(sampledUsableShare(ordered, 4)).toBe(0.5)
  })

  test('has a wider interval if the two halves of the sample differ a little, but more than by chance', () => {
    const keys: Counted[] = [
      [0.1, 51_000],
      [0.6, 49_000]
    ]
    const basis: SampleBasis = { method: 'whole', population: 1e6 }
    const width = (first: number) => {
      const halves = {
        first: Float64Array.of(first, 50_000 - first),
        second: Float64Array.of(51_000 - first, first - 1000)
      }
      const { low, high } = shareOf(profileOf(keys, halves), basis, 2).value!
      return high - low
    }
    expect(width(26_500)).toBeGreaterThan(2 * width(25_500))
  })

  test('is unknown if no record has the key', () => {
    expect(shareOf(profileOf([]), uniform, 4).reason).toBe('No record of the sample has the key.')
  })

  test('uses the counts of slices of the hash space if not all keys were counted', () => {
    const exact = evenSample(50_000, 2)
    const placed = { ...exact.placed, isExact: false, all: null, heavy: [] }
    const sketched = { ...exact, placed }
    for (const ranges of [3, 50]) {
      const { mid } = shareOf(sketched, uniform, ranges).value!
      expect(mid).toBeCloseTo(shareOf(exact, uniform, ranges).value!.mid, 1)
    }
    const { low, mid, high } = shareOf(sketched, { method: 'whole', population: 50_000 }, 3).value!
    expect(low).toBeLessThan(mid)
    expect(high).toBeGreaterThan(mid)
    expect(high - low).toBeLessThan(0.01)
  })
})

describe('busiestShare', () => {
  test('is near the middle of the interval of the usable share', () => {
    const keys = Array.from({ length: 2000 }, (_, key): Counted => [(key * 0.618034) % 1, key % 50 === 0 ? 40 : 1])
    for (const ranges of [2, 30, 400]) {
      const options = { ...uniform, ranges, random: createRandom(1) }
      const { mid } = usableShare(profileOf(keys), options).value!
      expect(Math.abs(1 / (ranges * busiestShare(profileOf(keys), options).value!) - mid)).toBeLessThan(0.03)
    }
  })

  test('is exact if the sample has all documents, and unknown if the sample is the beginning of the data', () => {
    const keys = profileOf([
      [0.1, 30],
      [0.6, 50],
      [0.9, 20]
    ])
    const options = { ranges: 2, random: createRandom(1) }
    expect(busiestShare(keys, { ...options, method: 'whole', population: 100 }).value).toBe(0.7)
    expect(busiestShare(keys, { ...options, method: 'head', population: null }).value).toBeNull()
  })
})

describe('loadByRange', () => {
  test('returns the share of each physical partition, in the order of the hash space', () => {
    expect(
      loadByRange(
        profileOf([
          [0, 1],
          [0.24, 1],
          [0.25, 3],
          [0.999, 5]
        ]),
        4
      )
    ).toEqual([0.2, 0.3, 0, 0.5])
  })

  test('counts each key in its physical partition, for any number of partitions', () => {
    const keys = fc.array(
      fc.tuple(
        fc.nat(2 ** 32 - 1).map((position) => position / 2 ** 32),
        fc.integer({ min: 1, max: 9 })
      )
    )
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 1000 }), (list, ranges) => {
        const counts = Array.from({ length: ranges }, () => 0)
        for (const [position, records] of list) counts[Math.floor(position * ranges)] += records
        const { records } = profileOf(list)
        const loads = loadByRange(profileOf(list), ranges)
        expect(loads.map((load) => Math.round(load * records))).toEqual(counts)
      })
    )
  })

  test('divides the load of a slice between the two partitions that it overlaps, except for its frequent keys', () => {
    const exact = profileOf([
      [0.333, 60],
      [0.1, 20],
      [0.9, 20]
    ])
    const sketched = { ...exact, placed: { ...exact.placed, all: null, isExact: false } }
    expect(loadByRange(sketched, 3)).toEqual(loadByRange(exact, 3))
  })
})
