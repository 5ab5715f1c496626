import { MAX_SET_LENGTH } from '../limits.ts'
import { notSupported, wrongQuery } from '../query-error.ts'
import type { PatternReader } from './pattern-reader.ts'

type Test = (character: string) => boolean

/** Reads the set behind an opening bracket. */
export function parseClass(reader: PatternReader): Test {
  const negated = reader.take('^')
  const tests: Test[] = []
  while (!reader.is(']')) {
    if (reader.atEnd()) throw wrongQuery('The pattern of REGEXMATCH is not valid: a bracket is not closed')
    tests.push(parseMember(reader))
    if (tests.length > MAX_SET_LENGTH) throw wrongQuery(`A set in the pattern of REGEXMATCH has more than ${MAX_SET_LENGTH} members`)
  }
  reader.next()
  return (character) => tests.some((test) => test(character)) !== negated
}

function parseMember(reader: PatternReader): Test {
  const low = readOne(reader)
  if (typeof low !== 'string') return low
  if (!reader.is('-') || reader.is(']', 1)) return reader.isCharacter(low)
  reader.next()
  const high = readOne(reader)
  if (typeof high !== 'string') return (character) => character === low || character === '-' || high(character)
  return inRange(reader, low, high)
}

function readOne(reader: PatternReader): string | Test {
  return reader.take('\\') ? readEscape(reader) : reader.next()
}

function inRange(reader: PatternReader, low: string, high: string): Test {
  if (low > high) throw wrongQuery('The pattern of REGEXMATCH is not valid: a range in brackets runs backwards')
  const isIn: Test = (character) => character >= low && character <= high
  return reader.modifiers.ignoreCase ? (character) => isIn(character.toLowerCase()) || isIn(character.toUpperCase()) : isIn
}

/** Reads what stands behind a backslash: a named class, or one character. */
export function classOf(reader: PatternReader): Test {
  const escape = readEscape(reader)
  return typeof escape === 'string' ? reader.isCharacter(escape) : escape
}

const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['d', /^\d$/],
  ['D', /^\D$/u],
  ['w', /^\w$/],
  ['W', /^\W$/u],
  ['s', /^\s$/],
  ['S', /^\S$/u]
])

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0']
])

function readEscape(reader: PatternReader): string | Test {
  const kind = reader.next()
  const shape = CLASSES.get(kind)
  if (shape !== undefined) return (character) => shape.test(character)
  const code = kind === 'x' ? reader.takeShape(2, /^[\da-fA-F]{2}$/) : kind === 'u' ? reader.takeShape(4, /^[\da-fA-F]{4}$/) : undefined
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  if (/^[A-Za-z]$/.test(kind) && !CONTROLS.has(kind)) throw notSupported(`The escape \\${kind} in REGEXMATCH`)
  return CONTROLS.get(kind) ?? kind
}
