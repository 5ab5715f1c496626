import { describe, expect, it } from 'vitest'
import { createClock, waitFor, withTimeout } from '../src/clock.ts'
import { createVirtualClock } from './virtual-clock.ts'

describe('the clock of a machine', () => {
  const clock = createClock(globalThis)

  it('calls a scheduled function after the given time, and not before', async () => {
    const before = clock.now()
    await waitFor(20, clock)
    // timers of Node count whole milliseconds
    expect(clock.now() - before).toBeGreaterThan(18)
  })

  it('calls a function with a delay of 0 without a timer', async () => {
    await expect(waitFor(0, clock)).resolves.toBeUndefined()
  })

  it('does not call a function whose schedule was canceled', async () => {
    let calls = 0
    for (const ms of [0, 1]) clock.schedule(ms, () => calls++)()
    clock.scheduleIdly(1, () => calls++)()
    await waitFor(10, clock)
    expect(calls).toBe(0)
  })
})

describe('waitFor', () => {
  it('rejects with the reason of the abort signal, and cancels the scheduled call', async () => {
    const clock = createVirtualClock()
    const stop = new AbortController()
    const waiting = waitFor(1000, clock, stop.signal)
    const reason = new Error('closed')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(clock.scheduled()).toBe(0)
    await expect(waitFor(1000, clock, stop.signal)).rejects.toBe(reason)
    expect(clock.scheduled()).toBe(0)
  })
})

describe('withTimeout', () => {
  it('returns true for work that ends before the timeout, and cancels the timer', async () => {
    const clock = createVirtualClock()
    expect(await withTimeout(Promise.resolve('done'), 1000, clock)).toBe(true)
    expect(clock.scheduled()).toBe(0)
  })

  it('returns false for work that takes longer than the timeout', async () => {
    const clock = createVirtualClock()
    const answer = withTimeout(new Promise(() => {}), 1000, clock)
    await clock.advance(1000)
    expect(await answer).toBe(false)
  })

  it('rejects if the work fails before the timeout', async () => {
    const clock = createVirtualClock()
    await expect(withTimeout(Promise.reject(new Error('no')), 1000, clock)).rejects.toThrow('no')
    expect(clock.scheduled()).toBe(0)
  })
})
