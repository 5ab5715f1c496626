import type { Expression, Query } from './ast.ts'
import { MAX_NESTING, MAX_QUERY_LENGTH, MAX_TREE_DEPTH } from './limits.ts'
import { type QueryError, wrongQuery } from './query-error.ts'

/** A position in the tokens of a query. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #index: number = 0
  /** Number of open brackets and prefix operators. */
  nesting: number = 0
  /** Heights of the expressions parsed so far; a leaf has no entry. */
  readonly depths: Map<Expression, number> = new Map()
  /** Parses a query inside another one; undefined where no query is allowed. */
  readonly parseSubquery: ((reader: TokenReader) => Query) | undefined

  constructor(text: string, parseSubquery?: (reader: TokenReader) => Query) {
    this.#tokens = tokenize(text)
    this.parseSubquery = parseSubquery
  }

  peek(ahead: number = 0): Token {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)]
  }

  next(): Token {
    const token = this.peek()
    this.#index++
    return token
  }

  isWord(word: string, ahead: number = 0): boolean {
    return this.peek(ahead).word === word
  }

  isSymbol(symbol: string, ahead: number = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'symbol' && token.text === symbol
  }

  takeWord(word: string): boolean {
    const found = this.isWord(word)
    if (found) this.#index++
    return found
  }

  takeSymbol(symbol: string): boolean {
    const found = this.isSymbol(symbol)
    if (found) this.#index++
    return found
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.unexpected(word)
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.unexpected(`'${symbol}'`)
  }

  /** The syntax error at the current token; says what was expected. */
  unexpected(expected: string): QueryError {
    const token = this.peek()
    const found = token.kind === 'end' ? 'the end of the query' : `'${token.text.slice(0, 40)}'`
    return wrongQuery(`Syntax error: expected ${expected} but found ${found}`, token.at)
  }
}

/** Keywords, which cannot be an alias or a property after a dot; the service requires `c["value"]`. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word)
}

const RESERVED: ReadonlySet<string> = new Set(
  'AND ARRAY AS ASC BETWEEN BY DESC DISTINCT EXISTS FALSE FROM GROUP IN JOIN LIKE NOT NULL OR ORDER SELECT TOP TRUE UDF UNDEFINED VALUE WHERE'.split(
    ' '
  )
)

/** Parses a subquery after its opening bracket, up to the closing one. */
export function parseBracketed(reader: TokenReader): Query {
  if (reader.parseSubquery === undefined) throw wrongQuery('A subquery is not allowed here', reader.peek().at)
  if (reader.nesting >= MAX_NESTING) throw tooDeep(reader)
  reader.nesting++
  const query = reader.parseSubquery(reader)
  reader.nesting--
  reader.expectSymbol(')')
  return query
}

/** The error for brackets and prefix operators that nest too deep. */
export function tooDeep(reader: TokenReader): QueryError {
  return wrongQuery(`The query nests deeper than ${MAX_NESTING} levels`, reader.peek().at)
}

/** Reads a name after AS, after a dot or in FROM; `what` names it in the error. */
export function parseName(reader: TokenReader, what: string): string {
  const token = reader.peek()
  if (token.kind !== 'name') throw reader.unexpected(what)
  if (isReserved(token.word))
    throw reader.unexpected(`${what} (a keyword must be written in brackets and quotation marks, ["${token.text}"])`)
  return reader.next().text
}

/** True when the next token is an alias without AS. */
export function isBareAlias(reader: TokenReader): boolean {
  const { kind, word } = reader.peek()
  return kind === 'name' && !isReserved(word) && word !== 'OFFSET' && word !== 'LIMIT'
}

/** Returns the node. Refuses a tree that is too deep, since recursion could overflow the stack. */
export function boundDepth<Node extends Expression>(
  node: Node,
  children: readonly Expression[],
  reader: TokenReader
): Node {
  const depth = 1 + children.reduce((deepest, child) => Math.max(deepest, reader.depths.get(child) ?? 1), 0)
  if (depth > MAX_TREE_DEPTH) {
    throw wrongQuery(
      `The expression chains or nests more than ${MAX_TREE_DEPTH} operators; split it with parentheses`,
      reader.peek().at
    )
  }
  reader.depths.set(node, depth)
  return node
}

/** One word, literal or symbol of a query. */
interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'parameter' | 'symbol' | 'end'
  /** The text of the token; for a string its value. */
  readonly text: string
  /** The text of a name in capitals, for comparison with keywords; empty for other kinds. */
  readonly word: string
  readonly at: number
}

/** Splits the text of a query into tokens; the last one is `end`. */
function tokenize(text: string): Token[] {
  if (text.length > MAX_QUERY_LENGTH)
    throw wrongQuery(`The query has ${text.length} characters; at most ${MAX_QUERY_LENGTH} are allowed`)
  const tokens: Token[] = []
  let at = skipBlank(text, 0)
  while (at < text.length) {
    const end = readToken(text, at, tokens)
    at = skipBlank(text, end)
  }
  tokens.push({ kind: 'end', text: '', word: '', at: text.length })
  return tokens
}

const BLANK = /\s+/y
const NAME = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy
const PARAMETER = /@[\p{L}_][\p{L}\p{N}\p{M}_]*/uy
const NUMBER = /0[xX][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const SYMBOL = />>>|<<|>>|<=|>=|<>|!=|\|\||\?\?|[-+*/%&|^~=<>?:()[\]{},.]/y

function skipBlank(text: string, from: number): number {
  let at = from
  for (;;) {
    const start = at
    at += matchAt(BLANK, text, at).length
    if (text.startsWith('--', at)) at = endOf(text, '\n', at)
    else if (text.startsWith('/*', at)) at = endOfComment(text, at)
    if (at === start) return at
  }
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end + mark.length
}

function endOfComment(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2)
  if (end < 0) throw wrongQuery('Syntax error: the comment is not closed by */', from)
  return end + 2
}

function readToken(text: string, at: number, tokens: Token[]): number {
  const first = text[at]
  if (first === '"' || first === "'") {
    const { value, end } = readString(text, at)
    tokens.push({ kind: 'string', text: value, word: '', at })
    return end
  }
  const found =
    readName(text, at) ??
    readPlain('parameter', PARAMETER, text, at) ??
    readNumber(text, at) ??
    readPlain('symbol', SYMBOL, text, at)
  if (found === undefined)
    throw wrongQuery(`Syntax error: the character ${JSON.stringify(characterAt(text, at))} has no meaning here`, at)
  tokens.push(found)
  return at + found.text.length
}

function readName(text: string, at: number): Token | undefined {
  const name = matchAt(NAME, text, at)
  return name === '' ? undefined : { kind: 'name', text: name, word: name.toUpperCase(), at }
}

function readNumber(text: string, at: number): Token | undefined {
  const token = readPlain('number', NUMBER, text, at)
  if (token !== undefined && matchAt(NAME, text, at + token.text.length) !== '') {
    throw wrongQuery('Syntax error: a number must not run into a name', at)
  }
  return token
}

function readPlain(
  kind: 'parameter' | 'number' | 'symbol',
  shape: RegExp,
  text: string,
  at: number
): Token | undefined {
  const found = matchAt(shape, text, at)
  return found === '' ? undefined : { kind, text: found, word: '', at }
}

function matchAt(shape: RegExp, text: string, at: number): string {
  shape.lastIndex = at
  return shape.exec(text)?.[0] ?? ''
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0)
}

/** Reads the quoted string that begins at `from`, with the escapes of JSON and `\'`. */
function readString(text: string, from: number): { value: string; end: number } {
  const quote = text[from]
  let value = ''
  let start = from + 1
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === quote) return { value: value + text.slice(start, at), end: at + 1 }
    if (character !== '\\') continue
    const escape = readEscape(text, at)
    value += text.slice(start, at) + escape.value
    start = at + escape.length
    at = start - 1
  }
  throw wrongQuery('Syntax error: the string is not closed by a quotation mark', from)
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t']
])

function readEscape(text: string, at: number): { value: string; length: number } {
  const kind = text[at + 1] ?? ''
  const simple = SIMPLE.get(kind)
  if (simple !== undefined) return { value: simple, length: 2 }
  const digits = text.slice(at + 2, at + 6)
  if (kind === 'u' && /^[\da-fA-F]{4}$/.test(digits))
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
  throw wrongQuery('Syntax error: unknown escape in a string; write \\\\ for a backslash', at)
}
