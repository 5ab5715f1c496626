import { type BuiltinFunction, type FunctionFamily, takes } from './builtin-function.ts'
import { QueryError } from './query-error.ts'

// a tick is 100 nanoseconds
const TICKS_PER_MS = 10_000n
const TICKS_PER_SECOND: bigint = 1000n * TICKS_PER_MS

function now(compute: (nowMs: number) => unknown): BuiltinFunction {
  return {
    min: 0,
    max: 0,
    bind: (nowMs) => {
      if (nowMs === undefined)
        throw new QueryError(501, 'The query asks for the current time, which is not known here.')
      const value = compute(nowMs)
      return () => value
    }
  }
}

const currentDateTime = now((nowMs) => formatTicks(BigInt(Math.floor(nowMs)) * TICKS_PER_MS))
const currentTicks = now((nowMs) => Math.floor(nowMs) * Number(TICKS_PER_MS))
const currentTimestamp = now((nowMs) => Math.floor(nowMs))

/**
 * Functions of dates: strings such as 2020-11-04T15:30:00.1234567Z, timestamps (ms) or ticks (100 ns), all since
 * 1970.
 */
export const dateFunctions: FunctionFamily = {
  DATETIMEADD: takes(3, 3, (part, count, date) => dated(date, (ticks) => addToDate(part, count, ticks))),
  DATETIMEDIFF: takes(3, 3, (part, start, end) =>
    dated(start, (from) => dated(end, (to) => partBetween(part, from, to)))
  ),
  DATETIMEFROMPARTS: takes(3, 7, (...parts) => dateFromParts(parts)),
  DATETIMEPART: takes(2, 2, (part, date) => dated(date, (ticks) => partOf(part, ticks))),
  DATETIMETOTICKS: takes(1, 1, (date) => dated(date, (ticks) => Number(ticks))),
  DATETIMETOTIMESTAMP: takes(1, 1, (date) =>
    dated(date, (ticks) => Number((ticks - modulo(ticks, TICKS_PER_MS)) / TICKS_PER_MS))
  ),
  GETCURRENTDATETIME: currentDateTime,
  GETCURRENTDATETIMESTATIC: currentDateTime,
  GETCURRENTTICKS: currentTicks,
  GETCURRENTTICKSSTATIC: currentTicks,
  GETCURRENTTIMESTAMP: currentTimestamp,
  GETCURRENTTIMESTAMPSTATIC: currentTimestamp,
  TICKSTODATETIME: takes(1, 1, (ticks) => formatNumber(ticks, 1n)),
  TIMESTAMPTODATETIME: takes(1, 1, (timestamp) => formatNumber(timestamp, TICKS_PER_MS))
}

function formatNumber(value: unknown, ticksPerUnit: bigint): string | undefined {
  const units = toTicks(value)
  return units === undefined ? undefined : formatTicks(units * ticksPerUnit)
}

function dated(date: unknown, compute: (ticks: bigint) => unknown): unknown {
  const ticks = typeof date === 'string' ? parseTicks(date) : undefined
  return ticks === undefined ? undefined : compute(ticks)
}

/** Part of a date. */
type DatePart =
  | 'year'
  | 'month'
  | 'weekday'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'
  | 'microsecond'
  | 'nanosecond'

/** The part that a name or its short form means, in upper or lower case. */
function toDatePart(name: unknown): DatePart | undefined {
  return typeof name === 'string' ? SPELLINGS.get(name.toLowerCase()) : undefined
}

/** Number of ticks of a part; undefined for parts of varying length, and for nanoseconds. */
function ticksOf(part: DatePart): bigint | undefined {
  return TICKS.get(part)
}

/** The value of a part; `fraction` is the number of ticks within the second. */
function readPart(part: DatePart, date: Date, fraction: number): number {
  return READ[part](date, fraction)
}

const SPELLINGS: ReadonlyMap<string, DatePart> = new Map<string, DatePart>([
  ...spelled('year', 'yyyy', 'yy'),
  ...spelled('month', 'mm', 'm'),
  ...spelled('weekday', 'dw', 'w'),
  ...spelled('day', 'dd', 'd'),
  ...spelled('hour', 'hh'),
  ...spelled('minute', 'mi', 'n'),
  ...spelled('second', 'ss', 's'),
  ...spelled('millisecond', 'ms'),
  ...spelled('microsecond', 'mcs'),
  ...spelled('nanosecond', 'ns')
])

function spelled(part: DatePart, ...short: string[]): [string, DatePart][] {
  return [part, ...short].map((spelling) => [spelling, part])
}

const TICKS: ReadonlyMap<DatePart, bigint> = new Map<DatePart, bigint>([
  ['weekday', 86_400n * TICKS_PER_SECOND],
  ['day', 86_400n * TICKS_PER_SECOND],
  ['hour', 3600n * TICKS_PER_SECOND],
  ['minute', 60n * TICKS_PER_SECOND],
  ['second', TICKS_PER_SECOND],
  ['millisecond', TICKS_PER_MS],
  ['microsecond', 10n]
])

const READ: Readonly<Record<DatePart, (date: Date, fraction: number) => number>> = {
  year: (date) => date.getUTCFullYear(),
  month: (date) => date.getUTCMonth() + 1,
  weekday: (date) => date.getUTCDay() + 1,
  day: (date) => date.getUTCDate(),
  hour: (date) => date.getUTCHours(),
  minute: (date) => date.getUTCMinutes(),
  second: (date) => date.getUTCSeconds(),
  millisecond: (date) => date.getUTCMilliseconds(),
  microsecond: (_, fraction) => Math.floor(fraction / 10),
  nanosecond: (_, fraction) => fraction * 100
}

/** Adds `count` of a part ("day", "hh" …) to a date; undefined for an unknown part. */
function addToDate(part: unknown, count: unknown, ticks: bigint): string | undefined {
  const name = toDatePart(part)
  if (name === undefined || !Number.isInteger(count)) return undefined
  if (name === 'nanosecond') return formatTicks(ticks + BigInt(count as number) / 100n)
  const size = ticksOf(name)
  if (size !== undefined) return formatTicks(ticks + size * BigInt(count as number))
  return addMonths(ticks, (count as number) * (name === 'year' ? 12 : 1))
}

/** Number of boundaries of a part between two dates. */
function partBetween(part: unknown, from: bigint, to: bigint): number | undefined {
  const name = toDatePart(part)
  if (name === undefined) return undefined
  if (name === 'nanosecond') return Number((to - from) * 100n)
  const size = ticksOf(name)
  return size === undefined
    ? monthsBetween(name, toDate(from), toDate(to))
    : Number(floorDivide(to, size) - floorDivide(from, size))
}

/** The value of one part of a date. */
function partOf(part: unknown, ticks: bigint): number | undefined {
  const name = toDatePart(part)
  return name === undefined ? undefined : readPart(name, toDate(ticks), Number(modulo(ticks, TICKS_PER_SECOND)))
}

/** The date with these parts: year, month, day, hour, minute, second and ticks. */
function dateFromParts(parts: readonly unknown[]): string | undefined {
  if (!parts.every((part) => Number.isInteger(part))) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0, fraction = 0] = parts as [
    number,
    number,
    number,
    ...number[]
  ]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  // JavaScript carries a part that is out of range into another part
  const made = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds()
  ]
  const isReal = made.every((value, index) => value === [month, day, hour, minute, second][index])
  if (!isReal || fraction < 0 || BigInt(fraction) >= TICKS_PER_SECOND) return undefined
  return formatTicks(BigInt(date.getTime()) * TICKS_PER_MS + BigInt(fraction))
}

function monthsBetween(part: DatePart, from: Date, to: Date): number {
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  return part === 'year' ? years : years * 12 + to.getUTCMonth() - from.getUTCMonth()
}

function floorDivide(value: bigint, size: bigint): bigint {
  return (value - modulo(value, size)) / size
}

function toDate(ticks: bigint): Date {
  return new Date(Number(floorDivide(ticks, TICKS_PER_MS)))
}

// a day that the month does not have becomes its last day
function addMonths(ticks: bigint, months: number): string | undefined {
  const date = toDate(ticks)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  if (Number.isNaN(date.getTime())) return undefined
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return formatTicks(BigInt(date.getTime()) * TICKS_PER_MS + modulo(ticks, TICKS_PER_MS))
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,7}))?(Z|[+-]\d\d:\d\d)?)?$/

/**
 * Ticks since 1970 of an ISO 8601 date, which is UTC unless it has a time zone; undefined for other strings. A double
 * is not precise enough.
 */
export function parseTicks(text: string): bigint | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [, day, time = 'T00:00:00', fraction = '', zone = 'Z'] = match
  const ms = Date.parse(`${day}${time}${zone}`)
  return Number.isNaN(ms) ? undefined : BigInt(ms) * TICKS_PER_MS + BigInt(fraction.padEnd(7, '0'))
}

/** The date as the service writes it, with seven decimals of the second; undefined outside the years 1 to 9999. */
export function formatTicks(ticks: bigint): string | undefined {
  const fraction = modulo(ticks, TICKS_PER_SECOND)
  const date = new Date(Number((ticks - fraction) / TICKS_PER_MS))
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined
  return `${date.toISOString().slice(0, 19)}.${String(fraction).padStart(7, '0')}Z`
}

/** A number as ticks; undefined if it is not a whole number. */
function toTicks(value: unknown): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value as number) : undefined
}

/** The remainder, which is never negative. */
function modulo(value: bigint, size: bigint): bigint {
  return ((value % size) + size) % size
}
