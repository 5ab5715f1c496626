import { MAX_QUERY_LENGTH } from './limits.ts'
import { wrongQuery } from './query-error.ts'

/** One word, literal or symbol of a query. */
export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'parameter' | 'symbol' | 'end'
  /** As written; for a string its value. */
  readonly text: string
  /** A name in capitals, to compare with keywords; empty for other kinds. */
  readonly word: string
  readonly at: number
}

/** Splits the text of a query into tokens; the last one is `end`. */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_QUERY_LENGTH) throw wrongQuery(`The query has ${text.length} characters; at most ${MAX_QUERY_LENGTH} are allowed`)
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
    readName(text, at) ?? readPlain('parameter', PARAMETER, text, at) ?? readNumber(text, at) ?? readPlain('symbol', SYMBOL, text, at)
  if (found === undefined) throw wrongQuery(`Syntax error: the character ${JSON.stringify(characterAt(text, at))} has no meaning here`, at)
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

function readPlain(kind: 'parameter' | 'number' | 'symbol', shape: RegExp, text: string, at: number): Token | undefined {
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
  if (kind === 'u' && /^[\da-fA-F]{4}$/.test(digits)) return { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
  throw wrongQuery('Syntax error: unknown escape in a string; write \\\\ for a backslash', at)
}
