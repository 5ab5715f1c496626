import { describe, expect, it } from 'vitest'
import { partOf, type RangeLoad } from '../../src/leases/lease-balance.ts'

describe('the part of the shares that one worker uses', () => {
  it('is that of its ranges, so that all workers together use the shares', () => {
    const owners = ['a', 'b', 'b', 'b']
    const parts = ['a', 'b'].map((name) => partOf(owners.map((owner) => load(owner === name))))
    expect(parts).toStrictEqual([0.25, 0.75])
  })

  it('is larger for a worker whose ranges are not copied yet', () => {
    expect(partOf([load(true), load(false, true)])).toBeCloseTo(8 / 9)
    expect(partOf([load(true, true), load(false, true)])).toBe(0.5)
  })

  it('is never zero, because a worker without ranges compares', () => {
    expect(partOf([load(false), load(false)])).toBe(1 / 16)
    expect(partOf([])).toBe(1)
  })
})

function load(isOwn: boolean, isCopied: boolean = false): RangeLoad {
  return { isOwn, isCopied }
}
