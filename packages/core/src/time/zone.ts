import { parseOffset } from './iso-time.ts'

/** Returns the offset of a zone from UTC at an instant, in minutes; positive east of UTC. */
export type ZoneOffset = (instant: number) => number

const QUARTER_HOUR = 900_000
const MAX_CACHED = 4096

export function isKnownZone(zone: string): boolean {
  return isFixedZone(zone) || clockOf(zone) !== undefined
}

/**
 * Whether the offset of a zone never changes. The rules of named zones change with the time zone data of the machine.
 */
export function isFixedZone(zone: string): boolean {
  return zone === 'UTC' || !Number.isNaN(parseOffset(zone))
}

export function zoneOffset(zone: string): ZoneOffset {
  if (zone === 'UTC') return () => 0
  const fixed = parseOffset(zone)
  return Number.isNaN(fixed) ? namedOffset(zone) : () => fixed
}

// Since 1972, all zones have changed their offset only at full quarters of an hour. So the offset is computed once for
// each quarter of an hour, and cached.
function namedOffset(zone: string): ZoneOffset {
  const clock = clockOf(zone)
  const cached = new Map<number, number>()
  return (instant) => {
    const quarter = Math.floor(instant / QUARTER_HOUR)
    const known = cached.get(quarter)
    if (known !== undefined) return known
    if (cached.size >= MAX_CACHED) cached.clear()
    const minutes = clock === undefined ? 0 : offsetAt(clock, quarter * QUARTER_HOUR)
    cached.set(quarter, minutes)
    return minutes
  }
}

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric'
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function offsetAt(clock: Intl.DateTimeFormat, instant: number): number {
  const reading: Record<string, string> = {}
  for (const { type, value } of clock.formatToParts(instant)) reading[type] = value
  const year = reading['era'] === 'BC' ? 1 - Number(reading['year']) : Number(reading['year'])
  const local = new Date(0)
  local.setUTCFullYear(year, Number(reading['month']) - 1, Number(reading['day']))
  local.setUTCHours(Number(reading['hour']), Number(reading['minute']), Number(reading['second']))
  return Math.round((local.getTime() - instant) / 60_000)
}
