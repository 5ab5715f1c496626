import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { QueryMemory } from '../../src/query/block-lists.ts'
import { KeyTable } from '../../src/query/key-table.ts'
import { isEqual } from '../../src/query/values.ts'

const SCALARS = fc.oneof(
  fc.constantFrom(undefined, null, true, false, 0, '', '0', '\ud800', '\0', 'é', 'null', Number.POSITIVE_INFINITY),
  fc.double({ noNaN: true }).map((value) => value + 0),
  fc.integer(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ minLength: 60, maxLength: 400 })
)
const NESTED = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const KEYS = fc.array(fc.oneof(SCALARS, NESTED), { minLength: 1, maxLength: 3 })

describe('a key table', () => {
  it('numbers different keys in their order, and keeps the values of the first of equal keys', () => {
    fc.assert(
      fc.property(fc.array(KEYS, { maxLength: 60 }), fc.constantFrom(0, 40, 3000), (keys, more) => {
        // the memory has the content of earlier tables
        const memory = new QueryMemory()
        const table = new KeyTable(memory)
        const known: (readonly unknown[])[] = []
        const check = (key: readonly unknown[]): void => {
          const found = known.findIndex((other) => other.length === key.length && isEqual(other, key))
          if (found < 0) known.push(key)
          expect(table.numberOf(key)).toBe(found < 0 ? known.length - 1 : found)
        }
        for (const key of keys) check(key)
        for (let n = 0; n < more; n++) table.numberOf([`key-${n}`, n / 3, false])
        for (const key of keys) expect(table.numberOf(key)).toBe(known.findIndex((other) => isEqual(other, key)))

        for (const [number, key] of known.entries()) expect(table.valuesOf(number)).toStrictEqual([...key])
        memory.release()
      }),
      { numRuns: 100 }
    )
  })

  it('shares no memory with another table until the memory is released', () => {
    const tables = [1, 2, 3].map((step) => ({ step, memory: new QueryMemory() }))
    for (let round = 0; round < 3; round++) {
      const open = tables.map(({ step, memory }) => ({ step, memory, table: new KeyTable(memory) }))
      for (let n = 0; n < 20_000; n++) for (const { step, table } of open) table.numberOf([round, n * step])
      for (const { step, table } of open) {
        expect(table.size).toBe(20_000)
        for (let n = 0; n < 20_000; n += 7) expect(table.valuesOf(n)).toEqual([round, n * step])
        for (let n = 0; n < 20_000; n += 7) expect(table.numberOf([round, n * step])).toBe(n)
      }
      for (const { memory } of open) memory.release()
    }
  })

  it('has one key for 0 and -0, and for objects with the same properties in another order', () => {
    const table = new KeyTable()

    expect(table.numberOf([0])).toBe(0)
    expect(table.numberOf([-0])).toBe(0)
    expect(table.numberOf([{ b: 1, a: [{ d: 2, c: 3 }] }])).toBe(1)
    expect(table.numberOf([{ a: [{ c: 3, d: 2 }], b: 1 }])).toBe(1)
    expect(Object.keys(table.valuesOf(1)[0] as object)).toEqual(['b', 'a'])
  })

  it('does little work in each step while it grows to a million keys', () => {
    const table = new KeyTable()
    const copy = vi.spyOn(Object.getPrototypeOf(Int32Array.prototype) as Int32Array, 'set')
    let mostMoves = 0
    for (let n = 0; n < 1_000_000; n++) {
      const before = table.moves
      table.numberOf([n])
      mostMoves = Math.max(mostMoves, table.moves - before)
    }
    const copied = copy.mock.calls.map(([values]) => values.length)
    copy.mockRestore()

    expect(table.size).toBe(1_000_000)
    for (let n = 0; n < 1_000_000; n += 997) expect(table.numberOf([n])).toBe(n)
    // the entries that the first slots had, and those of each growth, were all moved a few at a time
    expect(table.moves).toBeGreaterThan(500_000)
    expect(mostMoves).toBeLessThanOrEqual(8)
    // only the first block of a list is copied while it grows
    expect(copied.length).toBeGreaterThan(0)
    expect(Math.max(...copied)).toBeLessThan(10_000)
  })
})
