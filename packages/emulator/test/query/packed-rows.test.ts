import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PackedRows } from '../../src/query/index.ts'

it('packed rows are the JSON of the rows in their order', () => {
  const row = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 2000 }), fc.constant('x'.repeat(300_000)))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.integer({ min: 1, max: 20 }), (rows, times) => {
      const packed = new PackedRows()
      const texts: string[] = []
      for (let time = 0; time < times; time++) {
        for (const each of rows) {
          packed.push(each)
          texts.push(JSON.stringify(each))
        }
      }
      expect(packed.length).toBe(texts.length)
      for (const [index, text] of texts.entries()) expect(packed.bytesAt(index).toString() === text).toBe(true)
    }),
    { numRuns: 15 }
  )
})
