import { startRedis } from '@keystamp/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { maxOfARange } from '../faults/shared-budget/most-of-a-range.ts'
import { type SpentTogether, spendTogether } from '../faults/shared-budget/spend-together.ts'
import type { SentBatch } from '../faults/shared-budget/work.ts'

const redis = await startRedis()

afterAll(async () => {
  if ('url' in redis) await redis.stop()
})

/** Of a range's second: what one batch may cost. */
const BATCH = 0.05
/**
 * Tolerance of charges: payments keep to the budget, but charges may differ, since an operation is priced when it is
 * queued.
 */
const DEARER = 0.05
/**
 * The service accepts the last operation that begins within a second: a whole second can count a little more than the
 * provisioned throughput.
 */
const ALL = 1.005

describe.skipIf('missing' in redis)(
  `two processes with one budget ${'missing' in redis ? `(skipped: ${redis.missing})` : ''}`,
  () => {
    let spent: SpentTogether | undefined

    it('together use the provisioned throughput, and share it evenly', { timeout: 120_000 }, async () => {
      const lostShare = watchTheMachine()
      spent = await spendTogether({
        processes: 2,
        seconds: 8,
        ranges: 2,
        ruPerSecond: 2000,
        redis: (redis as { url: string }).url
      })

      expect(spent.usedShare).toBeGreaterThanOrEqual(0.95 - lostShare())
      expect(spent.usedShare).toBeLessThanOrEqual(ALL)
      for (const part of spent.parts) expect(part).toBeGreaterThan(0.4)
      expect(spent.throttledShare).toBeLessThan(0.06)
    })

    it('send a range its budget and a batch at most, in any sliding second over both', () => {
      expect(spent?.mostShare).toBeLessThanOrEqual(1 + BATCH + DEARER)
    })
  }
)

describe('one process', () => {
  it(
    'sends a range its budget and a batch at most, in any sliding second, and uses it',
    { timeout: 120_000 },
    async () => {
      const lostShare = watchTheMachine()
      const { usedShare, mostShare, throttledShare } = await spendTogether({
        processes: 1,
        seconds: 6,
        ranges: 2,
        ruPerSecond: 2000
      })

      expect(usedShare).toBeGreaterThanOrEqual(0.95 - lostShare())
      expect(mostShare).toBeLessThanOrEqual(1 + BATCH)
      expect(throttledShare).toBeLessThanOrEqual(0.01)
    }
  )
})

describe('the most in a second', () => {
  it('is looked for in every sliding second, and by range', () => {
    expect(maxOfARange([batch(0, 10), batch(900, 20), batch(1001, 30), batch(950, 100, '1'), batch(3000, 5)])).toBe(100)
    expect(maxOfARange([batch(1001, 30), batch(900, 20), batch(0, 10)])).toBe(50)
    expect(maxOfARange([])).toBe(0)
  })
})

/**
 * Tells in the end what part of the time was lost: this machine kept even a process waiting that does nothing, and a
 * request needs two that run, who sends it and who answers. How much is sent in a second does not depend on it, and is
 * demanded whatever the machine does.
 */
function watchTheMachine(): () => number {
  const beganMs = performance.now()
  let lookedMs = beganMs
  let lostMs = 0
  const timer = setInterval(() => {
    const nowMs = performance.now()
    lostMs += Math.max(0, nowMs - lookedMs - LATE_MS)
    lookedMs = nowMs
  }, LOOK_MS)
  return () => {
    clearInterval(timer)
    return (lostMs * RUNNING) / (performance.now() - beganMs)
  }
}

const LOOK_MS = 10
const LATE_MS = 25
const RUNNING = 2

function batch(atMs: number, chargedRu: number, rangeId = '0'): SentBatch {
  return { atMs, chargedRu, rangeId, expectedRu: 0 }
}
