import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partitionHash } from '../../src/hash/partition-hash.ts'
import { ownerOf, rangesOf } from '../../src/hash/ranges.ts'
import { epkVectors } from './epk-vectors.ts'

describe('rangesOf', () => {
  it.each(epkVectors.ranges)(
    'divides a new container into $count ranges under $definition as Cosmos DB does',
    ({ definition, count, boundaries }) => {
      const ranges = rangesOf(count, definition)

      expect(ranges.map((range) => range.min)).toEqual(['', ...boundaries])
      expect(ranges.map((range) => range.max)).toEqual([...boundaries, 'FF'])
      expect(ranges.map((range) => range.id)).toEqual(Array.from({ length: count }, (_, index) => String(index)))
    }
  )

  it('returns one range that contains all keys for a count of 1', () => {
    expect(rangesOf(1)).toEqual([{ id: '0', min: '', max: 'FF' }])
  })

  it('uses hash version 2 for hierarchical keys, and without a definition', () => {
    expect(rangesOf(7, { kind: 'MultiHash' })).toEqual(rangesOf(7, { version: 2 }))
    expect(rangesOf(7)).toEqual(rangesOf(7, { version: 2 }))
  })

  it.each([0, -1, 1.5, Number.NaN])('throws for %s ranges', (count) => {
    expect(() => rangesOf(count)).toThrow(expect.objectContaining({ code: 'HASH_INPUT_INVALID' }))
  })
})

describe('ownerOf', () => {
  it('finds the one range that contains a key, for both hash versions', () => {
    const keys = fc.record({ key: fc.string(), count: fc.integer({ min: 1, max: 70 }), version: fc.constantFrom(1, 2) })
    fc.assert(
      fc.property(keys, ({ key, count, version }) => {
        const ranges = rangesOf(count, { version: version })
        const epk = partitionHash([key], { version: version })

        const holders = ranges.filter((range) => range.min <= epk && epk < range.max)

        expect(holders).toEqual([ownerOf(ranges, epk)])
      })
    )
  })

  it('assigns a boundary to the range that begins at this boundary', () => {
    const ranges = rangesOf(4)

    expect(ranges.map((range) => ownerOf(ranges, range.min)?.id)).toEqual(['0', '1', '2', '3'])
  })

  it('assigns a hierarchical key to the range that begins at the hash of its prefix', () => {
    const prefix = partitionHash(['a'], { kind: 'MultiHash' })
    const ranges = [{ min: '' }, { min: prefix }]

    expect(ownerOf(ranges, partitionHash(['a', 'b'], { kind: 'MultiHash' }))).toBe(ranges[1])
  })

  it('assigns 100,000 keys evenly to four ranges', () => {
    const ranges = rangesOf(4)
    const counts = new Map(ranges.map((range) => [range, 0]))
    for (let index = 0; index < 100_000; index++) {
      const owner = ownerOf(ranges, partitionHash([`key${index}`], { version: 2 }))
      if (owner) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    }

    expect([...counts.values()].map((count) => Math.round(count / 100) / 10)).toEqual([25.1, 24.9, 25.1, 24.9])
  })

  it('returns undefined if there are no ranges', () => {
    expect(ownerOf([], 'AA')).toBeUndefined()
  })
})
