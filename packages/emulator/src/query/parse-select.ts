import type { Query } from './ast.ts'
import {
  parseCount,
  parseGroup,
  parseJoins,
  parseOrder,
  parseSelection,
  parseSource,
  parseWindow
} from './parse-clauses.ts'
import { parseExpression } from './parse-expression.ts'
import type { TokenReader } from './token-reader.ts'

/** Parses a whole query or a subquery: its clauses in the order that SQL has. */
export function parseSelect(reader: TokenReader): Query {
  reader.expectWord('SELECT')
  const distinct = reader.takeWord('DISTINCT')
  const top = reader.takeWord('TOP') ? parseCount(reader, 'TOP') : undefined
  const selection = parseSelection(reader)
  const from = reader.takeWord('FROM') ? parseSource(reader) : undefined
  const joins = from === undefined ? [] : parseJoins(reader)
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : undefined
  const groupBy = reader.takeWord('GROUP') ? parseGroup(reader) : []
  const orderBy = reader.takeWord('ORDER') ? parseOrder(reader) : []
  const window = reader.takeWord('OFFSET') ? parseWindow(reader) : undefined
  return { distinct, top, selection, from, joins, where, groupBy, orderBy, window }
}
