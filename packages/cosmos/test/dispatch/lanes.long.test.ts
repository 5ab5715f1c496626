import { describe, expect, it } from 'vitest'
import { type LanesOptions, runLanes } from '../simulation/run-lanes.ts'

const EVEN: LanesOptions = {
  seed: 1,
  ranges: 4,
  ruPerSecond: 2500,
  seconds: 6,
  isBudgetKnown: true,
  maxRetryAfterMs: 1000,
  latenessMs: 3,
  chargeRu: () => 7,
  nextRange: (random) => Math.floor(random() * 4),
  maxBytes: 16 * 1024 * 1024
}

const LOADS: Readonly<Record<string, LanesOptions & { readonly minShare?: number }>> = {
  'four ranges of 2,500 RU/s': EVEN,
  'four ranges of 10,000 RU/s': { ...EVEN, ruPerSecond: 10_000 },
  'twenty ranges of 2,500 RU/s': { ...EVEN, ranges: 20, nextRange: (random) => Math.floor(random() * 20) },
  'prices that differ': { ...EVEN, chargeRu: (random) => (random() < 0.5 ? 7 : 14) },
  'prices far from the estimate': { ...EVEN, chargeRu: () => 24 },
  'batches that do not divide a second': { ...EVEN, chargeRu: () => 12.6 },
  'small batches that do not divide a second': { ...EVEN, ruPerSecond: 1000, chargeRu: () => 13.5 },
  'a short retry-after': { ...EVEN, maxRetryAfterMs: 20 },
  'late timers': { ...EVEN, latenessMs: 15, minShare: 0.95 }
}

describe('a caller with evenly spread keys', () => {
  for (const [name, load] of Object.entries(LOADS)) {
    it(`keeps all lanes busy, so that none falls behind, with ${name}`, { timeout: 60_000 }, async () => {
      for (const seed of [1, 2, 3]) {
        const { usedShares, throttledShare } = await runLanes({ ...load, seed })
        expect(Math.min(...usedShares)).toBeGreaterThanOrEqual(load.minShare ?? 0.975)
        expect(throttledShare).toBeLessThanOrEqual(0.01)
      }
    })
  }
})

const HOT: LanesOptions = {
  ...EVEN,
  ranges: 20,
  seconds: 3,
  callers: 2,
  nextRange: toHotOrOthers
}

/** One caller writes only into the hot range, and the other caller into all other ranges. */
function toHotOrOthers(random: () => number, caller: number): number {
  return caller === 0 ? 0 : anyOther(random)
}

/** A tenth goes to the hot range, twice as much as to any other range. */
function tenthToHot(random: () => number): number {
  return random() < 0.1 ? 0 : anyOther(random)
}

function anyOther(random: () => number): number {
  return 1 + Math.floor(random() * 19)
}

describe('a hot range among twenty', () => {
  it('does not slow the other ranges', { timeout: 60_000 }, async () => {
    const { usedShares } = await runLanes(HOT)

    expect(Math.min(...usedShares)).toBeGreaterThanOrEqual(0.97)
  })

  it(
    'is the only range with a full queue if the other ranges get half of the records that they can write',
    { timeout: 60_000 },
    async () => {
      const others = (19 * HOT.ruPerSecond) / 7
      const { usedShares, busyRanges } = await runLanes({
        ...HOT,
        everyMs: (caller) => (caller === 0 ? 0 : 1000 / (others * 0.5))
      })

      expect(usedShares[0]).toBeGreaterThanOrEqual(0.97)
      expect(Math.min(...usedShares.slice(1))).toBeGreaterThanOrEqual(0.44)
      expect(busyRanges).toBe(1)
    }
  )

  it(
    'does not slow the other ranges while it is throttled again and again because no budget is known',
    { timeout: 60_000 },
    async () => {
      const { usedShares } = await runLanes({ ...HOT, isBudgetKnown: false, maxRetryAfterMs: 20 })

      expect(Math.min(...usedShares)).toBeGreaterThanOrEqual(0.9)
    }
  )

  it(
    'slows a caller that writes into all ranges only if the share of the hot range in the byte budget is full',
    { timeout: 60_000 },
    async () => {
      const hot = { ...HOT, callers: 1, nextRange: tenthToHot }

      const roomy = await runLanes({ ...hot, maxBytes: 400 * 1024 * 1024 })
      const narrow = await runLanes({ ...hot, maxBytes: 4 * 1024 * 1024 })

      expect(Math.min(...roomy.usedShares)).toBeGreaterThanOrEqual(0.97)
      expect(roomy.busyRanges).toBe(0)
      expect(narrow.usedShares[0]).toBeGreaterThanOrEqual(0.97)
      expect(Math.max(...narrow.usedShares.slice(1))).toBeLessThan(0.7)
      expect(narrow.busyRanges).toBe(1)
    }
  )
})

describe('operations in flight', () => {
  it('are limited to a useful number, even with a large byte budget', { timeout: 60_000 }, async () => {
    const { maxOpen, usedShares } = await runLanes({ ...EVEN, seconds: 3, maxBytes: 1e9 })

    expect(Math.min(...usedShares)).toBeGreaterThanOrEqual(0.97)
    expect(maxOpen).toBeLessThan(1600)
  })
})
