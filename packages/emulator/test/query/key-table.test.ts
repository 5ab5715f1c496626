import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
        const table = new KeyTable()
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
      }),
      { numRuns: 100 }
    )
  })

  it('has one key for 0 and -0, and for objects with the same properties in another order', () => {
    const table = new KeyTable()

    expect(table.numberOf([0])).toBe(0)
    expect(table.numberOf([-0])).toBe(0)
    expect(table.numberOf([{ b: 1, a: [{ d: 2, c: 3 }] }])).toBe(1)
    expect(table.numberOf([{ a: [{ c: 3, d: 2 }], b: 1 }])).toBe(1)
    expect(Object.keys(table.valuesOf(1)[0] as object)).toEqual(['b', 'a'])
  })

  it('has no step that takes long while it grows to a million keys', () => {
    const table = new KeyTable()
    let longestMs = 0
    for (let n = 0; n < 1_000_000; n += 1000) {
      const begunMs = process.cpuUsage().user / 1000
      for (let k = 0; k < 1000; k++) table.numberOf([n + k])
      longestMs = Math.max(longestMs, process.cpuUsage().user / 1000 - begunMs)
    }

    expect(table.size).toBe(1_000_000)
    for (let n = 0; n < 1_000_000; n += 997) expect(table.numberOf([n])).toBe(n)
    // a thousand keys take less than a millisecond; copying a table of a million keys takes 30
    expect(longestMs).toBeLessThan(20)
  })
})
