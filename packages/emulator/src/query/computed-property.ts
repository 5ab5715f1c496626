import { isGrouping } from './aggregate.ts'
import { childrenOf, type Expression, hasSubquery, type Query } from './ast.ts'
import type { ComputedProperty } from './compile-scope.ts'
import { parseQuery } from './parse-query.ts'
import { wrongQuery } from './query-error.ts'
import { startQuery } from './run-query.ts'

/** Parses the query of a computed property: `SELECT VALUE <expression> FROM c`, and nothing else. */
export function parseComputedProperty(name: string, text: string): ComputedProperty {
  const query = parseQuery(text)
  const { selection, from } = query
  if (selection.kind !== 'value') throw refused(name, 'it must use SELECT VALUE')
  if (from?.alias === undefined || from.query !== undefined || from.path.length > 0 || from.each)
    throw refused(name, 'its FROM must name the item, such as FROM c')
  const clause = forbiddenClause(query)
  if (clause !== undefined) throw refused(name, `it must not have ${clause}`)
  if (hasSubquery(selection.value)) throw refused(name, 'it must not have a subquery')
  if (isGrouping(query)) throw refused(name, 'it must not have an aggregate')
  if (readsClock(selection.value)) throw refused(name, 'it must not have a function of the current time')
  // refuses parameters
  startQuery(query, { parameters: new Map() })
  return { name, alias: from.alias, value: selection.value }
}

function forbiddenClause(query: Query): string | undefined {
  const clauses: [string, boolean][] = [
    ['JOIN', query.joins.length > 0],
    ['WHERE', query.where !== undefined],
    ['GROUP BY', query.groupBy.length > 0],
    ['ORDER BY', query.orderBy.length > 0],
    ['TOP', query.top !== undefined],
    ['DISTINCT', query.distinct],
    ['OFFSET LIMIT', query.window !== undefined]
  ]
  return clauses.find(([, isUsed]) => isUsed)?.[0]
}

function readsClock(value: Expression): boolean {
  return (value.kind === 'call' && value.name.startsWith('GETCURRENT')) || childrenOf(value).some(readsClock)
}

function refused(name: string, reason: string): Error {
  return wrongQuery(`The query of the computed property '${name}' is not valid: ${reason}`)
}
