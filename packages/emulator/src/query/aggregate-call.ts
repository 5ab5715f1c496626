import type { CallExpression, Expression } from './ast.ts'
import { childrenOf } from './children-of.ts'

/** The aggregates of the query language. */
export type AggregateName = 'COUNT' | 'SUM' | 'MIN' | 'MAX' | 'AVG' | 'COUNTIF' | 'MAKELIST' | 'MAKESET'

const NAMES: ReadonlySet<string> = new Set(['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'COUNTIF', 'MAKELIST', 'MAKESET'])

/** True for a call of an aggregate itself. */
export function isAggregate(expression: Expression): expression is CallExpression & { readonly name: AggregateName } {
  return expression.kind === 'call' && NAMES.has(expression.name)
}

/** True when an aggregate is called somewhere in the expression. */
export function hasAggregate(expression: Expression): boolean {
  return isAggregate(expression) || childrenOf(expression).some(hasAggregate)
}
