import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, compareScalars, compareValues, isEqual, typeRank } from '../../src/query/values.ts'
import { arbitraryValue } from './arbitrary-expression.ts'

const value = fc.oneof(fc.constant(undefined), arbitraryValue)

describe('the order of values', () => {
  it('is total, antisymmetric and transitive', () => {
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        expect(Math.sign(compareValues(a, b))).toBe(-Math.sign(compareValues(b, a)) + 0)
        expect(compareValues(a, b) <= 0 && compareValues(b, c) <= 0 && compareValues(a, c) > 0).toBe(false)
      })
    )
  })

  it('is defined for < and > between scalars of one type only', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const isKnown = typeRank(a) === typeRank(b) && typeRank(a) >= 1 && typeRank(a) <= 4

        expect(compareScalars(a, b)).toBe(isKnown ? compareValues(a, b) : undefined)
      })
    )
  })
})

describe('equality', () => {
  it('is the equality of the canonical texts', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(isEqual(a, b)).toBe(canonicalText(a) === canonicalText(b))
      }),
      { numRuns: 2000 }
    )
  })

  it('does not depend on the order of properties', () => {
    expect(isEqual({ a: [{ x: 1, y: 2 }], b: 1 }, { b: 1, a: [{ y: 2, x: 1 }] })).toBe(true)
    expect(isEqual({ toString: 1 }, {})).toBe(false)
    expect(isEqual([1, 2], [2, 1])).toBe(false)
  })
})
