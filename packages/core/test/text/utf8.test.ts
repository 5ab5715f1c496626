import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeUtf8 } from '../../src/text/utf8.ts'

describe('writeUtf8', () => {
  it('agrees with TextEncoder, for every sequence of code units', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd7f0, max: 0xe010 }),
      fc.integer({ min: 0, max: 0x90 })
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const text = String.fromCharCode(...units)
        const bytes = new Uint8Array(units.length * 3 + 2)

        const end = writeUtf8(text, bytes, 2)

        expect(bytes.subarray(2, end)).toEqual(new TextEncoder().encode(text))
      }),
      { numRuns: 2000 }
    )
  })
})
