import { describe, expect, it } from 'vitest'
import { type Explore, exploreRate, LIST_PRICES } from '../../src/index.ts'
import { sampleReport } from '../page/sample-report.ts'

const report = sampleReport()
const explore = report.explore!
const [best] = report.candidates

describe('a throughput that the user chooses', () => {
  it('has the figures of the report if it is the throughput of the verdict', () => {
    const rate = { partitions: best.physicalPartitions!, ruPerSecond: best.neededRuPerSecond! }

    const figures = exploreRate(explore, explore.candidates[0], rate)

    expect(figures).toMatchObject({ neededRuPerSecond: best.neededRuPerSecond, isEnough: true, reason: null })
    expect(figures.monthlyPrice).toBeCloseTo(best.monthlyPrice!, 6)
    expect(figures.usableRuPerSecond).toBeCloseTo(best.usableShare!.mid * best.neededRuPerSecond!, 6)
  })

  it('does not carry the load if it is 100 RU/s below the needed throughput', () => {
    const rate = { partitions: best.physicalPartitions!, ruPerSecond: best.neededRuPerSecond! - 100 }

    expect(exploreRate(explore, explore.candidates[0], rate).isEnough).toBe(false)
  })

  it('does not carry the load with fewer physical partitions than the data needs, and states this reason', () => {
    const large: Explore = { ...explore, gb: 900 }

    expect(exploreRate(large, explore.candidates[0], { partitions: 2, ruPerSecond: 20_000 })).toMatchObject({
      isEnough: false,
      neededRuPerSecond: null,
      reason: '900 GB need 23 physical partitions'
    })
  })

  it('has no price for serverless, and does not say whether the rate is enough, if the load is unknown', () => {
    const key = { ...explore.candidates[0], loadRuPerSecond: null }

    const figures = exploreRate(explore, key, { partitions: 10, ruPerSecond: 10_000 })

    expect(figures).toMatchObject({ isEnough: null, neededRuPerSecond: null, price: { serverless: null } })
    expect(figures.price.manual).toBeCloseTo(100 * LIST_PRICES.manualPer100RuHour * LIST_PRICES.hoursPerMonth, 6)
  })
})
