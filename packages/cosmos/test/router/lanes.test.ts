import { describe, expect, it } from 'vitest'
import { type LanesOptions, runLanes } from '../simulation/run-lanes.ts'

const EVEN: LanesOptions = {
  seed: 1,
  ranges: 4,
  ruPerSecond: 2500,
  seconds: 6,
  isBudgetKnown: true,
  mostRetryAfterMs: 1000,
  latenessMs: 3,
  chargeRu: () => 7,
  nextRange: (random) => Math.floor(random() * 4),
  maxBytes: 16 * 1024 * 1024
}

const LOADS: Readonly<Record<string, LanesOptions & { readonly leastShare?: number }>> = {
  'four ranges of 2,500 RU/s': EVEN,
  'four ranges of 10,000 RU/s': { ...EVEN, ruPerSecond: 10_000 },
  'twenty ranges of 2,500 RU/s': { ...EVEN, ranges: 20, nextRange: (random) => Math.floor(random() * 20) },
  'prices that differ': { ...EVEN, chargeRu: (random) => (random() < 0.5 ? 7 : 14) },
  'prices far from what is guessed': { ...EVEN, chargeRu: () => 24 },
  'batches that do not divide a second': { ...EVEN, chargeRu: () => 12.6 },
  'small batches that do not divide a second': { ...EVEN, ruPerSecond: 1000, chargeRu: () => 13.5 },
  'a short retry-after': { ...EVEN, mostRetryAfterMs: 20 },
  'late timers': { ...EVEN, latenessMs: 15, leastShare: 0.95 }
}

describe('one caller with even keys', () => {
  for (const [name, load] of Object.entries(LOADS)) {
    it(`keeps all lanes busy, and none falls behind, with ${name}`, { timeout: 60_000 }, async () => {
      for (const seed of [1, 2, 3]) {
        const { usedShares, throttledShare } = await runLanes({ ...load, seed })
        expect(Math.min(...usedShares)).toBeGreaterThanOrEqual(load.leastShare ?? 0.975)
        expect(throttledShare).toBeLessThanOrEqual(0.01)
      }
    })
  }
})
