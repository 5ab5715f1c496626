/** A time as whole seconds since 1970 and the nanoseconds after them. */
export interface Instant {
  readonly seconds: number
  readonly nanos: number
  /** Digits after the seconds that the source has: 3, 6 or 9. */
  readonly digits: number
}

/** A pattern of Java's SimpleDateFormat, as Kafka Connect uses them. */
export interface TimePattern {
  /** Undefined for a string that does not match, with exact widths. Without a zone, the time is in UTC. */
  readonly parse: (text: string) => Instant | undefined
  readonly format: (instant: Instant) => string
}

interface Part {
  readonly regex: string
  /** Meaning of what the part matches; undefined for a literal. */
  readonly as: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millis' | 'zone' | undefined
  readonly write: (date: Date) => string
}

const digits = (count: number, as: Part['as'], of: (date: Date) => number): Part => ({
  regex: `(\\d{${count}})`,
  as,
  write: (date) => String(of(date)).padStart(count, '0')
})

const zonePart = (regex: string, utc: string): Part => ({ regex: `(${regex})`, as: 'zone', write: () => utc })

const PARTS: Readonly<Record<string, Part>> = {
  yyyy: digits(4, 'year', (date) => date.getUTCFullYear()),
  MM: digits(2, 'month', (date) => date.getUTCMonth() + 1),
  dd: digits(2, 'day', (date) => date.getUTCDate()),
  HH: digits(2, 'hour', (date) => date.getUTCHours()),
  mm: digits(2, 'minute', (date) => date.getUTCMinutes()),
  ss: digits(2, 'second', (date) => date.getUTCSeconds()),
  SSS: digits(3, 'millis', (date) => date.getUTCMilliseconds()),
  X: zonePart('Z|[+-]\\d\\d', 'Z'),
  XX: zonePart('Z|[+-]\\d{4}', 'Z'),
  XXX: zonePart('Z|[+-]\\d\\d:\\d\\d', 'Z'),
  Z: zonePart('[+-]\\d{4}', '+0000')
}

/** Parts of a pattern that are read; for messages. */
export const TIME_LETTERS: string = Object.keys(PARTS).join(', ')

/** The part of a pattern that is not read; undefined if the pattern can be used. */
export function unreadTimePart(pattern: string): string | undefined {
  const parts = partsOf(pattern)
  if (typeof parts === 'string') return parts
  const names = parts.map(({ as }) => as).filter((as) => as !== undefined)
  return new Set(names).size === names.length ? undefined : pattern
}

/** Parses a pattern that `unreadTimePart` accepts. */
export function parseTimePattern(pattern: string): TimePattern {
  const found = partsOf(pattern)
  if (typeof found === 'string') throw new RangeError(`The pattern has a part that is not read: ${found}.`)
  const parts = found
  const regex = new RegExp(`^${parts.map((part) => part.regex).join('')}$`)
  const names = parts.map(({ as }) => as).filter((as) => as !== undefined)
  return { parse, format }

  function parse(text: string): Instant | undefined {
    const match = regex.exec(text)
    if (match === null) return undefined
    const values: Partial<Record<NonNullable<Part['as']>, string>> = {}
    for (const [index, name] of names.entries()) values[name] = match[index + 1]
    const { year = '1970', month = '1', day = '1', hour = '0', minute = '0', second = '0', millis = '0' } = values
    const seconds = secondsOf([year, month, day, hour, minute, second].map(Number))
    const offset = offsetOf(values.zone ?? 'Z')
    if (seconds === undefined || offset === undefined) return undefined
    return { seconds: seconds - offset, nanos: Number(millis) * 1e6, digits: 3 }
  }

  function format({ seconds, nanos }: Instant): string {
    const date = new Date(seconds * 1000 + Math.floor(nanos / 1e6))
    return parts.map(({ write }) => write(date)).join('')
  }
}

/** Parts of a pattern; the first one that is not read, as a string. */
function partsOf(pattern: string): readonly Part[] | string {
  const parts: Part[] = []
  for (const [token] of pattern.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+|'/g)) {
    if (token.startsWith("'")) {
      if (token === "'") return token
      parts.push(literal(token === "''" ? "'" : token.slice(1, -1).replaceAll("''", "'")))
    } else if (!/[A-Za-z]/.test(token)) parts.push(literal(token))
    else if (Object.hasOwn(PARTS, token)) parts.push(PARTS[token])
    else return token
  }
  return parts
}

function literal(text: string): Part {
  return { regex: text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`), as: undefined, write: () => text }
}

/** Seconds since 1970 of a date and a time of day; undefined for one that does not exist. */
export function secondsOf([year, month, day, hour, minute, second]: readonly number[]): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second
}

/** Seconds east of UTC of `Z`, `+02`, `+0200` and `+02:00`. */
export function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}
