import { describe, expect, it, test } from 'vitest'
import {
  autoscalePrice,
  crossovers,
  LIST_PRICES,
  manualPrice,
  type MonthlyPrices,
  monthlyPrices,
  type PricedThroughput
} from '../../src/index.ts'

const ONE = { regions: 1, multiRegionWrites: false }
const THROUGHPUT: PricedThroughput = {
  ...ONE,
  manualRuPerSecond: 20_000,
  autoscaleMaxRuPerSecond: 20_000,
  peakRuPerSecond: 20_000,
  gb: 1000
}

describe('the prices of a month', () => {
  test.each([
    [400, ONE, 23.36],
    [20_000, ONE, 1168],
    [20_000, { regions: 3, multiRegionWrites: false }, 3504],
    [20_000, { regions: 3, multiRegionWrites: true }, 7008]
  ])('for manual throughput of %i RU/s in %j are $%d', (ruPerSecond, account, price) => {
    expect(manualPrice(ruPerSecond, account)).toBeCloseTo(price, 6)
  })

  test.each([
    [{}, 1752],
    [{ meanUtilization: 0.5 }, 876],
    [{ meanUtilization: 0.01 }, 175.2],
    // 12 hours at the peak, 12 without load: the floor of 10 % counts
    [{ hourlyShares: [...Array<number>(12).fill(1), ...Array<number>(12).fill(0)] }, 963.6],
    // the maximum is higher than the peak needs
    [{ neededRuPerSecond: 10_000 }, 876],
    [{ neededRuPerSecond: 10_000, meanUtilization: 0.1 }, 175.2]
  ])('for autoscale up to 20,000 RU/s with %j are $%d', (load, price) => {
    expect(autoscalePrice(20_000, load, ONE)).toBeCloseTo(price, 6)
  })

  it('are the same for autoscale and manual throughput if the account writes in several regions', () => {
    const account = { regions: 2, multiRegionWrites: true }

    expect(autoscalePrice(20_000, {}, account)).toBeCloseTo(manualPrice(20_000, account), 6)
  })

  it('contain manual throughput, autoscale, serverless and storage', () => {
    expect(
      monthlyPrices({ ...THROUGHPUT, peakRuPerSecond: 1000, manualRuPerSecond: 1000, meanUtilization: 0.05 })
    ).toEqual({
      manual: expect.closeTo(58.4, 6) as number,
      autoscale: expect.closeTo(175.2, 6) as number,
      // 50 RU/s over 730 hours are 131.4 million RU
      serverless: expect.closeTo(32.85, 6) as number,
      reservedOneYear: expect.closeTo(46.72, 6) as number,
      reservedThreeYears: expect.closeTo(40.88, 6) as number,
      storage: expect.closeTo(287.5, 6) as number,
      currency: 'USD',
      listDate: '2026-05-01',
      unknown: {}
    })
  })

  test.each([
    [{ regions: 2 }, 'serverless accounts have only one region'],
    [{ peakRuPerSecond: null }, 'the load is unknown'],
    [{ gb: 50_000 }, 'the data needs more physical partitions than the planner considers'],
    [
      { peakRuPerSecond: 200_000 },
      'the busiest physical partition would get 8,000 RU/s, but a serverless one serves at most 5,000 RU/s'
    ],
    [
      { busiestShareOf: () => 0.5 },
      'the busiest physical partition would get 10,000 RU/s, but a serverless one serves at most 5,000 RU/s'
    ]
  ])('contain no price of serverless with %j', (more, reason) => {
    const prices = monthlyPrices({ ...THROUGHPUT, ...more })

    expect(prices.serverless).toBeNull()
    expect(prices.unknown).toEqual({ serverless: reason })
  })

  it('have a reason for each unknown price', () => {
    const prices = monthlyPrices({ ...THROUGHPUT, manualRuPerSecond: null, autoscaleMaxRuPerSecond: null, gb: null })

    expect(prices).toMatchObject({
      manual: null,
      autoscale: null,
      reservedOneYear: null,
      reservedThreeYears: null,
      storage: null
    })
    expect(Object.keys(prices.unknown).toSorted()).toEqual(
      ['manual', 'autoscale', 'reservedOneYear', 'reservedThreeYears', 'serverless', 'storage'].toSorted()
    )
  })

  it('are computed from another price list if one is given', () => {
    const list = { ...LIST_PRICES, currency: 'EUR', manualPer100RuHour: 0.01, listDate: '2027-01-01' }

    expect(monthlyPrices(THROUGHPUT, list)).toMatchObject({ manual: 1460, currency: 'EUR', listDate: '2027-01-01' })
  })
})

describe('crossovers', () => {
  it('are at 66.7 % and 8.9 % of utilization', () => {
    const { manualOverAutoscale, manualOverServerless, autoscaleOverServerless } = crossovers(ONE)

    expect(manualOverAutoscale).toBeCloseTo(2 / 3, 9)
    expect(manualOverServerless).toBeCloseTo(0.0889, 4)
    expect(autoscaleOverServerless).toBeCloseTo(0.0133, 4)
  })

  it('are where the cheapest way of paying changes', () => {
    const { manualOverAutoscale, manualOverServerless } = crossovers(ONE)

    expect(withUtilization(manualOverAutoscale! + 0.01).manual).toBeLessThan(
      withUtilization(manualOverAutoscale! + 0.01).autoscale!
    )
    expect(withUtilization(manualOverAutoscale! - 0.01).manual).toBeGreaterThan(
      withUtilization(manualOverAutoscale! - 0.01).autoscale!
    )
    expect(withUtilization(manualOverServerless! + 0.01).manual).toBeLessThan(
      withUtilization(manualOverServerless! + 0.01).serverless!
    )
    expect(withUtilization(manualOverServerless! - 0.01).manual).toBeGreaterThan(
      withUtilization(manualOverServerless! - 0.01).serverless!
    )
  })

  it('are absent if one way of paying is always cheaper or is not offered', () => {
    expect(crossovers({ regions: 2, multiRegionWrites: true })).toEqual({
      manualOverAutoscale: null,
      manualOverServerless: null,
      autoscaleOverServerless: null
    })
  })
})

function withUtilization(meanUtilization: number): MonthlyPrices {
  const rate = 4000
  return monthlyPrices({
    ...THROUGHPUT,
    peakRuPerSecond: rate,
    manualRuPerSecond: rate,
    autoscaleMaxRuPerSecond: rate,
    meanUtilization
  })
}
