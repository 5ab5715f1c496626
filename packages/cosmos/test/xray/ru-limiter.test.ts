import { describe, expect, it } from 'vitest'
import { RuLimiter } from '../../src/xray/ru-limiter.ts'

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
