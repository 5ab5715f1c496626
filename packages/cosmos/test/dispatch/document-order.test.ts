import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_CONDITIONS, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { DocumentTable } from '../../src/dispatch/document-order.ts'

describe('a table of documents', () => {
  it('finds, adds and removes documents by key and id like a Map', () => {
    const place = fc.record({ key: fc.integer({ min: 0, max: 40 }), id: fc.integer({ min: 0, max: 60 }) })
    fc.assert(
      fc.property(fc.array(place, { maxLength: 400 }), (places) => {
        const table = new DocumentTable()
        const model = new Map<string, PendingOperation>()
        for (const { key, id } of places) {
          const pending = pendingOf(`k${key}`, `d${id}`)
          const known = model.get(pending.document)
          expect(table.find(pending)).toBe(known)
          if (known === undefined) {
            table.add(pending)
            model.set(pending.document, pending)
          } else {
            table.remove(known)
            model.delete(pending.document)
          }
          expect(table.size).toBe(model.size)
        }
        expect(new Set(table.values())).toEqual(new Set(model.values()))
      }),
      { numRuns: 100 }
    )
  })

  it('grows with its documents, and finds all of them', () => {
    const table = new DocumentTable()
    const all = Array.from({ length: 5000 }, (_, index) => pendingOf(`k${index % 7}`, `d${index}`))
    for (const pending of all) table.add(pending)

    for (const pending of all) expect(table.find(pendingOf(String(pending.values[0]), pending.id))).toBe(pending)
    for (const pending of all) table.remove(pending)
    expect([...table.values()]).toEqual([])
  })

  it('distinguishes documents with equal hashes', () => {
    const table = new DocumentTable()
    const all = [pendingOf('a', 'x'), pendingOf('b', 'x'), pendingOf('a', 'y')]
    for (const pending of all) Object.assign(pending, { documentHash: 7 })
    for (const pending of all) {
      expect(table.find(pending)).toBeUndefined()
      table.add(pending)
    }
    for (const pending of all) expect(table.find(pending)).toBe(pending)

    table.remove(all[1])
    expect(all.map((pending) => table.find(pending))).toEqual([all[0], undefined, all[2]])
  })
})

function pendingOf(key: string, id: string): PendingOperation {
  return new PendingOperation(
    {
      type: 'Upsert',
      values: [key],
      id,
      definition: {},
      head: key.charCodeAt(0),
      body: '{}',
      conditions: NO_CONDITIONS
    },
    () => {}
  )
}
