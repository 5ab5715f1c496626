import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOWHERE, type SlabHolder, Slabs } from '../../src/store/slab.ts'

const holder = (): SlabHolder => ({ slab: NOWHERE, offset: 0, length: 0 })
const read = ({ slab, offset, length }: SlabHolder): string => slab.bytes.toString('utf8', offset, offset + length)
const put = (slabs: Slabs, target: SlabHolder, text: string): void => slabs.put(target, text, Buffer.byteLength(text))

describe('slabs', () => {
  it('return stored documents while other documents are added, removed and moved', () => {
    const step = fc.record({
      slot: fc.nat(30),
      text: fc.string({ unit: 'binary', maxLength: 40 }),
      times: fc.integer({ min: 1, max: 4000 }),
      isDrop: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const slabs = new Slabs()
        const kept = new Map<number, { at: SlabHolder; text: string }>()
        for (const { slot, text, times, isDrop } of steps) {
          const known = kept.get(slot)
          if (known !== undefined) slabs.drop(known.at)
          kept.delete(slot)
          if (isDrop) continue
          const fresh = { at: holder(), text: text.repeat(times).toWellFormed() }
          put(slabs, fresh.at, fresh.text)
          kept.set(slot, fresh)
        }
        for (const { at, text } of kept.values()) expect(read(at)).toBe(text)
      }),
      { numRuns: 60 }
    )
  })

  it('copy the bytes, so that the caller may reuse its buffer', () => {
    const slabs = new Slabs()
    const source = Buffer.from('..é document..')
    const copied = holder()
    slabs.copy(copied, source, 2, source.length - 2)
    source.fill(0)

    expect(read(copied)).toBe('é document')
  })

  it('keep lent bytes as they are, and copy all others', () => {
    const slabs = new Slabs()
    const lent = Buffer.from('[one,two]')
    const [one, two, other] = [holder(), holder(), holder()]
    slabs.lend(lent)
    slabs.copy(one, lent, 1, 4)
    slabs.copy(other, Buffer.from('[other]'), 1, 6)
    slabs.copy(two, lent, 5, 8)
    slabs.settle()

    expect([one, two, other].map(read)).toEqual(['one', 'two', 'other'])
    expect(one.slab.bytes).toBe(lent)
    expect(two.slab.bytes).toBe(lent)
    expect(other.slab.bytes).not.toBe(lent)
    const late = holder()
    slabs.copy(late, lent, 1, 4)
    expect(late.slab.bytes).not.toBe(lent)
  })

  it('do not keep lent bytes of which few are in use', () => {
    const slabs = new Slabs()
    const lent = Buffer.from(`[one,${'x'.repeat(100)}]`)
    const [one, replaced] = [holder(), holder()]
    slabs.lend(lent)
    slabs.copy(replaced, lent, 5, 105)
    slabs.copy(one, lent, 1, 4)
    slabs.drop(replaced)
    slabs.settle()

    expect(read(one)).toBe('one')
    expect(one.slab.bytes).not.toBe(lent)
  })

  it('keep little more memory than the documents need, whatever of lent bytes remains', () => {
    const step = fc.record({
      sizes: fc.array(fc.integer({ min: 20, max: 20_000 }), { minLength: 1, maxLength: 30 }),
      kept: fc.nat(100)
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const slabs = new Slabs()
        const live: SlabHolder[] = []
        for (const { sizes, kept } of steps) {
          const body = Buffer.alloc(
            sizes.reduce((sum, size) => sum + size + 1, 1),
            'x'
          )
          const stored = sizes.map(holder)
          slabs.lend(body)
          let at = 1
          for (const [index, size] of sizes.entries()) {
            slabs.copy(stored[index], body, at, at + size)
            at += size + 1
          }
          slabs.settle()
          for (const [index, each] of stored.entries()) {
            if (index === kept % stored.length) live.push(each)
            else slabs.drop(each)
          }
        }

        const blocks = new Set(live.map(({ slab }) => slab.bytes))
        const held = [...blocks].reduce((sum, bytes) => sum + bytes.length, 0)
        const needed = live.reduce((sum, { length }) => sum + length, 0)
        // the current slab can be almost empty
        expect(held).toBeLessThan(3 * needed + 5_000_000)
      }),
      { numRuns: 30 }
    )
  })

  it('do not grow when documents are replaced: slabs that are half unused are emptied', () => {
    const slabs = new Slabs()
    const text = 'x'.repeat(1000)
    const holders = Array.from({ length: 5000 }, holder)
    for (const one of holders) put(slabs, one, text)
    for (let round = 0; round < 5; round++) {
      for (const one of holders) {
        slabs.drop(one)
        put(slabs, one, text)
      }
    }

    const held = new Set(holders.map((one) => one.slab))
    const bytes = [...held].reduce((sum, slab) => sum + slab.bytes.length, 0)
    expect(bytes).toBeLessThan(5000 * 1000 * 3)
    expect(holders.every((one) => read(one) === text)).toBe(true)
  })
})
