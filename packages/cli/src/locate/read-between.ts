import { UsageError } from '../usage-error.ts'

/** The two times of `--between`, as ISO 8601 text or milliseconds since 1970. */
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

// one time with a zone and one in the plan's own are not compared: the plan knows its zone
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
