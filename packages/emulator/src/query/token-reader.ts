import type { Expression } from './ast.ts'
import { type Token, tokenize } from './lexer.ts'
import { MAX_TREE_DEPTH } from './limits.ts'
import { type QueryError, wrongQuery } from './query-error.ts'

/** A position in the tokens of a query. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #index: number = 0
  /** Number of open brackets and prefix operators. */
  nesting: number = 0
  /** Heights of the expressions parsed so far; a leaf has no entry. */
  readonly depths: Map<Expression, number> = new Map()

  constructor(text: string) {
    this.#tokens = tokenize(text)
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

/** Returns the node, or refuses a tree that is so tall that recursion could overflow the stack. */
export function boundDepth<Node extends Expression>(node: Node, children: readonly Expression[], reader: TokenReader): Node {
  const depth = 1 + children.reduce((deepest, child) => Math.max(deepest, reader.depths.get(child) ?? 1), 0)
  if (depth > MAX_TREE_DEPTH) {
    throw wrongQuery(`The expression chains or nests more than ${MAX_TREE_DEPTH} operators; split it with parentheses`, reader.peek().at)
  }
  reader.depths.set(node, depth)
  return node
}
