import type { Query } from './ast.ts'
import { checkQuery } from './check-query.ts'
import { parseCount, parseOrder, parseSelection, parseSource, parseWindow } from './parse-clauses.ts'
import { parseExpression } from './parse-expression.ts'
import { notSupported } from './query-error.ts'
import { TokenReader } from './token-reader.ts'

/** Parses a query; throws a QueryError with reason and position. */
export function parseQuery(text: string): Query {
  const reader = new TokenReader(text)
  const query = parseClauses(reader)
  if (reader.peek().kind !== 'end') throw reader.unexpected('the end of the query')
  checkQuery(query)
  return query
}

/** Parses the clauses in the order that SQL has. */
function parseClauses(reader: TokenReader): Query {
  reader.expectWord('SELECT')
  const distinct = reader.takeWord('DISTINCT')
  const top = reader.takeWord('TOP') ? parseCount(reader, 'TOP') : undefined
  const selection = parseSelection(reader)
  const from = reader.takeWord('FROM') ? parseSource(reader) : undefined
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : undefined
  if (reader.isWord('GROUP')) throw notSupported('GROUP BY', reader.peek().at)
  const orderBy = reader.takeWord('ORDER') ? parseOrder(reader) : []
  const window = reader.takeWord('OFFSET') ? parseWindow(reader) : undefined
  return { distinct, top, selection, from, where, orderBy, window }
}
