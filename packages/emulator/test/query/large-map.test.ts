import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LargeMap, partOf } from '../../src/query/large-map.ts'

const KEYS = fc.oneof(
  fc.constantFrom(undefined, null, true, false, 0, -0, Number.NaN, Number.POSITIVE_INFINITY),
  fc.double(),
  fc.integer(),
  fc.string({ unit: 'binary', maxLength: 60 })
)

describe('a large map', () => {
  it('has the entries of a Map, however many there are', () => {
    fc.assert(
      fc.property(fc.array(KEYS, { maxLength: 200 }), fc.constantFrom(0, 8000, 20_000), (keys, more) => {
        const map = new LargeMap<number>()
        const expected = new Map<unknown, number>()
        const set = (key: unknown, value: number): void => {
          map.set(key, value)
          expected.set(key, value)
        }
        for (const [index, key] of keys.slice(0, 100).entries()) set(key, index)
        for (let n = 0; n < more; n++) set(n % 2 === 0 ? `key-${n}` : n / 3, n)
        for (const [index, key] of keys.slice(50).entries()) set(key, -index)

        for (const key of [...expected.keys(), ...keys]) expect(map.get(key)).toBe(expected.get(key))
        for (const key of ['absent', -1.5, []]) expect(map.get(key)).toBeUndefined()
      }),
      { numRuns: 20 }
    )
  })

  it('has one entry for 0 and -0, as a Map', () => {
    const map = new LargeMap<string>()
    for (let n = 1; n < 20_000; n++) map.set(n, 'other')
    map.set(0, 'zero')

    expect(map.get(-0)).toBe('zero')
  })

  it.each<[string, (n: number) => unknown]>([
    ['whole numbers', (n) => n],
    ['multiples of 4096', (n) => n * 4096],
    ['fractions', (n) => n / 7],
    ['numbers in texts', (n) => `0-${n}`],
    ['long texts with a number at the end', (n) => `${'x'.repeat(100)}${n}`],
    ['long texts with a number at the start', (n) => `${n}${'x'.repeat(100)}`],
    ['times', (n) => new Date(n * 61_000).toISOString()]
  ])('puts %s into parts of similar size', (_, keyOf) => {
    const sizes = new Map<number, number>()
    for (let n = 0; n < 32_000; n++) sizes.set(partOf(keyOf(n)), (sizes.get(partOf(keyOf(n))) ?? 0) + 1)

    expect(sizes.size).toBe(32)
    expect(Math.max(...sizes.values())).toBeLessThan(2000)
  })
})
