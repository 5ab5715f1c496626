import { describe, expect, it } from 'vitest'
import { BATCH_SIZE_BOUNDS, CHARGE_BOUNDS_RU, LaneCounts, LATENCY_BOUNDS_MS } from '../../src/dispatch/outcome.ts'

describe('the histograms of a lane', () => {
  it('count a response in the bucket of the first bound that is not below its value, and sum its time and charge', () => {
    const counts = new LaneCounts()
    for (const latencyMs of [5, 5.1, 999, 60_000]) counts.answered(latencyMs)
    for (const ru of [0, 10, 10.5, 9000]) counts.charged(ru)
    for (const operations of [1, 2, 100]) counts.sent(operations)

    expect(filled(LATENCY_BOUNDS_MS, counts.latency)).toEqual({ 5: 1, 10: 1, 1000: 1, more: 1 })
    expect(counts.latencySumMs).toBeCloseTo(61_009.1)
    expect(filled(CHARGE_BOUNDS_RU, counts.charge)).toEqual({ 1: 1, 10: 1, 25: 1, more: 1 })
    expect(counts.chargedRu).toBe(9020.5)
    expect(filled(BATCH_SIZE_BOUNDS, counts.fill)).toEqual({ 1: 1, 10: 1, 100: 1 })
  })

  it('add the counts of another lane', () => {
    const [one, other] = [new LaneCounts(), new LaneCounts()]
    for (const counts of [one, other]) {
      counts.answered(7)
      counts.charged(3)
    }
    one.add(other)

    expect(filled(LATENCY_BOUNDS_MS, one.latency)).toEqual({ 10: 2 })
    expect(one.latencySumMs).toBe(14)
    expect(filled(CHARGE_BOUNDS_RU, one.charge)).toEqual({ 5: 2 })
    expect(one.chargedRu).toBe(6)
  })
})

function filled(bounds: readonly number[], counts: readonly number[]): Record<string, number> {
  return Object.fromEntries(
    counts.map((count, bucket) => [bounds[bucket] ?? 'more', count]).filter(([, count]) => count !== 0)
  )
}
