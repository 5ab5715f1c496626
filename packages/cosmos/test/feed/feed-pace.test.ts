import { describe, expect, it } from 'vitest'
import { FeedPace } from '../../src/feed/feed-pace.ts'

const range = (id: string, throughputFraction?: number) => ({
  id,
  min: '',
  max: 'FF',
  parents: [],
  ...(throughputFraction === undefined ? {} : { throughputFraction })
})

/** A clock on which waiting passes the time. */
function createVirtualClock() {
  let nowMs = 0
  return {
    now: () => nowMs,
    schedule: (ms: number, run: () => void) => {
      nowMs += ms
      queueMicrotask(run)
      return () => {}
    }
  }
}

/** Milliseconds that reads of a range take, which cost `chargeRu` each. */
async function durationOf(
  ruPerSecond: number | undefined,
  { count, chargeRu, fraction }: { readonly count: number; readonly chargeRu: number; readonly fraction?: number }
): Promise<number> {
  const clock = createVirtualClock()
  const pace = new FeedPace({ ruPerSecond }, clock).of(range('0', fraction), 4)
  for (let read = 0; read < count; read++) {
    await pace.take(chargeRu / 2, undefined)
    pace.correct(chargeRu / 2, chargeRu)
  }
  return clock.now()
}

describe('the pace of reads', () => {
  it('keeps to the share of a physical partition, by what was charged', async () => {
    const ms = await durationOf(400, { count: 100, chargeRu: 10 })
    expect(ms).toBeGreaterThan(9500)
    expect(ms).toBeLessThan(10_700)
  })

  it('follows the part of the throughput that the physical partition has', async () => {
    const ms = await durationOf(400, { count: 100, chargeRu: 10, fraction: 0.5 })
    expect(ms).toBeGreaterThan(4700)
    expect(ms).toBeLessThan(5400)
  })

  it('does not wait without a share', async () => {
    expect(await durationOf(undefined, { count: 100, chargeRu: 1000 })).toBe(0)
  })

  it('reads even a page that costs more than a second has', async () => {
    const ms = await durationOf(40, { count: 3, chargeRu: 40 })
    expect(ms).toBeGreaterThan(7000)
    expect(ms).toBeLessThan(13_000)
  })

  it('follows another share, and keeps the sizes of pages that fit', () => {
    const throughput = { ruPerSecond: 4000 }
    const pace = new FeedPace(throughput, createVirtualClock())
    const { latest } = pace.of(range('0'), 4).sizers
    for (let page = 0; page < 5; page++) latest.learn(latest.items, latest.items)
    const before = latest.items
    throughput.ruPerSecond = 2000
    const { items } = pace.of(range('0'), 4).sizers.latest

    expect([before, items]).toEqual([100, 50])
  })

  it('forgets physical partitions that no longer exist', () => {
    const pace = new FeedPace(undefined, createVirtualClock())
    const first = pace.of(range('0'), 1)
    pace.keep([range('0')])
    expect(pace.of(range('0'), 1)).toBe(first)
    pace.keep([range('1')])
    expect(pace.of(range('0'), 1)).not.toBe(first)
  })
})
