import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLabelCache, evenLabels, sliceOf, sliceOfV1, sliceOfV2 } from '../../src/hash/even-labels.ts'
import { murmur32Bytes } from '../../src/hash/murmur32.ts'
import { partitionHash } from '../../src/hash/partition-hash.ts'
import { evenKeys, plainKeys, usableShare } from './usable-share.ts'

const version = fc.constantFrom<(1 | 2)[]>(1, 2)

describe('evenLabels', () => {
  // checks L15
  it('returns the smallest number for each slice, as a naive search does', () => {
    const prefix = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 30 }))
    fc.assert(
      fc.property(prefix, fc.integer({ min: 1, max: 40 }), version, (base, count, hashVersion) => {
        expect([...evenLabels(base, count, hashVersion)]).toEqual(naiveLabels(base, count, hashVersion))
      }),
      { numRuns: 200 }
    )
  })

  it.each([14, 15, 16, 17, 30, 31, 32, 33])(
    'returns the correct labels for a prefix of %s bytes, at which prefix and label fill a block of the hash function',
    (length) => {
      const prefix = `${'p'.repeat(length - 1)}.`

      expect([...evenLabels(prefix, 200, 2)]).toEqual(naiveLabels(prefix, 200, 2))
    }
  )

  it('computes the labels of a base key that is longer than the reused buffer', () => {
    const prefix = 'x'.repeat(20_000)

    expect([...evenLabels(prefix, 5, 2)]).toEqual(naiveLabels(prefix, 5, 2))
  })

  // checks L15
  it('keeps every label for one half of its former slice when the count doubles', () => {
    const once = evenLabels('2018-08-09.', 200, 2)
    const twice = evenLabels('2018-08-09.', 400, 2)

    once.forEach((label, index) => expect([twice[2 * index], twice[2 * index + 1]]).toContain(label))
  })

  it('returns a different label for each slice at the maximum count', () => {
    const labels = evenLabels('2018-08-09.', 10_000, 2)

    expect(new Set(labels).size).toBe(10_000)
    expect(Math.min(...labels)).toBe(1)
  })

  it.each([0, -1, 1.5, 10_001, Number.NaN])('throws for a count of %s', (count) => {
    expect(() => evenLabels('a.', count, 2)).toThrow(expect.objectContaining({ code: 'HASH_INPUT_INVALID' }))
  })

  it('throws in version 1 for a base key that leaves no space for a label in the first 100 characters', () => {
    expect(() => evenLabels('x'.repeat(95), 2, 1)).toThrow(/first 100 characters/)
    expect(evenLabels('x'.repeat(94), 2, 1)).toHaveLength(2)
  })
})

describe('sliceOf', () => {
  it('computes the slice from the first eight digits of the effective key in version 2', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 10_000 }), (key, count) => {
        const top = Number.parseInt(partitionHash([key], { version: 2 }).slice(0, 8), 16)

        expect(sliceOf(key, count, 2)).toBe(1 + Math.floor((top * count) / 2 ** 30))
      })
    )
  })

  it('begins each slice exactly at its boundary', () => {
    expect([sliceOfV2(0x1fff_ffff, 2), sliceOfV2(0x2000_0000, 2), sliceOfV2(0x3fff_ffff, 10_000)]).toEqual([
      1, 2, 10_000
    ])
    expect([sliceOfV1(0x7fff_ffff, 2), sliceOfV1(0x8000_0000, 2), sliceOfV1(0xffff_ffff, 10_000)]).toEqual([
      1, 2, 10_000
    ])
  })

  it('computes the slice from the 32-bit hash of the component in version 1', () => {
    const bytes = new TextEncoder().encode('\bhéllo\0')
    const hash = murmur32Bytes(bytes, bytes.length)

    expect(sliceOf('héllo', 400, 1)).toBe(1 + Math.floor((hash * 400) / 2 ** 32))
  })
})

describe('a key with 400 labels', () => {
  const dates = Array.from({ length: 50 }, (_, day) => new Date(Date.UTC(2018, 7, 1 + day)).toISOString().slice(0, 10))
  const everyCount = Array.from({ length: 64 }, (_, index) => index + 1)
  const onEachDate = (keysOf: typeof evenKeys, ranges: number): number[] =>
    dates.map((date) => usableShare(keysOf(date, 400, 2), ranges, 2))
  const overAllDates = (keysOf: typeof evenKeys, ranges: number): number =>
    usableShare(
      dates.flatMap((date) => keysOf(date, 400, 2)),
      ranges,
      2
    )

  // checks L15
  it.each([2, 4, 10, 20, 50, 100])(
    'can use 98 %% or more of the provisioned RU/s with %s ranges, on each of 50 dates and over all dates together',
    (ranges) => {
      expect(Math.min(...onEachDate(evenKeys, ranges))).toBeGreaterThanOrEqual(0.98)
      expect(overAllDates(evenKeys, ranges)).toBeGreaterThanOrEqual(0.98)
    }
  )

  it.each(everyCount)(
    'can use 88 %% or more of the provisioned RU/s over 50 dates with %s ranges, and no less than with the labels 1 to 400',
    (ranges) => {
      expect(overAllDates(evenKeys, ranges)).toBeGreaterThanOrEqual(0.88)
      expect(overAllDates(evenKeys, ranges)).toBeGreaterThanOrEqual(overAllDates(plainKeys, ranges))
    }
  )

  // a range contains only a part of the slice at each of its ends, so it can have one label more than its share
  it.each(everyCount)(
    'has at most one label more than the fair share in the fullest of %s ranges, on each date',
    (ranges) => {
      const bound = 400 / (ranges * (Math.ceil(400 / ranges) + 1))

      expect(Math.min(...onEachDate(evenKeys, ranges))).toBeGreaterThanOrEqual(bound)
    }
  )

  it('can use far less of the provisioned RU/s if its labels are 1 to 400', () => {
    expect(Math.min(...onEachDate(plainKeys, 20))).toBeLessThan(0.7)
    expect(Math.min(...onEachDate(plainKeys, 64))).toBeLessThan(0.5)
  })

  it.each([2, 10, 20])('can use 98 %% or more of the provisioned RU/s in version 1 with %s ranges', (ranges) => {
    const shares = dates.slice(0, 10).map((date) => usableShare(evenKeys(date, 400, 1), ranges, 1))

    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.98)
  })
})

describe('even labels that all have the same load', () => {
  const bases = Array.from({ length: 200 }, (_, index) => `tenant-${index}`)

  it.each([
    [12, [1, 2, 3, 4, 6, 12]],
    [16, [2, 4, 8, 16]],
    [100, [4, 10, 25, 50]]
  ])('use all provisioned RU/s if the number of ranges divides the %s labels', (count, divisors) => {
    for (const ranges of divisors)
      expect(Math.min(...bases.slice(0, 20).map((base) => usableShare(evenKeys(base, count, 2), ranges, 2)))).toBe(1)
  })

  it.each([
    [8, 3],
    [16, 5],
    [16, 8],
    [30, 7],
    [64, 20]
  ])(
    'are on average over 200 bases, and at worst, as even as numbered labels: %s labels, %s ranges',
    (count, ranges) => {
      const even = bases.map((base) => usableShare(evenKeys(base, count, 2), ranges, 2))
      const numbered = bases.map((base) => usableShare(plainKeys(base, count, 2), ranges, 2))

      expect(meanOf(even)).toBeGreaterThanOrEqual(meanOf(numbered))
      expect(Math.min(...even)).toBeGreaterThanOrEqual(Math.min(...numbered))
    }
  )
})

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function naiveLabels(prefix: string, count: number, hashVersion: 1 | 2): number[] {
  const labels = new Map<number, number>()
  for (let number = 1; labels.size < count; number++) {
    const slice = sliceOf(prefix + String(number), count, hashVersion)
    if (!labels.has(slice)) labels.set(slice, number)
  }
  return Array.from({ length: count }, (_, index) => labels.get(index + 1) ?? 0)
}

describe('createLabelCache', () => {
  it('returns the labels of each base key', () => {
    const labelsOf = createLabelCache(10, 2)

    expect(labelsOf('a.')).toEqual(evenLabels('a.', 10, 2))
    expect(labelsOf('b.')).toEqual(evenLabels('b.', 10, 2))
    expect(createLabelCache(10, 1)('a.')).toEqual(evenLabels('a.', 10, 1))
  })

  it('computes the labels of a base key only once while the base key is in use', () => {
    const labelsOf = createLabelCache(10, 2, 40)
    const first = labelsOf('a.')

    for (let other = 0; other < 20; other++) {
      labelsOf(`other${other}.`)
      expect(labelsOf('a.')).toBe(first)
    }
  })

  it('drops a base key that is not used while the cache fills up', () => {
    const labelsOf = createLabelCache(10, 2, 40)
    const first = labelsOf('a.')

    for (let other = 0; other < 4; other++) labelsOf(`other${other}.`)

    expect(labelsOf('a.')).not.toBe(first)
    expect(labelsOf('a.')).toEqual(first)
  })

  it('never keeps more labels than its limit', () => {
    const labelsOf = createLabelCache(10, 2, 100)
    const tables = new Map(Array.from({ length: 50 }, (_, base) => [`${base}.`, labelsOf(`${base}.`)]))

    // looks up the newest bases first, because a lookup of a base can drop older ones
    const kept = [...tables].toReversed().filter(([prefix, labels]) => labelsOf(prefix) === labels)

    expect(kept.length).toBeGreaterThanOrEqual(5)
    expect(kept.length).toBeLessThanOrEqual(10)
  })

  it('keeps the labels of one base key even if they exceed the limit', () => {
    const labelsOf = createLabelCache(100, 2, 1)

    expect(labelsOf('a.')).toBe(labelsOf('a.'))
  })
})

describe('the slices of the hash space', () => {
  it('L15 cover the hash space: its ends are in the first and the last slice', () => {
    for (const count of [1, 2, 3, 400, 10_000]) {
      expect([sliceOfV1(0, count), sliceOfV1(0xffff_ffff, count)]).toEqual([1, count])
      expect([sliceOfV2(0, count), sliceOfV2(0x3fff_ffff, count)]).toEqual([1, count])
    }
  })
})
