import { QUOTE } from '@keystamp/core/internal'
import type { NumberPolicy } from '../config/settings.ts'
import type { TimeForm, TimestampChange, TimeUnit } from '../config/shape-settings.ts'
import { type Instant, offsetOf, parseTimePattern, secondsOf, type TimePattern } from '../config/time-pattern.ts'
import { bigIntegerJson } from '../decode/json/write-number.ts'
import { type Convert, textOf, withPath, ShapeFailure } from './convert-value.ts'
import { textNode } from './json-node.ts'

const UNITS: Readonly<Record<TimeUnit, { readonly perSecond: number; readonly digits: number }>> = {
  seconds: { perSecond: 1, digits: 3 },
  milliseconds: { perSecond: 1e3, digits: 3 },
  microseconds: { perSecond: 1e6, digits: 6 },
  nanoseconds: { perSecond: 1e9, digits: 9 }
}

/** Creates the conversion of a time from one form to another. All times are in UTC unless their text has a zone. */
export function createTimeConversion({ from, to }: TimestampChange, numbers: NumberPolicy): Convert {
  const pattern = from.pattern === undefined ? undefined : parseTimePattern(from.pattern)
  const write = writerOf(to, numbers)
  return (value, path) => {
    const instant =
      value.first === QUOTE ? parseText(textOf(value), pattern) : parseNumber(value.json, UNITS[from.unix].perSecond)
    if (instant === undefined)
      throw new ShapeFailure(
        path,
        `is not a time of the form that \`from\` describes${pattern === undefined ? '' : ', and not ISO 8601'}`
      )
    if (Math.abs(instant.seconds) > MAX_SECONDS) throw new ShapeFailure(path, 'is more than 275,000 years from now')
    const digits = value.first === QUOTE ? instant.digits : UNITS[from.unix].digits
    return textNode(withPath(path, () => write({ ...instant, digits })))
  }
}

const MAX_SECONDS = 8.64e12

function parseText(text: string, pattern: TimePattern | undefined): Instant | undefined {
  return pattern?.parse(text) ?? parseIso(text)
}

function parseNumber(token: string, perSecond: number): Instant | undefined {
  if (!/^-?\d{1,20}$/.test(token)) return undefined
  const number = Number(token)
  const digits = 3
  if (Number.isSafeInteger(number)) {
    const rest = ((number % perSecond) + perSecond) % perSecond
    return { seconds: (number - rest) / perSecond, nanos: rest * (1e9 / perSecond), digits }
  }
  const [big, unit] = [BigInt(token), BigInt(perSecond)]
  const rest = ((big % unit) + unit) % unit
  return { seconds: Number((big - rest) / unit), nanos: Number(rest) * (1e9 / perSecond), digits }
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Reads ISO 8601; a time without a zone is in UTC. Undefined for any other text. */
function parseIso(text: string): Instant | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match
  const seconds = secondsOf([year, month, day, hour, minute, second].map(Number))
  const offset = offsetOf(zone)
  if (seconds === undefined || offset === undefined) return undefined
  const digits = fraction.length <= 3 ? 3 : fraction.length <= 6 ? 6 : 9
  return { seconds: seconds - offset, nanos: Number(fraction.padEnd(9, '0')), digits }
}

/** Writes a time as JSON. */
type WriteTime = (instant: Instant) => string

function writerOf(to: TimeForm, { int64 }: NumberPolicy): WriteTime {
  if (to === 'iso') return (instant) => `"${isoText(instant)}Z"`
  if (to === 'date') return (instant) => `"${isoText(instant).replace(/T.*/, '')}"`
  if (to === 'time') return (instant) => `"${isoText(instant).replace(/.*T/, '')}"`
  if ('pattern' in to) {
    const { format } = parseTimePattern(to.pattern)
    return (instant) => JSON.stringify(format(instant))
  }
  const { perSecond } = UNITS[to.unix]
  return ({ seconds, nanos }) => {
    const part = Math.floor(nanos / (1e9 / perSecond))
    const number = seconds * perSecond + part
    if (Number.isSafeInteger(number)) return String(number)
    return bigIntegerJson(String(BigInt(seconds) * BigInt(perSecond) + BigInt(part)), int64)
  }
}

function isoText({ seconds, nanos, digits }: Instant): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length)
  return `${whole}.${String(nanos).padStart(9, '0').slice(0, digits)}`
}
