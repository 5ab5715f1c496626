import { createRandom } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { PlaceTable } from '../../src/compare/place-table.ts'
import { hashIdentity } from '../../src/digest/identity-hash.ts'
import { type Identity, identityText } from '../../src/documents/identity.ts'

const component = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, undefined, '\ud800', 0.1, 0, -0)
)
const place = fc.record({ key: fc.array(component, { minLength: 1, maxLength: 3 }), id: fc.string() })

// versions at few places, so that later ones replace earlier ones
const versions = fc
  .array(place, { minLength: 1, maxLength: 6 })
  .chain((places) => fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...places), fc.nat(1000)), { maxLength: 120 }))

function hashOf(identity: Identity): Int32Array {
  const words = new Int32Array(4)
  hashIdentity(identity, words)
  return words
}

describe('the table of places', () => {
  it('has the last version of each document at each place', () => {
    fc.assert(
      fc.property(versions, fc.nat(100), (changes, expected) => {
        const table = new PlaceTable(expected)
        const model = new Map<number, Map<string, { readonly place: Identity; readonly content: number }>>()
        for (const [document, at, content] of changes) {
          table.put(hashOf(identityOf(document)), at, Int32Array.of(content, 0, 0, 0))
          const places = model.get(document) ?? new Map()
          model.set(document, places.set(identityText(at), { place: at, content }))
        }
        for (const [document, places] of model) {
          const slots = slotsOf(table, hashOf(identityOf(document)))
          expect(slots.map((slot) => identityText(table.placeOf(slot))).toSorted()).toEqual(
            [...places.keys()].toSorted()
          )
          for (const slot of slots) {
            const { place: at, content } = places.get(identityText(table.placeOf(slot)))!
            expect(table.placeOf(slot)).toEqual(at)
            expect(table.hasSameContent(slot, contentTable(content), 0)).toBe(true)
          }
        }
        const firsts: number[] = []
        table.forEach((slot) => firsts.push(slot))
        expect(firsts).toHaveLength(model.size)
      })
    )
  })

  it('takes about 100 bytes for a document, also if there are more than expected', () => {
    const random = createRandom(1)
    for (const expected of [100_000, 10]) {
      const table = new PlaceTable(expected)
      for (let index = 0; index < 100_000; index++) {
        const identity = { key: [`tenant-${random.below(1000)}`], id: `document-${index}` }
        table.put(hashOf(identity), identity, Int32Array.of(index, 0, 0, 0))
      }
      expect(table.size).toBe(100_000)
      expect(table.bytes / table.size).toBeLessThan(160)
    }
  })
})

function identityOf(document: number): Identity {
  return { key: [], id: `${document}` }
}

function slotsOf(table: PlaceTable, words: Int32Array): readonly number[] {
  const slots: number[] = []
  for (let slot = table.first(words, 0); slot >= 0; slot = table.next(slot)) slots.push(slot)
  return slots
}

/** A table with one document, whose slot is 0. */
function contentTable(content: number): PlaceTable {
  const table = new PlaceTable(0)
  table.put(new Int32Array(4), { key: [], id: '' }, Int32Array.of(content, 0, 0, 0))
  return table
}
