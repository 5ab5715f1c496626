import { hasAggregate, isAggregate, isGrouping } from './aggregate.ts'
import { type Query, selectedValues } from './ast.ts'
import { wrongQuery } from './query-error.ts'

/** How a client counts the different rows of all ranges. */
export interface CountInfo {
  /** The name of the result; null after SELECT VALUE. */
  readonly dCountAlias: string | null
}

/**
 * The subquery whose different rows a query counts: `SELECT COUNT(1) FROM (SELECT DISTINCT ...)`. The client gets these
 * rows from all ranges and counts them. Undefined for other queries.
 */
export function countedDistinct(query: Query): { readonly query: Query; readonly info: CountInfo } | undefined {
  const { selection, from, joins, where, groupBy, orderBy } = query
  const inner = from?.query
  const isPlain = joins.length === 0 && where === undefined && groupBy.length === 0 && orderBy.length === 0
  if (inner?.distinct !== true || from?.each === true || !isPlain) return undefined
  const [value, ...others] = selectedValues(selection)
  if (value === undefined || others.length > 0 || !isAggregate(value) || value.name !== 'COUNT') return undefined
  const [counted] = value.values
  if (counted.kind !== 'literal' || counted.value === undefined) return undefined
  return { query: inner, info: { dCountAlias: selection.kind === 'list' ? selection.items[0].name : null } }
}

/** Refuses a subquery in FROM whose rows depend on the documents of all ranges, which no client can combine. */
export function checkPlannable(query: Query): void {
  const inner = query.from?.query
  if (inner === undefined) return
  const isCounted = countedDistinct(query) !== undefined
  if (isGrouping(inner) || (inner.distinct && !isCounted)) {
    throw wrongQuery(
      'A subquery in FROM with DISTINCT, GROUP BY or aggregates is unsupported in queries over several ranges'
    )
  }
  if (selectedValues(query.selection).some(hasAggregate) || !isCounted) checkPlannable(inner)
}
