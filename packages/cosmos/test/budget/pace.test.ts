import { describe, expect, it } from 'vitest'
import { type LoadOptions, runLoad } from '../simulation/run-load.ts'

const PLAIN: LoadOptions = {
  seed: 1,
  ruPerSecond: 2500,
  seconds: 10,
  isBudgetKnown: true,
  maxRetryAfterMs: 1000,
  latenessMs: 3,
  chargeRu: () => 7
}

const LOADS: Readonly<Record<string, LoadOptions>> = {
  'a range of 2,500 RU/s': PLAIN,
  'a range of 10,000 RU/s': { ...PLAIN, ruPerSecond: 10_000 },
  'a range of 400 RU/s': { ...PLAIN, ruPerSecond: 400 },
  'a retry-after of at most 20 ms': { ...PLAIN, maxRetryAfterMs: 20 },
  'prices that differ': { ...PLAIN, chargeRu: (random) => (random() < 0.5 ? 7 : 11) },
  'late timers': { ...PLAIN, latenessMs: 8 },
  'late timers and 10,000 RU/s': { ...PLAIN, ruPerSecond: 10_000, latenessMs: 8 }
}

describe('the governor', () => {
  for (const [name, load] of Object.entries(LOADS)) {
    it(
      `uses at least 97 % of the budget, with at most 1 % of operations throttled, with ${name}`,
      { timeout: 60_000 },
      async () => {
        for (const seed of [1, 2, 3]) {
          const { usedShare, throttledShare } = await runLoad({ ...load, seed })
          expect(usedShare).toBeGreaterThanOrEqual(0.97)
          expect(throttledShare).toBeLessThanOrEqual(0.01)
        }
      }
    )
  }
})

describe('without a known budget the governor', () => {
  it(
    'uses most of the provisioned throughput if only throttling limits the requests',
    { timeout: 60_000 },
    async () => {
      const { usedShare } = await runLoad({ ...PLAIN, isBudgetKnown: false, ruPerSecond: 10_000 })

      expect(usedShare).toBeGreaterThanOrEqual(0.9)
    }
  )
})
