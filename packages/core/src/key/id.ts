import { escapeMark } from '../text/escape.ts'
import { utf8Length } from '../text/utf8.ts'
import { type Rejection, reject } from '../errors/rejection.ts'
import { COMPOSITE, type FieldValue } from './field-value.ts'
import type { IdRules } from '../plan/rules.ts'
import { compileComponent } from './component.ts'
import { type FieldTable, joinTexts, type MakeText } from './text-maker.ts'

export const MAX_ID_BYTES = 1023
const FIRST_SURROGATE = 0xd800
// oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
const LOSSY = /[/\\?#~\u0000-\u001f\u007f]/g

/** Compiles the id of a plan. Each part is escaped by itself, so that parts that many records share are escaped once. */
export function compileId(rules: IdRules, table: FieldTable): MakeText {
  const join = joinTexts(compileIdParts(rules, table), writtenSeparator(rules))
  return (values, source) => {
    const text = join(values, source, undefined)
    return typeof text === 'string' ? checkLength(text) : text
  }
}

/** Compiles the components of an id. */
export function compileIdParts({ from, separator, escape }: IdRules, table: FieldTable): readonly MakeText[] {
  const last = from.length - 1
  return from.map((component, index) => {
    const finish = escape === 'underscore' ? replaceUnaddressable : index === last ? escapeLast : escapeId
    return compileComponent(component, { purpose: 'id', first: index === 0, reserved: separator, finish }, table)
  })
}

/** The separator as the id has it, escaped where necessary. */
export function writtenSeparator({ separator, escape }: IdRules): string {
  return escape === 'underscore' ? replaceUnaddressable(separator) : escapeId(separator)
}

/** Checks the record's own id: gives it if Cosmos DB can store and address it. */
export function carriedId(value: FieldValue): string | Rejection {
  if (value === undefined) return reject('ID_MISSING', '/id')
  if (value === null || value === COMPOSITE || typeof value !== 'string' || value === '') return reject('ID_NOT_TEXT', '/id')
  let isAddressable = true
  // one loop for both checks: nearly every id passes, and for a short string a loop is faster than starting a regular expression
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (isUnaddressable(code)) isAddressable = false
    else if (code >= FIRST_SURROGATE && !value.isWellFormed()) return reject('TEXT_MALFORMED', '/id')
  }
  return isAddressable ? checkLength(value) : reject('ID_INVALID', '/id')
}

/** Replaces reversibly the characters that Cosmos DB cannot store or address in an id. */
function escapeId(text: string): string {
  // nearly every id has none, and a loop finds that several times as fast as a regular expression
  for (let at = 0; at < text.length; at++) if (isLossy(text.charCodeAt(at))) return text.replace(LOSSY, escapeOne)
  return text
}

// Cosmos DB removes a space only at the end of an id
function escapeLast(text: string): string {
  const escaped = escapeId(text)
  return escaped.endsWith(' ') ? escaped.slice(0, -1) + escapeOne(' ') : escaped
}

function replaceUnaddressable(text: string): string {
  return text.replace(/[/\\?#]/g, '_')
}

function escapeOne(mark: string): string {
  return escapeMark(mark.charCodeAt(0))
}

function isLossy(code: number): boolean {
  return code < 0x20 || code === 0x7e || code === 0x7f || isUnaddressable(code)
}

/** `#`, `/`, `?` and the backslash. */
function isUnaddressable(code: number): boolean {
  return code === 0x23 || code === 0x2f || code === 0x3f || code === 0x5c
}

function checkLength(id: string): string | Rejection {
  if (id === '') return reject('ID_NOT_TEXT', '/id')
  return id.length * 3 <= MAX_ID_BYTES || utf8Length(id) <= MAX_ID_BYTES ? id : reject('ID_TOO_LONG', '/id')
}
