import { describe, expect, it } from 'vitest'
import { daysUntil, forecastStorage, nextSplit, partitionsForStorage } from '../../src/index.ts'

describe('the forecast of storage', () => {
  it('contains the smallest, the usual and the planned numbers of partitions for an amount of data', () => {
    expect(partitionsForStorage(900)).toEqual({ best: 18, low: 20, high: 30, planned: 23 })
    expect(partitionsForStorage(0)).toEqual({ best: 1, low: 1, high: 1, planned: 1 })
    expect(partitionsForStorage(50)).toEqual({ best: 1, low: 2, high: 2, planned: 2 })
  })

  it('is writes per second x bytes x time to live if documents expire', () => {
    const load = { createsPerSecond: 5000, itemBytes: 1000, ttlSeconds: 7 * 86_400 }

    expect(forecastStorage(load)).toEqual({ gb: 3024, kind: 'steady', growthBytesPerDay: 432e9 })
    expect(forecastStorage({ ...load, gb: 4000 }).gb).toBe(4000)
    expect(forecastStorage({ growthBytesPerDay: 2e9, ttlSeconds: 90 * 86_400 }).gb).toBe(180)
  })

  it('grows, or is constant, if documents have no time to live', () => {
    expect(forecastStorage({ gb: 100, growthBytesPerDay: 2e9 })).toEqual({
      gb: 100,
      kind: 'growing',
      growthBytesPerDay: 2e9
    })
    expect(forecastStorage({ gb: 100, growthBytesPerDay: 0, ttlSeconds: 60 }).kind).toBe('constant')
    expect(forecastStorage({ gb: 100 })).toEqual({ gb: 100, kind: 'constant', growthBytesPerDay: null })
    expect(forecastStorage({ createsPerSecond: 1, itemBytes: 1000, ttlSeconds: 'never' })).toMatchObject({
      gb: null,
      kind: 'growing'
    })
  })

  it('contains the number of days until a limit is reached', () => {
    expect(daysUntil(20, 10, 1e9)).toBe(10)
    expect(daysUntil(20, 20, 1e9)).toBe(0)
    expect(daysUntil(20, 10, 0)).toBeNull()
  })

  it('contains the earliest and the latest day on which growing data makes a partition split', () => {
    expect(nextSplit(4, 100, 10e9)).toEqual({ earliestDays: 2, latestDays: 10 })
    expect(nextSplit(4, 150, 10e9)).toEqual({ earliestDays: 0, latestDays: 5 })
    expect(nextSplit(4, 100, 0)).toBeNull()
  })
})
