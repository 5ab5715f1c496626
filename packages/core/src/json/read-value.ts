import { BACKSLASH, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../text/characters.ts'
import { COMPOSITE, type FieldValue } from '../key/field-value.ts'

/** Reads the valid JSON value at `bytes[start, end)`. */
export function readField(bytes: Uint8Array, start: number, end: number): FieldValue {
  switch (bytes[start]) {
    case QUOTE:
      return decodeString(bytes, start + 1, end - 1)
    case OPEN_BRACE:
    case OPEN_BRACKET:
      return COMPOSITE
    case 0x74:
      return true
    case 0x66:
      return false
    case 0x6e:
      return null
    default:
      return readNumber(bytes, start, end)
  }
}

// An integer with more digits than a key can have becomes Infinity, which no key accepts.
const MAX_INTEGER_DIGITS = 2048

/** Decodes the body of a valid JSON string, without its quotes: `bytes[start, end)`. */
export function decodeString(bytes: Uint8Array, start: number, end: number): string {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte >= 0x80 || byte === BACKSLASH) return decodeUnusual(bytes, start, end)
  }
  return decodeAscii(bytes, start, end)
}

/** Decodes bytes below 0x80. */
export function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  switch (end - start) {
    case 13:
    case 14:
    case 15:
      return decodeShort(bytes, start, end - start)
    case TIME_LENGTH:
      return decodeAscii24(bytes, start)
    case UUID_LENGTH:
      return decodeAscii36(bytes, start)
    default:
      return decodePieces(bytes, start, end)
  }
}

function decodePieces(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  let at = start
  for (; at + 16 <= end; at += 16) text += decodeAscii16(bytes, at)
  const left = end - at
  if ((left & 8) !== 0) {
    text += String.fromCharCode(
      bytes[at],
      bytes[at + 1],
      bytes[at + 2],
      bytes[at + 3],
      bytes[at + 4],
      bytes[at + 5],
      bytes[at + 6],
      bytes[at + 7]
    )
    at += 8
  }
  if ((left & 4) !== 0) {
    text += String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
    at += 4
  }
  if ((left & 2) !== 0) {
    text += String.fromCharCode(bytes[at], bytes[at + 1])
    at += 2
  }
  return (left & 1) === 0 ? text : text + String.fromCharCode(bytes[at])
}

/**
 * Decodes 16 bytes below 0x80. One call with a fixed number of arguments is several times as fast as one call with a
 * list, or as one call for each character.
 */
export function decodeAscii16(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(
    bytes[at],
    bytes[at + 1],
    bytes[at + 2],
    bytes[at + 3],
    bytes[at + 4],
    bytes[at + 5],
    bytes[at + 6],
    bytes[at + 7],
    bytes[at + 8],
    bytes[at + 9],
    bytes[at + 10],
    bytes[at + 11],
    bytes[at + 12],
    bytes[at + 13],
    bytes[at + 14],
    bytes[at + 15]
  )
}

// Lengths of times in ISO 8601 with milliseconds, and of UUIDs, the form of most ids. One call costs less than several
// calls, because V8 has to join their results when a character is read. It joins shorter strings than 13 characters at once.
const TIME_LENGTH = 24
const UUID_LENGTH = 36

function decodeShort(bytes: Uint8Array, at: number, length: number): string {
  if (length === 13)
    return String.fromCharCode(
      bytes[at],
      bytes[at + 1],
      bytes[at + 2],
      bytes[at + 3],
      bytes[at + 4],
      bytes[at + 5],
      bytes[at + 6],
      bytes[at + 7],
      bytes[at + 8],
      bytes[at + 9],
      bytes[at + 10],
      bytes[at + 11],
      bytes[at + 12]
    )
  if (length === 14)
    return String.fromCharCode(
      bytes[at],
      bytes[at + 1],
      bytes[at + 2],
      bytes[at + 3],
      bytes[at + 4],
      bytes[at + 5],
      bytes[at + 6],
      bytes[at + 7],
      bytes[at + 8],
      bytes[at + 9],
      bytes[at + 10],
      bytes[at + 11],
      bytes[at + 12],
      bytes[at + 13]
    )
  return String.fromCharCode(
    bytes[at],
    bytes[at + 1],
    bytes[at + 2],
    bytes[at + 3],
    bytes[at + 4],
    bytes[at + 5],
    bytes[at + 6],
    bytes[at + 7],
    bytes[at + 8],
    bytes[at + 9],
    bytes[at + 10],
    bytes[at + 11],
    bytes[at + 12],
    bytes[at + 13],
    bytes[at + 14]
  )
}

function decodeAscii24(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(
    bytes[at],
    bytes[at + 1],
    bytes[at + 2],
    bytes[at + 3],
    bytes[at + 4],
    bytes[at + 5],
    bytes[at + 6],
    bytes[at + 7],
    bytes[at + 8],
    bytes[at + 9],
    bytes[at + 10],
    bytes[at + 11],
    bytes[at + 12],
    bytes[at + 13],
    bytes[at + 14],
    bytes[at + 15],
    bytes[at + 16],
    bytes[at + 17],
    bytes[at + 18],
    bytes[at + 19],
    bytes[at + 20],
    bytes[at + 21],
    bytes[at + 22],
    bytes[at + 23]
  )
}

function decodeAscii36(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(
    bytes[at],
    bytes[at + 1],
    bytes[at + 2],
    bytes[at + 3],
    bytes[at + 4],
    bytes[at + 5],
    bytes[at + 6],
    bytes[at + 7],
    bytes[at + 8],
    bytes[at + 9],
    bytes[at + 10],
    bytes[at + 11],
    bytes[at + 12],
    bytes[at + 13],
    bytes[at + 14],
    bytes[at + 15],
    bytes[at + 16],
    bytes[at + 17],
    bytes[at + 18],
    bytes[at + 19],
    bytes[at + 20],
    bytes[at + 21],
    bytes[at + 22],
    bytes[at + 23],
    bytes[at + 24],
    bytes[at + 25],
    bytes[at + 26],
    bytes[at + 27],
    bytes[at + 28],
    bytes[at + 29],
    bytes[at + 30],
    bytes[at + 31],
    bytes[at + 32],
    bytes[at + 33],
    bytes[at + 34],
    bytes[at + 35]
  )
}

function decodeUnusual(bytes: Uint8Array, start: number, end: number): string {
  const text = decodeUtf8(bytes, start, end)
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text
}

const UNITS_AT_ONCE = 4096

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  let units: number[] = []
  for (let at = start; at < end;) {
    const lead = bytes[at]
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    pushCodePoint(units, codePointAt(bytes, at, length))
    at += length
    if (units.length >= UNITS_AT_ONCE) {
      text += String.fromCharCode(...units)
      units = []
    }
  }
  return text + String.fromCharCode(...units)
}

function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const lead = bytes[at]
  if (length === 1) return lead
  let point = lead & (0xff >> (length + 1))
  for (let next = 1; next < length; next++) point = (point << 6) | (bytes[at + next] & 0x3f)
  return point
}

function pushCodePoint(units: number[], point: number): void {
  if (point < 0x10000) units.push(point)
  else units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff))
}

const SAFE_DIGITS = 15

function readNumber(bytes: Uint8Array, start: number, end: number): number | bigint {
  if (end - start <= SAFE_DIGITS && bytes[start] !== MINUS) {
    let value = 0
    for (let at = start; at < end; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) return Number(decodeAscii(bytes, start, end))
      value = value * 10 + digit
    }
    return value
  }
  return readLongNumber(decodeAscii(bytes, start, end))
}

function readLongNumber(text: string): number | bigint {
  const value = Number(text)
  if (Number.isSafeInteger(value) || text.length > MAX_INTEGER_DIGITS || !/^-?\d+$/.test(text)) return value
  return BigInt(text)
}

/** Whitespace of JSON: space, tab, line feed, carriage return. */
export function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Position of the first byte from `at` on that is not whitespace. */
export function skipWhitespace(bytes: Uint8Array, at: number): number {
  let p = at
  while (isWhitespace(bytes[p])) p++
  return p
}
