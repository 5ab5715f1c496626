import type { Expression, ObjectMember } from './ast.ts'
import { MAX_ARGUMENTS } from './limits.ts'
import { parseName } from './parse-name.ts'
import { notSupported, wrongQuery } from './query-error.ts'
import { isReserved } from './reserved-words.ts'
import type { TokenReader } from './token-reader.ts'
import { boundDepth } from './tree-depth.ts'

type ParseExpression = (reader: TokenReader) => Expression

/** Parses a literal, name, call, bracketed expression, array or object, with the path behind it. */
export function parsePrimary(reader: TokenReader, parseExpression: ParseExpression): Expression {
  let expression = parseAtom(reader, parseExpression)
  for (;;) {
    if (reader.takeSymbol('.')) expression = member(reader, expression, parseName(reader, 'the name of a property'), true)
    else if (reader.takeSymbol('[')) expression = parseIndex(reader, expression, parseExpression)
    else return expression
  }
}

function parseIndex(reader: TokenReader, of: Expression, parseExpression: ParseExpression): Expression {
  const index = parseExpression(reader)
  reader.expectSymbol(']')
  if (index.kind === 'literal' && typeof index.value === 'string') return member(reader, of, index.value, false)
  return boundDepth({ kind: 'index', of, index }, [of, index], reader)
}

function member(reader: TokenReader, of: Expression, name: string, dotted: boolean): Expression {
  return boundDepth({ kind: 'member', of, name, dotted }, [of], reader)
}

function parseAtom(reader: TokenReader, parseExpression: ParseExpression): Expression {
  const token = reader.peek()
  if (token.kind === 'string') return { kind: 'literal', value: reader.next().text }
  if (token.kind === 'number') return { kind: 'literal', value: Number(reader.next().text) }
  if (token.kind === 'parameter') return { kind: 'parameter', name: reader.next().text, at: token.at }
  if (token.kind === 'name') return parseWord(reader, parseExpression)
  if (reader.takeSymbol('(')) return parseParentheses(reader, parseExpression)
  if (reader.takeSymbol('[')) return parseArray(reader, parseExpression)
  if (reader.takeSymbol('{')) return parseObject(reader, parseExpression)
  throw reader.unexpected('an expression')
}

const CONSTANTS: ReadonlyMap<string, boolean | null | undefined> = new Map([
  ['TRUE', true],
  ['FALSE', false],
  ['NULL', null],
  ['UNDEFINED', undefined]
])

const QUERIES: readonly string[] = ['ARRAY', 'EXISTS', 'ALL', 'FIRST', 'LAST']

function parseWord(reader: TokenReader, parseExpression: ParseExpression): Expression {
  const { text, word, at } = reader.peek()
  if (QUERIES.includes(word) && reader.isSymbol('(', 1)) throw notSupported(`${word}(), a subquery,`, at)
  if (word === 'UDF' && reader.isSymbol('.', 1)) throw notSupported('A user defined function (udf)', at)
  if (CONSTANTS.has(word)) {
    reader.next()
    return { kind: 'literal', value: CONSTANTS.get(word) }
  }
  if (isReserved(word)) throw reader.unexpected('an expression')
  reader.next()
  if (!reader.takeSymbol('(')) return { kind: 'name', name: text, at }
  const values = parseList(reader, ')', parseExpression)
  if (values.length > MAX_ARGUMENTS) throw wrongQuery(`${word} has more than ${MAX_ARGUMENTS} arguments`, at)
  return boundDepth({ kind: 'call', name: word, values, at }, values, reader)
}

function parseParentheses(reader: TokenReader, parseExpression: ParseExpression): Expression {
  if (reader.isWord('SELECT')) throw notSupported('A subquery', reader.peek().at)
  const expression = parseExpression(reader)
  reader.expectSymbol(')')
  return expression
}

function parseArray(reader: TokenReader, parseExpression: ParseExpression): Expression {
  const items = parseList(reader, ']', parseExpression)
  return boundDepth({ kind: 'array', items }, items, reader)
}

function parseList(reader: TokenReader, close: string, parseExpression: ParseExpression): Expression[] {
  if (reader.takeSymbol(close)) return []
  const items = [parseExpression(reader)]
  while (reader.takeSymbol(',')) items.push(parseExpression(reader))
  reader.expectSymbol(close)
  return items
}

function parseObject(reader: TokenReader, parseExpression: ParseExpression): Expression {
  const members: ObjectMember[] = []
  if (!reader.takeSymbol('}')) {
    do members.push(parseMember(reader, parseExpression))
    while (reader.takeSymbol(','))
    reader.expectSymbol('}')
  }
  return boundDepth(
    { kind: 'object', members },
    members.map(({ value }) => value),
    reader
  )
}

function parseMember(reader: TokenReader, parseExpression: ParseExpression): ObjectMember {
  const { kind } = reader.peek()
  if (kind !== 'string' && kind !== 'name') throw reader.unexpected('the name of a property')
  const name = reader.next().text
  reader.expectSymbol(':')
  return { name, value: parseExpression(reader) }
}
