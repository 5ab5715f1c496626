import { wrongQuery } from './query-error.ts'

/** Reads the quoted text that begins at `from`, with the escapes of JSON and `\'`. */
export function readString(text: string, from: number): { value: string; end: number } {
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
  throw wrongQuery('Syntax error: the text is not closed by a quotation mark', from)
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
  throw wrongQuery('Syntax error: unknown escape in a text; write \\\\ for a backslash', at)
}
