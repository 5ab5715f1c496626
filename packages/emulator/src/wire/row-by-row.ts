import { hasAggregate } from '../query/aggregate.ts'
import { selectedValues } from '../query/ast.ts'
import type { Query } from '../query/index.ts'

const known: WeakMap<Query, boolean> = new WeakMap()

/** Whether each item gives at most one row of the query, whatever the others are: then pages follow the items. */
export function isRowByRow(query: Query): boolean {
  let answer = known.get(query)
  if (answer === undefined) known.set(query, (answer = decide(query)))
  return answer
}

function decide(query: Query): boolean {
  if (query.distinct || query.orderBy.length > 0 || query.window !== undefined) return false
  if (query.from === undefined || query.from.each) return false
  if (query.top !== undefined && typeof query.top !== 'number') return false
  return !selectedValues(query.selection).some(hasAggregate)
}
