import type { Query } from './ast.ts'
import { checkQuery } from './check-query.ts'
import { parseSource } from './parse-clauses.ts'
import { parseExpression } from './parse-expression.ts'
import { parseSelect } from './parse-select.ts'
import { runQuery, startQuery } from './run-query.ts'
import { TokenReader } from './token-reader.ts'

/** Parses a query; throws a QueryError with reason and position. */
export function parseQuery(text: string): Query {
  const reader = new TokenReader(text, parseSelect)
  const query = parseSelect(reader)
  if (reader.peek().kind !== 'end') throw reader.unexpected('the end of the query')
  checkQuery(query)
  return query
}

/** Tests whether a document meets a condition. */
type Predicate = (document: unknown) => boolean

/** Parses the condition of a patch, such as `from c where c.n = 3`. */
export function parsePredicate(text: string, nowMs?: number): Predicate {
  const reader = new TokenReader(text, parseSelect)
  reader.expectWord('FROM')
  const from = parseSource(reader)
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : undefined
  if (reader.peek().kind !== 'end') throw reader.unexpected('the end of the condition')
  const query: Query = { ...EVERYTHING, from, where }
  checkQuery(query)
  const scope = { parameters: NO_PARAMETERS, nowMs }
  // refuses parameters, which a patch does not have
  startQuery(query, scope)
  return (document) => runQuery(query, { ...scope, documents: [document] }).length > 0
}

const NO_PARAMETERS: ReadonlyMap<string, unknown> = new Map()

const EVERYTHING: Query = {
  distinct: false,
  top: 1,
  selection: { kind: 'star' },
  from: undefined,
  joins: [],
  where: undefined,
  groupBy: [],
  orderBy: [],
  window: undefined
}
