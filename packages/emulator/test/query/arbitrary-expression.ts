import * as fc from 'fast-check'
import type { BinaryOperator, Expression } from '../../src/query/ast.ts'

/** Values of all types, from small sets, so that comparisons often find equal values. */
export const arbitraryValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, 2, -1, 0.5, '', 'a', 'b', 'B', 'ab', '1'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2, noNullPrototype: true })
  )
})).value

/** Items with a few properties, each of which may be missing. */
export const arbitraryDocument: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.dictionary(
  fc.constantFrom('a', 'b', 'd'),
  arbitraryValue,
  { maxKeys: 3, noNullPrototype: true }
)

const OPERATORS: BinaryOperator[] = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '|',
  '^',
  '&',
  '<<',
  '>>',
  '>>>',
  '+',
  '-',
  '||',
  '*',
  '/',
  '%',
  '??'
]

const literal: fc.Arbitrary<Expression> = fc
  .constantFrom(undefined, null, true, false, 0, 1, 2, 0.5, '', 'a', 'ab', 'it\'s "\\\n')
  .map((value) => ({ kind: 'literal', value }))

const row: Expression = { kind: 'name', name: 'c', at: 0 }

const path: fc.Arbitrary<Expression> = fc
  .tuple(fc.constantFrom('a', 'b', 'd', 'value'), fc.boolean())
  .map(([name, dotted]) => ({ kind: 'member', of: row, name, dotted: dotted && name !== 'value' }))

/** Expressions over a row named `c`, of every kind except for calls. */
export const arbitraryExpression: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>((tie) => {
  const inner = tie('expression')
  const not = fc.boolean()
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      literal,
      path,
      fc
        .tuple(fc.constantFrom('NOT' as const, '-' as const, '~' as const), inner)
        .map(([operator, operand]) => signed(operator, operand)),
      fc.record({
        kind: fc.constant('binary' as const),
        operator: fc.constantFrom(...OPERATORS),
        left: inner,
        right: inner
      }),
      fc.record({
        kind: fc.constant('logical' as const),
        operator: fc.constantFrom('AND' as const, 'OR' as const),
        operands: fc.array(inner, { minLength: 2, maxLength: 3 })
      }),
      fc.record({ kind: fc.constant('conditional' as const), test: inner, yes: inner, no: inner }),
      fc.record({
        kind: fc.constant('in' as const),
        value: inner,
        list: fc.array(inner, { minLength: 1, maxLength: 3 }),
        not
      }),
      fc.record({ kind: fc.constant('between' as const), value: inner, low: inner, high: inner, not }),
      fc.record({ kind: fc.constant('array' as const), items: fc.array(inner, { maxLength: 2 }) }),
      fc
        .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'value'), inner), { selector: ([name]) => name, maxLength: 2 })
        .map((members): Expression => ({ kind: 'object', members: members.map(([name, value]) => ({ name, value })) }))
    )
  }
}).expression

// the parser turns a minus and a number into one constant
const signed = (operator: 'NOT' | '-' | '~', operand: Expression): Expression =>
  operator === '-' && operand.kind === 'literal' && typeof operand.value === 'number'
    ? { kind: 'literal', value: 0 - operand.value }
    : { kind: 'unary', operator, operand }
