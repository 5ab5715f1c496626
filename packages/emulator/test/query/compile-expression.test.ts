import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression } from '../../src/query/compile-expression.ts'
import { compileSubquery } from '../../src/query/compile-query.ts'
import { Pauses } from '../../src/query/long-subquery.ts'
import { DocumentUse } from '../../src/query/needed-members.ts'
import { arbitraryDocument, arbitraryExpression } from './arbitrary-expression.ts'
import { naiveValue } from './naive-value.ts'
import { valueOf } from './query-of.ts'

describe('an expression', () => {
  it('has the same value as in a naive implementation of the rules', () => {
    fc.assert(
      fc.property(arbitraryExpression, arbitraryDocument, (expression, document) => {
        const evaluate = compileExpression(expression, {
          parameters: new Map(),
          nowMs: 0,
          names: new Map([['c', { read: (row) => row, isDocument: true }]]),
          computed: new Map(),
          vectors: new Map(),
          use: new DocumentUse(),
          compileSubquery,
          pauses: new Pauses()
        })

        expect(evaluate(document)).toEqual(naiveValue(expression, document))
      }),
      { numRuns: 2000 }
    )
  })

  it.each<[string, unknown]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['2 * -3', -6],
    ['- - 3', 3],
    ['7 % 4 + 1', 4],
    ['1 / 0', undefined],
    ['1 + "a"', undefined],
    ['6 & 3 | 8', 10],
    ['6 ^ 3', 5],
    ['~5', -6],
    ['1 << 3 + 1', 16],
    ['-1 >>> 28', 15],
    ['-8 >> 1', -4],
    ['"a" || "b" || "c"', 'abc'],
    ['"a" || 1', undefined],
    ['"a" || "b" = "ab"', true],
    ['6 & 2 = 2', true],
    ['1 < 2 = true', true],
    ['1 + 1 = 2 AND NOT 1 = 2', true],
    ['true OR false AND false', true],
    ['(true OR false) AND false', false],
    ['NOT true OR true', true],
    ['NOT false AND false', false],
    ['true = NOT false', true],
    ['1 BETWEEN 0 AND 2 AND false', false],
    ['1 IN (1) = true', true],
    ['false ? 1 : true ? 2 : 3', 2],
    ['undefined ? 1 : 2', 2],
    ['1 ? "one" : "none"', 'none'],
    ['undefined ?? null ?? 1', null],
    ['c.a ?? c.b ?? "none"', 'none'],
    ['[1, undefined, 2]', [1, 2]],
    ['{"a": undefined, b: 1}', { b: 1 }],
    ['[1, 2][1]', 2],
    ['[1][1.5]', undefined],
    ['[1][-1]', undefined],
    ['{a: {b: 3}}.a["b"]', 3],
    ['"abc"[0]', undefined]
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  it.each<[string, unknown]>([
    ['true AND undefined', undefined],
    ['undefined AND false', false],
    ['true OR undefined', true],
    ['undefined OR false', undefined],
    ['NOT undefined', undefined],
    ['1 AND true', undefined],
    ['1 OR true', true],
    ['undefined = undefined', undefined],
    ['null = null', true],
    ['1 = "1"', false],
    ['1 != "1"', true],
    ['1 < "1"', undefined],
    ['null < 1', undefined],
    ['false < true', true],
    ['1 <= 1', true],
    ['1 < 1', false],
    ['"b" >= "b"', true],
    ['"b" > "b"', false],
    ['null <= null', true],
    ['[1] = [1]', true],
    ['[1] < [2]', undefined],
    ['{a: 1, b: [2]} = {b: [2], a: 1}', true],
    ['undefined IN (1)', undefined],
    ['1 IN (undefined, 2)', false]
  ])('follows three-valued logic: %s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })
})
