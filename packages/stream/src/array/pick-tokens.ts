import { type Many, isMany, none } from 'stream-chain/defs.js'
import { pick } from 'stream-json/core/filters/pick.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'

/** Reads a document piece by piece and gives the tokens of what stands at a path. The whole document is checked; what is not JSON is thrown. */
export interface TokenPicker {
  readonly push: (text: string) => readonly Token[]
  readonly finish: () => readonly Token[]
}

export function createTokenPicker(path: string): TokenPicker {
  const parse = jsonParser({ packValues: true, streamValues: false }) as (text: string | typeof none) => Many<Token> | typeof none
  const filter = pick({ filter: path }) as unknown as (token: Token) => unknown
  return { push: read, finish: () => read(none) }

  function read(text: string | typeof none): readonly Token[] {
    const picked: Token[] = []
    for (const token of listOf(parse(text))) for (const kept of listOf(filter(token))) picked.push(kept)
    return picked
  }
}

function listOf(result: unknown): readonly Token[] {
  if (result === none) return []
  return isMany(result) ? (result.values as readonly Token[]) : [result as Token]
}
