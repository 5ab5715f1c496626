import { isShortest } from './is-shortest.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const DOT = 0x2e
const MINUS = 0x2d
const NINE = 0x39
const PLUS = 0x2b
const SEVEN = 0x37
const SMALL_E = 0x65
const ZERO = 0x30
const NOT_CANONICAL = 0

// as many are kept by every double
const SAFE_DIGITS = 15
// from the next one on an exponent is written
const MAX_ZEROS_BEHIND_POINT = 5

/** Reads a number at `at`. Gives the position behind it, or 0 when JSON.stringify would write its value otherwise. */
export function scanNumber(bytes: Buffer, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at
  const point = skipDigits(bytes, first)
  const whole = point - first
  if (whole === 0) return NOT_CANONICAL
  const startsWithZero = bytes[first] === ZERO
  if (bytes[point] !== DOT) {
    // -0 becomes 0, and 007 is no number
    if (startsWithZero && (whole > 1 || first > at)) return NOT_CANONICAL
    return endOfNumber(bytes, at, first, point, whole, 0)
  }
  const end = skipDigits(bytes, point + 1)
  if (bytes[end - 1] === ZERO || end === point + 1) return NOT_CANONICAL
  const decimals = end - point - 1
  if (!startsWithZero) return endOfNumber(bytes, at, first, end, whole + decimals, decimals)
  if (whole > 1) return NOT_CANONICAL
  let leading = point + 1
  while (bytes[leading] === ZERO) leading++
  return leading <= point + 1 + MAX_ZEROS_BEHIND_POINT ? endOfNumber(bytes, at, leading, end, end - leading, decimals) : NOT_CANONICAL
}

function skipDigits(bytes: Buffer, at: number): number {
  let p = at
  while (bytes[p] >= ZERO && bytes[p] <= NINE) p++
  return p
}

/** The end of a number of so many digits, the first of which that is not zero stands at `leading`, and so many of them behind the point. */
function endOfNumber(bytes: Buffer, at: number, leading: number, end: number, digits: number, decimals: number): number {
  const isShort = digits <= SAFE_DIGITS
  if ((bytes[end] | 0x20) === SMALL_E) return (isShort && endOfSmallExponent(bytes, at, end)) || endOfLongNumber(bytes, at, end)
  return isShort || isShortest(bytes, leading, end, digits, decimals) ? end : endOfLongNumber(bytes, at, end)
}

/** The end of an exponent from -7 to -99 behind a mantissa from 1 to 9.9…; 0 when it is another one. */
function endOfSmallExponent(bytes: Buffer, at: number, e: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at
  const isNormal = bytes[first] !== ZERO && (e === first + 1 || bytes[first + 1] === DOT)
  if (!isNormal || bytes[e] !== SMALL_E || bytes[e + 1] !== MINUS) return 0
  const end = skipDigits(bytes, e + 2)
  const lowest = end - e === 3 ? SEVEN : ZERO + 1
  return end - e <= 4 && bytes[e + 2] >= lowest && bytes[e + 2] <= NINE ? end : 0
}

/** The rest of a number of which the engine itself has to say how it writes it. */
function endOfLongNumber(bytes: Buffer, at: number, from: number): number {
  let end = from
  while (isInNumber(bytes[end])) end++
  const text = bytes.toString('latin1', at, end)
  return String(Number(text)) === text ? end : NOT_CANONICAL
}

function isInNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === PLUS || byte === MINUS || (byte | 0x20) === SMALL_E
}
