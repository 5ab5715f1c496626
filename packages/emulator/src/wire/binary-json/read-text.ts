import { ByteCursor, malformed, type Width } from './byte-cursor.ts'
import { SYSTEM_STRINGS } from './system-strings.ts'

/** Reads the text that follows its marker; undefined for the marker of anything else. */
export function readText(marker: number, cursor: ByteCursor): string | undefined {
  if (marker >= 0x20 && marker < 0x40) return SYSTEM_STRINGS[marker - 0x20]
  if (marker >= 0x80 && marker < 0xc0) return cursor.text(marker - 0x80)
  return READERS[marker]?.(cursor)
}

type TextReader = (cursor: ByteCursor) => string

const READERS: Readonly<Partial<Record<number, TextReader>>> = {
  0x71: (cursor) => base64(cursor, 1, 'base64'),
  0x72: (cursor) => base64(cursor, 2, 'base64'),
  0x73: (cursor) => base64(cursor, 1, 'base64url'),
  0x74: (cursor) => base64(cursor, 2, 'base64url'),
  0x75: guidText,
  0x76: (cursor) => guidText(cursor).toUpperCase(),
  0x77: (cursor) => `"${guidText(cursor)}"`,
  0x78: (cursor) => nibbles(cursor, '0123456789abcdef'),
  0x79: (cursor) => nibbles(cursor, '0123456789ABCDEF'),
  0x7a: (cursor) => nibbles(cursor, ' 0123456789:-.TZ'),
  0x7b: (cursor) => packed(cursor, 4),
  0x7c: (cursor) => packed(cursor, 5),
  0x7d: (cursor) => packed(cursor, 6),
  0x7e: (cursor) => packed(cursor, 7),
  0x7f: (cursor) => packed(cursor, 7, 2),
  0xc0: (cursor) => cursor.text(cursor.length(1)),
  0xc1: (cursor) => cursor.text(cursor.length(2)),
  0xc2: (cursor) => cursor.text(cursor.length(4)),
  0xc3: (cursor) => repeated(cursor, cursor.length(1)),
  0xc4: (cursor) => repeated(cursor, cursor.length(2)),
  0xc5: (cursor) => repeated(cursor, cursor.take(3).readUIntLE(0, 3)),
  0xc6: (cursor) => repeated(cursor, cursor.length(4)),
  0xd3: guidValue,
  0xdd: (cursor) => cursor.take(cursor.length(1)).toString('base64'),
  0xde: (cursor) => cursor.take(cursor.length(2)).toString('base64'),
  0xdf: (cursor) => cursor.take(cursor.length(4)).toString('base64')
}

// a text that stands elsewhere; one that is itself a reference could run in circles
function repeated(cursor: ByteCursor, target: number): string {
  const there = new ByteCursor(cursor.bytes, target)
  const marker = there.byte()
  const text = marker >= 0xc3 && marker <= 0xc6 ? undefined : readText(marker, there)
  if (text === undefined) throw malformed('a back reference in it does not lead to a text')
  cursor.repeatable -= text.length
  if (cursor.repeatable < 0) throw malformed('its back references repeat too much')
  return text
}

// the length counts groups of four characters; a large padding byte is the complement of padding left out
function base64(cursor: ByteCursor, width: Width, encoding: 'base64' | 'base64url'): string {
  const full = cursor.length(width) * 4
  const padding = cursor.byte()
  const isLeftOut = padding > 2
  const missing = isLeftOut ? 0xff - padding : padding
  const text = cursor.take(Math.floor(((full - missing) * 3) / 4)).toString(encoding)
  const bare = text.replace(/=+$/, '')
  return isLeftOut ? bare : bare.padEnd(full, '=')
}

// two digits a byte, the low half first
function guidText(cursor: ByteCursor): string {
  const digits = [...cursor.take(16)].map((byte) => (byte & 15).toString(16) + (byte >> 4).toString(16)).join('')
  return dashed(digits)
}

function guidValue(cursor: ByteCursor): string {
  const bytes = cursor.take(16)
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
  return dashed(Buffer.from(order.map((at) => bytes[at])).toString('hex'))
}

function dashed(digits: string): string {
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-')
}

function nibbles(cursor: ByteCursor, alphabet: string): string {
  const length = cursor.length(1)
  const bytes = cursor.take(Math.ceil(length / 2))
  let text = ''
  for (let at = 0; at < length; at++) text += alphabet[at % 2 === 0 ? bytes[at >> 1] & 15 : bytes[at >> 1] >> 4]
  return text
}

// characters of a few bits each, above a base that all share; seven bits need none
function packed(cursor: ByteCursor, bits: number, width: Width = 1): string {
  const length = cursor.length(width)
  const base = bits === 7 ? 0 : cursor.byte()
  const bytes = cursor.take(Math.ceil((length * bits) / 8))
  let text = ''
  for (let at = 0; at < length; at++) {
    const bit = at * bits
    const pair = bytes[bit >> 3] | ((bytes[(bit >> 3) + 1] ?? 0) << 8)
    text += String.fromCharCode((base + ((pair >> (bit & 7)) & ((1 << bits) - 1))) & 0xff)
  }
  return text
}
