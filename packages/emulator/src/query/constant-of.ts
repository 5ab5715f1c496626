import type { Expression } from './ast.ts'
import { type CompileScope, readParameter } from './compile-scope.ts'

/** The value of a literal or parameter; undefined for what depends on the row. */
export function constantOf(expression: Expression, scope: CompileScope): unknown {
  if (expression.kind === 'literal') return expression.value
  return expression.kind === 'parameter' ? readParameter(expression.name, expression.at, scope.parameters) : undefined
}

/** True for null, booleans, numbers and texts, which equal nothing but themselves. */
export function isScalar(value: unknown): boolean {
  return value !== undefined && (value === null || typeof value !== 'object')
}
