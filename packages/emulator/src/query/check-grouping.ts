import { isAggregate } from './aggregate.ts'
import { childrenOf, type Expression, type Query, selectedValues } from './ast.ts'
import { printExpression } from './print-query.ts'
import { wrongQuery } from './query-error.ts'

/** Refuses a SELECT of a query with GROUP BY that uses properties other than those of the groups. */
export function checkGrouped(query: Query): void {
  if (query.selection.kind === 'star') throw wrongQuery("'SELECT *' is not allowed with GROUP BY")
  const keys = new Set(query.groupBy.map(printExpression))
  for (const value of selectedValues(query.selection)) checkColumn(value, keys)
}

function checkColumn(value: Expression, keys: ReadonlySet<string>): void {
  if (isAggregate(value) || keys.has(printExpression(value))) return
  if (value.kind === 'subquery')
    throw wrongQuery('SELECT cannot have a subquery next to GROUP BY; write the subquery after JOIN', value.at)
  if (value.kind === 'name' || isPathOutside(value, keys)) throw notInGroups(value)
  for (const child of childrenOf(value)) checkColumn(child, keys)
}

/** Whether an expression is a path of which no part is a key of GROUP BY. */
function isPathOutside(value: Expression, keys: ReadonlySet<string>): boolean {
  if (keys.has(printExpression(value))) return false
  return value.kind === 'name' || (value.kind === 'member' && isPathOutside(value.of, keys))
}

function notInGroups(value: Expression): Error {
  return wrongQuery(
    `Property reference '${printExpression(value)}' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause`,
    positionOf(value)
  )
}

function positionOf(value: Expression): number | undefined {
  if (value.kind === 'name') return value.at
  return value.kind === 'member' ? positionOf(value.of) : undefined
}
