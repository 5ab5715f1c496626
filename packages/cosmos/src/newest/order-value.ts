import { parseInstant } from '@keystamp/core/internal'

/** A value that orders the changes of a document: a number, or canonical text of a large integer or of a time. */
export type OrderValue = number | string

/**
 * Returns the canonical form of a value: a number within 2^53; an integer as text; or a time in ISO 8601, which becomes
 * UTC with nine digits of a second. Undefined for any other value.
 */
export function orderValue(value: unknown): OrderValue | undefined {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value + 0 : undefined
  if (typeof value !== 'string') return undefined
  return INTEGER.test(value) ? canonicalInteger(value) : canonicalTime(value)
}

/**
 * Below 0 if `one` is lower than `other`, 0 if they are equal, above 0 if it is higher. Undefined if one is a time and
 * the other one is a number.
 */
export function compareValues(one: OrderValue, other: OrderValue): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const isTime = isCanonicalTime(one)
  if (isTime !== isCanonicalTime(other)) return undefined
  if (isTime) return one < other ? -1 : one > other ? 1 : 0
  return signOf(one, other)
}

const INTEGER = /^-?\d+$/
const MAX_DIGITS = 100
const TIME_DIGITS = 9
const FRACTION = /[.,](\d+)/

function canonicalInteger(text: string): OrderValue | undefined {
  if (text.length > MAX_DIGITS) return undefined
  const integer = BigInt(text)
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : String(integer)
}

function canonicalTime(text: string): string | undefined {
  const instant = parseInstant(text)
  if (instant === undefined) return undefined
  const date = new Date(instant)
  const year = date.getUTCFullYear()
  // other years have another number of digits, which would not compare as text
  if (year < 0 || year > 9999) return undefined
  const fraction = FRACTION.exec(text)?.[1] ?? ''
  return `${date.toISOString().slice(0, '2018-08-09T00:00:00'.length)}.${fraction.padEnd(TIME_DIGITS, '0')}Z`
}

function isCanonicalTime(value: OrderValue): boolean {
  return typeof value === 'string' && value.endsWith('Z')
}

/** Compares an integer outside of 2^53 with a number or with another such integer. */
function signOf(one: OrderValue, other: OrderValue): number {
  if (typeof one === 'number') return (other as string).startsWith('-') ? 1 : -1
  if (typeof other === 'number') return one.startsWith('-') ? -1 : 1
  const difference = BigInt(one) - BigInt(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
