import { describe, expect, it } from 'vitest'
import { runShared, type SharedLoadOptions } from '../simulation/run-shared.ts'

const BATCH = 0.05
const TRUE_CLOCK = { offsetMs: 0, drift: 0 }

const TWO: SharedLoadOptions = {
  seed: 1,
  ruPerSecond: 1000,
  seconds: 10,
  sharers: [TRUE_CLOCK, { offsetMs: -4321, drift: 0.0002 }],
  latenessMs: 3,
  messageMs: (random) => 0.1 + random() * 0.4 + (random() < 0.01 ? 20 : 0),
  chargeRu: () => 7
}

const LOADS: Readonly<Record<string, SharedLoadOptions>> = {
  'two processes': TWO,
  'two processes and 10,000 RU/s': { ...TWO, ruPerSecond: 10_000 },
  'two processes and 400 RU/s': { ...TWO, ruPerSecond: 400 },
  'four processes whose clocks are hours apart': {
    ...TWO,
    sharers: [
      TRUE_CLOCK,
      { offsetMs: 3.6e6, drift: 0 },
      { offsetMs: -7.2e6, drift: -0.0003 },
      { offsetMs: 9e6, drift: 0.0003 }
    ]
  },
  'one process': { ...TWO, sharers: [TRUE_CLOCK] },
  'late timers': { ...TWO, latenessMs: 8 },
  'a distant store': { ...TWO, messageMs: (random) => 4 + random() * 4 },
  'prices that differ': { ...TWO, chargeRu: (random) => (random() < 0.5 ? 7 : 11) }
}

describe('a shared budget', () => {
  for (const [name, load] of Object.entries(LOADS)) {
    // checks L7
    it(
      `is used to at least 95 %, and no second is charged more than the budget and one batch, with ${name}`,
      { timeout: 60_000 },
      async () => {
        for (const seed of [1, 2, 3]) {
          const { usedShare, maxShare, throttledShare, parts } = await runShared({ ...load, seed })
          expect(usedShare).toBeGreaterThanOrEqual(0.95)
          expect(usedShare).toBeLessThanOrEqual(1)
          expect(maxShare).toBeLessThanOrEqual(1 + BATCH)
          expect(throttledShare).toBeLessThanOrEqual(0.01)
          for (const part of parts) expect(part * parts.length).toBeGreaterThan(0.8)
        }
      }
    )
  }
})
