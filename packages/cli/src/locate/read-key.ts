import type { Key, KeyValue, Plan } from '@keystamp/core'
import { UsageError } from '../usage-error.ts'

/** Parses `--key`: a string where the plan can make it, else the number or boolean that it reads as. */
export function readKey(plan: Plan, text: string): Key {
  const { length } = plan.partitionKey.paths
  if (text.startsWith('[')) return toKey(parseLevels(text, length), length)
  const asText = toKey([text], length)
  const scalar = parseScalar(text)
  if (scalar === undefined || plan.decode(asText).ok) return asText
  const asScalar = toKey([scalar], length)
  return plan.decode(asScalar).ok ? asScalar : asText
}

function toKey(values: readonly KeyValue[], levels: number): Key {
  return levels === 1 ? values[0] : values
}

function parseLevels(text: string, most: number): readonly KeyValue[] {
  const values = parse(text)
  if (values === undefined) {
    throw new UsageError(
      '--key is not valid JSON. A value that begins with [ is read as an array of levels; write a string that begins so as ["[..."].'
    )
  }
  if (!Array.isArray(values) || values.length === 0 || values.length > most || !values.every(isKeyValue)) {
    const levels = most === 1 ? 'one level' : `one to ${most} levels`
    throw new UsageError(`--key takes an array of ${levels}: strings, numbers, true, false or null.`)
  }
  return values
}

function parseScalar(text: string): number | boolean | undefined {
  const value = parse(text)
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isKeyValue(value: unknown): value is KeyValue {
  return value === null || typeof value !== 'object'
}

/** The two times of `--between`: ISO 8601, or milliseconds since 1970. */
export type Between = readonly [string | number, string | number]

export function readBetween(text: string): Between {
  const [from, to, ...rest] = text.split(',').map((time) => time.trim())
  if (!from || !to || rest.length > 0) throw new UsageError(`--between takes two times with a comma between, not "${text}".`)
  const between = [toTime(from), toTime(to)] as const
  if (isBackwards(between)) throw new UsageError(`--between must not end before it begins, as "${text}" does.`)
  return between
}

function toTime(text: string): string | number {
  return /^-?\d{5,15}$/.test(text) ? Number(text) : text
}

// a time with a zone and one without are not compared: only the plan knows its zone
function isBackwards([from, to]: Between): boolean {
  return isAbsolute(from) === isAbsolute(to) && momentOf(from) > momentOf(to)
}

const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i

function isAbsolute(time: string | number): boolean {
  return typeof time === 'number' || (time.length > 10 && ZONE.test(time))
}

function momentOf(time: string | number): number {
  if (typeof time === 'number') return time
  return Date.parse(time.length <= 10 || isAbsolute(time) ? time : `${time}Z`)
}
