import { writeUtf8 } from '@keystamp/core/internal'

const BACKSLASH = 0x5c
const DOT = 0x2e
const MINUS = 0x2d
const QUOTE = 0x22
const ZERO = 0x30

/** Result of functions for bytes that are not JSON. */
export const INVALID = -1

/** Reads strings and numbers of JSON bytes. Results are valid until the next call. */
export class ScalarReader {
  /** Whether the last string has escapes. */
  hasEscapes = false
  /** The last number. */
  number = 0
  /** Bytes of the last string that was decoded, from 0 up to `decodedLength`. */
  decoded: DataView = new DataView(new ArrayBuffer(256))
  decodedLength = 0
  #decodedBytes: Uint8Array = new Uint8Array(this.decoded.buffer)

  /** Position of the quote that ends the string whose body begins at `start`; INVALID if its escapes are not valid. */
  endOfString(bytes: Uint8Array, view: DataView, start: number, limit: number): number {
    this.hasEscapes = false
    const lastWord = Math.min(limit, view.byteLength) - 4
    let at = start | 0
    for (;;) {
      while (at <= lastWord) {
        const stops = stopsIn(view.getInt32(at, true))
        if (stops !== 0) {
          at = (at + placeOf(stops)) | 0
          break
        }
        at = (at + 4) | 0
      }
      if (at >= limit) return INVALID
      const byte = bytes[at]
      if (byte === QUOTE) return at
      if (byte < 0x20) return INVALID
      if (byte === BACKSLASH) {
        if (!isEscape(bytes, at + 1)) return INVALID
        this.hasEscapes = true
        at = (at + 2) | 0
      } else at = (at + 1) | 0
    }
  }

  /** Decodes the escapes of the body of a string, whose end was found before. */
  decode(bytes: Uint8Array, start: number, end: number): void {
    const target = this.#room(end - start)
    let to = 0
    for (let at = start; at < end; at++) {
      if (bytes[at] !== BACKSLASH) {
        target[to++] = bytes[at]
        continue
      }
      const plain = ESCAPES[bytes[++at]]
      if (plain !== 0) {
        target[to++] = plain
        continue
      }
      const point = codePointAt(bytes, at, end)
      at += point > 0xffff ? 10 : 4
      to = writePoint(point, target, to)
    }
    this.decodedLength = to
  }

  /** Decodes a string, as `decode` does. */
  decodeText(text: string): void {
    this.decodedLength = writeUtf8(text, this.#room(text.length * 3), 0)
  }

  /** Reads the number at `start` into `number`, and gives the position after it. */
  endOfNumber(bytes: Uint8Array, start: number, limit: number): number {
    const first = bytes[start] === MINUS ? start + 1 : start
    let at = first
    let value = 0
    let point = -1
    for (; at < limit; at++) {
      const digit = bytes[at] - ZERO
      if (digit >= 0 && digit <= 9) value = value * 10 + digit
      else if (bytes[at] === DOT && point < 0) point = at
      else break
    }
    const digits = point < 0 ? at - first : at - first - 1
    const isWhole = digits > 0 && point !== first && point !== at - 1 && (bytes[at] | 0x20) !== SMALL_E
    if (!isWhole || (bytes[first] === ZERO && at > first + 1 && point !== first + 1))
      return this.#unusualNumber(bytes, start, limit)
    if (digits > SAFE_DIGITS) this.number = Number(asciiOf(bytes, start, at))
    else {
      // both are exact, so that the quotient is the double next to the decimal number
      if (point >= 0) value /= POWERS[at - 1 - point]
      this.number = first === start ? value : -value
    }
    return at
  }

  #unusualNumber(bytes: Uint8Array, start: number, limit: number): number {
    let end = start
    while (end < limit && NUMBER_BYTES[bytes[end]] === 1) end++
    const text = asciiOf(bytes, start, end)
    if (!NUMBER.test(text)) return INVALID
    this.number = Number(text)
    return end
  }

  #room(size: number): Uint8Array {
    const { byteLength } = this.decoded
    if (size > byteLength || (byteLength > MAX_KEPT_BYTES && size <= MAX_KEPT_BYTES)) {
      this.decoded = new DataView(new ArrayBuffer(Math.max(size, 256)))
      this.#decodedBytes = new Uint8Array(this.decoded.buffer)
    }
    return this.#decodedBytes
  }
}

const MAX_KEPT_BYTES = 65_536
const SMALL_E = 0x65
const SAFE_DIGITS = 15
const POWERS = Float64Array.from({ length: SAFE_DIGITS + 1 }, (_, power) => Number(`1e${power}`))
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)? *$/
const NUMBER_BYTES = tableOf('0123456789+-.eE', () => 1)
const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t'
}
const ESCAPES = tableOf(Object.keys(SIMPLE).join(''), (escape) => SIMPLE[escape].charCodeAt(0))
const SMALL_U = 0x75

function tableOf(characters: string, valueOf: (character: string) => number): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = valueOf(character)
  return table
}

/** Sets the highest bit of the first byte that is a control character, a quote or a backslash, and of no earlier one. */
const stopsIn = (word: number): number =>
  ((((word ^ 0x22222222) - 0x01010101) & ~(word ^ 0x22222222)) |
    (((word ^ 0x5c5c5c5c) - 0x01010101) & ~(word ^ 0x5c5c5c5c)) |
    ((word - 0x20202020) & ~word)) &
  0x80808080

/** Number of bytes of four words before a control character, a quote or a backslash; 16 if they have none. */
export function bytesBeforeStop(k1: number, k2: number, k3: number, k4: number): number {
  let stops = stopsIn(k1)
  if (stops !== 0) return placeOf(stops)
  stops = stopsIn(k2)
  if (stops !== 0) return 4 + placeOf(stops)
  stops = stopsIn(k3)
  if (stops !== 0) return 8 + placeOf(stops)
  stops = stopsIn(k4)
  return stops === 0 ? 16 : 12 + placeOf(stops)
}

const placeOf = (stops: number): number => (31 - Math.clz32(stops & -stops)) >> 3

/** At n + 12: the mask of the first n bytes of a word, for n from -12 to 15. */
export const MASKS: Int32Array = Int32Array.from({ length: 28 }, (_, at) =>
  at >= 16 ? -1 : at <= 12 ? 0 : 2 ** (8 * (at - 12)) - 1
)

/** Whether the bytes after a backslash are an escape. */
function isEscape(bytes: Uint8Array, at: number): boolean {
  if (ESCAPES[bytes[at]] !== 0) return true
  if (bytes[at] !== SMALL_U) return false
  for (let each = at + 1; each <= at + 4; each++) if (HEX[bytes[each]] === 0) return false
  return at + 4 < bytes.length
}

/** Code point of the escape whose `u` is at `at`: of two escapes if they are a surrogate pair. Negative if invalid. */
function codePointAt(bytes: Uint8Array, at: number, end: number): number {
  const high = bytes[at] === SMALL_U ? unitAt(bytes, at + 1, end) : INVALID
  if (high < 0xd800 || high > 0xdbff || bytes[at + 5] !== BACKSLASH || bytes[at + 6] !== SMALL_U) return high
  const low = unitAt(bytes, at + 7, end)
  // an invalid second escape is found when it is read itself
  return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : high
}

function unitAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 > end) return INVALID
  let unit = 0
  for (let each = at; each < at + 4; each++) {
    const digit = HEX[bytes[each]]
    if (digit === 0) return INVALID
    unit = (unit << 4) | (digit - 1)
  }
  return unit
}

const HEX = tableOf('0123456789abcdefABCDEF', (digit) => Number.parseInt(digit, 16) + 1)

/** Writes a code point in UTF-8; a lone surrogate gets three bytes, which no other string has. */
function writePoint(point: number, target: Uint8Array, at: number): number {
  let to = at
  if (point < 0x80) {
    target[to++] = point
    return to
  }
  if (point < 0x800) target[to++] = 0xc0 | (point >> 6)
  else {
    if (point < 0x10000) target[to++] = 0xe0 | (point >> 12)
    else {
      target[to++] = 0xf0 | (point >> 18)
      target[to++] = 0x80 | ((point >> 12) & 0x3f)
    }
    target[to++] = 0x80 | ((point >> 6) & 0x3f)
  }
  target[to++] = 0x80 | (point & 0x3f)
  return to
}

/** Position after a whole number; INVALID for any other number. */
export function endOfWhole(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] >= ZERO && bytes[at] <= ZERO + 9) at++
  return at === start || (bytes[start] === ZERO && at > start + 1) ? INVALID : at
}

const ONCE = 24
const SPACE = 0x20

/**
 * Text of a number, with spaces after it. One call with a fixed number of arguments is several times as fast as one for
 * each character.
 */
function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > ONCE) return longAsciiOf(bytes, start, end)
  const at = (offset: number): number => (start + offset < end ? bytes[start + offset] : SPACE)
  // prettier-ignore
  return String.fromCharCode(
    at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11),
    at(12), at(13), at(14), at(15), at(16), at(17), at(18), at(19), at(20), at(21), at(22), at(23)
  )
}

function longAsciiOf(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at += LONG_CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + LONG_CHUNK, end)))
  return text
}

const LONG_CHUNK = 4096

/** Position of the first byte that is not whitespace. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  let byte = bytes[at]
  while (byte <= SPACE && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09)) byte = bytes[++at]
  return at
}
