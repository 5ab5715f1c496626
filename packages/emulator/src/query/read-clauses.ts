import { type Count, type Expression, hasSubquery, type Selection, type Source } from './ast.ts'
import { parseCount, parseSelection, parseSource } from './parse-clauses.ts'
import { parseExpression } from './parse-expression.ts'
import { parseSelect } from './parse-select.ts'
import { QueryError, wrongQuery } from './query-error.ts'
import { TokenReader } from './token-reader.ts'

/** Clauses of a query, read one by one for tools that do not run it. */
export interface QueryClauses {
  /** Undefined if there is none, or it could not be read. */
  readonly from: Source | undefined
  readonly selection: Selection | undefined
  /** Number of rows of TOP or LIMIT. */
  readonly limit: Count | undefined
  /** Whether the query has GROUP BY. */
  readonly isGrouped: boolean
  /** Conditions that all have to hold: the operands of the outermost AND. */
  readonly where: readonly Expression[]
  readonly unread: readonly UnreadClause[]
}

/** Part of a query that could not be read, or that a subquery decides. */
export interface UnreadClause {
  /** Such as `FROM`, or a condition of WHERE. */
  readonly clause: string
  /** A sentence. */
  readonly reason: string
}

/**
 * Reads the clauses of a query that is not run here. Names what it cannot read, and reads the rest: a subquery in one
 * condition does not hide the other conditions. A condition or a source that has a subquery is not in the result.
 */
export function readClauses(text: string): QueryClauses {
  const unread: UnreadClause[] = []
  const attempt = <T>(clause: string, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      unread.push({ clause, reason: error.message })
      return undefined
    }
  }
  const clauses = attempt('the query', () => divide(text)) ?? new Map<string, string>()
  const inside = <T>(word: string, parse: (reader: TokenReader) => T): T | undefined => {
    const clause = clauses.get(word)
    return clause === undefined ? undefined : attempt(word, () => parseWhole(clause, parse))
  }
  const select = inside('SELECT', (reader) => {
    reader.takeWord('DISTINCT')
    const top = reader.takeWord('TOP') ? parseCount(reader, 'TOP') : undefined
    return { top, selection: parseSelection(reader) }
  })
  const limit = inside('LIMIT', (reader) => parseCount(reader, 'LIMIT'))
  const where = clauses.get('WHERE')
  const conditions = where === undefined ? [] : (attempt('WHERE', () => divideConditions(where)) ?? [])
  return {
    from: inside('FROM', parsePlainSource),
    selection: select?.selection,
    limit: select?.top ?? limit,
    isGrouped: clauses.has('GROUP'),
    where: conditions.flatMap((condition) => {
      const found = attempt(`the condition ${shortened(condition)}`, () => parseWhole(condition, parsePlainCondition))
      return found === undefined ? [] : operandsOf(found)
    }),
    unread
  }
}

const CLAUSES: readonly string[] = ['SELECT', 'FROM', 'JOIN', 'WHERE', 'GROUP', 'ORDER', 'OFFSET', 'LIMIT']
const OPEN: readonly string[] = ['(', '[', '{']
const CLOSE: readonly string[] = [')', ']', '}']

interface Position {
  /** In capitals. */
  readonly word: string
  readonly at: number
  readonly end: number
}

/** Positions of words that are neither inside of brackets nor names of properties. */
function outerWords(text: string): readonly Position[] {
  const reader = new TokenReader(text)
  const found: Position[] = []
  let [depth, isName] = [0, false]
  for (let token = reader.next(); token.kind !== 'end'; token = reader.next()) {
    const isSymbol = token.kind === 'symbol'
    if (isSymbol && OPEN.includes(token.text)) depth++
    if (isSymbol && CLOSE.includes(token.text)) depth--
    if (token.kind === 'name' && depth === 0 && !isName)
      found.push({ word: token.word, at: token.at, end: token.at + token.text.length })
    isName = isSymbol && token.text === '.'
  }
  return found
}

/** Text of each clause by its first word. */
function divide(text: string): ReadonlyMap<string, string> {
  const starts = outerWords(text).filter(({ word }) => CLAUSES.includes(word))
  const ends = [...starts.slice(1).map(({ at }) => at), text.length]
  // the first of several JOIN clauses stands for all
  return new Map(starts.map(({ word, end }, index) => [word, text.slice(end, ends[index])] as const).toReversed())
}

/** Texts of the operands of the outermost AND; one text if an OR is outside of it. */
function divideConditions(text: string): readonly string[] {
  const words = outerWords(text)
  if (words.some(({ word }) => word === 'OR')) return [text]
  const conditions: string[] = []
  let [start, isBetween] = [0, false]
  for (const { word, at, end } of words) {
    if (word === 'BETWEEN') isBetween = true
    if (word !== 'AND') continue
    if (!isBetween) {
      conditions.push(text.slice(start, at))
      start = end
    }
    isBetween = false
  }
  return [...conditions, text.slice(start)].map((condition) => condition.trim())
}

function parsePlainSource(reader: TokenReader): Source {
  const source = parseSource(reader)
  if (source.query !== undefined) throw wrongQuery('A subquery in FROM can have other rows than the container')
  return source
}

function parsePlainCondition(reader: TokenReader): Expression {
  const condition = parseExpression(reader)
  if (hasSubquery(condition)) throw wrongQuery('A subquery does not say which values it returns')
  return condition
}

function operandsOf(condition: Expression): readonly Expression[] {
  return condition.kind === 'logical' && condition.operator === 'AND'
    ? condition.operands.flatMap(operandsOf)
    : [condition]
}

function parseWhole<T>(text: string, parse: (reader: TokenReader) => T): T {
  const reader = new TokenReader(text, parseSelect)
  const found = parse(reader)
  if (reader.peek().kind !== 'end') throw reader.unexpected('the end of the clause')
  return found
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
