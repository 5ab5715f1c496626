import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Expression } from '../../src/query/ast.ts'
import { compileExpression } from '../../src/query/compile-expression.ts'
import { arbitraryDocument, arbitraryExpression } from './arbitrary-expression.ts'
import { valueOf } from './query-of.ts'

describe('an expression', () => {
  it('has the value that a plain reading of the rules gives it', () => {
    fc.assert(
      fc.property(arbitraryExpression, arbitraryDocument, (expression, document) => {
        const evaluate = compileExpression(expression, { parameters: new Map(), nowMs: 0 })

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
    ['[1] = [1]', true],
    ['[1] < [2]', undefined],
    ['{a: 1, b: [2]} = {b: [2], a: 1}', true],
    ['undefined IN (1)', undefined],
    ['1 IN (undefined, 2)', false]
  ])('three values: %s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })
})

// written without regard for speed, and sharing nothing with what it checks
const naiveValue = (expression: Expression, row: unknown): unknown => {
  const value = (inner: Expression): unknown => naiveValue(inner, row)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return row
    case 'member': {
      const whole = value(expression.of)
      return Object.prototype.toString.call(whole) === '[object Object]'
        ? Object.entries(whole as object).find(([name]) => name === expression.name)?.[1]
        : undefined
    }
    case 'unary':
      return naiveUnary(expression.operator, value(expression.operand))
    case 'binary':
      return naiveBinary(expression.operator, value(expression.left), value(expression.right))
    case 'logical':
      return expression.operands.map(value).reduce((left, right) => naiveLogical(expression.operator, left, right))
    case 'conditional':
      return value(expression.test) === true ? value(expression.yes) : value(expression.no)
    case 'in': {
      const found = expression.list.some((item) => naiveBinary('=', value(expression.value), value(item)) === true)
      return value(expression.value) === undefined ? undefined : found !== expression.not
    }
    case 'between': {
      const above = naiveBinary('>=', value(expression.value), value(expression.low))
      const inside = naiveLogical('AND', above, naiveBinary('<=', value(expression.value), value(expression.high)))
      return expression.not ? naiveUnary('NOT', inside) : inside
    }
    case 'array':
      return expression.items.map(value).filter((item) => item !== undefined)
    case 'object':
      return Object.fromEntries(
        expression.members.map((member) => [member.name, value(member.value)]).filter(([, item]) => item !== undefined)
      )
    default:
      throw new Error(`not generated: ${expression.kind}`)
  }
}

const naiveUnary = (operator: string, value: unknown): unknown => {
  if (operator === 'NOT') return value === true ? false : value === false ? true : undefined
  if (typeof value !== 'number') return undefined
  return operator === '-' ? 0 - value || -value : operator === '~' ? -1 - (value | 0) : value
}

const naiveLogical = (operator: string, left: unknown, right: unknown): unknown => {
  const both = [left, right]
  if (both.includes(operator === 'OR')) return operator === 'OR'
  return both.every((value) => typeof value === 'boolean') ? operator === 'AND' : undefined
}

const naiveBinary = (operator: string, left: unknown, right: unknown): unknown => {
  if (operator === '??') return left === undefined ? right : left
  if (left === undefined || right === undefined) return undefined
  if (operator === '=') return sorted(left) === sorted(right)
  if (operator === '!=') return sorted(left) !== sorted(right)
  if (operator === '||') return typeof left === 'string' && typeof right === 'string' ? `${left}${right}` : undefined
  if (['<', '>', '<=', '>='].includes(operator)) return naiveOrder(operator, left, right)
  return typeof left === 'number' && typeof right === 'number' ? naiveNumber(operator, left, right) : undefined
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part
  )

const naiveOrder = (operator: string, left: unknown, right: unknown): boolean | undefined => {
  if (left === null && right === null) return operator.includes('=')
  if (typeof left !== typeof right || typeof left === 'object' || typeof right === 'object') return undefined
  const [low, high] = operator.startsWith('<') ? [left, right] : [right, left]
  return (low as string) < (high as string) || (operator.includes('=') && low === high)
}

const naiveNumber = (operator: string, left: number, right: number): number | undefined => {
  const results: Record<string, number> = {
    '|': left | right,
    '^': left ^ right,
    '&': left & right,
    '<<': left << right,
    '>>': left >> right,
    '>>>': left >>> right,
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '%': left % right
  }
  return Number.isFinite(results[operator]) ? results[operator] : undefined
}
