// V8 compiles constants of the same module into the code; imported ones are read from memory at each use
const DOT = 0x2e
const MINUS = 0x2d
const NINE = 0x39
const PLUS = 0x2b
const SEVEN = 0x37
const SMALL_E = 0x65
const ZERO = 0x30
const NOT_CANONICAL = 0

// a double represents any number of up to 15 digits
const SAFE_DIGITS = 15
// smaller numbers are written with an exponent
const MAX_ZEROS_AFTER_POINT = 5

/**
 * Reads a number at `at`. Returns the position after it, or 0 when JSON.stringify would write its value differently.
 */
export function scanNumber(bytes: Buffer, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at
  const point = skipDigits(bytes, first)
  const whole = point - first
  if (whole === 0) return NOT_CANONICAL
  const startsWithZero = bytes[first] === ZERO
  if (bytes[point] !== DOT) {
    // -0 becomes 0, and 007 is not a number
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
  return leading <= point + 1 + MAX_ZEROS_AFTER_POINT
    ? endOfNumber(bytes, at, leading, end, end - leading, decimals)
    : NOT_CANONICAL
}

function skipDigits(bytes: Buffer, at: number): number {
  let p = at
  while (bytes[p] >= ZERO && bytes[p] <= NINE) p++
  return p
}

/** The end of a number. `leading` is the position of its first digit that is not zero. */
function endOfNumber(
  bytes: Buffer,
  at: number,
  leading: number,
  end: number,
  digits: number,
  decimals: number
): number {
  const isShort = digits <= SAFE_DIGITS
  if ((bytes[end] | 0x20) === SMALL_E)
    return (isShort && endOfSmallExponent(bytes, at, end)) || endOfLongNumber(bytes, at, end)
  return isShort || isShortest(bytes, leading, end, digits, decimals) ? end : endOfLongNumber(bytes, at, end)
}

/** The end of an exponent from -7 to -99 after a mantissa from 1 to 9.9…; 0 for any other number. */
function endOfSmallExponent(bytes: Buffer, at: number, e: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at
  const isNormal = bytes[first] !== ZERO && (e === first + 1 || bytes[first + 1] === DOT)
  if (!isNormal || bytes[e] !== SMALL_E || bytes[e + 1] !== MINUS) return 0
  const end = skipDigits(bytes, e + 2)
  const lowest = end - e === 3 ? SEVEN : ZERO + 1
  return end - e <= 4 && bytes[e + 2] >= lowest && bytes[e + 2] <= NINE ? end : 0
}

/** The end of a number that has to be formatted by JavaScript to decide whether it is canonical; 0 if it is not. */
function endOfLongNumber(bytes: Buffer, at: number, from: number): number {
  let end = from
  while (isInNumber(bytes[end])) end++
  const text = bytes.toString('latin1', at, end)
  return String(Number(text)) === text ? end : NOT_CANONICAL
}

function isInNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === PLUS || byte === MINUS || (byte | 0x20) === SMALL_E
}

const MAX_DIGITS = 17
// doubles represent powers of ten exactly up to here
const MAX_DECIMALS = 22
const LOW_DIGITS = 8
const LOW_POWER = 1e8
// far more than the error of the arithmetic below
const MARGIN = 1e-6

/**
 * Whether JavaScript would write a number of 16 or 17 digits in the same way: no shorter number stands for the same
 * double, and no number of that length is nearer to the double. False when that is not certain, which is rare.
 */
export function isShortest(bytes: Uint8Array, leading: number, end: number, digits: number, decimals: number): boolean {
  const last = bytes[end - 1] - ZERO
  if (digits > MAX_DIGITS || decimals > MAX_DECIMALS || last === 0) return false
  let high = 0
  let low = 0
  let left = digits
  for (let p = leading; p < end; p++) {
    const c = bytes[p]
    if (c === DOT) continue
    left -= 1
    if (left >= LOW_DIGITS) high = high * 10 + (c - ZERO)
    else low = low * 10 + (c - ZERO)
  }
  // at most nine digits followed by zeros need fewer than 53 bits, so a double is exact
  high *= LOW_POWER
  const power = POWERS[decimals]
  const near = (high + low) / power
  const double = near - excess(near, power, high, low) / power
  const error = excess(double, power, high, low)
  const half = halfGap(double) * power
  // a shorter number has a zero as its last digit
  const reach = half + MARGIN
  return Math.abs(error) < Math.min(0.5, half) - MARGIN && last + error > reach && 10 - last - error > reach
}

/** The difference between a double times a power of ten and `high + low`; the product is exact (Dekker). */
function excess(double: number, power: number, high: number, low: number): number {
  const product = double * power
  const split = double * SPLITTER
  const doubleHigh = split - (split - double)
  const doubleLow = double - doubleHigh
  const powerSplit = power * SPLITTER
  const powerHigh = powerSplit - (powerSplit - power)
  const powerLow = power - powerHigh
  const lost = doubleHigh * powerHigh - product + doubleHigh * powerLow + doubleLow * powerHigh + doubleLow * powerLow
  return product - high - low + lost
}

const POWERS = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => Number(`1e${exponent}`))
// cuts the 53 bits of a double into two halves
const SPLITTER = 2 ** 27 + 1

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** Half the distance to the next double; 0 for a power of two, whose distances differ on both sides. */
function halfGap(value: number): number {
  double[0] = value
  if (words[0] === 0 && (words[1] & 0xfffff) === 0) return 0
  words[0] = 0
  words[1] &= 0x7ff00000
  return double[0] * 2 ** -53
}
