import { describe, expect, it } from 'vitest'
import { LeasedPurse, type RuLease } from '../../src/governor/leased-purse.ts'

describe('a leased purse', () => {
  it('pays at once what the lease gives at once', () => {
    const { purse, asked } = open(() => 10)

    expect(purse.waitMs(0, 10)).toBe(0)
    purse.pay(0, 10)
    expect(purse.waitMs(0, 4)).toBe(0)

    expect(asked).toEqual([10, 4])
  })

  it('asks once, only for what is missing, and calls when it has come', async () => {
    const { purse, asked, grant, woken } = open()
    expect(purse.waitMs(0, 10)).toBe(Number.POSITIVE_INFINITY)
    expect(purse.waitMs(0, 25)).toBe(Number.POSITIVE_INFINITY)
    expect(asked).toEqual([10])

    await grant(10)
    expect(woken.times).toBe(1)

    expect(purse.waitMs(0, 25)).toBe(Number.POSITIVE_INFINITY)
    expect(asked).toEqual([10, 15])
    await grant(15)
    expect(purse.waitMs(0, 25)).toBe(0)
  })

  // whoever waits for what rounding left over is never woken: nothing was asked for
  it('never waits for what rounding leaves', () => {
    const { purse } = open((ru) => ru)

    for (let cost = 1; cost < 2000; cost++) {
      expect(purse.waitMs(0, cost * 1.1)).toBe(0)
      purse.pay(0, cost * 0.7)
      expect(purse.waitMs(0, cost * 1.3)).toBe(0)
      purse.pay(0, cost * 1.3)
    }
  })

  it('keeps what was leased and not spent for the next batch', async () => {
    const { purse, asked, grant } = open()
    purse.waitMs(0, 30)
    await grant(30)
    purse.pay(0, 20)

    expect(purse.waitMs(0, 10)).toBe(0)
    expect(asked).toEqual([30])
  })

  it('gives back to the lease what a batch did not cost, and takes from it what it cost beyond', () => {
    const { purse, corrected } = open(() => 10)
    purse.correct(0, 3)
    purse.correct(0, -2)

    expect(corrected).toEqual([3, -2])
  })

  it('wakes nobody when the lease has ended, and asks again when it is asked', async () => {
    const { purse, asked, grant, woken } = open()
    purse.waitMs(0, 10)
    await grant(0)

    expect(woken.times).toBe(0)
    expect(purse.waitMs(0, 10)).toBe(Number.POSITIVE_INFINITY)
    expect(asked).toEqual([10, 10])
  })

  it('lets a batch cost a twentieth of a second', () => {
    expect(open().purse.batchRu).toBe(50)
  })
})

interface Opened {
  readonly purse: LeasedPurse
  readonly asked: number[]
  readonly corrected: number[]
  readonly woken: { times: number }
  readonly grant: (ru: number) => Promise<void>
}

/** A purse over a lease that answers by the given function, or when the test grants. */
function open(answer?: (ru: number) => number): Opened {
  const asked: number[] = []
  const corrected: number[] = []
  const woken = { times: 0 }
  let resolve: ((ru: number) => void) | undefined
  const lease: RuLease = {
    take: (_, ru) => {
      asked.push(ru)
      if (answer !== undefined) return answer(ru)
      return new Promise((resolveThis) => (resolve = resolveThis))
    },
    correct: (_, ru) => corrected.push(ru)
  }
  const purse = new LeasedPurse({ lease, rangeId: '0', ruPerSecond: 1000, wake: () => woken.times++ })
  const grant = async (ru: number): Promise<void> => {
    resolve?.(ru)
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return { purse, asked, corrected, woken, grant }
}
