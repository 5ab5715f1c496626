import { describe, expect, it } from 'vitest'
import { sliceOfV1, sliceOfV2 } from '../../src/hash/slice-of.ts'

describe('the slices of the hash space', () => {
  it('L15 end where the space ends: its ends lie in the first and the last of them', () => {
    for (const count of [1, 2, 3, 400, 10_000]) {
      expect([sliceOfV1(0, count), sliceOfV1(0xffff_ffff, count)]).toEqual([1, count])
      expect([sliceOfV2(0, count), sliceOfV2(0x3fff_ffff, count)]).toEqual([1, count])
    }
  })
})
