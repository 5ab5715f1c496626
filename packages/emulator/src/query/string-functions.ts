import { type Evaluate, finite, type FunctionFamily, onText, takes } from './builtin-function.ts'
import { checkTextLength, MAX_ARGUMENTS } from './limits.ts'
import { matchRegex } from './match-regex.ts'
import { isRecord, isTooDeep } from './values.ts'

/** Functions of strings. */
export const stringFunctions: FunctionFamily = {
  CONCAT: takes(2, MAX_ARGUMENTS, (...values) => concatenate(values)),
  CONTAINS: takes(
    2,
    3,
    withCase((text, part) => text.includes(part))
  ),
  ENDSWITH: takes(
    2,
    3,
    withCase((text, part) => text.endsWith(part))
  ),
  INDEX_OF: takes(2, 3, (text, part, from) => indexOf(text, part, from)),
  LEFT: takes(2, 2, (text, count) => substring(text, 0, count)),
  LENGTH: onText((text) => text.length),
  LOWER: onText((text) => text.toLowerCase()),
  LTRIM: onText((text) => text.trimStart()),
  REGEXMATCH: takes(2, 3, (text, pattern, modifiers) => matchRegex(text, pattern, modifiers)),
  REPLACE: takes(3, 3, (text, part, replacement) => replace(text, part, replacement)),
  REPLICATE: takes(2, 2, (text, count) => replicate(text, count)),
  REVERSE: onText((text) => [...text].toReversed().join('')),
  RIGHT: takes(2, 2, (text, count) => right(text, count)),
  RTRIM: onText((text) => text.trimEnd()),
  STARTSWITH: takes(
    2,
    3,
    withCase((text, part) => text.startsWith(part))
  ),
  STRINGEQUALS: takes(
    2,
    3,
    withCase((text, other) => text === other)
  ),
  STRINGJOIN: takes(2, 2, (parts, separator) => join(parts, separator)),
  STRINGSPLIT: takes(2, 2, (text, separator) =>
    isText(text) && isText(separator) ? text.split(separator) : undefined
  ),
  SUBSTRING: takes(3, 3, (text, start, length) => substring(text, start, length)),
  TRIM: onText((text) => text.trim()),
  UPPER: onText((text) => text.toUpperCase())
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function withCase(test: (text: string, other: string) => boolean): Evaluate {
  return (text, other, ignoreCase) => {
    if (!isText(text) || !isText(other) || (ignoreCase !== undefined && typeof ignoreCase !== 'boolean'))
      return undefined
    return ignoreCase === true ? test(text.toLowerCase(), other.toLowerCase()) : test(text, other)
  }
}

function concatenate(values: readonly unknown[]): string | undefined {
  if (!values.every(isText)) return undefined
  checkTextLength(values.reduce((length, text) => length + text.length, 0))
  return values.join('')
}

function indexOf(text: unknown, part: unknown, from: unknown = 0): number | undefined {
  return isText(text) && isText(part) && Number.isInteger(from)
    ? text.indexOf(part, Math.max(from as number, 0))
    : undefined
}

function substring(text: unknown, start: unknown, length: unknown): string | undefined {
  if (!isText(text) || !Number.isInteger(start) || !Number.isInteger(length)) return undefined
  const from = Math.max(start as number, 0)
  return (length as number) <= 0 ? '' : text.slice(from, from + (length as number))
}

function right(text: unknown, count: unknown): string | undefined {
  return isText(text) && Number.isInteger(count)
    ? text.slice(Math.max(text.length - Math.max(count as number, 0), 0))
    : undefined
}

function replace(text: unknown, part: unknown, replacement: unknown): string | undefined {
  if (!isText(text) || !isText(part) || !isText(replacement) || part === '') return undefined
  const pieces = text.split(part)
  checkTextLength(text.length + (pieces.length - 1) * (replacement.length - part.length))
  return pieces.join(replacement)
}

/** The service returns undefined for a longer replicated string. */
const MAX_REPLICATED = 10_000

function replicate(text: unknown, count: unknown): string | undefined {
  if (!isText(text) || !Number.isInteger(count) || (count as number) < 0) return undefined
  return text.length * (count as number) > MAX_REPLICATED ? undefined : text.repeat(text === '' ? 0 : (count as number))
}

function join(parts: unknown, separator: unknown): string | undefined {
  return Array.isArray(parts) && isText(separator) && parts.every(isText) ? joinTexts(parts, separator) : undefined
}

function joinTexts(parts: readonly string[], separator: string): string {
  checkTextLength(parts.reduce((length, part) => length + part.length + separator.length, 0))
  return parts.join(separator)
}

/** Conversions between strings and other types. */
export const conversionFunctions: FunctionFamily = {
  STRINGTOARRAY: onText((text) => keepIf(Array.isArray, parseJson(text))),
  STRINGTOBOOLEAN: onText((text) => BOOLEANS.get(text.trim())),
  STRINGTONULL: onText((text) => (text.trim() === 'null' ? null : undefined)),
  STRINGTONUMBER: onText((text) => (NUMBER.test(text) ? finite(Number(text)) : undefined)),
  STRINGTOOBJECT: onText((text) => keepIf(isRecord, parseJson(text))),
  TOSTRING: takes(1, 1, (value) => toText(value))
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false]
])

const NUMBER = /^\s*-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\s*$/

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    // strings that are not JSON convert to undefined
    return undefined
  }
}

function keepIf(test: (value: unknown) => boolean, value: unknown): unknown {
  return test(value) ? value : undefined
}

function toText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  const text = JSON.stringify(value)
  checkTextLength(text.length)
  return text
}
