import { formatTicks, TICKS_PER_MS } from './date-text.ts'

/** Adds `count` of a part ("day", "hh" …) to a date; undefined for an unknown part. */
export const addToDate = (part: unknown, count: unknown, ticks: number): string | undefined => {
  const name = partName(part)
  if (name === undefined || !Number.isInteger(count)) return undefined
  const size = TICKS.get(name)
  if (size !== undefined) return formatTicks(ticks + size * (count as number))
  return formatTicks(addMonths(ticks, (count as number) * (name === 'year' ? 12 : 1)))
}

/** How many borders of a part lie between two dates. */
export const partBetween = (part: unknown, from: number, to: number): number | undefined => {
  const name = partName(part)
  if (name === undefined) return undefined
  const size = TICKS.get(name)
  if (size !== undefined) return Math.floor(to / size) - Math.floor(from / size)
  const years = toDate(to).getUTCFullYear() - toDate(from).getUTCFullYear()
  return name === 'year' ? years : years * 12 + toDate(to).getUTCMonth() - toDate(from).getUTCMonth()
}

/** The value of one part of a date. */
export const partOf = (part: unknown, ticks: number): number | undefined => {
  const name = partName(part)
  return name === undefined ? undefined : READ[name](toDate(ticks), ticks)
}

/** The date that the parts year, month, day, hour, minute, second and ticks make. */
export const dateFromParts = (parts: readonly unknown[]): string | undefined => {
  if (!parts.every((part) => Number.isInteger(part))) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0, fraction = 0] = parts as [number, number, number, ...number[]]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  const isWhole = date.getUTCMinutes() === minute && date.getUTCSeconds() === second && fraction >= 0 && fraction < 1000 * TICKS_PER_MS
  return isReal && isWhole ? formatTicks(date.getTime() * TICKS_PER_MS + fraction) : undefined
}

type Part = 'year' | 'month' | 'weekday' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond' | 'microsecond' | 'nanosecond'

const NAMES: ReadonlyMap<string, Part> = new Map<string, Part>([
  ...names('year', 'year yyyy yy'),
  ...names('month', 'month mm m'),
  ...names('weekday', 'weekday dw w'),
  ...names('day', 'day dd d'),
  ...names('hour', 'hour hh'),
  ...names('minute', 'minute mi n'),
  ...names('second', 'second ss s'),
  ...names('millisecond', 'millisecond ms'),
  ...names('microsecond', 'microsecond mcs'),
  ...names('nanosecond', 'nanosecond ns')
])

function names(part: Part, spellings: string): [string, Part][] {
  return spellings.split(' ').map((spelling) => [spelling, part])
}

const partName = (part: unknown): Part | undefined => (typeof part === 'string' ? NAMES.get(part.toLowerCase()) : undefined)

const SECOND = 1000 * TICKS_PER_MS

const TICKS: ReadonlyMap<Part, number> = new Map<Part, number>([
  ['weekday', 86_400 * SECOND],
  ['day', 86_400 * SECOND],
  ['hour', 3600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
  ['millisecond', TICKS_PER_MS],
  ['microsecond', 10],
  ['nanosecond', 0.01]
])

const READ: Readonly<Record<Part, (date: Date, ticks: number) => number>> = {
  year: (date) => date.getUTCFullYear(),
  month: (date) => date.getUTCMonth() + 1,
  weekday: (date) => date.getUTCDay() + 1,
  day: (date) => date.getUTCDate(),
  hour: (date) => date.getUTCHours(),
  minute: (date) => date.getUTCMinutes(),
  second: (date) => date.getUTCSeconds(),
  millisecond: (date) => date.getUTCMilliseconds(),
  microsecond: (_, ticks) => Math.floor(modulo(ticks, SECOND) / 10),
  nanosecond: (_, ticks) => modulo(ticks, SECOND) * 100
}

const modulo = (value: number, size: number): number => ((value % size) + size) % size

const toDate = (ticks: number): Date => new Date(Math.floor(ticks / TICKS_PER_MS))

// a day that the month does not have becomes its last day
const addMonths = (ticks: number, months: number): number => {
  const date = toDate(ticks)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime() * TICKS_PER_MS + modulo(ticks, TICKS_PER_MS)
}
