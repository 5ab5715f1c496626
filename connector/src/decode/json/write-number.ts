import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'
import type { JsonTarget } from './json-target.ts'

/** Writes the decimal `unscaled` × 10^-`scale` digit by digit: 1.50 stays 1.50. */
export function decimalText(unscaled: bigint | number, scale: number): string {
  const digits = String(unscaled)
  if (scale === 0) return digits
  if (scale < 0) return digits === '0' ? digits : digits + '0'.repeat(-scale)
  const isNegative = digits.startsWith('-')
  const padded = (isNegative ? digits.slice(1) : digits).padStart(scale + 1, '0')
  const point = padded.length - scale
  return `${isNegative ? '-' : ''}${padded.slice(0, point)}.${padded.slice(point)}`
}

/** Decodes `bytes[start, end)` as a big-endian integer in two's complement. */
export function readBigEndianInteger(bytes: Uint8Array, start: number, end: number): bigint | number {
  const length = end - start
  if (length === 0) return 0
  if (length > MAX_BYTES) throw new DecodeFailure(`a decimal in it has more than ${MAX_BYTES} bytes`)
  const first = (bytes[start] << 24) >> 24
  if (length > EXACT_BYTES) return bigOf(bytes, start, end, first)
  let value = first
  for (let at = start + 1; at < end; at++) value = value * 256 + bytes[at]
  return value
}

// Limits the time to convert between text and number, which grows quadratically. This number of bytes holds about 2,400
// digits.
const MAX_BYTES = 1024
const EXACT_BYTES = 6

function bigOf(bytes: Uint8Array, start: number, end: number, first: number): bigint {
  let hex = '0x'
  for (let at = start; at < end; at++) hex += bytes[at].toString(16).padStart(2, '0')
  const value = BigInt(hex)
  return first < 0 ? value - (1n << BigInt(8 * (end - start))) : value
}

/**
 * Applies the policy to a 64-bit integer that a double does not hold exactly: writes a string or a number, or rejects
 * it.
 */
export function bigIntegerJson(digits: string, policy: NumberPolicy['int64']): string {
  if (policy === 'string') return `"${digits}"`
  if (policy === 'number') return digits
  throw new DecodeFailure(
    'a 64-bit integer in it is too large for an exact JSON number, and `numbers.int64` is `reject`'
  )
}

/**
 * Applies the policy to a decimal. `string` writes a string, even for short decimals, so that a field keeps its type
 * and its digits. `number` writes a number. `reject` writes a number if it is exact, and fails otherwise.
 */
export function decimalJson(text: string, policy: NumberPolicy['decimal']): string {
  if (policy === 'string') return `"${text}"`
  if (policy === 'reject' && !isExact(text)) {
    throw new DecodeFailure(
      'a decimal in it has more digits than a JSON number holds, and `numbers.decimal` is `reject`'
    )
  }
  return text
}

const EXACT_DIGITS = 15

/** Whether a double preserves the decimal: it does so up to 15 significant digits. */
function isExact(text: string): boolean {
  const significant = text.replace('-', '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
  return (
    significant.length <= EXACT_DIGITS && Number.isFinite(Number(text)) && (significant === '' || Number(text) !== 0)
  )
}

const ZERO = 0x30
const MINUS = 0x2d
const DOT = 0x2e
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
  if (!Number.isFinite(value)) throw new DecodeFailure('a number in it is NaN or infinite, which JSON cannot represent')
  for (let decimals = 1; decimals < SCALES.length; decimals++) {
    const scale = SCALES[decimals]
    const scaled = Math.round(value * scale)
    // A decimal of at most 15 digits that gives the same double is the one that JSON.stringify prints. Writing it
    // directly is several times faster than searching for the shortest decimal.
    if (scaled / scale === value && Math.abs(scaled) < MAX_SCALED) return writeDecimal(target, scaled, scale, decimals)
  }
  target.writeAscii(String(value))
}

/**
 * Writes a 32-bit float as the shortest decimal that identifies it: 0.1, although the nearest double is
 * 0.10000000149011612.
 */
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
  target.put(DOT)
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

// up to this number, 32-bit floats hold every integer
const MAX_EXACT_FLOAT = 2 ** 24
// below this number, 32-bit floats lose precision
const MIN_FULL_FLOAT = 2 ** -126
// digits that a 32-bit float always preserves, and digits that always identify it
const FLOAT_DIGITS = 6
const MAX_FLOAT_DIGITS = 9
