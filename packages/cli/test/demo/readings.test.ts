import { expect, it } from 'vitest'
import { readingBetween, usedShare } from '../../src/demo/demo-view.ts'

it('readingBetween computes rates from two snapshots', () => {
  const before = { atMs: 1000, written: 100, throttled: 2, lag: 5, rangeRu: new Map([['0', 50]]) }
  const after = {
    atMs: 3000,
    written: 500,
    throttled: 3,
    lag: 70,
    rangeRu: new Map([
      ['0', 250],
      ['1', 100]
    ])
  }

  const reading = readingBetween(before, after)

  expect(reading).toEqual({ recordsPerSecond: 200, rangeRu: [100, 50], throttled: 1, lag: 70 })
  expect(usedShare(reading, 1000)).toBe(0.15)
})
