import type { CallExpression, Expression, Query, Source } from './ast.ts'
import { constantOf, isScalar } from './compile-scope.ts'
import { isEqual } from './values.ts'

/** A value for each path; undefined where any value is possible. */
export type KeyCondition = readonly unknown[]

type Condition = KeyCondition
type Parameters = ReadonlyMap<string, unknown>
type Paths = readonly (readonly string[])[]

/**
 * Conditions of equality that follow from the WHERE clause: each document that the query returns meets at least one of
 * them. Undefined when a document with any values at the paths may be returned. `paths` are split into names; only
 * scalars are values.
 */
export function keyConditions(query: Query, parameters: Parameters, paths: Paths): readonly KeyCondition[] | undefined {
  const { from, where } = query
  if (from === undefined || where === undefined || !isContainer(from)) return undefined
  return conditionsOf(where, { alias: from.alias, parameters, paths })
}

// a longer list would cost more than it saves
const MAX_CONDITIONS = 4096

interface Scope {
  readonly alias: string | undefined
  readonly parameters: Parameters
  readonly paths: Paths
}

function conditionsOf(expression: Expression, scope: Scope): readonly Condition[] | undefined {
  switch (expression.kind) {
    case 'logical': {
      const operands = expression.operands.map((operand) => conditionsOf(operand, scope))
      return expression.operator === 'AND' ? allOf(operands) : anyOf(operands)
    }
    case 'binary': {
      const { operator, left, right } = expression
      if (operator !== '=') return undefined
      return isOneOf(left, [right], scope) ?? isOneOf(right, [left], scope)
    }
    case 'in':
      return expression.not ? undefined : isOneOf(expression.value, expression.list, scope)
    case 'call':
      return isContained(expression, scope)
    default:
      return undefined
  }
}

/** AND: an operand without conditions restricts nothing; of the others each pair is combined. */
function allOf(operands: readonly (readonly Condition[] | undefined)[]): readonly Condition[] | undefined {
  const known = operands.filter((conditions) => conditions !== undefined)
  if (known.length === 0) return undefined
  return known.reduce((sum, next) => {
    // the conditions of one operand alone are true as well
    if (sum.length * next.length > MAX_CONDITIONS) return next.length < sum.length ? next : sum
    return sum.flatMap((one) => next.flatMap((other) => combine(one, other)))
  })
}

/** Both conditions as one; none when they contradict each other. */
function combine(one: Condition, other: Condition): Condition[] {
  const isPossible = one.every((value, at) => value === undefined || other[at] === undefined || value === other[at])
  return isPossible ? [one.map((value, at) => (value === undefined ? other[at] : value))] : []
}

function anyOf(operands: readonly (readonly Condition[] | undefined)[]): readonly Condition[] | undefined {
  const all: Condition[] = []
  for (const conditions of operands) {
    if (conditions === undefined || all.length + conditions.length > MAX_CONDITIONS) return undefined
    all.push(...conditions)
  }
  return all
}

/** The conditions of a value that equals one of several values. */
function isOneOf(value: Expression, list: readonly Expression[], scope: Scope): readonly Condition[] | undefined {
  if (!list.every((item) => item.kind === 'literal' || item.kind === 'parameter')) return undefined
  return isOneOfValues(
    value,
    list.map((item) => constantOf(item, scope)),
    scope
  )
}

function isOneOfValues(value: Expression, list: readonly unknown[], scope: Scope): readonly Condition[] | undefined {
  const names = pathOf(value, scope.alias)
  const isAsked = scope.paths.map((path) => names !== undefined && isEqual(path, names))
  if (!isAsked.includes(true) || list.length > MAX_CONDITIONS) return undefined
  // nothing equals undefined
  const possible = list.filter((item) => item !== undefined)
  if (!possible.every(isScalar)) return undefined
  return possible.map((item) => isAsked.map((asked) => (asked ? item : undefined)))
}

/** The conditions of `ARRAY_CONTAINS(list, value)` with a known list. */
function isContained({ name, values }: CallExpression, scope: Scope): readonly Condition[] | undefined {
  if (name !== 'ARRAY_CONTAINS' || values.length !== 2) return undefined
  const [list, value] = values
  if (list.kind === 'array') return isOneOf(value, list.items, scope)
  const known = constantOf(list, scope)
  return Array.isArray(known) ? isOneOfValues(value, known, scope) : undefined
}

/** Whether the rows of a source are the documents of the container. */
export function isContainer({ path, each, query }: Source): boolean {
  return path.length === 0 && !each && query === undefined
}

/** The names of a path into the document; undefined for any other expression. */
export function pathOf(expression: Expression, alias: string | undefined): readonly string[] | undefined {
  if (expression.kind === 'name') return expression.name === alias ? [] : undefined
  if (expression.kind !== 'member') return undefined
  return pathOf(expression.of, alias)?.concat(expression.name)
}
