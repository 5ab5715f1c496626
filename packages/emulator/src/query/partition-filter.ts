import type { Expression, Query } from './ast.ts'
import { readParameter } from './compile-scope.ts'
import { isEqual } from './values.ts'

/**
 * The partition key values that the WHERE clause names, for all key paths or the first ones.
 * Undefined when it names no value for the first path. `paths` are split into names.
 */
export function partitionFilter(
  query: Query,
  parameters: ReadonlyMap<string, unknown>,
  paths: readonly (readonly string[])[]
): readonly unknown[] | undefined {
  if (query.from === undefined || query.from.path.length > 0 || query.from.each || query.where === undefined) return undefined
  const bindings = conditionsOf(query.where).flatMap((condition) => toBinding(condition, parameters))
  const values: unknown[] = []
  for (const path of paths) {
    const binding = bindings.find((candidate) => isEqual(candidate.path, path))
    if (binding === undefined) break
    values.push(binding.value)
  }
  return values.length === 0 ? undefined : values
}

interface Binding {
  readonly path: readonly string[]
  readonly value: unknown
}

function conditionsOf(where: Expression): readonly Expression[] {
  return where.kind === 'logical' && where.operator === 'AND' ? where.operands.flatMap(conditionsOf) : [where]
}

function toBinding(condition: Expression, parameters: ReadonlyMap<string, unknown>): Binding[] {
  if (condition.kind !== 'binary' || condition.operator !== '=') return []
  return [...bind(condition.left, condition.right, parameters), ...bind(condition.right, condition.left, parameters)]
}

function bind(side: Expression, other: Expression, parameters: ReadonlyMap<string, unknown>): Binding[] {
  const path = pathOf(side)
  if (path === undefined || (other.kind !== 'literal' && other.kind !== 'parameter')) return []
  const value = other.kind === 'literal' ? other.value : readParameter(other.name, other.at, parameters)
  // only scalars are keys
  return value === undefined || (typeof value === 'object' && value !== null) ? [] : [{ path, value }]
}

function pathOf(expression: Expression): string[] | undefined {
  if (expression.kind === 'name') return []
  const above = expression.kind === 'member' ? pathOf(expression.of) : undefined
  return expression.kind === 'member' ? above?.concat(expression.name) : undefined
}
