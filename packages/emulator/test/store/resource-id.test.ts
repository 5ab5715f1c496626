import fc from 'fast-check'
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

  it('of items and ranges are the bytes of the container, the ordinal and the type', () => {
    const uint32 = fc.integer({ min: 0, max: 0xffff_ffff })
    const ordinal = fc.oneof(
      fc.nat(70_000),
      fc.maxSafeNat().map((value) => value % 2 ** 48)
    )
    fc.assert(
      fc.property(uint32, uint32, ordinal, fc.constantFrom('item', 'range'), (database, number, child, type) => {
        const container = containerRid(database, number)
        const bytes = Buffer.alloc(16)
        bytes.write(container.replaceAll('-', '/'), 'base64')
        bytes.writeUIntLE(child, 8, 6)
        bytes[15] = type === 'range' ? 0x50 : 0

        expect(childRid(container, child, type)).toBe(bytes.toString('base64').replaceAll('/', '-'))
      })
    )
  })

  it('have no slash, and all differ', () => {
    const offers = Array.from({ length: 5000 }, (_, i) => offerRid(i))
    const items = Array.from({ length: 5000 }, (_, i) => childRid(containerRid(0xffffff, 0x7fffffff), i * 7919, 'item'))

    for (const rid of [...offers, ...items]) expect(rid).not.toContain('/')
    expect(new Set(offers).size).toBe(5000)
    expect(new Set(items).size).toBe(5000)
  })
})
