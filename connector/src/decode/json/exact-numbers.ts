import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'

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
export function unscaledOf(bytes: Uint8Array, start: number, end: number): bigint | number {
  const length = end - start
  if (length === 0) return 0
  if (length > MAX_BYTES) throw new DecodeFailure(`a decimal in it has more than ${MAX_BYTES} bytes`)
  const first = (bytes[start] << 24) >> 24
  if (length > EXACT_BYTES) return bigOf(bytes, start, end, first)
  let value = first
  for (let at = start + 1; at < end; at++) value = value * 256 + bytes[at]
  return value
}

// A thousand bytes hold 2,400 digits, and the time of converting between text and number grows quadratically.
const MAX_BYTES = 1024
const EXACT_BYTES = 6

function bigOf(bytes: Uint8Array, start: number, end: number, first: number): bigint {
  let hex = '0x'
  for (let at = start; at < end; at++) hex += bytes[at].toString(16).padStart(2, '0')
  const value = BigInt(hex)
  return first < 0 ? value - (1n << BigInt(8 * (end - start))) : value
}

/** Writes a 64-bit integer: as a JSON number where a double holds it exactly, otherwise as the policy says. */
export function bigIntegerJson(digits: string, policy: NumberPolicy['int64']): string {
  if (policy === 'string') return `"${digits}"`
  if (policy === 'number') return digits
  throw new DecodeFailure('a 64-bit integer in it lies beyond what a JSON number holds exactly, and `numbers.int64` is `reject`')
}

/**
 * Writes a decimal: always as a string under `string`, so that a field keeps its type and its digits; as a number under `number`, and under
 * `reject` where it is exact.
 */
export function decimalJson(text: string, policy: NumberPolicy['decimal']): string {
  if (policy === 'string') return `"${text}"`
  if (policy === 'reject' && !isExact(text)) {
    throw new DecodeFailure('a decimal in it has more digits than a JSON number holds, and `numbers.decimal` is `reject`')
  }
  return text
}

const EXACT_DIGITS = 15

/** Whether a double preserves the decimal: it does so up to 15 significant digits. */
function isExact(text: string): boolean {
  const significant = text.replace('-', '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
  return significant.length <= EXACT_DIGITS && Number.isFinite(Number(text)) && (significant === '' || Number(text) !== 0)
}
