import { describe, expect, it } from 'vitest'
import { createSharedRefresh } from '../../src/client/account.ts'

describe('createSharedRefresh', () => {
  it('reads a value once and keeps it', async () => {
    const { shared, reads } = start()

    expect(await shared.get()).toBe(1)
    expect(await shared.get()).toBe(1)
    expect(reads()).toBe(1)
  })

  it('shares one read among all concurrent refreshes', async () => {
    const { shared, reads } = start()

    expect(await Promise.all([shared.refresh(), shared.refresh(), shared.get()])).toEqual([1, 1, 1])
    expect(reads()).toBe(1)
  })

  it('begins at most one read each second', async () => {
    const { shared, slept, clock } = start()
    await shared.refresh()
    clock.ms += 300

    expect(await shared.refresh()).toBe(2)
    expect(slept).toEqual([700])
  })

  it('does not wait for long when the clock was set back', async () => {
    const { shared, slept, clock } = start()
    await shared.refresh()
    clock.ms -= 1_000_000

    await shared.refresh()

    expect(slept).toEqual([1000])
  })

  it('uses a recent value, without a wait, and reads an older one again', async () => {
    const { shared, slept, clock } = start()
    await shared.refresh()

    clock.ms += 999
    expect(await shared.recent()).toBe(1)
    clock.ms += 1
    expect(await shared.recent()).toBe(2)
    clock.ms -= 500
    expect(await shared.recent()).toBe(3)
    expect(slept).toEqual([1000])
  })

  it('does not take an old value for a recent one after a failed read', async () => {
    const { shared, clock } = start({ failing: 2 })
    await shared.get()
    clock.ms += 1000
    await expect(shared.refresh()).rejects.toThrow('failed')

    expect(await shared.recent()).toBe(3)
  })

  it('reads again after a failure', async () => {
    const { shared } = start({ failing: 1 })

    await expect(shared.get()).rejects.toThrow('failed')
    expect(await shared.get()).toBe(2)
  })

  it('keeps the old value for other callers when a refresh fails', async () => {
    const { shared } = start({ failing: 2 })
    await shared.get()

    await expect(shared.refresh()).rejects.toThrow('failed')

    expect(await shared.get()).toBe(1)
  })
})

function start({ failing }: { failing?: number } = {}) {
  const clock = { ms: 0 }
  const slept: number[] = []
  let count = 0
  const shared = createSharedRefresh({
    read: async () => {
      count += 1
      if (count === failing) throw new Error('failed')
      return count
    },
    everyMs: 1000,
    now: () => clock.ms,
    sleep: async (ms) => {
      slept.push(ms)
      clock.ms += ms
    }
  })
  return { shared, slept, clock, reads: () => count }
}
