import { BACKSLASH, NINE, ZERO } from '../text/characters.ts'

/** Result of functions that cannot copy a string. */
export const UNFIT = -1

/**
 * Copies the body of a valid JSON string from `from[start, end)` to `to`. Returns the position after it, or a negative
 * number if the string has an escape, a character that is not ASCII, or a reserved character. `one`, `two` and `three`
 * are the reserved characters, each four times in a word (see `reservedWords`).
 */
export function copyString(
  from: DataView,
  start: number,
  end: number,
  to: DataView,
  at: number,
  one: number,
  two: number,
  three: number
): number {
  const length = (end - start) | 0
  if (length < 4) return copyShort(from, start, end, to, at, one, two, three)
  const last = (end - 4) | 0
  let p = start | 0
  let q = at | 0
  while (p < last) {
    const word = from.getInt32(p, true)
    if (!isPlain(word, one, two, three)) return UNFIT
    to.setInt32(q, word, true)
    p = (p + 4) | 0
    q = (q + 4) | 0
  }
  const word = from.getInt32(last, true)
  if (!isPlain(word, one, two, three)) return UNFIT
  to.setInt32(at + length - 4, word, true)
  return at + length
}

/** Whether `copyString` can copy the body of a valid JSON string at `from[start, end)`. */
export function isPlainString(
  from: DataView,
  start: number,
  end: number,
  one: number,
  two: number,
  three: number
): boolean {
  const last = (end - 4) | 0
  let p = start | 0
  while (p <= last) {
    if (!isPlain(from.getInt32(p, true), one, two, three)) return false
    p = (p + 4) | 0
  }
  for (; p < end; p++) if (!isPlain(from.getUint8(p) | 0x30303000, one, two, three)) return false
  return true
}

/**
 * Copies the digits of a non-negative integer, which are its canonical form. Returns a negative number for any other
 * value.
 */
export function copyDigits(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  let q = at
  for (let p = start; p < end; p++) {
    const digit = from[p]
    if (digit < ZERO || digit > NINE) return UNFIT
    to[q++] = digit
  }
  return q
}

/** Writes a string of ASCII characters that need no escape in JSON. Returns a negative number for any other string. */
export function writePlain(text: string, to: Uint8Array, at: number): number {
  for (let each = 0; each < text.length; each++) {
    const code = text.charCodeAt(each)
    if (code < 0x20 || code === 0x22 || code === BACKSLASH || code >= 0x80) return UNFIT
    to[at + each] = code
  }
  return at + text.length
}

function copyShort(
  from: DataView,
  start: number,
  end: number,
  to: DataView,
  at: number,
  one: number,
  two: number,
  three: number
): number {
  let q = at
  for (let p = start; p < end; p++) {
    const byte = from.getUint8(p)
    if (!isPlain(byte | 0x30303000, one, two, three)) return UNFIT
    to.setUint8(q++, byte)
  }
  return q
}

// Sets the highest bit of each byte that is reserved, a backslash or not ASCII. The result is exact for the word as a
// whole, but not for each byte.
const isPlain = (word: number, one: number, two: number, three: number): boolean =>
  ((word |
    ((word ^ 0x5c5c5c5c) - 0x01010101) |
    ((word ^ one) - 0x01010101) |
    ((word ^ two) - 0x01010101) |
    ((word ^ three) - 0x01010101)) &
    0x80808080) ===
  0

/**
 * Converts up to three reserved characters to the form that `copyString` and `isPlainString` need: each character four
 * times in a word.
 */
export function reservedWords(reserved: string): readonly [number, number, number] {
  // a missing character is replaced by the backslash, which both functions look for in any case
  const [one = BACKSLASH, two = one, three = two] = Array.from(reserved, (mark) => mark.charCodeAt(0))
  return [fourOf(one), fourOf(two), fourOf(three)]
}

function fourOf(code: number): number {
  return Math.imul(code, 0x01010101)
}
