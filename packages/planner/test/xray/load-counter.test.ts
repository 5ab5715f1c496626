import { partitionHash, rangesOf } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createLoadCounter, createRandom, keyValuesOf } from '../../src/index.ts'

const DEFINITION = { kind: 'Hash', version: 2 } as const

function counterFor(ranges: number, windows = 1) {
  return createLoadCounter({ definition: DEFINITION, ranges: rangesOf(ranges, DEFINITION), windows })
}

describe('the counter of a load', () => {
  it('counts each range exactly, also with more keys than it keeps', () => {
    const counter = counterFor(4)
    const expected = [0, 0, 0, 0]
    const ranges = rangesOf(4, DEFINITION)
    for (let key = 0; key < 30_000; key++) {
      counter.add([`key-${key}`], 0, 1)
      const epk = partitionHash([`key-${key}`], DEFINITION)
      expected[ranges.findLastIndex(({ min }) => min <= epk)]++
    }

    const load = counter.finish()

    expect([...load.byRange]).toEqual(expected)
    expect(load).toMatchObject({ total: 30_000, events: 30_000 })
    expect(Math.abs(load.distinctKeys / 30_000 - 1)).toBeLessThan(0.03)
  })

  it.each([1, 2, 3])('keeps heavy keys among many others, with its error as the bound, seed %i', (seed) => {
    const random = createRandom(seed)
    const counter = counterFor(4)
    const heavy = [0, 0, 0]
    for (let event = 0; event < 100_000; event++) {
      const drawn = random()
      const key = drawn < 0.1 ? 0 : drawn < 0.13 ? 1 : drawn < 0.14 ? 2 : -1
      if (key >= 0) heavy[key]++
      counter.add([key >= 0 ? `heavy-${key}` : `light-${event}`], 0, 1)
    }

    const { keys, error } = counter.finish()

    expect(keys.slice(0, 3).map(({ values }) => values[0])).toEqual(['heavy-0', 'heavy-1', 'heavy-2'])
    for (const [index, count] of heavy.entries()) {
      expect(keys[index].weight).toBeLessThanOrEqual(count)
      expect(keys[index].weight).toBeGreaterThanOrEqual(count - error)
    }
    expect(error).toBeLessThan(100)
  })

  it('leaves out the windows that were not read in all ranges', () => {
    const counter = counterFor(2, 3)
    for (const window of [0, 1, 1, 2]) counter.add(['a'], window, 5)

    const load = counter.finish((window) => window !== 1)

    expect(load).toMatchObject({ total: 10, events: 2, distinctKeys: 1 })
    expect([...load.keys[0].windows]).toEqual([5, 0, 5])
  })
})

describe('the values of a partition key in a document', () => {
  it('are undefined if the document does not have them, or has an object or an array there', () => {
    const document = { a: { b: 'x' }, n: null, list: [1], zero: 0 }
    const pointers = [['a', 'b'], ['n'], ['list'], ['zero'], ['none', 'deep'], ['a']]

    expect(keyValuesOf(document, pointers)).toEqual(['x', null, undefined, 0, undefined, undefined])
  })
})
