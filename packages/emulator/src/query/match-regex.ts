import { RE2JS, RE2JSSyntaxException } from 're2js'
import { notSupported, type QueryError, wrongQuery } from './query-error.ts'

/** REGEXMATCH: true when the pattern matches somewhere in the string. RE2 takes linear time, whatever the pattern. */
export function matchRegex(text: unknown, pattern: unknown, modifiers: unknown = ''): boolean | undefined {
  if (typeof text !== 'string' || typeof pattern !== 'string' || typeof modifiers !== 'string') return undefined
  const { regex, size } = compile(pattern, modifiers)
  if (size * text.length > MAX_STEPS)
    throw wrongQuery('REGEXMATCH takes too many steps; use a simpler pattern or a shorter text')
  return regex.test(text)
}

/** Upper bound for instructions of the program times characters of the string: about two seconds at worst. */
const MAX_STEPS = 64 * 1024 * 1024

// limits the time to compile, since each document may have its own pattern
const MAX_PATTERN_LENGTH = 16 * 1024

interface CompiledPattern {
  readonly pattern: string
  readonly modifiers: string
  readonly regex: RE2JS
  readonly size: number
}

// caches the last pattern, which is nearly always the same for all documents of a query
let last: CompiledPattern | undefined

function compile(pattern: string, modifiers: string): CompiledPattern {
  if (last?.pattern === pattern && last.modifiers === modifiers) return last
  if (pattern.length > MAX_PATTERN_LENGTH) throw wrongQuery('The pattern of REGEXMATCH is too large')
  const regex = compileRe2(translate(pattern, modifiers.includes('x')), flagsOf(modifiers))
  last = { pattern, modifiers, regex, size: regex.programSize() }
  return last
}

function flagsOf(modifiers: string): number {
  if (!/^[imsx]*$/.test(modifiers)) throw wrongQuery('REGEXMATCH knows the modifiers i, m, s and x')
  const ignoreCase = modifiers.includes('i') ? RE2JS.CASE_INSENSITIVE : 0
  const multiline = modifiers.includes('m') ? RE2JS.MULTILINE : 0
  return ignoreCase | multiline | (modifiers.includes('s') ? RE2JS.DOTALL : 0)
}

function compileRe2(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags)
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw refusalOf(error)
    throw error
  }
}

function refusalOf(error: RE2JSSyntaxException): QueryError {
  const reason = error.getDescription()
  if (reason === 'invalid escape sequence') return notSupported(`The escape ${error.getPattern()} in REGEXMATCH`)
  if (reason === 'invalid or unsupported Perl syntax')
    return notSupported(`The group ${error.getPattern()} in REGEXMATCH`)
  return wrongQuery(`The pattern of REGEXMATCH is not valid: ${reason}`)
}

/** Writes a pattern in the syntax of RE2; refuses look-around and back references, which need backtracking. */
function translate(pattern: string, ignoresBlanks: boolean): string {
  let translated = ''
  let at = 0
  let isInSet = false
  const copy = (length: number): void => {
    translated += pattern.slice(at, at + length)
    at += length
  }
  while (at < pattern.length) {
    const character = pattern[at]
    if (character === '\\') {
      if (!isInSet && /[1-9k]/.test(pattern[at + 1] ?? '')) throw notSupported('A back reference in REGEXMATCH')
      const code = matchAt(UNICODE_ESCAPE, pattern, at)
      if (code === '') copy(2)
      else {
        translated += `\\x{${code.slice(2)}}`
        at += code.length
      }
    } else if (isInSet) {
      // a named class such as [:alpha:] contains a closing bracket
      if (character === ']') isInSet = false
      copy(matchAt(NAMED_CLASS, pattern, at).length || 1)
    } else if (character === '[') {
      isInSet = true
      copy(matchAt(SET_START, pattern, at).length)
    } else if (matchAt(LOOK_AROUND, pattern, at) !== '') {
      throw notSupported('Look-around in REGEXMATCH')
    } else if (ignoresBlanks && /\s/.test(character)) {
      at += 1
    } else copy(1)
  }
  return translated
}

const UNICODE_ESCAPE = /\\u[\da-fA-F]{4}/y
const NAMED_CLASS = /\[:\w+:\]/y
// a closing bracket at the beginning belongs to the set
const SET_START = /\[\^?\]?/y
const LOOK_AROUND = /\(\?<?[=!]/y

function matchAt(shape: RegExp, pattern: string, at: number): string {
  shape.lastIndex = at
  return shape.exec(pattern)?.[0] ?? ''
}
