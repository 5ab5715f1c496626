import { localTime } from '../key/bucket.ts'
import { KeystampError } from '../errors/keystamp-error.ts'
import type { FieldValue } from '../key/field-value.ts'
import type { BucketRules } from '../plan/rules.ts'
import { parseIsoTime } from '../time/iso-time.ts'
import { type ZoneOffset, zoneOffset } from '../time/zone.ts'

/**
 * First and last moment, both included: ISO 8601 strings or milliseconds since 1970. If the last moment is a day
 * without a time, the whole day is included.
 */
export type Between = readonly [string | number, string | number]

/** A time in the zone of a bucket. */
export interface ReadTime {
  /** Local time in the zone, in milliseconds. */
  readonly local: number
  /** Milliseconds since 1970; undefined for a string without a zone, which is local time. */
  readonly instant: number | undefined
}

/** Times between two moments, in local time of one zone. */
export interface TimeInterval {
  /**
   * Smallest and largest local time. If clocks are set back, local times before the first moment or after the last
   * moment can be between these two.
   */
  readonly first: number
  readonly last: number
  readonly holds: (time: ReadTime) => boolean
}

/** Creates an interval. Throws OPTION_INVALID if the moments are not times, or are in the wrong order. */
export function createInterval(between: Between, zone: string): TimeInterval {
  if (!Array.isArray(between) || between.length !== 2) {
    throw new KeystampError(
      'OPTION_INVALID',
      '`between` must be a list of two times, such as ["2026-01-01", "2026-01-31"].'
    )
  }
  const [from, to] = between as Between
  const offset = zoneOffset(zone)
  const begin = readTime(from, 'milliseconds', offset)
  const end = toEndOfDay(to, readTime(to, 'milliseconds', offset))
  if (begin === undefined || end === undefined) {
    throw new KeystampError('OPTION_INVALID', '`between` needs two times: ISO 8601 strings or milliseconds since 1970.')
  }
  if (isReversed(begin, end)) {
    throw new KeystampError('OPTION_INVALID', '`between` must not end before it begins: pass the earlier time first.')
  }
  const first =
    begin.instant === undefined
      ? begin.local
      : lowestReading(begin.instant, end.instant ?? Number.POSITIVE_INFINITY, offset)
  const last =
    end.instant === undefined
      ? end.local
      : highestReading(begin.instant ?? Number.NEGATIVE_INFINITY, end.instant, offset)
  const isInside = (local: number, instant: number): boolean =>
    (begin.instant === undefined ? local >= first : instant >= begin.instant) &&
    (end.instant === undefined ? local <= last : instant <= end.instant)
  const holds = ({ local, instant }: ReadTime): boolean => {
    const instants = instant === undefined ? instantsOf(local, offset) : [instant]
    // clocks skip this local time, so no moment has it; but its bucket may still be in the interval
    if (instants.length === 0) return local >= first && local <= last
    return instants.some((each) => isInside(local, each))
  }
  return { first, last, holds }
}

/** Reads a time as a bucket does; undefined for a value that the bucket rejects. */
export function readTime(value: FieldValue, epoch: BucketRules['epoch'], offset: ZoneOffset): ReadTime | undefined {
  const local = localTime(value, epoch, offset)
  if (typeof local !== 'number') return undefined
  const isReading = typeof value === 'string' && parseIsoTime(value)?.offset === undefined
  const instant = isReading && parseIsoTime(value) !== undefined ? undefined : localTime(value, epoch, UTC)
  return { local, instant: typeof instant === 'number' ? instant : undefined }
}

const UTC = zoneOffset('UTC')
const DAY = 86_400_000
const QUARTER_HOUR = 900_000
/** Clocks have never been set back by more than a day. */
const LONGEST_FOLD = DAY + 3_600_000

// an interval from the 9th to the 10th includes the whole 10th
function toEndOfDay(to: string | number, time: ReadTime | undefined): ReadTime | undefined {
  return time !== undefined && typeof to === 'string' && to.length === 10
    ? { ...time, local: time.local + DAY - 1 }
    : time
}

// if clocks are set back between two moments, the later moment can have the smaller local time
function isReversed(begin: ReadTime, end: ReadTime): boolean {
  if (begin.instant !== undefined && end.instant !== undefined) return begin.instant > end.instant
  return begin.local > end.local
}

/** Moments with this local time: two if clocks are set back over it, none if clocks are set forward over it. */
function instantsOf(local: number, offset: ZoneOffset): readonly number[] {
  const offsets = new Set([offset(local - LONGEST_FOLD), offset(local), offset(local + LONGEST_FOLD)])
  return [...offsets]
    .map((minutes) => local - minutes * 60_000)
    .filter((instant) => instant + offset(instant) * 60_000 === local)
}

function lowestReading(begin: number, end: number, offset: ZoneOffset): number {
  let lowest = begin + offset(begin) * 60_000
  for (const at of changes(begin, Math.min(end, begin + LONGEST_FOLD), offset))
    lowest = Math.min(lowest, at + offset(at) * 60_000)
  return lowest
}

function highestReading(begin: number, end: number, offset: ZoneOffset): number {
  let highest = end + offset(end) * 60_000
  for (const at of changes(Math.max(begin, end - LONGEST_FOLD), end, offset)) {
    highest = Math.max(highest, at - 1 + offset(at - 1) * 60_000)
  }
  return highest
}

/** Moments after `begin` and up to `end` at which the offset of a zone changes. */
function* changes(begin: number, end: number, offset: ZoneOffset): Generator<number> {
  if (offset(begin) === offset(end) && offset(begin) === offset((begin + end) / 2)) return
  for (let at = (Math.floor(begin / QUARTER_HOUR) + 1) * QUARTER_HOUR; at <= end; at += QUARTER_HOUR) {
    if (offset(at - 1) !== offset(at)) yield at
  }
}
