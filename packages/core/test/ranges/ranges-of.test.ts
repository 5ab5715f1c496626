import { describe, expect, it } from 'vitest'
import { rangesOf } from '../../src/ranges/ranges-of.ts'
import { epkVectors } from '../hash/epk-vectors.ts'

describe('rangesOf', () => {
  it.each(epkVectors.ranges)(
    'cuts a new container into $count ranges under $definition as Cosmos DB does',
    ({ definition, count, boundaries }) => {
      const ranges = rangesOf(count, definition)

      expect(ranges.map((range) => range.min)).toEqual(['', ...boundaries])
      expect(ranges.map((range) => range.max)).toEqual([...boundaries, 'FF'])
      expect(ranges.map((range) => range.id)).toEqual(Array.from({ length: count }, (_, index) => String(index)))
    }
  )

  it('gives one range that holds everything', () => {
    expect(rangesOf(1)).toEqual([{ id: '0', min: '', max: 'FF' }])
  })

  it('cuts hierarchical keys, and those of no definition, as version 2', () => {
    expect(rangesOf(7, { kind: 'MultiHash' })).toEqual(rangesOf(7, { version: 2 }))
    expect(rangesOf(7)).toEqual(rangesOf(7, { version: 2 }))
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses %s ranges', (count) => {
    expect(() => rangesOf(count)).toThrow(expect.objectContaining({ code: 'HASH_INPUT_INVALID' }))
  })
})
