import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Expression } from '../../src/query/ast.ts'
import { parseExpression } from '../../src/query/parse-expression.ts'
import { printExpression } from '../../src/query/print-query.ts'
import { TokenReader } from '../../src/query/token-reader.ts'
import { arbitraryExpression } from './arbitrary-expression.ts'

const parse = (text: string): Expression => parseExpression(new TokenReader(text))

// positions in the text do not belong to the meaning
const meaning = (expression: Expression): unknown =>
  JSON.parse(JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? 0 : (value ?? `${value}`))))

describe('a printed expression', () => {
  it('is parsed into the same expression', () => {
    fc.assert(
      fc.property(arbitraryExpression, (expression) => {
        expect(meaning(parse(printExpression(expression)))).toEqual(meaning(expression))
      }),
      { numRuns: 1000 }
    )
  })

  it.each<[string, string]>([
    ['1+2*3', '(1 + (2 * 3))'],
    ['a.b["c"].d[0][@i]', 'a.b["c"].d[0][@i]'],
    ["x like 'a%' escape '!'", '(x LIKE "a%" ESCAPE "!")'],
    ['x not between 1 and 2', '(x NOT BETWEEN 1 AND 2)'],
    ['not a and b or c', '(((NOT a) AND b) OR c)'],
    ['lower(x) in (@a,null)', '(LOWER(x) IN (@a, null))'],
    ['{a:1}', '{"a": 1}'],
    ['a ?? b ?? c', '((a ?? b) ?? c)'],
    ['a - b - c', '((a - b) - c)']
  ])('of %s is %s', (text, expected) => {
    expect(printExpression(parse(text))).toBe(expected)
  })
})
