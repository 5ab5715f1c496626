import { startRedis } from '@keystamp/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { maxOfARange } from '../faults/shared-budget/max-of-a-range.ts'
import { type SpentTogether, spendTogether } from '../faults/shared-budget/spend-together.ts'
import type { SentBatch } from '../faults/shared-budget/work.ts'

const redis = await startRedis()

afterAll(async () => {
  if ('url' in redis) await redis.stop()
})

/** Largest cost of one batch, as a fraction of the budget of a range for a second. */
const BATCH = 0.05
/**
 * Tolerance for charges. The writer keeps to its budget with estimated prices; a charge may differ from the price,
 * since an operation is priced when it is queued.
 */
const PRICE_ERROR = 0.05
/**
 * Largest use of the provisioned throughput. The service accepts the last operation that begins within a second, so a
 * second can take a little more than the provisioned throughput.
 */
const MAX_USED = 1.005

describe.skipIf('missing' in redis)(
  `two processes with one budget ${'missing' in redis ? `(skipped: ${redis.missing})` : ''}`,
  () => {
    let spent: SpentTogether | undefined

    it('use the provisioned throughput together, and share it evenly', { timeout: 120_000 }, async () => {
      spent = await spendTogether({
        processes: 2,
        seconds: 8,
        ranges: 2,
        ruPerSecond: 2000,
        redis: (redis as { url: string }).url
      })

      expect(spent.usedShare).toBeGreaterThanOrEqual(0.95 - spent.lostShare)
      expect(spent.usedShare).toBeLessThanOrEqual(MAX_USED)
      for (const part of spent.parts) expect(part).toBeGreaterThan(0.4)
      expect(spent.throttledShare).toBeLessThan(0.06)
    })

    // checks L7
    it('together send each physical partition at most its budget plus one batch in any sliding second', () => {
      expect(spent?.maxShare).toBeLessThanOrEqual(1 + BATCH + PRICE_ERROR)
    })
  }
)

describe('one process with a budget', () => {
  // checks L7
  it(
    'sends each physical partition at most its budget plus one batch in any sliding second, and uses the budget',
    { timeout: 120_000 },
    async () => {
      const { usedShare, lostShare, maxShare, throttledShare } = await spendTogether({
        processes: 1,
        seconds: 6,
        ranges: 2,
        ruPerSecond: 2000
      })

      expect(usedShare).toBeGreaterThanOrEqual(0.95 - lostShare)
      expect(maxShare).toBeLessThanOrEqual(1 + BATCH)
      expect(throttledShare).toBeLessThanOrEqual(0.01)
    }
  )
})

describe('the maximum of request units in a second', () => {
  it('is computed for each physical partition, over every sliding second', () => {
    expect(maxOfARange([batch(0, 10), batch(900, 20), batch(1001, 30), batch(950, 100, '1'), batch(3000, 5)])).toBe(100)
    expect(maxOfARange([batch(1001, 30), batch(900, 20), batch(0, 10)])).toBe(50)
    expect(maxOfARange([])).toBe(0)
  })
})

function batch(atMs: number, chargedRu: number, rangeId = '0'): SentBatch {
  return { atMs, chargedRu, rangeId, expectedRu: 0 }
}
