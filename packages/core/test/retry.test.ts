import { describe, expect, it } from 'vitest'
import { backoffMs, retry, type RetryOptions } from '../src/retry.ts'
import { createVirtualClock } from './virtual-clock.ts'

const backoff = { firstMs: 100, maxMs: 1000 }

/**
 * Creates an operation that fails `times` times and then returns the number of its attempt. Records the times of the
 * calls.
 */
function failing(times: number, clock: { now: () => number }) {
  const callsMs: number[] = []
  const operation = (attempt: number): Promise<number> => {
    callsMs.push(clock.now())
    return attempt < times ? Promise.reject(new Error(`failed ${attempt}`)) : Promise.resolve(attempt)
  }
  return { callsMs, operation }
}

describe('retry', () => {
  it('repeats the operation until it succeeds, with delays that double up to the maximum', async () => {
    const clock = createVirtualClock()
    const { callsMs, operation } = failing(6, clock)
    const result = retry(operation, { clock, backoff })
    await clock.advance(10_000)
    expect(await result).toBe(6)
    expect(callsMs).toEqual([0, 100, 300, 700, 1500, 2500, 3500])
  })

  it('throws an error at once if it is not retriable', async () => {
    const clock = createVirtualClock()
    const { callsMs, operation } = failing(2, clock)
    await expect(retry(operation, { clock, backoff, isRetriable: () => false })).rejects.toThrow('failed 0')
    expect(callsMs).toEqual([0])
  })

  it('throws the last error instead of waiting beyond the timeout', async () => {
    const clock = createVirtualClock()
    const { callsMs, operation } = failing(9, clock)
    const result = retry(operation, { clock, backoff, timeoutMs: 400 }).catch(String)
    await clock.advance(1000)
    expect(await result).toBe('Error: failed 2')
    expect(callsMs).toEqual([0, 100, 300])
  })

  it('waits as long as `retryAfterMs` returns for the error', async () => {
    const clock = createVirtualClock()
    const { callsMs, operation } = failing(1, clock)
    const noted: Parameters<NonNullable<RetryOptions['onRetry']>>[] = []
    const result = retry(operation, { clock, backoff, retryAfterMs: () => 7, onRetry: (...call) => noted.push(call) })
    await clock.advance(7)
    expect(await result).toBe(1)
    expect(callsMs).toEqual([0, 7])
    expect(noted).toEqual([[new Error('failed 0'), 7, 0]])
  })

  it('stops waiting when the signal aborts', async () => {
    const clock = createVirtualClock()
    const stop = new AbortController()
    const { callsMs, operation } = failing(9, clock)
    const result = retry(operation, { clock, backoff, signal: stop.signal }).catch(String)
    await clock.advance(150)
    stop.abort(new Error('closed'))
    expect(await result).toBe('Error: closed')
    await clock.advance(1000)
    expect(callsMs).toEqual([0, 100])
  })
})

describe('backoffMs', () => {
  it('returns a random part of the limit, and at least 1', () => {
    expect(backoffMs(2, { ...backoff, random: () => 0.5 })).toBe(201)
    expect(backoffMs(2, { ...backoff, random: () => 0 })).toBe(1)
    expect(backoffMs(0, { firstMs: 0, maxMs: 0 })).toBe(1)
  })

  it('returns a finite number after any number of failed attempts', () => {
    expect(backoffMs(5000, { firstMs: 1, maxMs: Number.POSITIVE_INFINITY })).toBe(2 ** 20)
  })
})
