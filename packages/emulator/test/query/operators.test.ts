import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BinaryOperator } from '../../src/query/ast.ts'
import { operators } from '../../src/query/operators.ts'
import { arbitraryValue } from './arbitrary-expression.ts'
import { naiveBinary } from './naive-value.ts'

const scalar = fc.constantFrom(undefined, null, true, false, 0, 1, 2, -1, 0.5, '', 'a', 'b')

describe('query operators', () => {
  it.each(Object.keys(operators) as BinaryOperator[])(
    '%s has the same results as a naive implementation for values of all types',
    (operator) => {
      fc.assert(
        fc.property(fc.oneof(scalar, arbitraryValue), fc.oneof(scalar, arbitraryValue), (left, right) => {
          expect(operators[operator](left, right)).toEqual(naiveBinary(operator, left, right))
        }),
        { numRuns: 300 }
      )
    }
  )
})
