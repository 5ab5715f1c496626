/** Ticks of 100 nanoseconds in one millisecond. */
export const TICKS_PER_MS = 10_000

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.(\d{1,7}))?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/** Ticks since 1970 of an ISO 8601 date; without a zone it is UTC. Undefined for other texts. */
export const parseTicks = (text: string): number | undefined => {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const fraction = (match[1] ?? '').padEnd(7, '0')
  const wholeSeconds = text.replace(/\.\d+/, '')
  const zoned = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(wholeSeconds) || !wholeSeconds.includes('T') ? wholeSeconds : `${wholeSeconds}Z`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? undefined : ms * TICKS_PER_MS + Number(fraction)
}

/** The date as the service writes it, with seven digits behind the second; undefined outside the years 1 to 9999. */
export const formatTicks = (ticks: number): string | undefined => {
  const seconds = Math.floor(ticks / (1000 * TICKS_PER_MS))
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined
  const fraction = Math.floor(ticks - seconds * 1000 * TICKS_PER_MS)
  return `${date.toISOString().slice(0, 19)}.${String(fraction).padStart(7, '0')}Z`
}
