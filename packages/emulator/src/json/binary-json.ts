import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../service-error.ts'

/** Whether a body is binary JSON, which some clients send. JSON text never begins with the preamble byte. */
export function isBinaryJson(body: Buffer): boolean {
  return body[0] === PREAMBLE
}

/** The value of a body in binary JSON. */
export function parseBinaryJson(body: Buffer): unknown {
  const cursor = new ByteCursor(body, 1)
  const value = readValue(cursor, 0)
  if (cursor.at !== body.length) throw malformed('something follows its value')
  return value
}

const PREAMBLE = 0x80
const MAX_DEPTH = 256
const WIDTHS: readonly Width[] = [1, 2, 4]

function readValue(cursor: ByteCursor, depth: number): unknown {
  if (depth > MAX_DEPTH) throw malformed('it is nested too deep')
  const marker = cursor.byte()
  if (marker < 0x20) return marker
  if (marker === 0xd0) return null
  if (marker === 0xd1 || marker === 0xd2) return marker === 0xd2
  if (marker >= 0xe0 && marker < 0xe8) return readSeries(cursor, marker - 0xe0, () => readValue(cursor, depth + 1))
  if (marker >= 0xe8 && marker < 0xf0)
    return Object.fromEntries(readSeries(cursor, marker - 0xe8, () => readMember(cursor, depth + 1)))
  if (marker === 0xf0 || marker === 0xf1) return readNumbers(cursor, marker === 0xf0 ? 1 : 2)
  if (marker === 0xf2 || marker === 0xf3) return readNumberTable(cursor, marker === 0xf2 ? 1 : 2)
  const value = readNumber(marker, cursor) ?? readText(marker, cursor)
  if (value === undefined) throw malformed(`it has the unknown marker 0x${marker.toString(16)}`)
  return value
}

function readMember(cursor: ByteCursor, depth: number): [string, unknown] {
  const name = readText(cursor.byte(), cursor)
  if (name === undefined) throw malformed('a property in it has no name')
  return [name, readValue(cursor, depth)]
}

// forms 0 and 1 have no entry and one entry; 2 to 4 begin with the length in bytes; 5 to 7 begin with the length and
// the number of entries
function readSeries<Entry>(cursor: ByteCursor, form: number, readEntry: () => Entry): Entry[] {
  if (form === 0) return []
  if (form === 1) return [readEntry()]
  const width = WIDTHS[(form - 2) % 3]
  const length = cursor.length(width)
  const count = form >= 5 ? cursor.length(width) : undefined
  const end = cursor.at + length
  const entries: Entry[] = []
  while (cursor.at < end) entries.push(readEntry())
  if (cursor.at !== end || (count !== undefined && count !== entries.length)) throw malformed('a length in it is wrong')
  return entries
}

function readNumbers(cursor: ByteCursor, width: Width): number[] {
  const marker = cursor.byte()
  return readBareNumbers(cursor, marker, cursor.length(width))
}

function readNumberTable(cursor: ByteCursor, width: Width): number[][] {
  // the marker of the inner arrays is redundant
  cursor.byte()
  const marker = cursor.byte()
  const columns = cursor.length(width)
  const rows = cursor.length(width)
  return Array.from({ length: rows }, () => readBareNumbers(cursor, marker, columns))
}

function readBareNumbers(cursor: ByteCursor, marker: number, count: number): number[] {
  return Array.from({ length: count }, () => {
    const value = readNumber(marker, cursor)
    if (value === undefined) throw malformed('an array of numbers in it has another value')
    return value
  })
}

/** Number of bytes of a length or a count. */
type Width = 1 | 2 | 4

/** A position in bytes, which each read advances; numbers are little-endian. */
class ByteCursor {
  readonly bytes: Buffer
  at: number
  /**
   * Number of characters that back references may still repeat; without a limit, a few bytes could expand to
   * gigabytes.
   */
  repeatable: number

  constructor(bytes: Buffer, at: number, repeatable: number = MAX_REPEATED) {
    this.bytes = bytes
    this.at = at
    this.repeatable = repeatable
  }

  take(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw malformed('it ends too early')
    const taken = this.bytes.subarray(this.at, end)
    this.at = end
    return taken
  }

  byte(): number {
    return this.take(1)[0]
  }

  length(width: Width): number {
    return this.take(width).readUIntLE(0, width)
  }

  text(length: number): string {
    const taken = this.take(length)
    if (!isUtf8(taken)) throw malformed('a string in it is not valid UTF-8')
    return taken.toString('utf8')
  }
}

const MAX_REPEATED = 64 * 1024 * 1024

/** The error for invalid binary JSON. */
function malformed(reason: string): ServiceError {
  return new ServiceError(400, `The request body is not valid binary JSON: ${reason}.`)
}

/** Reads the number after its marker; undefined for any other marker. */
function readNumber(marker: number, cursor: ByteCursor): number | undefined {
  const kind = KINDS[marker]
  if (kind === undefined) return undefined
  const value = kind.read(cursor.take(kind.size))
  if (!Number.isFinite(value)) throw malformed('a number in it is not finite')
  return value
}

interface NumberKind {
  readonly size: number
  readonly read: (bytes: Buffer) => number
}

const UINT8: NumberKind = { size: 1, read: (bytes) => bytes.readUInt8() }
const INT8: NumberKind = { size: 1, read: (bytes) => bytes.readInt8() }
const INT16: NumberKind = { size: 2, read: (bytes) => bytes.readInt16LE() }
const INT32: NumberKind = { size: 4, read: (bytes) => bytes.readInt32LE() }
const UINT32: NumberKind = { size: 4, read: (bytes) => bytes.readUInt32LE() }
const INT64: NumberKind = { size: 8, read: (bytes) => Number(bytes.readBigInt64LE()) }
const UINT64: NumberKind = { size: 8, read: (bytes) => Number(bytes.readBigUInt64LE()) }
const FLOAT32: NumberKind = { size: 4, read: (bytes) => bytes.readFloatLE() }
const FLOAT64: NumberKind = { size: 8, read: (bytes) => bytes.readDoubleLE() }

const KINDS: Readonly<Partial<Record<number, NumberKind>>> = {
  0xc7: UINT64,
  0xc8: UINT8,
  0xc9: INT16,
  0xca: INT32,
  0xcb: INT64,
  0xcc: FLOAT64,
  0xcd: FLOAT32,
  0xce: FLOAT64,
  0xd7: UINT8,
  0xd8: INT8,
  0xd9: INT16,
  0xda: INT32,
  0xdb: INT64,
  0xdc: UINT32
}

/** Reads the string after its marker; undefined for any other marker. */
function readText(marker: number, cursor: ByteCursor): string | undefined {
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

// reads the string at another position; a reference to a reference is refused, since references could form a cycle
function repeated(cursor: ByteCursor, target: number): string {
  const there = new ByteCursor(cursor.bytes, target)
  const marker = there.byte()
  const text = marker >= 0xc3 && marker <= 0xc6 ? undefined : readText(marker, there)
  if (text === undefined) throw malformed('a back reference in it does not lead to a string')
  cursor.repeatable -= text.length
  if (cursor.repeatable < 0) throw malformed('its back references repeat too much')
  return text
}

// the length counts groups of four characters; a padding byte above 2 is the complement of omitted padding
function base64(cursor: ByteCursor, width: Width, encoding: 'base64' | 'base64url'): string {
  const full = cursor.length(width) * 4
  const padding = cursor.byte()
  const isLeftOut = padding > 2
  const missing = isLeftOut ? 0xff - padding : padding
  const text = cursor.take(Math.floor(((full - missing) * 3) / 4)).toString(encoding)
  const bare = text.replace(/=+$/, '')
  return isLeftOut ? bare : bare.padEnd(full, '=')
}

// two digits per byte, the low half first
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
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-'
  )
}

function nibbles(cursor: ByteCursor, alphabet: string): string {
  const length = cursor.length(1)
  const bytes = cursor.take(Math.ceil(length / 2))
  let text = ''
  for (let at = 0; at < length; at++) text += alphabet[at % 2 === 0 ? bytes[at >> 1] & 15 : bytes[at >> 1] >> 4]
  return text
}

// characters of a few bits each, added to a common base; seven bits have no base
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

/** Strings that binary JSON encodes as one byte, by number. */
const SYSTEM_STRINGS: readonly string[] = [
  ...['$s', '$t', '$v', '_attachments', '_etag', '_rid', '_self', '_ts'],
  ...['attachments/', 'coordinates', 'geometry', 'GeometryCollection', 'id', 'url', 'Value', 'label'],
  ...['LineString', 'link', 'MultiLineString', 'MultiPoint', 'MultiPolygon', 'name', 'Name', 'Type'],
  ...['Point', 'Polygon', 'properties', 'type', 'value', 'Feature', 'FeatureCollection', '_id']
]
