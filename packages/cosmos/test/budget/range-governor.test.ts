import { describe, expect, it } from 'vitest'
import { Concurrency } from '../../src/budget/range-governor.ts'

describe('the limit of requests in flight', () => {
  it('grows with each successful response, up to 32', () => {
    const concurrency = new Concurrency()
    const limits = Array.from({ length: 40 }, () => {
      concurrency.increase()
      return concurrency.limit
    })

    expect(limits.slice(0, 3)).toEqual([3, 4, 5])
    expect(limits.at(-1)).toBe(32)
  })

  it('halves with each throttled request, down to one, and then grows slowly', () => {
    const concurrency = new Concurrency()
    for (let answer = 0; answer < 30; answer++) concurrency.increase()
    for (let times = 0; times < 3; times++) concurrency.decrease()
    expect(concurrency.limit).toBe(4)

    for (let answer = 0; answer < 4; answer++) concurrency.increase()
    expect(concurrency.limit).toBe(4)
    concurrency.increase()
    expect(concurrency.limit).toBe(5)

    for (let times = 0; times < 9; times++) concurrency.decrease()
    expect(concurrency.limit).toBe(1)
  })

  it('falls to a few requests if the batches are full and more requests in flight only increase the latency', () => {
    const concurrency = new Concurrency()
    // a service that answers one batch every 5 ms
    for (let answer = 0; answer < 300; answer++) concurrency.answeredFullBatch(Math.max(5, concurrency.limit * 5))

    expect(concurrency.limit).toBeLessThanOrEqual(5)
  })

  it('grows if the batches are full, the network latency is high and no request waits', () => {
    const concurrency = new Concurrency()
    for (let answer = 0; answer < 300; answer++) concurrency.answeredFullBatch(80 + (answer % 7) * 5)

    expect(concurrency.limit).toBe(32)
  })
})
