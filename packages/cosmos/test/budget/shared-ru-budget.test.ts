import { describe, expect, it } from 'vitest'
import { SharedRuBudget, type RuLease } from '../../src/budget/shared-ru-budget.ts'
import type { RuGrant } from '../../src/budget/lease.ts'

const NEVER = Number.POSITIVE_INFINITY

describe('a leased budget', () => {
  it('requests the cost of a batch once, calls `wake` when it is granted, and pays with the grant', async () => {
    const { budget, asked, grant, woken } = open()
    expect(budget.waitMs(0, 10)).toBe(NEVER)
    expect(budget.waitMs(0, 10)).toBe(NEVER)
    expect(asked.map(({ maxRu }) => maxRu)).toEqual([10])

    await grant({ ru: 10 })

    expect(woken.times).toBe(1)
    expect(budget.waitMs(0, 10)).toBe(0)
    budget.pay(0, 10)
    expect(budget.waitMs(0, 14)).toBe(NEVER)
    expect(asked.map(({ maxRu }) => maxRu)).toEqual([10, 14])
  })

  it('waits until the grant becomes valid, and does not call `wake`', async () => {
    const { budget, asked, grant } = open()
    budget.waitMs(0, 10)
    await grant({ ru: 10, fromMs: 25, untilMs: 50 })

    expect(budget.waitMs(5, 10)).toBe(20)
    expect(budget.partRu(5, 40)).toBe(0)
    expect(budget.waitMs(25, 10)).toBe(0)
    expect(asked).toHaveLength(1)
  })

  it('gives RU that were not spent in time back to the lease, and requests RU again', async () => {
    const { budget, asked, grant, corrected } = open()
    budget.waitMs(0, 10)
    await grant({ ru: 10, untilMs: 30 })

    expect(budget.waitMs(30, 10)).toBe(0)
    expect(budget.waitMs(30.1, 10)).toBe(NEVER)

    expect(corrected).toEqual([10])
    expect(asked).toHaveLength(2)
    expect(asked[1].reports()).toEqual([{ id: '0', afterMs: 0, ru: 0 }])
  })

  it('keeps leased and unspent RU for the next batch', async () => {
    const { budget, asked, grant } = open()
    budget.waitMs(0, 30)
    await grant({ ru: 30 })
    budget.pay(0, 20)

    expect(budget.waitMs(0, 10)).toBe(0)
    expect(asked).toHaveLength(1)
  })

  it('requests at least the RU of a hundredth of a second, so that not every single operation causes a request', () => {
    const { budget, asked } = open()
    budget.waitMs(0, 4)

    expect(asked[0]).toMatchObject({ minRu: 1, maxRu: 10 })
  })

  it('requests a new grant for a batch that costs more than the rest of a grant, and never spends the rest', async () => {
    const { budget, asked, grant, corrected } = open()
    budget.waitMs(0, 30)
    await grant({ ru: 30 })
    budget.pay(0, 28)

    expect(budget.waitMs(0, 10)).toBe(NEVER)
    expect(corrected).toEqual([2])
    expect(budget.partRu(0, 2)).toBe(0)
    expect(budget.waitMs(0, 2)).toBe(NEVER)
    expect(asked[1].reports()).toEqual([{ id: '0', afterMs: 0, ru: 28 }])
  })

  it('offers a grant that is too small for a batch only once for a part of the batch', async () => {
    const { budget, asked, grant } = open()
    budget.waitMs(0, 40)
    expect(asked[0]).toMatchObject({ minRu: 10, maxRu: 40 })
    await grant({ ru: 15 })

    expect(budget.waitMs(0, 40)).toBeLessThan(5)
    expect(budget.partRu(0, 40)).toBe(15)
    // the first operation costs more than the rest
    expect(budget.waitMs(1, 40)).toBe(NEVER)

    expect(asked[1]).toMatchObject({ minRu: 40, maxRu: 40 })
  })

  it('requests the whole cost of an operation that costs more than the limit of a batch', () => {
    const { budget, asked } = open()
    budget.waitMs(0, 41)

    expect(asked[0]).toMatchObject({ minRu: 41, maxRu: 41 })
  })

  it('reports when a grant was spent, and how much of it', async () => {
    const { budget, asked, grant } = open()
    budget.waitMs(0, 30)
    await grant({ ru: 30, startMs: 2, fromMs: 3, untilMs: 32 })
    budget.pay(4, 10)
    budget.pay(12, 20)
    budget.waitMs(12, 10)

    expect(asked[1].reports()).toEqual([{ id: '0', afterMs: 10, ru: 30 }])
    expect(asked[1].reports()).toEqual([])
  })

  it('gives unspent RU of a batch back to the lease, takes overspent RU from it, and reports both', async () => {
    const { budget, asked, grant, corrected } = open()
    budget.waitMs(0, 40)
    await grant({ ru: 40 })
    budget.pay(0, 20)
    budget.pay(0, 20)
    budget.waitMs(0, 10)
    budget.correct(0, 3)
    budget.correct(0, -2)

    expect(corrected).toEqual([3, -2])
    expect(asked[1].reports()).toEqual([{ id: '0', afterMs: 0, ru: 39 }])
  })

  it('gives back to the lease the RU of a request that was never sent, and does not adapt its prices', async () => {
    const { budget, asked, grant, corrected } = open()
    budget.waitMs(0, 40)
    await grant({ ru: 40 })
    budget.pay(0, 20)
    budget.pay(0, 20)
    budget.waitMs(0, 10)
    budget.refund(0, 3, 20)

    expect(corrected.at(-1)).toBe(20)
    expect(budget.batchRu).toBe(40)
    expect(asked[1].reports()).toEqual([{ id: '0', afterMs: 0, ru: 20 }])
  })

  it('reports at once a batch that cost much more than its lease, and then requests more', async () => {
    const { budget, asked, reported, grant, corrected } = open()
    budget.waitMs(0, 40)
    await grant({ ru: 40 })
    budget.pay(0, 40)
    budget.waitMs(0, 40)
    budget.correct(0, -40)

    expect(corrected).toEqual([-40])
    expect(reported).toEqual([[{ id: '0', afterMs: 0, ru: 80 }]])
    expect(budget.batchRu).toBeCloseTo(40 / 1.5)
    await grant({ ru: 40 })
    budget.pay(0, 40)
    budget.waitMs(0, 20)
    expect(asked[2].maxRu).toBeCloseTo(30)
    // before the response, the expected cost is reported
    expect(asked[2].reports()).toEqual([{ id: '1', afterMs: 0, ru: 60 }])
  })

  it('does not report a grant that may still be spent', async () => {
    const { budget, reported, grant } = open()
    budget.waitMs(0, 40)
    await grant({ ru: 40 })
    budget.pay(0, 20)
    budget.correct(0, -20)

    expect(reported).toEqual([])
  })

  // a wait because of a rounding error would never end, or would request nothing
  it('never waits because of rounding errors', async () => {
    const { budget, grant } = open()
    for (let cost = 1; cost < 1000; cost++) {
      budget.waitMs(0, cost * 1.1)
      await grant({ ru: cost * 1.1 })
      expect(budget.waitMs(0, cost * 0.7)).toBe(0)
      budget.pay(0, cost * 0.7)
      expect(budget.waitMs(0, cost * 0.4)).toBe(0)
      budget.pay(0, cost * 0.4)
    }
  })

  it('does not call `wake` when the lease has ended, and sends a new request at the next call', async () => {
    const { budget, asked, grant, woken } = open()
    budget.waitMs(0, 10)
    await grant(undefined)

    expect(woken.times).toBe(0)
    expect(budget.waitMs(0, 10)).toBe(NEVER)
    expect(asked).toHaveLength(2)
  })

  it('limits the cost of a batch to less than the RU of a twentieth of a second', () => {
    expect(open().budget.batchRu).toBe(40)
  })
})

type Ask = Parameters<RuLease['ask']>[1]

/** Creates a budget over a lease that responds when the test grants. */
function open() {
  const asked: Ask[] = []
  const reported: (readonly object[])[] = []
  const corrected: number[] = []
  const woken = { times: 0 }
  let resolve: ((grant: RuGrant | undefined) => void) | undefined
  let granted = 0
  const lease: RuLease = {
    ask: (_, ask) => {
      asked.push(ask)
      return new Promise((resolveThis) => (resolve = resolveThis))
    },
    report: (_, reports) => reported.push(reports),
    correct: (_, ru) => corrected.push(ru)
  }
  const budget = new SharedRuBudget({ lease, rangeId: '0', ruPerSecond: 1000, wake: () => woken.times++ })
  const grant = async (given: Partial<RuGrant> | undefined): Promise<void> => {
    resolve?.(given && { id: String(granted++), ru: 0, startMs: 0, fromMs: 0, untilMs: 30, ...given })
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return { budget, asked, reported, corrected, woken, grant }
}
