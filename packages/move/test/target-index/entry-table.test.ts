import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EntryTable } from '../../src/target-index/entry-table.ts'

function hashOf(number: number): string {
  // few parts and tags, so that entries share slots and tags
  return String.fromCharCode(number % 2, 0xff - (number % 3), 0xff, number % 5, number % 7).padEnd(16, 'x')
}

interface Entry {
  readonly hash: string
  readonly place: number
}

test('has the places of a map through additions, moves, removals and growth', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('add', 'add', 'move', 'remove'), fc.nat(2000)), { maxLength: 2000 })
  fc.assert(
    fc.property(steps, (all) => {
      const table = new EntryTable()
      const entries: Entry[] = []
      const moves: boolean[] = []
      let place = 2
      for (const [step, number] of all) {
        const index = number % Math.max(1, entries.length)
        const entry = entries[index]
        if (step === 'add' || entry === undefined) {
          entries.push({ hash: hashOf(number), place })
          table.insert(hashOf(number), place++)
        } else if (step === 'move') {
          moves.push(table.move(entry.hash, entry.place, place), !table.move(entry.hash, entry.place, place))
          entries[index] = { hash: entry.hash, place: place++ }
        } else {
          table.remove(entry.hash, entry.place)
          table.remove(entry.hash, entry.place)
          entries.splice(index, 1)
        }
      }
      expect(moves).not.toContain(false)
      expect(table.size).toBe(entries.length)
      for (const { hash } of entries) {
        const places = entries.filter((entry) => entry.hash === hash).map((entry) => entry.place)
        expect(table.placesOf(hash).toSorted((a, b) => a - b)).toEqual(places.toSorted((a, b) => a - b))
      }
    }),
    { numRuns: 30 }
  )
})

test('holds as many entries after many rounds of additions and removals as at first', () => {
  const table = new EntryTable()
  for (let round = 0; round < 100_000; round++) {
    table.insert(hashOf(round), round + 2)
    table.remove(hashOf(round), round + 2)
  }
  expect(table.size).toBe(0)
  for (let number = 0; number < 210; number++) expect(table.placesOf(hashOf(number))).toEqual([])
})
