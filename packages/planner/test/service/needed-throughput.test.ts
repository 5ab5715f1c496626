import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualPrice, neededThroughput, type NeededThroughput, type ThroughputDemand } from '../../src/index.ts'

const even = (ranges: number): number => 1 / ranges
const EVEN: ThroughputDemand = { busiestShareOf: even, loadRuPerSecond: 35_000, gb: null }

function neededFor(demand: ThroughputDemand): NeededThroughput {
  const { needed, reason } = neededThroughput(demand)
  if (needed === null) throw new Error(reason)
  return needed
}

/** A hot key with this share of the load, and an even rest. */
const hot = (share: number) => (ranges: number) => share + (1 - share) / ranges

describe('the throughput that a load needs', () => {
  it('equals the load under an even key, with as few partitions as can serve the load', () => {
    expect(neededFor(EVEN)).toEqual({
      partitions: 4,
      decidedBy: 'throughput',
      ruPerSecond: 35_000,
      createRuPerSecond: 24_000,
      leastRuPerSecond: 400,
      busiestRangeRuPerSecond: 8750,
      usableShare: 1,
      monthlyPrice: manualPrice(35_000, { regions: 1, multiRegionWrites: false }),
      path: [
        { kind: 'create', ruPerSecond: 24_000, partitions: 4, splits: false },
        { kind: 'raise', ruPerSecond: 35_000, partitions: 4, splits: false }
      ],
      isAboveQuota: false
    })
  })

  it('asks for the load of no number of partitions that costs more even if the load spreads evenly', () => {
    const asked = new Set<number>()
    const { partitions } = neededFor({
      busiestShareOf: (ranges) => {
        asked.add(ranges)
        return 1.2 / ranges
      },
      loadRuPerSecond: 50_000,
      everyRangeRuPerSecond: () => 1000,
      gb: 400
    })

    // 10 partitions need 70,000 RU/s, and so do 20 with an even load
    expect(partitions).toBe(10)
    expect(Math.max(...asked)).toBe(19)
  })

  it('is that of one partition if one partition can serve the load, whatever the key is', () => {
    expect(neededFor({ busiestShareOf: () => 1, loadRuPerSecond: 900, gb: 10 })).toMatchObject({
      partitions: 1,
      decidedBy: 'one',
      ruPerSecond: 900,
      path: [{ kind: 'create', ruPerSecond: 900 }]
    })
    expect(neededFor({ busiestShareOf: () => 1, loadRuPerSecond: 0, gb: null })).toMatchObject({
      ruPerSecond: 400,
      usableShare: 1
    })
  })

  it('has as many partitions as the data needs, created with 6,000 RU/s each and lowered afterwards', () => {
    const { partitions, decidedBy, path, ruPerSecond, leastRuPerSecond } = neededFor({
      busiestShareOf: even,
      loadRuPerSecond: 3000,
      gb: 3024
    })

    expect({ partitions, decidedBy, ruPerSecond, leastRuPerSecond }).toEqual({
      partitions: 76,
      decidedBy: 'storage',
      // the highest throughput was 456,000 RU/s: a hundredth of it is the minimum from then on
      ruPerSecond: 4600,
      leastRuPerSecond: 4600
    })
    expect(path).toEqual([
      { kind: 'create', ruPerSecond: 456_000, partitions: 76, splits: false },
      { kind: 'lower', ruPerSecond: 4600, partitions: 76, splits: false }
    ])
    expect(neededFor({ busiestShareOf: even, loadRuPerSecond: 3000, gb: 3024, gbPerPartition: 50 }).partitions).toBe(61)
  })

  it('grows with every additional partition under a hot key', () => {
    const rates = [2, 4, 8].map(
      (partitions) => neededFor({ busiestShareOf: hot(0.4), loadRuPerSecond: 10_000, gb: partitions * 40 }).ruPerSecond
    )

    // P x (0.4 + 0.6 / P) x 10,000
    expect(rates).toEqual([14_000, 22_000, 38_000])
    expect(neededFor({ busiestShareOf: hot(0.4), loadRuPerSecond: 10_000, gb: 80 }).usableShare).toBeCloseTo(10 / 14, 9)
  })

  it('avoids numbers of partitions over which a few keys are distributed unevenly', () => {
    expect(neededFor({ busiestShareOf: eightKeys, loadRuPerSecond: 40_000, gb: 5 * 40 })).toMatchObject({
      partitions: 8,
      decidedBy: 'throughput',
      ruPerSecond: 40_000
    })
  })

  it('includes a query that reads every partition once for each partition', () => {
    const { partitions, ruPerSecond, usableShare } = neededFor({ ...EVEN, everyRangeRuPerSecond: () => 1500 })

    expect({ partitions, ruPerSecond, usableShare }).toEqual({ partitions: 5, ruPerSecond: 42_500, usableShare: 1 })
  })

  it('is unknown if one key alone needs more RU/s than a partition can have', () => {
    const demand = { busiestShareOf: hot(0.4), loadRuPerSecond: 30_000, gb: null }

    expect(neededThroughput({ ...demand, busiestKeyRuPerSecond: 12_000 })).toEqual({
      needed: null,
      reason: 'the busiest key would get 12,000 RU/s, but a physical partition serves at most 10,000 RU/s'
    })
    expect(neededThroughput(demand).reason).toBe(
      'the busiest physical partition would get at least 12,018 RU/s with any number of partitions, but a physical partition serves at most 10,000 RU/s'
    )
    expect(neededThroughput({ ...EVEN, gb: 90_000 }).reason).toBe(
      '90 TB need 2,250 physical partitions, but the planner considers at most 1,000'
    )
  })

  it('is a multiple of 1,000 RU/s with autoscale, at a price that depends on the mean load', () => {
    const demand: ThroughputDemand = { ...EVEN, loadRuPerSecond: 34_500, mode: 'autoscale', meanUtilization: 0.3 }

    expect(neededFor(demand)).toMatchObject({
      partitions: 4,
      ruPerSecond: 35_000,
      createRuPerSecond: 35_000,
      leastRuPerSecond: 4000,
      monthlyPrice: expect.closeTo(345 * 0.3 * 0.012 * 730, 6) as number
    })
  })

  it('has a price that is multiplied by the number of regions', () => {
    const { monthlyPrice } = neededFor(EVEN)

    expect(neededFor({ ...EVEN, regions: 3 }).monthlyPrice).toBeCloseTo(3 * monthlyPrice, 6)
    expect(neededFor({ ...EVEN, regions: 3, multiRegionWrites: true }).monthlyPrice).toBeCloseTo(6 * monthlyPrice, 6)
  })

  it('is marked if it needs a support request', () => {
    expect(neededFor({ ...EVEN, gb: 20_000 }).isAboveQuota).toBe(true)
    expect(neededFor({ ...EVEN, loadRuPerSecond: 1_200_000 }).isAboveQuota).toBe(true)
  })

  it('is the lowest of all numbers of partitions, and has the smallest number of partitions with this throughput', () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 40, maxLength: 40 })
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 0, max: 400 }), (noise, load, gb) => {
        const busiestShareOf = (ranges: number): number => Math.min(1, (1 + noise[ranges % 40]) / ranges)
        const { needed } = neededThroughput({ busiestShareOf, loadRuPerSecond: load, gb })
        const rates = Array.from({ length: 1000 }, (_, at) => at + 1)
          .filter((count) => count >= gb / 40 && busiestShareOf(count) * load <= 10_000)
          .map((count) => ({ count, rate: rateOf(count, busiestShareOf(count) * load, gb) }))
        const least = Math.min(...rates.map(({ rate }) => rate))

        expect(needed?.ruPerSecond).toBe(least)
        expect(needed?.partitions).toBe(rates.find(({ rate }) => rate === least)?.count)
      }),
      { numRuns: 30 }
    )
  })
})

describe('the throughput that a load needs in an existing container', () => {
  const present = { partitions: 3, ruPerSecond: 30_000 }

  it('is reached by a raise that doubles the partitions, and by lowering the throughput afterwards', () => {
    expect(neededFor({ ...EVEN, present })).toMatchObject({
      partitions: 6,
      decidedBy: 'throughput',
      createRuPerSecond: null,
      ruPerSecond: 35_000,
      path: [
        { kind: 'raise', ruPerSecond: 60_000, partitions: 6, splits: true },
        { kind: 'lower', ruPerSecond: 35_000, partitions: 6, splits: false }
      ]
    })
  })

  it('keeps partitions that the load does not need, since partitions cannot be removed', () => {
    expect(neededFor({ ...EVEN, loadRuPerSecond: 5000, present })).toMatchObject({
      partitions: 3,
      decidedBy: 'present',
      path: [{ kind: 'lower', ruPerSecond: 5000, partitions: 3, splits: false }]
    })
    expect(neededFor({ ...EVEN, loadRuPerSecond: 30_000, present }).path).toEqual([])
  })

  it('is never below a hundredth of the highest throughput that the container had', () => {
    const { ruPerSecond, leastRuPerSecond } = neededFor({
      ...EVEN,
      loadRuPerSecond: 5000,
      present: { ...present, highestRuPerSecond: 800_000 }
    })

    expect({ ruPerSecond, leastRuPerSecond }).toEqual({ ruPerSecond: 8000, leastRuPerSecond: 8000 })
  })

  it('needs no raise for partitions that only the data needs, since partitions split as the data grows', () => {
    const { partitions, decidedBy, path, leastRuPerSecond } = neededFor({
      ...EVEN,
      gb: 200,
      present: { ...present, partitions: 4 }
    })

    expect({ partitions, decidedBy, leastRuPerSecond }).toEqual({
      partitions: 8,
      decidedBy: 'storage',
      leastRuPerSecond: 400
    })
    expect(path).toEqual([{ kind: 'raise', ruPerSecond: 35_000, partitions: 4, splits: false }])
    expect(neededFor({ ...EVEN, gb: 120, loadRuPerSecond: 3000, present })).toMatchObject({
      partitions: 3,
      decidedBy: 'storage'
    })
    expect(neededFor({ ...EVEN, gb: 80, loadRuPerSecond: 25_000, present })).toMatchObject({
      partitions: 3,
      decidedBy: 'throughput'
    })
  })

  it('is raised only as far as the load needs, even if the data needs more partitions', () => {
    expect(neededFor({ ...EVEN, gb: 400, present })).toMatchObject({
      partitions: 12,
      decidedBy: 'storage',
      path: [
        { kind: 'raise', ruPerSecond: 60_000, partitions: 6, splits: true },
        { kind: 'lower', ruPerSecond: 35_000, partitions: 6, splits: false }
      ]
    })
  })

  it('is unknown if only a new container can serve the load', () => {
    expect(neededThroughput({ ...EVEN, busiestShareOf: onlyFour, present }).reason).toBe(
      'no doubling of the 3 physical partitions is enough for the load; a new container with another number of them would be'
    )
  })
})

/** Eight equal keys, evenly placed. */
function eightKeys(ranges: number): number {
  return Math.ceil(8 / ranges) / 8
}

function onlyFour(ranges: number): number {
  return ranges === 4 ? 0.25 : 1
}

/** The rate by the definition: partitions x busiest range, at least what storage and the creation ask for. */
function rateOf(partitions: number, busiest: number, gb: number): number {
  const rate = Math.max(roundUp(partitions * busiest), 400, roundUp(gb))
  const created = Math.ceil(rate / 6000) === partitions ? rate : 6000 * partitions
  return Math.max(rate, roundUp(created / 100))
}

function roundUp(ru: number): number {
  return Math.ceil(Math.round(ru * 1e6) / 1e6 / 100) * 100
}
