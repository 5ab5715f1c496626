import { DOT } from '../text/characters.ts'

/** A time in ISO 8601: local time, and the offset from UTC if the string has one. */
interface IsoTime {
  /** Local time in milliseconds since 1970, computed as if it were UTC. */
  readonly local: number
  /** Minutes east of UTC; undefined for a string without a zone. */
  readonly offset: number | undefined
}

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/

/**
 * Reads `2018-08-09`, `2018-08-09T07:15`, `...:30.125Z`, `...+02:00`. Returns undefined for any other string and for
 * days that do not exist.
 */
export function parseIsoTime(text: string): IsoTime | undefined {
  if (text === lastText) return lastTime
  lastTime = readCommonForm(text) ?? readIsoTime(text)
  lastText = text
  return lastTime
}

// several parts of a key, and several keys, read the same time of a record
let lastText = ''
let lastTime: IsoTime | undefined

/** Reads `2018-08-09T07:15:30Z` and `...:30.125Z`, as most programs write times; undefined for any other string. */
function readCommonForm(text: string): IsoTime | undefined {
  const isWhole = text.length === 20
  if (!isWhole && (text.length !== 24 || text.charCodeAt(19) !== DOT)) return undefined
  if (text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN || text.charCodeAt(10) !== CAPITAL_T)
    return undefined
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined
  if (text.charCodeAt(text.length - 1) !== CAPITAL_Z) return undefined
  const [hour, minute, second] = [numberAt(text, 11, 2), numberAt(text, 14, 2), numberAt(text, 17, 2)]
  const millis = isWhole ? 0 : numberAt(text, 20, 3)
  // NaN is in no range
  if (!(hour <= 23 && minute <= 59 && second <= 59 && millis <= 999)) return undefined
  const midnight = midnightOf(numberAt(text, 0, 4), numberAt(text, 5, 2), numberAt(text, 8, 2))
  if (midnight === undefined) return undefined
  return { local: midnight + ((hour * 60 + minute) * 60 + second) * 1000 + millis, offset: 0 }
}

const HYPHEN = 0x2d
const COLON = 0x3a
const CAPITAL_T = 0x54
const CAPITAL_Z = 0x5a
const ZERO = 0x30

/** Number of `length` digits; NaN for anything else. */
function numberAt(text: string, at: number, length: number): number {
  let number = 0
  for (let index = at; index < at + length; index++) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

// consecutive records mostly have the same day
let lastDate = Number.NaN
let lastMidnight = 0

function midnightOf(year: number, month: number, day: number): number | undefined {
  const date = (year * 100 + month) * 100 + day
  if (date === lastDate) return lastMidnight
  const midnight = utcDay(year, month, day)
  if (midnight === undefined) return undefined
  lastDate = date
  lastMidnight = midnight
  return midnight
}

function readIsoTime(text: string): IsoTime | undefined {
  const parts = FORM.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone] = parts
  const offset = zone === undefined ? undefined : parseOffset(zone)
  if (Number.isNaN(offset) || +hour > 23 || +minute > 59 || +second > 59) return undefined
  const midnight = utcDay(+year, +month, +day)
  if (midnight === undefined) return undefined
  const millis = Math.floor(Number(`0.${fraction}`) * 1000)
  return { local: midnight + ((+hour * 60 + +minute) * 60 + +second) * 1000 + millis, offset }
}

/** Milliseconds since 1970 of an ISO 8601 string; a string without a zone is read as UTC. */
export function parseInstant(text: string): number | undefined {
  const time = parseIsoTime(text)
  return time && time.local - (time.offset ?? 0) * 60_000
}

/** `+02:00`, `-0530`, `+02`, `Z` in minutes; NaN for any other string. */
export function parseOffset(text: string): number {
  if (text === 'Z' || text === 'z') return 0
  const parts = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(text)
  if (parts === null) return Number.NaN
  const minutes = +parts[2] * 60 + +(parts[3] ?? '0')
  if (+parts[2] > 18 || +(parts[3] ?? '0') > 59) return Number.NaN
  return parts[1] === '-' ? -minutes : minutes
}

// caches the last day, because consecutive records mostly have the same day
let lastDay = '1970-01-01'

/** True for `2018-08-09` and every other day of the calendar, years 0000 to 9999. */
export function isCalendarDay(text: string): boolean {
  if (text === lastDay) return true
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (parts === null || utcDay(+parts[1], +parts[2], +parts[3]) === undefined) return false
  lastDay = text
  return true
}

// uses setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999
function utcDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}
