// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const DOT = 0x2e
const MINUS = 0x2d
const NINE = 0x39
const PLUS = 0x2b
const SMALL_E = 0x65
const ZERO = 0x30
const NOT_CANONICAL = 0

// as many are kept by every double
const SAFE_DIGITS = 15
// from the next one on an exponent is written
const MAX_ZEROS_BEHIND_POINT = 5

/** Reads a number at `at`. Gives the position behind it, or `NOT_CANONICAL` when JSON.stringify would write its value otherwise. */
export function scanNumber(bytes: Buffer, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at
  let p = first
  while (isDigit(bytes[p])) p++
  const whole = p - first
  if (whole === 0) return NOT_CANONICAL
  const startsWithZero = bytes[first] === ZERO
  if (bytes[p] !== DOT) {
    // -0 becomes 0, and 007 is no number
    if (startsWithZero) return whole === 1 && first === at ? endOfNumber(bytes, at, p, 1) : NOT_CANONICAL
    return endOfNumber(bytes, at, p, whole)
  }
  const point = p
  do p++
  while (isDigit(bytes[p]))
  if (bytes[p - 1] === ZERO || bytes[p - 1] === DOT) return NOT_CANONICAL
  if (!startsWithZero) return endOfNumber(bytes, at, p, whole + p - point - 1)
  if (whole > 1) return NOT_CANONICAL
  let zeros = 0
  while (bytes[point + 1 + zeros] === ZERO) zeros++
  return zeros <= MAX_ZEROS_BEHIND_POINT ? endOfNumber(bytes, at, p, p - point - 1 - zeros) : NOT_CANONICAL
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

function endOfNumber(bytes: Buffer, at: number, end: number, digits: number): number {
  return digits <= SAFE_DIGITS && (bytes[end] | 0x20) !== SMALL_E ? end : endOfLongNumber(bytes, at, end)
}

// many digits or an exponent: the engine itself has to say how it writes them
function endOfLongNumber(bytes: Buffer, at: number, from: number): number {
  let end = from
  while (isDigit(bytes[end]) || bytes[end] === PLUS || bytes[end] === MINUS || (bytes[end] | 0x20) === SMALL_E) end++
  const text = bytes.toString('latin1', at, end)
  return String(Number(text)) === text ? end : NOT_CANONICAL
}
