import { describe, expect, it } from 'vitest'
import { routeRange } from '../../src/feed/route-range.ts'

const range = (id: string, min: string, max: string) => ({ id, min, max, parents: [] })
const RANGES = [range('1', '', '1F'), range('2', '1F', '2F'), range('3', '2F', 'FF')]

describe('finding the physical partition of a feed range', () => {
  it('has no part if both are equal', () => {
    expect(routeRange({ min: '1F', max: '2F' }, RANGES)).toEqual({ range: RANGES[1], part: undefined })
  })

  it('has a part after a merge', () => {
    expect(routeRange({ min: '20', max: '2F' }, RANGES)).toEqual({ range: RANGES[1], part: { min: '20', max: '2F' } })
  })

  it('divides a range after a split, at the bounds of the physical partitions', () => {
    expect(routeRange({ min: '', max: 'FF' }, RANGES)).toEqual(RANGES.map(({ min, max }) => ({ min, max })))
    expect(routeRange({ min: '10', max: '20' }, RANGES)).toEqual([
      { min: '10', max: '1F' },
      { min: '1F', max: '20' }
    ])
  })
})
