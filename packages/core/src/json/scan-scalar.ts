const BACKSLASH = 0x5c
const QUOTE = 0x22
const DOT = 0x2e
const MINUS = 0x2d
const NINE = 0x39
const PLUS = 0x2b
const ZERO = 0x30
const SMALL_E = 0x65

const INTEGER = 0
const FRACTION = 1
const EXPONENT = 2

/**
 * Reads the body of a JSON string from `at` on. Returns the position after the closing quote, or `~position` of the
 * mistake. Requires that `bytes[limit - 1]` is a closing brace, or that `bytes[limit]` exists and is zero; then it
 * reads no other byte from `limit` on. `view` covers the same bytes as `bytes`.
 */
export function scanString(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastPair = (limit - 8) | 0
  let p = at | 0
  let word = 0
  let stops = 0
  // two words in each turn, because V8 then checks the bounds only once for both
  while (p <= lastPair) {
    word = view.getInt32(p, true)
    stops = stopsIn(word)
    if (stops !== 0) break
    p = (p + 4) | 0
    word = view.getInt32(p, true)
    stops = stopsIn(word)
    if (stops !== 0) break
    p = (p + 4) | 0
  }
  if (stops === 0) return scanUnusual(bytes, view, p, limit)
  const shift = (24 - Math.clz32(stops & -stops)) | 0
  p = (p + (shift >> 3)) | 0
  return ((word >>> shift) & 0xff) === QUOTE ? (p + 1) | 0 : scanUnusual(bytes, view, p, limit)
}

// A constant instead of a declared function: at each call of a declared function, V8 checks that it is still the same
// function.
/**
 * Sets the highest bit of each byte that is a control character, a quote, a backslash, or not ASCII. The result is
 * exact up to the first such byte.
 */
const stopsIn = (word: number): number =>
  (word | ((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & 0x80808080

/**
 * Reads the rest of a string from any byte on. This slow path is a separate function, so that V8 puts the fast path
 * into the code of the caller.
 */
function scanUnusual(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastWord = (limit - 4) | 0
  let p = at | 0
  for (;;) {
    if (p >= limit) return ~limit
    const byte = bytes[p]
    if (byte === QUOTE) return p + 1
    if (byte === BACKSLASH) p = scanEscape(bytes, p) | 0
    else if (byte >= 0x80) p = scanUtf8(bytes, p) | 0
    else if (byte >= 0x20) p = (p + 1) | 0
    else return ~p
    if (p < 0) return p
    while (p <= lastWord) {
      const stops = stopsIn(view.getInt32(p, true))
      if (stops !== 0) {
        p = (p + ((31 - Math.clz32(stops & -stops)) >> 3)) | 0
        break
      }
      p = (p + 4) | 0
    }
  }
}

const U = 0x75
const SIMPLE_ESCAPES = tableOf('"\\/bfnrt')
const HEX_DIGITS = tableOf('0123456789abcdefABCDEF')

function scanEscape(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1]
  if (SIMPLE_ESCAPES[kind] === 1) return at + 2
  if (kind !== U) return ~(at + 1)
  for (let p = at + 2; p < at + 6; p++) if (HEX_DIGITS[bytes[p]] !== 1) return ~p
  return at + 6
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

/**
 * Reads characters that are not ASCII from `at` on. Returns the position of the first ASCII byte after them, or
 * `~position` of a byte that is not UTF-8.
 */
function scanUtf8(bytes: Uint8Array, at: number): number {
  let p = at
  for (;;) {
    const lead = bytes[p]
    if (lead < 0x80) return p
    const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    if (lead < 0xc2 || lead > 0xf4) return ~p
    const second = bytes[p + 1]
    if (second < lowestSecond(lead) || second > highestSecond(lead)) return ~(p + 1)
    for (let next = p + 2; next < p + length; next++) if ((bytes[next] & 0xc0) !== 0x80) return ~next
    p += length
  }
}

// Overlong forms begin with E0 80..9F and F0 80..8F, surrogates with ED A0..BF, code points above U+10FFFF with F4 90
// or higher.
function lowestSecond(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
}

function highestSecond(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
}

/**
 * Reads a number at `at`. Returns the position after it, or `~position` of the mistake. The arguments are those of
 * scanString.
 */
export function scanNumber(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastWord = (limit - 4) | 0
  let p = (bytes[at] === MINUS ? at + 1 : at) | 0
  let part = INTEGER
  let c = bytes[p]
  for (;;) {
    if (c < ZERO || c > NINE) return ~p
    if (part === INTEGER && c === ZERO) p = (p + 1) | 0
    else p = skipDigits(bytes, view, p, limit, lastWord) | 0
    c = bytes[p]
    if (part === INTEGER && c === DOT) {
      part = FRACTION
      p = (p + 1) | 0
    } else if (part !== EXPONENT && (c | 0x20) === SMALL_E) {
      part = EXPONENT
      p = (p + 1) | 0
      c = bytes[p]
      if (c === PLUS || c === MINUS) p = (p + 1) | 0
    } else return p
    c = bytes[p]
  }
}

function skipDigits(bytes: Uint8Array, view: DataView, at: number, limit: number, lastWord: number): number {
  let p = at | 0
  while (p <= lastWord) {
    const word = view.getInt32(p, true) ^ 0x30303030
    // Sets the highest bit of each byte that is not a digit. The result is exact up to the first such byte.
    const stops = (word | (word + 0x76767676)) & 0x80808080
    if (stops !== 0) return (p + ((31 - Math.clz32(stops & -stops)) >> 3)) | 0
    p = (p + 4) | 0
  }
  while (p < limit && bytes[p] >= ZERO && bytes[p] <= NINE) p = (p + 1) | 0
  return p
}

/** Reads `true`, `false` or `null` at `at`. Returns the position after it, or `~position` of the mistake. */
export function scanWord(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === 0x74)
    return bytes[at + 1] === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === 0x65
      ? at + 4
      : wrongIn(bytes, at, 'true')
  if (first === 0x66) {
    const isFalse = bytes[at + 1] === 0x61 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x73 && bytes[at + 4] === 0x65
    return isFalse ? at + 5 : wrongIn(bytes, at, 'false')
  }
  if (first === 0x6e)
    return bytes[at + 1] === 0x75 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x6c
      ? at + 4
      : wrongIn(bytes, at, 'null')
  return ~at
}

function wrongIn(bytes: Uint8Array, at: number, word: string): number {
  let right = 1
  while (bytes[at + right] === word.charCodeAt(right)) right++
  return ~(at + right)
}
