import { COLON, DOT, MINUS, QUOTE, ZERO } from '@keystamp/core/internal'
import { DecodeFailure } from '../decode-failure.ts'
import type { JsonTarget } from './json-target.ts'

const DAY_SECONDS = 86_400
const LONGEST = 48
const T = 0x54
const Z = 0x5a

/** Fractional digits of a second in milliseconds, microseconds and nanoseconds. */
export type FractionDigits = 3 | 6 | 9

/** Writes days since 1970 as `"2018-08-09"`. */
export function writeDate(target: JsonTarget, days: number): void {
  target.reserve(LONGEST)
  target.put(QUOTE)
  putDate(target, days)
  target.put(QUOTE)
}

/** Writes milliseconds or microseconds since midnight as `"07:15:00.250"`. */
export function writeTimeOfDay(target: JsonTarget, value: number, digits: FractionDigits): void {
  const unit = 10 ** digits
  if (!(value >= 0 && value < DAY_SECONDS * unit)) throw new DecodeFailure('a time of day in it is outside of a day')
  target.reserve(LONGEST)
  target.put(QUOTE)
  const fraction = value % unit
  putTime(target, (value - fraction) / unit, fraction, digits)
  target.put(QUOTE)
}

/**
 * Writes time since 1970 as `"2018-08-09T07:15:00.250Z"`, without the Z for local time. The strings sort in the order
 * of time.
 */
export function writeTimestamp(
  target: JsonTarget,
  value: number | bigint,
  digits: FractionDigits,
  isUtc: boolean
): void {
  const unit = 10 ** digits
  const fraction = typeof value === 'bigint' ? remainder(Number(value % BigInt(unit)), unit) : remainder(value, unit)
  const seconds =
    typeof value === 'bigint' ? Number((value - BigInt(fraction)) / BigInt(unit)) : (value - fraction) / unit
  const second = remainder(seconds, DAY_SECONDS)
  target.reserve(LONGEST)
  target.put(QUOTE)
  putDate(target, (seconds - second) / DAY_SECONDS)
  target.put(T)
  putTime(target, second, fraction, digits)
  if (isUtc) target.put(Z)
  target.put(QUOTE)
}

/** Remainder that is never negative. It is exact, unlike a remainder that is computed from a rounded quotient. */
function remainder(value: number, by: number): number {
  const rest = value % by
  return rest < 0 ? rest + by : rest
}

function putTime(target: JsonTarget, second: number, fraction: number, digits: FractionDigits): void {
  putDigits(target, (second / 3600) | 0, 2)
  target.put(COLON)
  putDigits(target, ((second / 60) | 0) % 60, 2)
  target.put(COLON)
  putDigits(target, second % 60, 2)
  target.put(DOT)
  putDigits(target, fraction, digits)
}

/**
 * Counts days and years from March on, so that the leap day is the last day of a year. An era is 400 years, after which
 * the calendar repeats.
 */
function putDate(target: JsonTarget, days: number): void {
  if (!(days >= FIRST_DAY && days <= LAST_DAY)) return putFarDate(target, days)
  const shifted = days + DAYS_TO_YEAR_ZERO
  const era = Math.floor(shifted / ERA_DAYS)
  const day = shifted - era * ERA_DAYS
  const yearOfEra = ((day - ((day / 1460) | 0) + ((day / 36_524) | 0) - ((day / 146_096) | 0)) / 365) | 0
  const dayOfYear = day - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0))
  const monthFromMarch = ((5 * dayOfYear + 2) / 153) | 0
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  putDigits(target, yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4)
  target.put(MINUS)
  putDigits(target, month, 2)
  target.put(MINUS)
  putDigits(target, dayOfYear - (((153 * monthFromMarch + 2) / 5) | 0) + 1, 2)
}

const ERA_DAYS = 146_097
// from 0000-03-01 to 1970-01-01
const DAYS_TO_YEAR_ZERO = 719_468
// 0000-01-01 and 9999-12-31
const FIRST_DAY = -719_528
const LAST_DAY = 2_932_896

/** Writes a year of more than four digits with its sign and six digits, the extended form of ISO 8601. */
function putFarDate(target: JsonTarget, days: number): void {
  const date = new Date(days * DAY_SECONDS * 1000)
  if (Number.isNaN(date.getTime())) throw new DecodeFailure('a date in it is more than 275,000 years from now')
  target.writeAscii(date.toISOString().slice(0, -'T00:00:00.000Z'.length))
}

function putDigits(target: JsonTarget, value: number, digits: number): void {
  const { bytes, at } = target
  let rest = value
  for (let to = at + digits - 1; to >= at; to--) {
    const tenth = (rest / 10) | 0
    bytes[to] = ZERO + rest - tenth * 10
    rest = tenth
  }
  target.at = at + digits
}
