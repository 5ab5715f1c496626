import {
  columnName,
  type Count,
  type Expression,
  type OrderKey,
  type Selection,
  type SelectItem,
  type Source
} from './ast.ts'
import { parseExpression } from './parse-expression.ts'
import { MAX_JOINS } from './limits.ts'
import { notSupported, wrongQuery } from './query-error.ts'
import { isBareAlias, parseBracketed, parseName, type TokenReader } from './token-reader.ts'
import { isCount } from './values.ts'

/** Parses a number of rows, or the parameter with it. */
export function parseCount(reader: TokenReader, clause: string): Count {
  const token = reader.peek()
  if (token.kind === 'parameter') return { parameter: reader.next().text, at: token.at }
  if (token.kind !== 'number' || !isCount(Number(token.text)))
    throw reader.unexpected(`a count or a parameter after ${clause}`)
  return Number(reader.next().text)
}

/** Parses what follows SELECT, DISTINCT and TOP. */
export function parseSelection(reader: TokenReader): Selection {
  if (reader.takeSymbol('*')) return { kind: 'star' }
  if (reader.takeWord('VALUE')) return { kind: 'value', value: parseExpression(reader) }
  const columns = [parseColumn(reader)]
  while (reader.takeSymbol(',')) columns.push(parseColumn(reader))
  return { kind: 'list', items: nameColumns(columns) }
}

interface Column {
  readonly value: Expression
  readonly alias: string | undefined
}

function parseColumn(reader: TokenReader): Column {
  const value = parseExpression(reader)
  const alias = reader.takeWord('AS') || isBareAlias(reader) ? parseAlias(reader) : undefined
  return { value, alias }
}

function parseAlias(reader: TokenReader): string {
  return reader.peek().kind === 'string' ? reader.next().text : parseName(reader, 'an alias after AS')
}

// columns without a name are named $1, $2 ... as by the service
function nameColumns(columns: readonly Column[]): SelectItem[] {
  let unnamed = 0
  return columns.map(({ value, alias }) => ({ name: alias ?? columnName(value) ?? `$${++unnamed}`, value }))
}

/** Parses what follows ORDER. */
export function parseOrder(reader: TokenReader): OrderKey[] {
  reader.expectWord('BY')
  if (reader.isWord('RANK') && reader.peek(1).kind === 'name') throw notSupported('ORDER BY RANK', reader.peek().at)
  const keys = [parseOrderKey(reader)]
  while (reader.takeSymbol(',')) keys.push(parseOrderKey(reader))
  return keys
}

function parseOrderKey(reader: TokenReader): OrderKey {
  const value = parseExpression(reader)
  if (reader.takeWord('ASC')) return { value, direction: 'ASC' }
  return { value, direction: reader.takeWord('DESC') ? 'DESC' : undefined }
}

/** Parses what follows OFFSET. */
export function parseWindow(reader: TokenReader): { offset: Count; limit: Count } {
  const offset = parseCount(reader, 'OFFSET')
  reader.expectWord('LIMIT')
  return { offset, limit: parseCount(reader, 'LIMIT') }
}

/** Parses a source of FROM or JOIN: a collection or a subquery, a path in it, or `alias IN path`. */
export function parseSource(reader: TokenReader): Source {
  return reader.isWord('IN', 1) ? parseEach(reader) : parsePlain(reader)
}

/** Parses the sources of all JOIN clauses. */
export function parseJoins(reader: TokenReader): Source[] {
  const joins: Source[] = []
  while (reader.takeWord('JOIN')) joins.push(parseSource(reader))
  if (joins.length > MAX_JOINS)
    throw wrongQuery(`The query has ${joins.length} JOIN clauses; at most ${MAX_JOINS} are allowed`)
  return joins
}

/** Parses what follows GROUP. */
export function parseGroup(reader: TokenReader): Expression[] {
  reader.expectWord('BY')
  const keys = [parseExpression(reader)]
  while (reader.takeSymbol(',')) keys.push(parseExpression(reader))
  return keys
}

function parseEach(reader: TokenReader): Source {
  const { at } = reader.peek()
  const alias = parseName(reader, 'an alias')
  reader.expectWord('IN')
  return { ...parseCollection(reader), alias, each: true, at }
}

function parsePlain(reader: TokenReader): Source {
  const { at } = reader.peek()
  const { path, ...from } = parseCollection(reader)
  const named = reader.takeWord('AS') || isBareAlias(reader)
  const implied = from.query === undefined || path.length > 0 ? lastName([from.collection, ...path]) : undefined
  return { ...from, path, alias: named ? parseName(reader, 'an alias') : implied, each: false, at }
}

function lastName(path: readonly (string | number)[]): string | undefined {
  const last = path.at(-1)
  return typeof last === 'string' ? last : undefined
}

function parseCollection(reader: TokenReader): Pick<Source, 'collection' | 'query' | 'path'> {
  if (reader.takeSymbol('(')) return { collection: '', query: parseBracketed(reader), path: parsePath(reader) }
  return { collection: parseName(reader, 'the name of a collection'), path: parsePath(reader) }
}

function parsePath(reader: TokenReader): (string | number)[] {
  const path: (string | number)[] = []
  for (;;) {
    if (reader.takeSymbol('.')) path.push(parseName(reader, 'the name of a property'))
    else if (reader.takeSymbol('[')) path.push(parseStep(reader))
    else return path
  }
}

function parseStep(reader: TokenReader): string | number {
  const token = reader.peek()
  if (token.kind !== 'string' && token.kind !== 'number')
    throw reader.unexpected('a name in quotation marks or an index')
  reader.next()
  reader.expectSymbol(']')
  return token.kind === 'string' ? token.text : Number(token.text)
}
