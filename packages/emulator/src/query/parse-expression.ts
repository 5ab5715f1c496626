import { type BinaryOperator, type Expression, expressionsOf, type ObjectMember } from './ast.ts'
import { MAX_ARGUMENTS, MAX_NESTING } from './limits.ts'
import { notSupported, wrongQuery } from './query-error.ts'
import { boundDepth, isReserved, parseBracketed, parseName, tooDeep, type TokenReader } from './token-reader.ts'

/** Parses an expression, beginning with the operator of the lowest precedence (`? :`). */
export function parseExpression(reader: TokenReader): Expression {
  return nested(reader, parseConditional)
}

function nested(reader: TokenReader, parse: (reader: TokenReader) => Expression): Expression {
  if (reader.nesting >= MAX_NESTING) throw tooDeep(reader)
  reader.nesting++
  const expression = parse(reader)
  reader.nesting--
  return expression
}

function parseConditional(reader: TokenReader): Expression {
  const test = parseCoalesce(reader)
  if (!reader.takeSymbol('?')) return test
  const yes = parseExpression(reader)
  reader.expectSymbol(':')
  const no = parseExpression(reader)
  return boundDepth({ kind: 'conditional', test, yes, no }, [test, yes, no], reader)
}

function parseCoalesce(reader: TokenReader): Expression {
  let left = parseLogical(reader, 'OR')
  while (reader.takeSymbol('??')) left = binary(reader, '??', left, parseLogical(reader, 'OR'))
  return left
}

function parseLogical(reader: TokenReader, operator: 'OR' | 'AND'): Expression {
  const parseOperand = operator === 'OR' ? () => parseLogical(reader, 'AND') : () => parseNot(reader)
  const operands = [parseOperand()]
  while (reader.takeWord(operator)) operands.push(parseOperand())
  if (operands.length === 1) return operands[0]
  return boundDepth({ kind: 'logical', operator, operands }, operands, reader)
}

function parseNot(reader: TokenReader): Expression {
  if (!reader.takeWord('NOT')) return parseComparison(reader)
  const operand = nested(reader, parseNot)
  return boundDepth({ kind: 'unary', operator: 'NOT', operand }, [operand], reader)
}

function parseComparison(reader: TokenReader): Expression {
  let left = parseRelation(reader)
  for (;;) {
    if (reader.takeSymbol('=')) left = binary(reader, '=', left, parseRelation(reader))
    else if (reader.takeSymbol('!=') || reader.takeSymbol('<>'))
      left = binary(reader, '!=', left, parseRelation(reader))
    else if (isTest(reader)) left = parseTest(reader, left)
    else return left
  }
}

const TESTS: readonly string[] = ['IN', 'BETWEEN', 'LIKE']

function isTest(reader: TokenReader): boolean {
  return TESTS.includes(reader.peek(reader.isWord('NOT') ? 1 : 0).word)
}

function parseTest(reader: TokenReader, value: Expression): Expression {
  const not = reader.takeWord('NOT')
  if (reader.takeWord('IN')) return parseIn(reader, value, not)
  if (reader.takeWord('BETWEEN')) return parseBetween(reader, value, not)
  reader.expectWord('LIKE')
  return parseLike(reader, value, not)
}

function parseIn(reader: TokenReader, value: Expression, not: boolean): Expression {
  reader.expectSymbol('(')
  const list = [parseExpression(reader)]
  while (reader.takeSymbol(',')) list.push(parseExpression(reader))
  reader.expectSymbol(')')
  return boundDepth({ kind: 'in', value, list, not }, [value, ...list], reader)
}

function parseBetween(reader: TokenReader, value: Expression, not: boolean): Expression {
  const low = parseOperators(reader, LOWEST)
  reader.expectWord('AND')
  const high = parseOperators(reader, LOWEST)
  return boundDepth({ kind: 'between', value, low, high, not }, [value, low, high], reader)
}

function parseLike(reader: TokenReader, value: Expression, not: boolean): Expression {
  const pattern = parseOperators(reader, LOWEST)
  const escape = reader.takeWord('ESCAPE') ? parseEscape(reader) : undefined
  return boundDepth({ kind: 'like', value, pattern, escape, not }, [value, pattern], reader)
}

function parseEscape(reader: TokenReader): string {
  const token = reader.peek()
  if (token.kind !== 'string' || token.text.length !== 1)
    throw reader.unexpected('one character in quotation marks after ESCAPE')
  return reader.next().text
}

const RELATIONS: readonly BinaryOperator[] = ['<=', '>=', '<', '>']

function parseRelation(reader: TokenReader): Expression {
  let left = parseOperators(reader, LOWEST)
  for (;;) {
    const operator = RELATIONS.find((symbol) => reader.takeSymbol(symbol))
    if (operator === undefined) return left
    left = binary(reader, operator, left, parseOperators(reader, LOWEST))
  }
}

/** Precedence of the operators above comparisons. */
const STRENGTH: ReadonlyMap<string, number> = new Map<BinaryOperator, number>([
  ['|', 1],
  ['^', 2],
  ['&', 3],
  ['<<', 4],
  ['>>', 4],
  ['>>>', 4],
  ['+', 5],
  ['-', 5],
  ['||', 5],
  ['*', 6],
  ['/', 6],
  ['%', 6]
])

const LOWEST = 1

function parseOperators(reader: TokenReader, weakest: number): Expression {
  let left = parseSigned(reader)
  for (;;) {
    const token = reader.peek()
    const strength = token.kind === 'symbol' ? (STRENGTH.get(token.text) ?? 0) : 0
    if (strength < weakest) return left
    reader.next()
    left = binary(reader, token.text as BinaryOperator, left, parseOperators(reader, strength + 1))
  }
}

function parseSigned(reader: TokenReader): Expression {
  for (const operator of ['-', '+', '~'] as const) {
    if (!reader.takeSymbol(operator)) continue
    const operand = nested(reader, parseSigned)
    // a negative number is a constant, as keys and lists require
    if (operator === '-' && operand.kind === 'literal' && typeof operand.value === 'number')
      return { kind: 'literal', value: -operand.value }
    return boundDepth({ kind: 'unary', operator, operand }, [operand], reader)
  }
  return reader.isWord('NOT') ? nested(reader, parseNot) : parsePrimary(reader)
}

function binary(reader: TokenReader, operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return boundDepth({ kind: 'binary', operator, left, right }, [left, right], reader)
}

/** Parses a literal, name, call, bracketed expression, array or object, with the path after it. */
function parsePrimary(reader: TokenReader): Expression {
  let expression = parseAtom(reader)
  for (;;) {
    if (reader.takeSymbol('.'))
      expression = member(reader, expression, parseName(reader, 'the name of a property'), true)
    else if (reader.takeSymbol('[')) expression = parseIndex(reader, expression)
    else return expression
  }
}

function parseIndex(reader: TokenReader, of: Expression): Expression {
  const index = parseExpression(reader)
  reader.expectSymbol(']')
  if (index.kind === 'literal' && typeof index.value === 'string') return member(reader, of, index.value, false)
  return boundDepth({ kind: 'index', of, index }, [of, index], reader)
}

function member(reader: TokenReader, of: Expression, name: string, dotted: boolean): Expression {
  return boundDepth({ kind: 'member', of, name, dotted }, [of], reader)
}

function parseAtom(reader: TokenReader): Expression {
  const token = reader.peek()
  if (token.kind === 'string') return { kind: 'literal', value: reader.next().text }
  if (token.kind === 'number') return { kind: 'literal', value: Number(reader.next().text) }
  if (token.kind === 'parameter') return { kind: 'parameter', name: reader.next().text, at: token.at }
  if (token.kind === 'name') return parseWord(reader)
  if (reader.takeSymbol('(')) return parseParentheses(reader)
  if (reader.takeSymbol('[')) return parseArray(reader)
  if (reader.takeSymbol('{')) return parseObject(reader)
  throw reader.unexpected('an expression')
}

const CONSTANTS: ReadonlyMap<string, boolean | null | undefined> = new Map([
  ['TRUE', true],
  ['FALSE', false],
  ['NULL', null],
  ['UNDEFINED', undefined]
])

const MISSING_FORMS: readonly string[] = ['ALL', 'FIRST', 'LAST']

function parseWord(reader: TokenReader): Expression {
  const { text, word, at } = reader.peek()
  if ((word === 'ARRAY' || word === 'EXISTS') && reader.isSymbol('(', 1)) return parseSubquery(reader, word)
  if (MISSING_FORMS.includes(word) && reader.isSymbol('(', 1) && reader.isWord('SELECT', 2))
    throw notSupported(`${word}(), a subquery,`, at)
  if (word === 'UDF' && reader.isSymbol('.', 1))
    throw notSupported(`The user-defined function 'udf.${reader.peek(2).text}'`, at)
  if (CONSTANTS.has(word)) {
    reader.next()
    return { kind: 'literal', value: CONSTANTS.get(word) }
  }
  if (isReserved(word)) throw reader.unexpected('an expression')
  reader.next()
  if (!reader.takeSymbol('(')) return { kind: 'name', name: text, at }
  const values = parseList(reader, ')')
  if (values.length > MAX_ARGUMENTS) throw wrongQuery(`${word} has more than ${MAX_ARGUMENTS} arguments`, at)
  return boundDepth({ kind: 'call', name: word, values, at }, values, reader)
}

function parseSubquery(reader: TokenReader, form: 'ARRAY' | 'EXISTS'): Expression {
  const { at } = reader.next()
  reader.expectSymbol('(')
  return subquery(reader, form, at)
}

function subquery(reader: TokenReader, form: 'scalar' | 'ARRAY' | 'EXISTS', at: number): Expression {
  const query = parseBracketed(reader)
  return boundDepth({ kind: 'subquery', form, query, at }, expressionsOf(query), reader)
}

function parseParentheses(reader: TokenReader): Expression {
  const { at } = reader.peek()
  if (reader.isWord('SELECT')) return subquery(reader, 'scalar', at)
  const expression = parseExpression(reader)
  reader.expectSymbol(')')
  return expression
}

function parseArray(reader: TokenReader): Expression {
  const items = parseList(reader, ']')
  return boundDepth({ kind: 'array', items }, items, reader)
}

function parseList(reader: TokenReader, close: string): Expression[] {
  if (reader.takeSymbol(close)) return []
  const items = [parseExpression(reader)]
  while (reader.takeSymbol(',')) items.push(parseExpression(reader))
  reader.expectSymbol(close)
  return items
}

function parseObject(reader: TokenReader): Expression {
  const members: ObjectMember[] = []
  if (!reader.takeSymbol('}')) {
    do members.push(parseMember(reader))
    while (reader.takeSymbol(','))
    reader.expectSymbol('}')
  }
  return boundDepth(
    { kind: 'object', members },
    members.map(({ value }) => value),
    reader
  )
}

function parseMember(reader: TokenReader): ObjectMember {
  const { kind } = reader.peek()
  if (kind !== 'string' && kind !== 'name') throw reader.unexpected('the name of a property')
  const name = reader.next().text
  reader.expectSymbol(':')
  return { name, value: parseExpression(reader) }
}
