import { describe, expect, it } from 'vitest'
import { PageSizer, RuLimiter } from '../../src/xray/ru-limiter.ts'

/** A clock on which waiting passes the time, and a server that charges each request somewhere before its answer. */
function simulated(limitRu: number, random: () => number) {
  let nowMs = 0
  const clock = {
    now: () => nowMs,
    schedule: (ms: number, run: () => void) => {
      nowMs += ms
      queueMicrotask(run)
      return () => {}
    }
  }
  const limiter = new RuLimiter(limitRu, clock)
  const charged: { readonly atMs: number; readonly chargeRu: number }[] = []
  const send = (chargeRu: number) => () => {
    const sentMs = nowMs
    nowMs += random() * 80
    charged.push({ atMs: sentMs + random() * (nowMs - sentMs), chargeRu })
    return Promise.resolve({ chargeRu, value: undefined })
  }
  return { limiter, charged, send, now: () => nowMs }
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}

describe('the RU limiter', () => {
  it.each([1, 2, 3, 4, 5])('keeps every sliding second at the limit plus one request, seed %i', async (seed) => {
    const random = seeded(seed)
    const { limiter, charged, send, now } = simulated(100, random)

    // each charge is lower or higher than expected
    await Promise.all(Array.from({ length: 300 }, () => limiter.run(10, send(random() * 20))))

    for (const { atMs } of charged) {
      const inSecond = charged.filter((each) => each.atMs > atMs - 1000 && each.atMs <= atMs)
      const sumRu = inSecond.reduce((sum, { chargeRu }) => sum + chargeRu, 0)
      const largestRu = Math.max(...inSecond.map(({ chargeRu }) => chargeRu))
      expect(sumRu).toBeLessThanOrEqual(100 + largestRu)
    }
    // and the limit is used: 3,000 RU take not much more than 30 s
    expect(now()).toBeLessThan(40_000)
  })

  it('counts a request without an answer as if it had its expected charge', async () => {
    const { limiter, send, now } = simulated(20, () => 0)

    await expect(limiter.run(20, () => Promise.reject(new Error('reset')))).rejects.toThrow('reset')
    await limiter.run(2, send(2))

    expect(limiter.chargeRu).toBe(22)
    expect(now()).toBeGreaterThanOrEqual(1000)
  })
})

describe('the size of pages', () => {
  it('starts small, and grows until a page costs a tenth of the limit', () => {
    const sizer = new PageSizer(50)
    const asked: number[] = []
    for (let page = 0; page < 12; page++) {
      const { items } = sizer
      asked.push(items)
      const chargeRu = 2.8 + items * 0.5
      expect(chargeRu).toBeLessThanOrEqual(50)
      sizer.learn(items, chargeRu)
    }
    expect(asked[0]).toBe(10)
    expect(asked.at(-1)).toBeGreaterThan(70)
  })

  it('shrinks after a page of expensive items', () => {
    const sizer = new PageSizer(10)
    for (let page = 0; page < 6; page++) sizer.learn(sizer.items, 2.8 + sizer.items * 0.01)
    const before = sizer.items
    sizer.learn(before, before)

    expect(sizer.items).toBeLessThanOrEqual(10)
    expect(before).toBeGreaterThan(100)
  })

  it('never asks for less than one item', () => {
    const sizer = new PageSizer(2)
    for (let page = 0; page < 5; page++) sizer.learn(sizer.items, 2.8 + sizer.items)

    expect(sizer.items).toBe(1)
  })
})
