// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const DOT = 0x2e
const ZERO = 0x30

const MAX_DIGITS = 17
// powers of ten up to here are doubles
const MAX_DECIMALS = 22
const LOW_DIGITS = 8
const LOW_POWER = 1e8
// what the arithmetic below may be wrong by, and far more
const MARGIN = 1e-6

/**
 * Whether a number of 16 or 17 digits, so many of them behind the point, is what JavaScript writes for its double: no shorter one means
 * the same double, and none of that length is nearer to it. False when that is not certain, which is rare.
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
  // at most nine digits and then zeros: less than 53 bits up to those zeros, so a double has all of it
  high *= LOW_POWER
  const power = POWERS[decimals]
  const near = (high + low) / power
  const double = near - excess(near, power, high, low) / power
  const error = excess(double, power, high, low)
  const half = halfGap(double) * power
  // what is shorter ends in zero where this one ends in its last digit
  const reach = half + MARGIN
  return Math.abs(error) < Math.min(0.5, half) - MARGIN && last + error > reach && 10 - last - error > reach
}

/** By how much a double times a power of ten exceeds `high + low`; of that product no bit is lost (Dekker). */
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

/** Half the way to the next double; none for a power of two, whose gaps are not the same on both sides. */
function halfGap(value: number): number {
  double[0] = value
  if (words[0] === 0 && (words[1] & 0xfffff) === 0) return 0
  words[0] = 0
  words[1] &= 0x7ff00000
  return double[0] * 2 ** -53
}
