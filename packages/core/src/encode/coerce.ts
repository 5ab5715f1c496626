import type { FieldValue } from '../plan/compiled.ts'

// more digits than a key has room for
const MAX_DIGITS = 2048

/** Reads text of digits as the integer that it names: `015` is 15. Any other value stays what it is. */
export function coerceInteger(value: FieldValue): FieldValue {
  if (typeof value !== 'string' || value.length > MAX_DIGITS || !/^-?\d+$/.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

/** Reads text of digits, with or without a fraction, as a number. Any other value stays what it is. */
export function coerceNumber(value: FieldValue): FieldValue {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
}
