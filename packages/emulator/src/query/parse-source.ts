import type { Source } from './ast.ts'
import { isBareAlias, parseName } from './parse-name.ts'
import { notSupported } from './query-error.ts'
import type { TokenReader } from './token-reader.ts'

/** Parses what stands behind FROM: a collection, a path in it, or `alias IN path`. */
export function parseSource(reader: TokenReader): Source {
  const source = reader.isWord('IN', 1) ? parseEach(reader) : parsePlain(reader)
  if (reader.isWord('JOIN')) throw notSupported('JOIN', reader.peek().at)
  return source
}

function parseEach(reader: TokenReader): Source {
  const alias = parseName(reader, 'an alias')
  reader.expectWord('IN')
  return { ...parseCollection(reader), alias, each: true }
}

function parsePlain(reader: TokenReader): Source {
  const { collection, path } = parseCollection(reader)
  const named = reader.takeWord('AS') || isBareAlias(reader)
  return { collection, path, alias: named ? parseName(reader, 'an alias') : lastName([collection, ...path]), each: false }
}

function lastName(path: readonly (string | number)[]): string | undefined {
  const last = path.at(-1)
  return typeof last === 'string' ? last : undefined
}

function parseCollection(reader: TokenReader): { collection: string; path: (string | number)[] } {
  if (reader.isSymbol('(')) throw notSupported('A subquery in FROM', reader.peek().at)
  const collection = parseName(reader, 'the name of a collection')
  const path: (string | number)[] = []
  for (;;) {
    if (reader.takeSymbol('.')) path.push(parseName(reader, 'the name of a property'))
    else if (reader.takeSymbol('[')) path.push(parseStep(reader))
    else return { collection, path }
  }
}

function parseStep(reader: TokenReader): string | number {
  const token = reader.peek()
  if (token.kind !== 'string' && token.kind !== 'number') throw reader.unexpected('a name in quotation marks or an index')
  reader.next()
  reader.expectSymbol(']')
  return token.kind === 'string' ? token.text : Number(token.text)
}
