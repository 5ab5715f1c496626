import { describe, expect, it } from 'vitest'
import { PageSizer } from '../../src/budget/page-sizer.ts'

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

  it('fits another target at once, with what was learned', () => {
    const sizer = new PageSizer(50)
    for (let page = 0; page < 6; page++) sizer.learn(sizer.items, sizer.items * 0.5)
    const before = sizer.items
    sizer.retarget(5)
    const low = sizer.items
    sizer.retarget(50)

    expect([before, low, sizer.items]).toEqual([100, 10, 40])
  })

  it('has at most 300 items, or as many as the caller allows', () => {
    const sizers = [new PageSizer(1e6), new PageSizer(1e6, 1000)]
    for (let page = 0; page < 6; page++) for (const sizer of sizers) sizer.learn(sizer.items, sizer.items)

    expect(sizers.map(({ items }) => items)).toEqual([300, 1000])
  })

  it('never asks for less than one item', () => {
    const sizer = new PageSizer(2)
    for (let page = 0; page < 5; page++) sizer.learn(sizer.items, 2.8 + sizer.items)

    expect(sizer.items).toBe(1)
  })
})
