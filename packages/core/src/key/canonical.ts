import type { RecordCode } from '../errors/record-codes.ts'
import { COMPOSITE, type FieldValue } from './field-value.ts'
import type { ComponentType } from '../plan/component-definition.ts'
import { isCalendarDay } from '../time/iso-time.ts'

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/** Whether a text has the shape that a declared type is written in, so that it needs no escape. */
export function hasShape(text: string, type: 'date' | 'uuid' | 'boolean'): boolean {
  if (type === 'date') return text.length === 10 && isCalendarDay(text)
  return type === 'uuid' ? text.length === 36 && UUID.test(text) : text === 'true' || text === 'false'
}

/** What a field's value is refused for under its declared type; undefined where it is taken. */
export function refusalOf(value: FieldValue, type: ComponentType | 'any'): RecordCode | undefined {
  if (value === undefined) return 'FIELD_MISSING'
  if (value === null) return 'FIELD_NULL'
  if (value === COMPOSITE) return 'FIELD_WRONG_TYPE'
  if (typeof value === 'string') return refusalOfText(value, type)
  if (typeof value === 'boolean') return type === 'any' || type === 'boolean' ? undefined : 'FIELD_WRONG_TYPE'
  if (type !== 'any' && type !== 'number' && type !== 'integer') return 'FIELD_WRONG_TYPE'
  return typeof value === 'bigint' ? undefined : refusalOfNumber(value, type)
}

/** The canonical text of a value that is not refused. */
export function canonicalText(value: string | number | bigint | boolean): string {
  // String(-0) is '0'
  return typeof value === 'string' ? value : String(value)
}

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

function refusalOfText(value: string, type: ComponentType | 'any'): RecordCode | undefined {
  if (type === 'date' || type === 'uuid') return hasShape(value, type) ? undefined : 'FIELD_WRONG_TYPE'
  if (type !== 'any' && type !== 'text') return 'FIELD_WRONG_TYPE'
  return value.isWellFormed() ? undefined : 'TEXT_MALFORMED'
}

// Beyond 2^53 a double stands for several integers; only a bigint or plain digits say which one is meant.
function refusalOfNumber(value: number, type: ComponentType | 'any'): RecordCode | undefined {
  if (Number.isSafeInteger(value)) return undefined
  if (!Number.isFinite(value) || Number.isInteger(value)) return 'NUMBER_INEXACT'
  return type === 'integer' ? 'FIELD_WRONG_TYPE' : undefined
}
