import { finite, type FunctionFamily, onNumber, onNumbers, takes } from './builtin-function.ts'

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
  return typeof value === 'number' && typeof size === 'number' && size > 0 ? finite(Math.floor(value / size) * size) : undefined
}

const MAX_DIGITS = 15

// rounds half away from zero, unlike Math.round
function round(value: unknown, digits: unknown = 0): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(digits) || Math.abs(digits as number) > MAX_DIGITS) return undefined
  const scale = 10 ** (digits as number)
  return finite((Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale + 0)
}
