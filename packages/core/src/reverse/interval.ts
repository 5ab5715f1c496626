import { localTime } from '../key/bucket.ts'
import { KeystampError } from '../errors/keystamp-error.ts'
import type { FieldValue } from '../key/field-value.ts'
import type { BucketRules } from '../plan/rules.ts'
import { parseIsoTime } from '../time/iso-time.ts'
import { type ZoneOffset, zoneOffset } from '../time/zone.ts'

/** First and last moment, both included: ISO 8601 text or milliseconds since 1970. A day without a time ends with its last millisecond. */
export type Between = readonly [string | number, string | number]

/** A time as a bucket reads it. */
export interface ReadTime {
  /** The reading of the bucket's clocks, in milliseconds. */
  readonly local: number
  /** Milliseconds since 1970; undefined for text without a zone, which is a reading of the bucket's own clocks. */
  readonly instant: number | undefined
}

/** The times from one moment to another, as the clocks of one zone read them. */
export interface TimeInterval {
  /** The smallest and the largest reading: where clocks are set back, also readings before the first moment's or after the last one's. */
  readonly first: number
  readonly last: number
  readonly holds: (time: ReadTime) => boolean
}

/** Throws OPTION_INVALID where the moments are no times, or in the wrong order. */
export function createInterval(between: Between, zone: string): TimeInterval {
  if (!Array.isArray(between) || between.length !== 2) {
    throw new KeystampError('OPTION_INVALID', '`between` is a list of two times, such as ["2026-01-01", "2026-01-31"].')
  }
  const [from, to] = between as Between
  const offset = zoneOffset(zone)
  const begin = readTime(from, 'milliseconds', offset)
  const end = toEndOfDay(to, readTime(to, 'milliseconds', offset))
  if (begin === undefined || end === undefined) {
    throw new KeystampError('OPTION_INVALID', '`between` needs two times: ISO 8601 text or milliseconds since 1970.')
  }
  if (isReversed(begin, end)) {
    throw new KeystampError('OPTION_INVALID', '`between` must not end before it begins: give the earlier time first.')
  }
  const first = begin.instant === undefined ? begin.local : lowestReading(begin.instant, end.instant ?? Number.POSITIVE_INFINITY, offset)
  const last = end.instant === undefined ? end.local : highestReading(begin.instant ?? Number.NEGATIVE_INFINITY, end.instant, offset)
  const isInside = (local: number, instant: number): boolean =>
    (begin.instant === undefined ? local >= first : instant >= begin.instant) &&
    (end.instant === undefined ? local <= last : instant <= end.instant)
  const holds = ({ local, instant }: ReadTime): boolean => {
    const instants = instant === undefined ? instantsOf(local, offset) : [instant]
    // a reading that the clocks skip is no moment, and its bucket may still be between two others
    if (instants.length === 0) return local >= first && local <= last
    return instants.some((each) => isInside(local, each))
  }
  return { first, last, holds }
}

/** Reads a time as a bucket does; undefined where the bucket would reject it. */
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

// nobody who asks for the days from the 9th to the 10th wants the first millisecond of the 10th only
function toEndOfDay(to: string | number, time: ReadTime | undefined): ReadTime | undefined {
  return time !== undefined && typeof to === 'string' && to.length === 10 ? { ...time, local: time.local + DAY - 1 } : time
}

// clocks that are set back between two moments make the reading of the later one smaller
function isReversed(begin: ReadTime, end: ReadTime): boolean {
  if (begin.instant !== undefined && end.instant !== undefined) return begin.instant > end.instant
  return begin.local > end.local
}

/** The moments at which the clocks of a zone read this: two where they are set back, none where they are set forward. */
function instantsOf(local: number, offset: ZoneOffset): readonly number[] {
  const offsets = new Set([offset(local - LONGEST_FOLD), offset(local), offset(local + LONGEST_FOLD)])
  return [...offsets].map((minutes) => local - minutes * 60_000).filter((instant) => instant + offset(instant) * 60_000 === local)
}

function lowestReading(begin: number, end: number, offset: ZoneOffset): number {
  let lowest = begin + offset(begin) * 60_000
  for (const at of changes(begin, Math.min(end, begin + LONGEST_FOLD), offset)) lowest = Math.min(lowest, at + offset(at) * 60_000)
  return lowest
}

function highestReading(begin: number, end: number, offset: ZoneOffset): number {
  let highest = end + offset(end) * 60_000
  for (const at of changes(Math.max(begin, end - LONGEST_FOLD), end, offset)) {
    highest = Math.max(highest, at - 1 + offset(at - 1) * 60_000)
  }
  return highest
}

/** The moments after `begin` and up to `end` at which the clocks of a zone are set. */
function* changes(begin: number, end: number, offset: ZoneOffset): Generator<number> {
  if (offset(begin) === offset(end) && offset(begin) === offset((begin + end) / 2)) return
  for (let at = (Math.floor(begin / QUARTER_HOUR) + 1) * QUARTER_HOUR; at <= end; at += QUARTER_HOUR) {
    if (offset(at - 1) !== offset(at)) yield at
  }
}
