import { finite, type FunctionFamily, onNumber, onNumbers, takes } from './builtin-function.ts'
import { MAX_ARGUMENTS, MAX_ARRAY_LENGTH } from './limits.ts'
import { wrongQuery } from './query-error.ts'
import { canonicalText, isEqual, isRecord, readMember } from './values.ts'

/** Functions of arrays. */
export const arrayFunctions: FunctionFamily = {
  ARRAY_CONCAT: takes(2, MAX_ARGUMENTS, (...arrays) => concatenate(arrays)),
  ARRAY_CONTAINS: takes(2, 3, (array, value, partial) => contains(array, value, partial)),
  ARRAY_CONTAINS_ALL: takes(2, MAX_ARGUMENTS, (array, ...values) => holds(array, values, 'every')),
  ARRAY_CONTAINS_ANY: takes(2, MAX_ARGUMENTS, (array, ...values) => holds(array, values, 'some')),
  ARRAY_LENGTH: takes(1, 1, (array) => (Array.isArray(array) ? array.length : undefined)),
  ARRAY_SLICE: takes(2, 3, (array, start, length) => slice(array, start, length)),
  OBJECTTOARRAY: takes(1, 1, (value) =>
    isRecord(value) ? Object.entries(value).map(([k, v]) => ({ k, v })) : undefined
  ),
  SETINTERSECT: takes(2, 2, (left, right) => intersect(left, right)),
  SETUNION: takes(2, 2, (left, right) =>
    Array.isArray(left) && Array.isArray(right) ? unique([...left, ...right]) : undefined
  )
}

function concatenate(arrays: readonly unknown[]): unknown[] | undefined {
  if (!arrays.every((array) => Array.isArray(array))) return undefined
  const length = arrays.reduce((sum, array) => sum + array.length, 0)
  if (length > MAX_ARRAY_LENGTH)
    throw wrongQuery(`ARRAY_CONCAT would make ${length} elements; at most ${MAX_ARRAY_LENGTH} are allowed`)
  return arrays.flat()
}

function contains(array: unknown, value: unknown, partial: unknown): boolean | undefined {
  if (!Array.isArray(array) || value === undefined) return undefined
  if (partial !== undefined && typeof partial !== 'boolean') return undefined
  return array.some(partial === true ? (element) => isPart(element, value) : (element) => isEqual(element, value))
}

function isPart(whole: unknown, part: unknown): boolean {
  return isRecord(part)
    ? isRecord(whole) && Object.keys(part).every((name) => isEqual(readMember(whole, name), part[name]))
    : isEqual(whole, part)
}

function holds(array: unknown, values: readonly unknown[], how: 'some' | 'every'): boolean | undefined {
  return Array.isArray(array) ? values[how]((value) => array.some((element) => isEqual(element, value))) : undefined
}

function slice(array: unknown, start: unknown, length: unknown): unknown[] | undefined {
  if (!Array.isArray(array) || !Number.isInteger(start) || (length !== undefined && !Number.isInteger(length)))
    return undefined
  const from = (start as number) < 0 ? Math.max(array.length + (start as number), 0) : (start as number)
  return length === undefined ? array.slice(from) : array.slice(from, from + Math.max(length as number, 0))
}

function intersect(left: unknown, right: unknown): unknown[] | undefined {
  if (!Array.isArray(left) || !Array.isArray(right)) return undefined
  const kept = new Set(right.map(canonicalText))
  return unique(left.filter((value) => kept.has(canonicalText(value))))
}

function unique(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonicalText(value), value])).values()]
}

/** Functions of numbers. */
export const numberFunctions: FunctionFamily = {
  ABS: onNumber(Math.abs),
  ACOS: onNumber(Math.acos),
  ASIN: onNumber(Math.asin),
  ATAN: onNumber(Math.atan),
  ATN2: onNumbers(Math.atan2),
  CEILING: onNumber(Math.ceil),
  COS: onNumber(Math.cos),
  COT: onNumber((value) => 1 / Math.tan(value)),
  DEGREES: onNumber((value) => (value * 180) / Math.PI),
  EXP: onNumber(Math.exp),
  FLOOR: onNumber(Math.floor),
  LOG: takes(1, 2, (value, base) => logarithm(value, base)),
  LOG10: onNumber(Math.log10),
  NUMBERBIN: takes(1, 2, (value, size) => numberBin(value, size)),
  PI: takes(0, 0, () => Math.PI),
  POWER: onNumbers((base, exponent) => base ** exponent),
  RADIANS: onNumber((value) => (value * Math.PI) / 180),
  ROUND: takes(1, 2, (value, digits) => round(value, digits)),
  SIGN: onNumber(Math.sign),
  SIN: onNumber(Math.sin),
  SQRT: onNumber(Math.sqrt),
  SQUARE: onNumber((value) => value * value),
  TAN: onNumber(Math.tan),
  TRUNC: onNumber(Math.trunc)
}

function logarithm(value: unknown, base: unknown): number | undefined {
  if (typeof value !== 'number') return undefined
  if (base === undefined) return finite(Math.log(value))
  return typeof base === 'number' ? finite(Math.log(value) / Math.log(base)) : undefined
}

function numberBin(value: unknown, size: unknown = 1): number | undefined {
  return typeof value === 'number' && typeof size === 'number' && size > 0
    ? finite(Math.floor(value / size) * size)
    : undefined
}

const MAX_DIGITS = 15

// rounds half away from zero, unlike Math.round
function round(value: unknown, digits: unknown = 0): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(digits) || Math.abs(digits as number) > MAX_DIGITS)
    return undefined
  const scale = 10 ** (digits as number)
  return finite((Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale + 0)
}
