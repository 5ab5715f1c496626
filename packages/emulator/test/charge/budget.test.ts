import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Budget } from '../../src/charge/budget.ts'

const attempts = fc.array(fc.record({ afterMs: fc.nat(300), charge: fc.integer({ min: 1, max: 60 }) }), {
  maxLength: 200
})

describe('a budget', () => {
  it('grants at most its rate and one overdraft in any second of the clock', () => {
    fc.assert(
      fc.property(attempts, fc.boolean(), (list, overdraw) => {
        const budget = new Budget(100, { overdraw }, 0)
        const granted = new Map<number, number>()
        let nowMs = 0
        for (const { afterMs, charge } of list) {
          nowMs += afterMs
          const second = Math.floor(nowMs / 1000)
          if (budget.take(nowMs, charge, false)) granted.set(second, (granted.get(second) ?? 0) + charge)
        }
        for (const total of granted.values()) expect(total).toBeLessThanOrEqual(overdraw ? 159 : 100)
      })
    )
  })

  it('that is a token bucket grants at most the earned RU, one bucket and one overdraft in any period', () => {
    fc.assert(
      fc.property(attempts, (list) => {
        const budget = new Budget(100, { window: 'token-bucket' }, 0)
        let nowMs = 0
        let total = 0
        for (const { afterMs, charge } of list) {
          nowMs += afterMs
          if (budget.take(nowMs, charge, false)) total += charge
        }
        expect(total).toBeLessThanOrEqual(100 + (nowMs / 1000) * 100 + 60)
      })
    )
  })

  it('grants again after the time that `waitMs` returns', () => {
    fc.assert(
      fc.property(
        attempts,
        fc.constantFrom('tumbling', 'token-bucket'),
        fc.constantFrom('forgiven', 'carried'),
        (list, window, debt) => {
          const budget = new Budget(100, { window, debt }, 0)
          let nowMs = 0
          for (const { afterMs, charge } of list) {
            nowMs += afterMs
            if (budget.take(nowMs, charge, false)) continue
            nowMs += budget.waitMs(nowMs)
            expect(budget.take(nowMs, 1, false)).toBe(true)
          }
        }
      )
    )
  })

  it('admits an operation that costs more than the RU of a second if no RU of that second are used', () => {
    const budget = new Budget(100, { overdraw: false }, 0)

    expect(budget.take(0, 500, false)).toBe(true)
    expect(budget.take(1, 1, false)).toBe(false)
  })
})
