import { notSupported, type QueryError, wrongQuery } from '../query-error.ts'
import { classOf, parseClass } from './character-class.ts'
import type { Modifiers } from './modifiers.ts'
import { PatternReader } from './pattern-reader.ts'
import type { Assertion, Pattern } from './regex-program.ts'

/** Reads a pattern; look-around and back references, which need backtracking, are refused. */
export function parseRegex(text: string, modifiers: Modifiers): Pattern {
  const reader = new PatternReader(text, modifiers)
  const pattern = parseEither(reader)
  if (!reader.atEnd()) throw wrongPattern('a closing parenthesis without an opening one')
  return pattern
}

function wrongPattern(what: string): QueryError {
  return wrongQuery(`The pattern of REGEXMATCH is not valid: ${what}`)
}

function parseEither(reader: PatternReader): Pattern {
  const choices = [parseSequence(reader)]
  while (reader.take('|')) choices.push(parseSequence(reader))
  return choices.length === 1 ? choices[0] : { kind: 'either', choices }
}

function parseSequence(reader: PatternReader): Pattern {
  const parts: Pattern[] = []
  for (;;) {
    reader.skipBlank()
    if (reader.atEnd() || reader.is('|') || reader.is(')')) return { kind: 'sequence', parts }
    parts.push(parseRepeat(reader))
  }
}

function parseRepeat(reader: PatternReader): Pattern {
  const of = parseAtom(reader)
  reader.skipBlank()
  const range = reader.takeRange()
  if (range === undefined) return of
  if (range.least > range.most || range.least > MAX_COUNT || (range.most > MAX_COUNT && range.most !== Number.POSITIVE_INFINITY)) {
    throw wrongPattern(`a repetition must count upwards and to ${MAX_COUNT} at most`)
  }
  // a lazy mark changes what would be captured, never whether there is a match
  reader.take('?')
  if (reader.takeRange() !== undefined) throw wrongPattern('a repetition of a repetition')
  return { kind: 'repeat', of, ...range }
}

const MAX_COUNT = 1000

function parseAtom(reader: PatternReader): Pattern {
  const character = reader.next()
  switch (character) {
    case '(':
      return parseGroup(reader)
    case '[':
      return { kind: 'character', test: parseClass(reader) }
    case '.':
      return { kind: 'character', test: reader.modifiers.dotAll ? () => true : (found) => !isLineEnd(found) }
    case '^':
      return { kind: 'assert', test: reader.modifiers.multiline ? (before) => isLineEnd(before) : (before) => before === undefined }
    case '$':
      return { kind: 'assert', test: reader.modifiers.multiline ? (_, after) => isLineEnd(after) : (_, after) => after === undefined }
    case '\\':
      return parseEscape(reader)
    case '*':
    case '+':
    case '?':
      throw wrongPattern('nothing to repeat')
    default:
      return { kind: 'character', test: reader.isCharacter(character) }
  }
}

function isLineEnd(character: string | undefined): boolean {
  return character === undefined || character === '\n' || character === '\r'
}

const MAX_GROUPS = 100

function parseGroup(reader: PatternReader): Pattern {
  if (++reader.groups > MAX_GROUPS) throw wrongPattern(`more than ${MAX_GROUPS} groups`)
  if (reader.take('?')) parseGroupKind(reader)
  const pattern = parseEither(reader)
  if (!reader.take(')')) throw wrongPattern('a parenthesis is not closed')
  return pattern
}

function parseGroupKind(reader: PatternReader): void {
  if (reader.take(':')) return
  const isNamed = reader.is('<') && !reader.is('=', 1) && !reader.is('!', 1)
  if (!isNamed) throw notSupported('Look-around or an inline flag in REGEXMATCH')
  reader.takeThrough('>')
}

function parseEscape(reader: PatternReader): Pattern {
  if (reader.atEnd()) throw wrongPattern('a backslash at its end')
  if (reader.is('b')) return { kind: 'assert', test: bordered(reader, true) }
  if (reader.is('B')) return { kind: 'assert', test: bordered(reader, false) }
  if (/[1-9k]/.test(reader.peek())) throw notSupported('A back reference in REGEXMATCH')
  return { kind: 'character', test: classOf(reader) }
}

function bordered(reader: PatternReader, expected: boolean): Assertion {
  reader.next()
  return (before, after) => (isWordCharacter(before) !== isWordCharacter(after)) === expected
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character)
}
