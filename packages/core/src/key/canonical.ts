import type { RecordCode } from '../errors/record-codes.ts'
import { COMPOSITE, type FieldValue } from './field-value.ts'
import type { ComponentType } from '../plan/component-definition.ts'
import { isCalendarDay } from '../time/iso-time.ts'

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/** Whether a string has the fixed form of a declared type, so that it needs no escape. */
export function hasShape(text: string, type: 'date' | 'uuid' | 'boolean'): boolean {
  if (type === 'date') return text.length === 10 && isCalendarDay(text)
  return type === 'uuid' ? text.length === 36 && UUID.test(text) : text === 'true' || text === 'false'
}

/** Reason why a value is not of the declared type; undefined if it is of that type. */
export function refusalOf(value: FieldValue, type: ComponentType | 'any'): RecordCode | undefined {
  if (value === undefined) return 'FIELD_MISSING'
  if (value === null) return 'FIELD_NULL'
  if (value === COMPOSITE) return 'FIELD_WRONG_TYPE'
  if (typeof value === 'string') return refusalOfText(value, type)
  if (typeof value === 'boolean') return type === 'any' || type === 'boolean' ? undefined : 'FIELD_WRONG_TYPE'
  if (type !== 'any' && type !== 'number' && type !== 'integer') return 'FIELD_WRONG_TYPE'
  return typeof value === 'bigint' ? undefined : refusalOfNumber(value, type)
}

/** Canonical string of a value that `refusalOf` accepts. */
export function canonicalText(value: string | number | bigint | boolean): string {
  // String(-0) is '0'
  return typeof value === 'string' ? value : String(value)
}

// more digits than a key can have
const MAX_DIGITS = 2048

/** Converts a string of digits to an integer: `015` is 15. Returns any other value unchanged. */
export function coerceInteger(value: FieldValue): FieldValue {
  if (typeof value !== 'string' || value.length > MAX_DIGITS || !/^-?\d+$/.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

/** Converts a string of digits, with or without a fraction, to a number. Returns any other value unchanged. */
export function coerceNumber(value: FieldValue): FieldValue {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
}

function refusalOfText(value: string, type: ComponentType | 'any'): RecordCode | undefined {
  if (type === 'date' || type === 'uuid') return hasShape(value, type) ? undefined : 'FIELD_WRONG_TYPE'
  if (type !== 'any' && type !== 'text') return 'FIELD_WRONG_TYPE'
  return value.isWellFormed() ? undefined : 'TEXT_MALFORMED'
}

// Beyond 2^53 a double represents several integers; only a bigint or plain digits in JSON are exact.
function refusalOfNumber(value: number, type: ComponentType | 'any'): RecordCode | undefined {
  if (Number.isSafeInteger(value)) return undefined
  if (!Number.isFinite(value) || Number.isInteger(value)) return 'NUMBER_INEXACT'
  return type === 'integer' ? 'FIELD_WRONG_TYPE' : undefined
}
