import fc from 'fast-check'
import { expect, it } from 'vitest'
import { walkRange } from '../../src/engine/item-walk.ts'
import { walkTargets } from '../../src/engine/scan-targets.ts'
import { StoredItem } from '../../src/store/item.ts'
import { LogicalPartition } from '../../src/store/logical-partition.ts'
import { PhysicalRange } from '../../src/store/physical-range.ts'
import { Slabs } from '../../src/store/slab.ts'

const slabs = new Slabs()

function fill(range: PhysicalRange, from: number, count: number): StoredItem[] {
  const partition = new LogicalPartition('"a"', 'AA', range)
  return Array.from({ length: count }, (_, at) => {
    const item = new StoredItem(partition, String(from + at), from + at)
    slabs.put(item, '{}', 2)
    range.items.push(item)
    return item
  })
}

it('a walk over a range gives each item once that stays, and no item that was removed before, while items are added and removed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.record({ steps: fc.nat(60), from: fc.nat(599), removed: fc.nat(400) }), { maxLength: 12 }),
      (count, moments) => {
        const range = new PhysicalRange(0, '', 'FF', [])
        const items = fill(range, 1, count)
        const walk = walkRange(range, 0, undefined)
        const seen: number[] = []
        const gone = new Set<StoredItem>()
        const take = (): boolean => {
          const item = walk.next()
          if (item === undefined) return false
          expect(gone.has(item)).toBe(false)
          seen.push(item.ordinal)
          return true
        }
        for (const { steps, from, removed } of moments) {
          for (let step = 0; step < steps && take(); step++);
          for (const item of items.slice(from, from + removed)) {
            if (gone.has(item)) continue
            gone.add(item)
            range.items.remove(item)
            slabs.drop(item)
          }
        }
        while (take());

        const stayed = items.filter((item) => !gone.has(item)).map(({ ordinal }) => ordinal)
        expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
        expect(seen).toEqual(expect.arrayContaining(stayed))
      }
    )
  )
})

it('a walk over the list of a range that was split leaves out items that were removed from its child', () => {
  const parent = new PhysicalRange(0, '', 'FF', [])
  const items = fill(parent, 1, 3)
  const walk = walkRange(parent, 0, undefined)
  walk.next()
  slabs.drop(items[1])

  expect(walk.next()).toBe(items[2])
})

it.each([0, 100])('a walk over keys of a range that was split or merged has their items, among %i others', (others) => {
  const former = new PhysicalRange(0, '', 'B0', [])
  fill(former, 1, others)
  const partition = new LogicalPartition('"b"', 'AB', former)
  const items = Array.from({ length: 3 }, (_, at) => new StoredItem(partition, `b${at}`, others + at + 1))
  for (const item of items) {
    slabs.put(item, '{}', 2)
    former.items.push(item)
    partition.add(item)
  }
  partition.range = new PhysicalRange(1, 'A0', 'FF', ['0'])
  const walk = walkTargets(new Map([[partition, undefined]]), former, 0, undefined)

  const found = [walk.next(), walk.next(), walk.next(), walk.next()]

  expect(found.map((item) => item?.id)).toEqual(['b0', 'b1', 'b2', undefined])
})
