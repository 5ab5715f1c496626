import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { describeSteps, evenUseAfter, planRaise } from '../../src/index.ts'

// partitions, from RU/s, to RU/s: partitions after, usable RU/s, share
const SPLIT_TABLE = [
  [2, 20_000, 30_000, 3, 20_000, 67],
  [3, 30_000, 45_000, 5, 27_000, 60],
  [4, 40_000, 50_000, 5, 40_000, 80],
  [5, 50_000, 60_000, 6, 50_000, 83],
  [5, 50_000, 90_000, 9, 50_000, 56],
  [5, 50_000, 100_000, 10, 100_000, 100],
  [5, 50_000, 150_000, 15, 100_000, 67]
] as const

describe('a raise of the throughput', () => {
  test.each(SPLIT_TABLE)(
    'of %i partitions from %i to %i RU/s gives %i partitions and %i usable RU/s, %i %%',
    (partitions, from, to, after, usable, percent) => {
      const { before, direct } = planRaise({ partitions, ruPerSecond: from }, to)

      expect(before.usableShare).toBe(1)
      expect(direct.partitions).toBe(after)
      expect(direct.usableRuPerSecond).toBeCloseTo(usable, 6)
      expect(Math.round(direct.usableShare * 100)).toBe(percent)
    }
  )

  it('makes all of the new throughput usable through a doubling of the partitions, and so never less than a direct raise', () => {
    const container = fc.record({ partitions: fc.integer({ min: 1, max: 60 }), tenth: fc.integer({ min: 1, max: 10 }) })
    fc.assert(
      fc.property(container, fc.integer({ min: 4, max: 10_000 }), ({ partitions, tenth }, hundreds) => {
        const to = hundreds * 100
        const { direct, better, path } = planRaise({ partitions, ruPerSecond: tenth * 1000 * partitions }, to)

        expect(better.usableRuPerSecond).toBeCloseTo(to, 6)
        expect(better.usableRuPerSecond).toBeGreaterThanOrEqual(direct.usableRuPerSecond - 1e-6)
        expect(path.at(-1)?.ruPerSecond ?? to).toBe(to)
        for (const step of path) expect(step.ruPerSecond / step.partitions).toBeLessThanOrEqual(10_000)
      })
    )
  })

  it('gives the same usable throughput as a simulation that splits one physical partition after another', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100 }), (partitions, tens) => {
        const ruPerSecond = tens * 10_000

        expect(evenUseAfter(partitions, ruPerSecond).usableRuPerSecond).toBeCloseTo(
          usableAfterSplits(partitions, ruPerSecond),
          6
        )
      })
    )
  })

  it('first doubles the partitions, and then lowers the throughput to the new value', () => {
    const { path, better, leastRuPerSecond } = planRaise({ partitions: 2, ruPerSecond: 20_000 }, 30_000)

    expect(path).toEqual([
      { kind: 'raise', ruPerSecond: 40_000, partitions: 4, splits: true },
      { kind: 'lower', ruPerSecond: 30_000, partitions: 4, splits: false }
    ])
    expect(better).toMatchObject({ partitions: 4, usableRuPerSecond: 30_000, usableShare: 1 })
    expect(leastRuPerSecond).toBe(400)
  })

  it('reports the minimum throughput, which depends on the highest throughput that the container ever had', () => {
    const from = { partitions: 10, ruPerSecond: 100_000, highestRuPerSecond: 900_000 }

    expect(planRaise(from, 150_000).leastRuPerSecond).toBe(9000)
    expect(planRaise({ ...from, highestRuPerSecond: undefined }, 150_000).leastRuPerSecond).toBe(2000)
    expect(planRaise(from, 150_000, { mode: 'autoscale' }).leastRuPerSecond).toBe(90_000)
    expect(planRaise(from, 150_000, { gb: 12_345 }).leastRuPerSecond).toBe(12_400)
  })

  it('needs no split up to 10,000 RU/s per partition, and a reduction never needs a split', () => {
    expect(planRaise({ partitions: 3, ruPerSecond: 1000 }, 30_000).path).toEqual([
      { kind: 'raise', ruPerSecond: 30_000, partitions: 3, splits: false }
    ])
    expect(planRaise({ partitions: 3, ruPerSecond: 30_000 }, 1000).path).toEqual([
      { kind: 'lower', ruPerSecond: 1000, partitions: 3, splits: false }
    ])
    expect(planRaise({ partitions: 3, ruPerSecond: 1000 }, 1000).path).toEqual([])
  })
})

test('describeSteps returns a sentence for each step', () => {
  const { path } = planRaise({ partitions: 2, ruPerSecond: 20_000 }, 30_000)

  expect(describeSteps(path)).toEqual([
    'Raise the throughput to 40,000 RU/s, and wait for the splits, which usually take 4 to 6 hours: the container then has 4 physical partitions.',
    'Lower the throughput to 30,000 RU/s: the container keeps its 4 physical partitions.'
  ])
  expect(describeSteps([{ kind: 'create', ruPerSecond: 6000, partitions: 1, splits: false }], 'autoscale')).toEqual([
    'Create the container with an autoscale maximum of 6,000 RU/s: it then has 1 physical partition.'
  ])
  expect(describeSteps([{ kind: 'raise', ruPerSecond: 9000, partitions: 1, splits: false }])).toEqual([
    'Raise the throughput to 9,000 RU/s: this takes effect immediately, without a split.'
  ])
})

/** Splits the widest range, one at a time, until there are enough; the widest that remains limits even load. */
function usableAfterSplits(partitions: number, ruPerSecond: number): number {
  const widths = Array.from({ length: partitions }, () => 1 / partitions)
  while (widths.length < ruPerSecond / 10_000) {
    const widest = widths.indexOf(Math.max(...widths))
    widths.push(widths[widest] / 2)
    widths[widest] /= 2
  }
  return ruPerSecond / widths.length / Math.max(...widths)
}
