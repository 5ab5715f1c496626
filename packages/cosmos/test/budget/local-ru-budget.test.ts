import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LocalRuBudget } from '../../src/budget/ru-budget.ts'

const BUDGET = 1000

interface Payment {
  readonly atMs: number
  readonly ru: number
}

describe('a local RU budget', () => {
  // checks L7
  it('pays no more than the budget in each sliding second, for all delays and sizes of requests', () => {
    const step = fc.record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 700 })),
      ru: fc.integer({ min: 1, max: 60 })
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const payments = payAll(steps)
        for (const { atMs } of payments)
          expect(spentWithin(payments, atMs, atMs + 1000)).toBeLessThanOrEqual(BUDGET + 0.01)
      }),
      { numRuns: 200 }
    )
  })

  // checks L7
  it('pays no more than the budget in each sliding second of a new range', () => {
    const step = fc.record({ afterMs: fc.integer({ min: 0, max: 30 }), ru: fc.integer({ min: 1, max: 60 }) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 60, maxLength: 400 }), fc.nat(20), (steps, answeredAfter) => {
        const payments = payAll(steps, { isFirst: true, answeredAfter })
        for (const { atMs } of payments)
          expect(spentWithin(payments, atMs, atMs + 1000)).toBeLessThanOrEqual(BUDGET + 0.01)
      }),
      { numRuns: 200 }
    )
  })

  it('pays one batch of a new range, and three times as much after the first response has shown the price', () => {
    const budget = new LocalRuBudget(BUDGET, 0, { isFirst: true })
    budget.pay(0, 40)
    expect(budget.waitMs(0, 10)).toBeGreaterThan(0)

    budget.correct(0, 0)

    expect(budget.waitMs(0, 80)).toBe(0)
    expect(budget.waitMs(0, 81)).toBeGreaterThan(0)
    budget.pay(0, 80)
    budget.correct(0, 0)
    expect(budget.waitMs(0, 1)).toBeGreaterThan(0)
  })

  it('deducts the additional cost of the first request from the withheld budget', () => {
    const budget = new LocalRuBudget(BUDGET, 0, { isFirst: true })
    budget.pay(0, 40)
    budget.correct(0, -60)

    expect(budget.waitMs(0, 20)).toBe(0)
    expect(budget.waitMs(0, 21)).toBeGreaterThan(0)
  })

  it('pays for a part of a batch if the rest of the current second is too small for all of it, and for no part if the batch only has to wait for the rate', () => {
    const budget = new LocalRuBudget(BUDGET, 0)
    let nowMs = 0
    for (let paid = 0; paid < 27; paid++) {
      for (let waitMs = budget.waitMs(nowMs, 36); waitMs > 0; waitMs = budget.waitMs(nowMs, 36)) {
        expect(budget.partRu(nowMs, 36)).toBe(0)
        nowMs += waitMs
      }
      budget.pay(nowMs, 36)
    }
    nowMs = 999

    expect(budget.waitMs(nowMs, 36)).toBeGreaterThan(0)
    expect(budget.partRu(nowMs, 36)).toBe(BUDGET - 27 * 36)
    expect(budget.partRu(nowMs, 200)).toBe(0)
  })

  it('returns the exact time to wait', () => {
    const budget = new LocalRuBudget(BUDGET, 0)
    budget.pay(0, 40)
    const waitMs = budget.waitMs(0, 30)

    expect(waitMs).toBeCloseTo(30 / 0.985, 5)
    expect(budget.waitMs(waitMs - 1, 30)).toBeGreaterThan(0)
    expect(budget.waitMs(waitMs + 0.001, 30)).toBe(0)
  })

  it('never returns a time to wait below the resolution of a clock', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e9, max: 1e12, noNaN: true }), fc.integer({ min: 1, max: 40 }), (atMs, ru) => {
        const budget = new LocalRuBudget(BUDGET, atMs)
        let nowMs = atMs
        for (let paid = 0; paid < 60; paid++) {
          for (let waitMs = budget.waitMs(nowMs, ru); waitMs > 0; waitMs = budget.waitMs(nowMs, ru)) {
            expect(nowMs + waitMs).toBeGreaterThan(nowMs)
            nowMs += waitMs
          }
          budget.pay(nowMs, ru)
        }
      }),
      { numRuns: 200 }
    )
  })

  it('pays for an operation that costs more than the budget of a second, after a longer wait', () => {
    const budget = new LocalRuBudget(BUDGET, 0)
    let nowMs = 0
    for (let waitMs = budget.waitMs(nowMs, 2500); waitMs > 0; waitMs = budget.waitMs(nowMs, 2500))
      nowMs += Math.ceil(waitMs)

    expect(nowMs).toBeGreaterThan(2000)
    expect(nowMs).toBeLessThan(3000)
  })

  it('adds the unused part of a payment to the budget again', () => {
    const budget = new LocalRuBudget(BUDGET, 0)
    budget.pay(0, 40)

    budget.correct(0, 40)

    expect(budget.waitMs(0, 40)).toBe(0)
  })

  // checks L7
  it('refunds a payment that was made in the current second', () => {
    const budget = new LocalRuBudget(BUDGET, 0)
    budget.pay(0, 990)
    budget.refund(0, 500, 990)

    expect(budget.waitMs(500, 40)).toBe(0)
  })

  // checks L7
  it('refunds nothing for a payment older than a second', () => {
    const budget = new LocalRuBudget(BUDGET, 0)
    budget.pay(0, 400)
    budget.pay(1500, 900)
    budget.refund(0, 1600, 400)

    expect(budget.waitMs(1600, 200)).toBe(900)
  })

  it('makes up for lost time after a late call, but not after a long pause', () => {
    const budget = new LocalRuBudget(BUDGET, 0)
    budget.pay(0, 40)

    expect(budget.waitMs(100, 98)).toBe(0)
    budget.pay(60_000, 120)
    expect(budget.waitMs(60_000, 10)).toBeGreaterThan(0)
  })
})

/** Pays each step as soon as the budget allows it. */
function payAll(
  steps: readonly { readonly afterMs: number; readonly ru: number }[],
  { isFirst = false, answeredAfter = 0 }: { readonly isFirst?: boolean; readonly answeredAfter?: number } = {}
): readonly Payment[] {
  const budget = new LocalRuBudget(BUDGET, 0, { isFirst })
  const payments: Payment[] = []
  let nowMs = 0
  const pay = (ru: number): void => {
    budget.pay(nowMs, ru)
    payments.push({ atMs: nowMs, ru })
    if (isFirst && payments.length === answeredAfter) budget.correct(nowMs, 0)
  }
  for (const { afterMs, ru } of steps) {
    nowMs += afterMs
    for (let waitMs = budget.waitMs(nowMs, ru); waitMs > 0; waitMs = budget.waitMs(nowMs, ru)) {
      const part = budget.partRu(nowMs, ru)
      if (part > 0) pay(part)
      nowMs += Math.ceil(waitMs)
    }
    pay(ru)
  }
  return payments
}

function spentWithin(payments: readonly Payment[], fromMs: number, untilMs: number): number {
  return payments.reduce((sum, { atMs, ru }) => (atMs >= fromMs && atMs < untilMs ? sum + ru : sum), 0)
}
