import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OrderedItems } from '../../src/store/physical-range.ts'

interface Item {
  ordinal: number
  place: number
}

it('OrderedItems keeps the order of the items, and returns the position from which to resume, also after removals', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.array(fc.nat(400), { maxLength: 400 }),
      fc.nat(400),
      (count, taken, after) => {
        const list = new OrderedItems<Item & Record<'place', number>, 'place'>('place')
        const items = Array.from({ length: count }, (_, ordinal) => ({ ordinal, place: 0 }))
        for (const item of items) list.push(item)
        const gone = new Set<number>()
        for (const at of taken) {
          if (at >= count || gone.has(at)) continue
          gone.add(at)
          list.remove(items[at])
        }

        const left = items.filter((item) => !gone.has(item.ordinal))
        expect([...list]).toEqual(left)
        expect(list.size).toBe(left.length)
        expect([...list.from((item) => item.ordinal <= after)]).toEqual(left.filter((item) => item.ordinal > after))
      }
    )
  )
})
