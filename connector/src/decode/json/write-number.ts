import { DecodeFailure } from '../decode-failure.ts'
import type { JsonTarget } from './json-target.ts'

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e
const MAX_DIGITS = 17
const EIGHT_DIGITS = 100_000_000

/** Writes an integer that a double holds exactly. */
export function writeInteger(target: JsonTarget, value: number): void {
  target.reserve(MAX_DIGITS)
  const { bytes } = target
  let rest = value
  if (rest < 0) {
    bytes[target.at++] = MINUS
    rest = -rest
  }
  if (rest < EIGHT_DIGITS) return writeSmall(target, rest, digitsOf(rest))
  const high = Math.floor(rest / EIGHT_DIGITS)
  if (high < EIGHT_DIGITS) writeSmall(target, high, digitsOf(high))
  else {
    writeSmall(target, Math.floor(high / EIGHT_DIGITS), 1)
    writeSmall(target, high % EIGHT_DIGITS, 8)
  }
  writeSmall(target, rest - high * EIGHT_DIGITS, 8)
}

/** Writes an integer below 10^8 with this number of digits. */
function writeSmall(target: JsonTarget, value: number, digits: number): void {
  const { bytes, at } = target
  let rest = value | 0
  for (let to = at + digits - 1; to >= at; to--) {
    const tenth = (rest / 10) | 0
    bytes[to] = ZERO + rest - tenth * 10
    rest = tenth
  }
  target.at = at + digits
}

function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4
  return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8
}

/** Writes a number as JSON.stringify does. Fails for numbers without a JSON form. */
export function writeDouble(target: JsonTarget, value: number): void {
  if (Number.isSafeInteger(value)) return writeInteger(target, value)
  if (!Number.isFinite(value)) throw new DecodeFailure('a number in it is NaN or infinite, which JSON cannot say')
  for (let decimals = 1; decimals < SCALES.length; decimals++) {
    const scale = SCALES[decimals]
    const scaled = Math.round(value * scale)
    // then no shorter decimal is nearer to another double, and printing it is several times as fast as searching for the shortest one
    if (scaled / scale === value && Math.abs(scaled) < MAX_SCALED) return writeDecimal(target, scaled, scale, decimals)
  }
  target.writeAscii(String(value))
}

/** Writes a 32-bit float as the shortest decimal that identifies it: 0.1, although the nearest double is 0.10000000149011612. */
export function writeFloat(target: JsonTarget, value: number): void {
  writeDouble(target, shortestDecimal(value))
}

const SCALES = [1, 10, 100, 1000, 10_000] as const
// decimals with up to 15 digits map to distinct doubles
const MAX_SCALED = 1e15

function writeDecimal(target: JsonTarget, scaled: number, scale: number, decimals: number): void {
  const positive = Math.abs(scaled)
  const whole = Math.floor(positive / scale)
  target.reserve(1)
  if (scaled < 0) target.put(MINUS)
  writeInteger(target, whole)
  target.reserve(decimals + 1)
  target.put(POINT)
  writeSmall(target, positive - whole * scale, decimals)
}

function shortestDecimal(value: number): number {
  if (value < 0) return -shortestDecimal(-value)
  const scales = value < MAX_EXACT_FLOAT ? SCALES : []
  for (const scale of scales) {
    const decimal = Math.round(value * scale) / scale
    if (Math.fround(decimal) === value) return decimal
  }
  for (let digits = value < MIN_FULL_FLOAT ? 1 : FLOAT_DIGITS; digits < MAX_FLOAT_DIGITS; digits++) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return decimal
  }
  return Number(value.toPrecision(MAX_FLOAT_DIGITS))
}

// up to here, 32-bit floats hold every integer
const MAX_EXACT_FLOAT = 2 ** 24
// below, 32-bit floats lose precision
const MIN_FULL_FLOAT = 2 ** -126
// digits that a 32-bit float always preserves, and digits that always identify it
const FLOAT_DIGITS = 6
const MAX_FLOAT_DIGITS = 9
