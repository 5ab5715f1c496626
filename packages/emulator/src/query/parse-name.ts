import { isReserved } from './reserved-words.ts'
import type { TokenReader } from './token-reader.ts'

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
