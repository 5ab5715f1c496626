import type { Expression } from './ast.ts'
import { type Token, tokenize } from './lexer.ts'
import { MAX_TREE_DEPTH } from './limits.ts'
import { type QueryError, wrongQuery } from './query-error.ts'

/** A place in the tokens of a query, with the questions a parser asks there. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #index: number = 0
  /** How many brackets and prefixes are open here. */
  nesting: number = 0
  /** How tall the trees are that were parsed so far; a leaf has no entry. */
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

  /** The syntax error at the current token, which says what would have been right. */
  unexpected(expected: string): QueryError {
    const token = this.peek()
    const found = token.kind === 'end' ? 'the end of the query' : `'${token.text.slice(0, 40)}'`
    return wrongQuery(`Syntax error: expected ${expected} but found ${found}`, token.at)
  }
}

/** Words that cannot name an alias, or a property behind a dot: there the service wants `c["value"]`. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word)
}

const RESERVED: ReadonlySet<string> = new Set(
  'AND ARRAY AS ASC BETWEEN BY DESC DISTINCT EXISTS FALSE FROM GROUP IN JOIN LIKE NOT NULL OR ORDER SELECT TOP TRUE UDF UNDEFINED VALUE WHERE'.split(
    ' '
  )
)

/** Takes a name that may stand behind AS, in FROM or behind a dot; `what` says which for the error. */
export function parseName(reader: TokenReader, what: string): string {
  const token = reader.peek()
  if (token.kind !== 'name') throw reader.unexpected(what)
  if (isReserved(token.word))
    throw reader.unexpected(`${what} (a keyword must be written in brackets and quotation marks, ["${token.text}"])`)
  return reader.next().text
}

/** True where an alias stands that needs no AS in front. */
export function isBareAlias(reader: TokenReader): boolean {
  const { kind, word } = reader.peek()
  return kind === 'name' && !isReserved(word) && word !== 'OFFSET' && word !== 'LIMIT'
}

/** Gives the node back, or refuses a tree so tall that walking it could overflow the stack. */
export function boundDepth<Node extends Expression>(node: Node, children: readonly Expression[], reader: TokenReader): Node {
  const depth = 1 + children.reduce((deepest, child) => Math.max(deepest, reader.depths.get(child) ?? 1), 0)
  if (depth > MAX_TREE_DEPTH) {
    throw wrongQuery(`The expression chains or nests more than ${MAX_TREE_DEPTH} operators; split it with parentheses`, reader.peek().at)
  }
  reader.depths.set(node, depth)
  return node
}
