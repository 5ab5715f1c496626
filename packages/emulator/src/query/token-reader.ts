import type { Expression } from './ast.ts'
import { type Token, tokenize } from './lexer.ts'
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
