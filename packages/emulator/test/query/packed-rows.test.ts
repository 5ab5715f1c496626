import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PackedRows } from '../../src/query/index.ts'

const ROWS = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ id: fc.string({ unit: 'grapheme-ascii' }), n: fc.nat() }) },
    fc.jsonValue()
  ),
  { minLength: 1, maxLength: 20 }
)
const BINARY = fc.string({ unit: 'binary', maxLength: 2000 })

it('packed rows are the JSON of the rows in their order, in runs that are no longer than needed', () => {
  fc.assert(
    fc.property(
      fc.oneof(ROWS, fc.array(BINARY, { minLength: 1, maxLength: 20 })),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 300 }),
      fc.oneof(fc.integer({ min: 1, max: 19 }), fc.integer({ min: 1, max: 2000 })),
      (rows, times, maxRows, length) => {
        const packed = new PackedRows()
        const texts: string[] = []
        const push = (row: unknown): void => {
          packed.push(row)
          texts.push(JSON.stringify(row))
        }
        for (let time = 0; time < times; time++) for (const row of rows) push(row)
        // longer than a block
        push('x'.repeat(300_000))
        push(rows[0])
        expect(packed.length).toBe(texts.length)
        let first = 0
        // a run can end exactly at the end of a row
        const wanted = length < 20 ? lengthOf(texts.slice(0, length)) : length
        while (first < texts.length) {
          const run = packed.runFrom(first, maxRows, wanted)
          const own = texts.slice(first, first + run.rows)
          expect(run.bytes.toString() === own.join(',')).toBe(true)
          expect(run.rows).toBeGreaterThan(0)
          expect(run.rows).toBeLessThanOrEqual(maxRows)
          expect(run.length).toBe(lengthOf(own))
          // without its last row, a run is shorter than asked for
          expect(lengthOf(own.slice(0, -1))).toBeLessThan(wanted)
          first += run.rows
        }
      }
    ),
    { numRuns: 30 }
  )
})

it('a run has all rows that are asked for, unless its memory ends', () => {
  const packed = new PackedRows()
  for (let n = 0; n < 100_000; n++) packed.push({ n })
  let runs = 0
  for (let first = 0; first < packed.length; runs++) first += packed.runFrom(first, 1000, Number.POSITIVE_INFINITY).rows

  // one more for each of the blocks, whose number is logarithmic at first and then one for 256 KB
  expect(runs).toBeLessThan(100 + 15)
})

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}
