import { type DatePart, readPart, ticksOf, toDatePart } from './date-part.ts'
import { formatTicks, modulo, TICKS_PER_MS, TICKS_PER_SECOND } from './date-text.ts'

/** Adds `count` of a part ("day", "hh" …) to a date; undefined for an unknown part. */
export function addToDate(part: unknown, count: unknown, ticks: bigint): string | undefined {
  const name = toDatePart(part)
  if (name === undefined || !Number.isInteger(count)) return undefined
  if (name === 'nanosecond') return formatTicks(ticks + BigInt(count as number) / 100n)
  const size = ticksOf(name)
  if (size !== undefined) return formatTicks(ticks + size * BigInt(count as number))
  return addMonths(ticks, (count as number) * (name === 'year' ? 12 : 1))
}

/** How many borders of a part lie between two dates. */
export function partBetween(part: unknown, from: bigint, to: bigint): number | undefined {
  const name = toDatePart(part)
  if (name === undefined) return undefined
  if (name === 'nanosecond') return Number((to - from) * 100n)
  const size = ticksOf(name)
  return size === undefined ? monthsBetween(name, toDate(from), toDate(to)) : Number(floorDivide(to, size) - floorDivide(from, size))
}

/** The value of one part of a date. */
export function partOf(part: unknown, ticks: bigint): number | undefined {
  const name = toDatePart(part)
  return name === undefined ? undefined : readPart(name, toDate(ticks), Number(modulo(ticks, TICKS_PER_SECOND)))
}

/** The date that the parts year, month, day, hour, minute, second and ticks make. */
export function dateFromParts(parts: readonly unknown[]): string | undefined {
  if (!parts.every((part) => Number.isInteger(part))) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0, fraction = 0] = parts as [number, number, number, ...number[]]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  // a part out of its bounds would have moved another
  const made = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
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
