import { describe, expect, it } from 'vitest'
import { retry } from '../src/retry.ts'
import { createRunTime } from '../src/run-time.ts'
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts'

describe('run time', () => {
  it('is the time of the clock while the process runs', async () => {
    const clock = createVirtualClock()
    const time = createRunTime(clock, 60_000, clock.schedule)
    await clock.advance(12_345)
    expect(time.ms()).toBe(12_345)
  })

  it('leaves out the time in which the process was stopped', async () => {
    const { clock, stopFor } = stoppableClock()
    const time = createRunTime(clock, 60_000, clock.schedule)
    await clock.advance(10_000)
    stopFor(500_000)
    await clock.advance(10_000)
    expect(time.ms()).toBeGreaterThanOrEqual(20_000)
    expect(time.ms()).toBeLessThanOrEqual(26_000)
  })

  it('schedules nothing after its end', () => {
    const clock = createVirtualClock()
    createRunTime(clock, 60_000, clock.schedule).stop()
    expect(clock.scheduled()).toBe(0)
  })
})

describe('retry', () => {
  it.each([
    ['during its first attempt', 0],
    ['after it failed for some time', 10]
  ])('goes on when the process was stopped for longer than its limit %s', async (_, stoppedAt) => {
    const { clock, stopFor } = stoppableClock()
    let attempts = 0
    const result = retry(
      async () => {
        if (attempts === stoppedAt) stopFor(600_000)
        if (attempts++ <= stoppedAt) throw new Error('no answer')
        return 'answered'
      },
      { clock, backoff: { firstMs: 1000, maxMs: 2000 }, timeoutMs: 60_000 }
    )
    await clock.advance(1_000_000)
    expect(await result).toBe('answered')
    expect(clock.scheduled()).toBe(0)
  })

  it('counts its limit from the first failure: a long first attempt is repeated, too', async () => {
    const clock = createVirtualClock()
    let attempts = 0
    const result = retry(
      async () => {
        await new Promise<void>((resolve) => void clock.schedule(90_000, resolve))
        if (attempts++ === 0) throw new Error('no answer')
        return 'answered'
      },
      { clock, backoff: { firstMs: 1000, maxMs: 2000 }, timeoutMs: 60_000 }
    )
    await clock.advance(200_000)
    expect(await result).toBe('answered')
  })
})

/** A clock that goes on while the process is stopped: the calls of that time come late. */
function stoppableClock(): { readonly clock: VirtualClock; readonly stopFor: (ms: number) => void } {
  const clock = createVirtualClock()
  let stoppedMs = 0
  return {
    clock: { ...clock, now: () => clock.now() + stoppedMs },
    stopFor: (ms) => {
      stoppedMs += ms
    }
  }
}
