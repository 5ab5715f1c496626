import { TICKS_PER_MS, TICKS_PER_SECOND } from './date-text.ts'

/** What a date consists of. */
export type DatePart = 'year' | 'month' | 'weekday' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond' | 'microsecond' | 'nanosecond'

/** The part that a name or its short form means, in any case of letters. */
export function toDatePart(name: unknown): DatePart | undefined {
  return typeof name === 'string' ? SPELLINGS.get(name.toLowerCase()) : undefined
}

/** How many ticks a part lasts; undefined where that varies or is less than one. */
export function ticksOf(part: DatePart): bigint | undefined {
  return TICKS.get(part)
}

/** The value of a part; `fraction` counts the ticks behind the second. */
export function readPart(part: DatePart, date: Date, fraction: number): number {
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
