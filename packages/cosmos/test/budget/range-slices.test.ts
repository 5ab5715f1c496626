import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRangeLease, type RangeLease } from '../../src/budget/lease.ts'

const SLICE_MS = 50
const SLICE_RU = 100

describe('createRangeLease', () => {
  it('grants the RU of the first slice, and the rest with the next slice', async () => {
    const { lease, advance, given } = start()
    take(lease, 60, given)
    take(lease, 60, given)
    await advance(0)
    expect(given).toEqual([60])

    await advance(SLICE_MS)

    expect(given).toEqual([60, 60])
  })

  it('returns a number instead of a promise while RU are left', async () => {
    const { lease, advance } = start()
    void lease.take(10)
    await advance(0)

    expect(lease.take(90)).toBe(90)
    expect(lease.take(1)).toBeInstanceOf(Promise)
  })

  it('accumulates slices for an operation that costs more than one slice', async () => {
    const { lease, advance, given } = start()
    take(lease, 250, given)
    take(lease, 10, given)

    await advance(SLICE_MS)
    expect(given).toEqual([])
    await advance(SLICE_MS)

    expect(given).toEqual([250, 10])
  })

  it('grants in order: a cheap operation does not overtake an expensive one', async () => {
    const { lease, advance, given } = start()
    take(lease, 100, given)
    await advance(0)
    take(lease, 90, given)
    take(lease, 1, given)
    lease.correct(50)

    expect(given).toEqual([100])
    await advance(SLICE_MS)
    expect(given).toEqual([100, 90, 1])
  })

  it('deducts RU that were used beyond a grant from the following slices', async () => {
    const { lease, advance, given } = start()
    take(lease, 100, given)
    await advance(0)
    lease.correct(-150)
    take(lease, 40, given)

    await advance(SLICE_MS)
    expect(given).toEqual([100])
    await advance(SLICE_MS)

    expect(given).toEqual([100, 40])
  })

  it('does not deduct RU that were used beyond a grant if enough unused slices have passed since', async () => {
    const { lease, advance, given } = start()
    take(lease, 100, given)
    await advance(SLICE_MS * 2)
    lease.correct(-1000)
    await advance(SLICE_MS * 20)

    take(lease, 100, given)
    await advance(0)

    expect(given).toEqual([100, 100])
  })

  it('stops requesting slices while no RU are taken', async () => {
    const { lease, advance, slots } = start()
    void lease.take(10)

    await advance(SLICE_MS * 100)

    expect(slots()).toBeLessThanOrEqual(3)
  })

  it('resolves waiting requests with 0 RU when the range ends, and grants nothing afterwards', async () => {
    const { lease, advance, given } = start()
    take(lease, 5000, given)
    await advance(0)

    lease.end()
    await advance(0)

    expect(given).toEqual([0])
    expect(lease.take(1)).toBe(0)
  })

  // checks L7
  it('grants no more than the budget and one slice in each second, for all sequences of requests', async () => {
    const asks = fc.array(
      fc.record({ ru: fc.integer({ min: 1, max: SLICE_RU }), pauseMs: fc.integer({ min: 0, max: 400 }) }),
      {
        minLength: 40,
        maxLength: 120
      }
    )
    await fc.assert(
      fc.asyncProperty(asks, async (steps) => {
        const { lease, advance, now } = start()
        const taken: { atMs: number; ru: number }[] = []
        for (const { ru, pauseMs } of steps) {
          void Promise.resolve(lease.take(ru)).then((granted) => taken.push({ atMs: now(), ru: granted }))
          await advance(pauseMs)
        }
        await advance(20_000)

        expect(taken).toHaveLength(steps.length)
        for (const { atMs } of taken) {
          const second = taken.filter((other) => other.atMs >= atMs && other.atMs < atMs + 1000)
          expect(second.reduce((sum, { ru }) => sum + ru, 0)).toBeLessThanOrEqual((1000 / SLICE_MS + 1) * SLICE_RU)
        }
      }),
      { numRuns: 60 }
    )
  })
})

/** Provides slots like the limiter: the time between two slots is at least that of a slice. */
function start() {
  let ms = 0
  let nextMs = 0
  let asked = 0
  const timers: { atMs: number; resolve: () => void }[] = []
  const lease = createRangeLease({
    sliceMs: SLICE_MS,
    sliceRu: () => SLICE_RU,
    now: () => ms,
    nextSlot: () => {
      asked += 1
      const atMs = Math.max(ms, nextMs)
      nextMs = atMs + SLICE_MS
      return new Promise((resolve) => timers.push({ atMs, resolve }))
    }
  })

  async function advance(by: number): Promise<void> {
    const end = ms + by
    await settle()
    for (;;) {
      const due = timers.findIndex(({ atMs }) => atMs <= end)
      if (due < 0) break
      const [{ atMs, resolve }] = timers.splice(due, 1)
      ms = Math.max(ms, atMs)
      resolve()
      await settle()
    }
    ms = end
  }

  return { lease, advance, now: () => ms, slots: () => asked, given: [] as number[] }
}

function take(lease: RangeLease, ru: number, given: number[]): void {
  const granted = lease.take(ru)
  if (typeof granted === 'number') given.push(granted)
  else void granted.then((later) => given.push(later))
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await Promise.resolve()
}
