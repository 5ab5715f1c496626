import { describe, expect, it } from 'vitest'
import { childRid, containerRid, databaseRid, offerRid } from '../../src/store/resource-id.ts'

describe('resource ids', () => {
  it('are those of the published vectors', () => {
    expect(databaseRid(1)).toBe('AAAAAQ==')
    expect(containerRid(1, 1)).toBe('AAAAAYAAAAE=')
    expect(childRid('AAAAAYAAAAE=', 1, 'item')).toBe('AAAAAYAAAAEBAAAAAAAAAA==')
    expect(childRid('AAAAAYAAAAE=', 0, 'range')).toBe('AAAAAYAAAAEAAAAAAAAAUA==')
    expect(childRid('AAAAAYAAAAE=', 2, 'range')).toBe('AAAAAYAAAAECAAAAAAAAUA==')
  })

  it('have no slash, and all differ', () => {
    const offers = Array.from({ length: 5000 }, (_, i) => offerRid(i))
    const items = Array.from({ length: 5000 }, (_, i) => childRid(containerRid(0xffffff, 0x7fffffff), i * 7919, 'item'))

    for (const rid of [...offers, ...items]) expect(rid).not.toContain('/')
    expect(new Set(offers).size).toBe(5000)
    expect(new Set(items).size).toBe(5000)
  })
})
