import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EntryTable } from '../../src/copy/entry-table.ts'
import type { Entry } from '../../src/copy/queue-entry.ts'
import { type Identity, identityText } from '../../src/documents/identity.ts'

const value = fc.oneof(
  fc.constantFrom<Identity['key'][number]>(undefined, null, true, 0, -0, '', '0', 'null', 'undefined'),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true })
)
const identity = fc.record({
  id: fc.oneof(fc.constantFrom('a', 'b'), fc.string()),
  key: fc.array(value, { maxLength: 3 })
})

describe('EntryTable', () => {
  it('has one entry for each document, as a Map by the text of the identity', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(identity, fc.boolean()), { maxLength: 60 }), (steps) => {
        const table = new EntryTable()
        const expected = new Map<string, Entry>()
        for (const [of, isRemoved] of steps) {
          const text = identityText(of)
          const entry = table.of(of)
          expect(entry).toBe(expected.get(text) ?? entry)
          expect(entry.text).toBe(text)
          if (isRemoved) table.remove(entry)
          if (isRemoved) expected.delete(text)
          else expected.set(text, entry)
          expect(table.size).toBe(expected.size)
        }
      })
    )
  })

  it('finds all of several thousand documents, also after half of them were removed', () => {
    const table = new EntryTable()
    const entries = Array.from({ length: 5000 }, (_, number) => table.of(identityOf(number)))
    for (const [number, entry] of entries.entries()) if (number % 2 === 0) table.remove(entry)
    expect(table.size).toBe(2500)
    for (const [number, entry] of entries.entries())
      expect(table.of(identityOf(number)) === entry).toBe(number % 2 === 1)
  })
})

function identityOf(number: number): Identity {
  return { id: `d-${number}`, key: [`device-${number % 10}`] }
}
