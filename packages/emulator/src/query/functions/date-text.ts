/** Ticks of 100 nanoseconds in one millisecond. */
export const TICKS_PER_MS = 10_000n

/** Ticks in one second. */
export const TICKS_PER_SECOND: bigint = 1000n * TICKS_PER_MS

const DATE = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,7}))?(Z|[+-]\d\d:\d\d)?)?$/

/** Ticks since 1970 of an ISO 8601 date; without a zone it is UTC. Undefined for other texts. A double could not hold them. */
export function parseTicks(text: string): bigint | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [, day, time = 'T00:00:00', fraction = '', zone = 'Z'] = match
  const ms = Date.parse(`${day}${time}${zone}`)
  return Number.isNaN(ms) ? undefined : BigInt(ms) * TICKS_PER_MS + BigInt(fraction.padEnd(7, '0'))
}

/** The date as the service writes it, with seven digits behind the second; undefined outside the years 1 to 9999. */
export function formatTicks(ticks: bigint): string | undefined {
  const fraction = modulo(ticks, TICKS_PER_SECOND)
  const date = new Date(Number((ticks - fraction) / TICKS_PER_MS))
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined
  return `${date.toISOString().slice(0, 19)}.${String(fraction).padStart(7, '0')}Z`
}

/** The ticks that a number means; undefined for one that is not whole. */
export function toTicks(value: unknown): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value as number) : undefined
}

/** The remainder, which is never negative. */
export function modulo(value: bigint, size: bigint): bigint {
  return ((value % size) + size) % size
}
