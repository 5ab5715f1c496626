/** A quantity, or the reason why it cannot be read. The reason continues a sentence that begins with a name. */
export type Reading<T = number> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string }

/** Reads a rate such as `5000/s`, `300k/min` or `10M/day`. Returns the rate per second. */
export function parseRate(value: unknown): Reading {
  return read(value, RATE, (number, unit) => {
    const [, multiple, , time = ''] = RATE_UNIT.exec(unit) ?? []
    if (time === '') return unit === '' ? 'the time is missing' : `"${unit}" is not a unit of a rate`
    const seconds = MINUTES_OR_MONTHS.test(time) ? undefined : TIME_SECONDS.get(time.toLowerCase())
    if (seconds === undefined) return `"${time}" is not a unit of time, such as s, min, h or day`
    return times(number, multiple, (all) => all / seconds)
  })
}

/** Reads a size such as `1KB`, `500GB` or `1.5 TiB`. Returns bytes. A KB has 1,000 bytes, a KiB 1,024. */
export function parseBytes(value: unknown): Reading {
  return read(value, SIZE, toBytes)
}

/** Reads a growth such as `2GB/day` or `500 GB/month`. Returns bytes per day. */
export function parseGrowth(value: unknown): Reading {
  return read(value, GROWTH, (number, unit) => {
    const [, size, time = ''] = /^(.*?)\s*(?:\/|\bper\b|\ba\b)\s*([a-z]+)$/i.exec(unit) ?? []
    if (size === undefined) return 'the time is missing'
    if (size === '%') return 'write a size instead of a percentage'
    const seconds = TIME_SECONDS.get(time.toLowerCase())
    if (seconds === undefined) return `"${time}" is not a unit of time, such as day or month`
    const bytes = toBytes(number, size)
    return typeof bytes === 'string' ? bytes : (bytes / seconds) * SECONDS_PER_DAY
  })
}

/** Reads a time such as `7d`, `24h` or `90 days`. Returns seconds. A month has 730 hours, a year 365 days. */
export function parseDuration(value: unknown): Reading {
  return read(value, DURATION, (number, unit) => {
    if (unit === '') return 'the unit is missing'
    const seconds = unit === 'M' ? undefined : TIME_SECONDS.get(unit.toLowerCase())
    return seconds === undefined ? `"${unit}" is not a unit of time, such as s, min, h or d` : number * seconds
  })
}

/** Reads a percentage such as `40%`. Returns a share such as 0.4. */
export function parsePercent(value: unknown): Reading {
  return read(value, PERCENT, (number, unit) => {
    if (!/^(?:%|percent)$/i.test(unit)) return unit === '' ? 'the % is missing' : `"${unit}" is not %`
    return number > 100 ? 'it is more than 100 %' : number / 100
  })
}

/** Reads a whole number such as `10M` or `2,500,000`. */
export function parseCount(value: unknown): Reading {
  return read(value, COUNT, (number, unit) => {
    const [, multiple] = COUNT_UNIT.exec(unit) ?? []
    if (multiple === undefined) return `"${unit}" is not a multiple, such as k or M`
    const count = times(number, multiple, (all) => Math.round(all * 1e6) / 1e6)
    return typeof count === 'string' || Number.isInteger(count) ? count : 'it has a fraction'
  })
}

/** Reads RU/s such as `20k` or `20,000 RU/s`. */
export function parseRu(value: unknown): Reading {
  return read(value, RU, (number, unit) => {
    const [, multiple] = RU_UNIT.exec(unit) ?? []
    return multiple === undefined ? `"${unit}" is not a unit of throughput` : times(number, multiple, (all) => all)
  })
}

// names and examples of quantities, for messages
const RATE = 'a rate such as 5000/s, 300k/min or 10M/day'
const SIZE = 'a size such as 1KB, 500GB or 1.5 TiB'
const GROWTH = 'a growth such as 2GB/day or 500 GB/month'
const DURATION = 'a time such as 7d, 24h or 90 days'
const PERCENT = 'a percentage up to 100%, such as 40%'
const COUNT = 'a whole number such as 2500000 or 2.5M'
const RU = 'a number of RU/s such as 20000 or 20k'

const SECONDS_PER_DAY = 86_400

const TIME_SECONDS: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, ['s', 'sec', 'secs', 'second', 'seconds']],
      [60, ['m', 'min', 'mins', 'minute', 'minutes']],
      [3600, ['h', 'hr', 'hrs', 'hour', 'hours']],
      [SECONDS_PER_DAY, ['d', 'day', 'days']],
      [7 * SECONDS_PER_DAY, ['w', 'wk', 'week', 'weeks']],
      [730 * 3600, ['mo', 'month', 'months']],
      [365 * SECONDS_PER_DAY, ['y', 'yr', 'year', 'years']]
    ] as const
  ).flatMap(([seconds, names]) => names.map((name) => [name, seconds] as const))
)

// in a rate, "m" could also be a month
const MINUTES_OR_MONTHS = /^m$/i

const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1e3],
  ['m', 1e6],
  ['g', 1e9],
  ['b', 1e9],
  ['bn', 1e9],
  ['t', 1e12]
])

const MULTIPLE = '(|k|m|g|b|bn|t)'
const NOUN = '(?:writes?|reads?|queries|query|ops|operations?|docs?|documents?|items?|records?|requests?|RU)?'
const RATE_UNIT = new RegExp(String.raw`^${MULTIPLE}\s*(${NOUN})\s*(?:\/|\bper\b|\ba\b)\s*([a-z]*)$`, 'i')
const COUNT_UNIT = new RegExp(`^${MULTIPLE}$`, 'i')
const RU_UNIT = new RegExp(String.raw`^${MULTIPLE}\s*(?:RU(?:\/s)?)?$`, 'i')

function times(number: number, multiple: string, toValue: (all: number) => number): number | string {
  // elsewhere, a small m means a thousandth
  return multiple === 'm' ? 'write M for million' : toValue(number * MULTIPLES.get(multiple.toLowerCase())!)
}

const SIZE_PREFIXES = ['', 'K', 'M', 'G', 'T', 'P']

function toBytes(number: number, unit: string): number | string {
  const [, prefix, binary] = /^(|K|M|G|T|P)(i?)(?:B|bytes?)?$/i.exec(unit) ?? []
  if (unit === '') return 'the unit is missing'
  if (prefix === undefined || (prefix === '' && binary !== ''))
    return `"${unit}" is not a unit of size, such as KB or GiB`
  return number * (binary === '' ? 1000 : 1024) ** SIZE_PREFIXES.indexOf(prefix.toUpperCase())
}

// a number with commas, blanks or underscores between thousands, and then the unit
const NUMBER = /^((?:\d{1,3}(?:[,_ ]\d{3})+(?!\d)|\d+)?(?:\.\d+)?(?:e\+?\d{1,3})?)\s*(.*)$/is

function read(value: unknown, form: string, convert: (number: number, unit: string) => number | string): Reading {
  const text = textOf(value)
  if (text === undefined) return { ok: false, reason: `must be ${form}, not ${kindOf(value)}` }
  const result = convertText(text, convert)
  if (typeof result === 'number') return { ok: true, value: result }
  return { ok: false, reason: `must be ${form}, not ${JSON.stringify(shortened(text))}: ${result}` }
}

function convertText(text: string, convert: (number: number, unit: string) => number | string): number | string {
  if (text === '') return 'it is empty'
  if (/^[-\u2212]/.test(text)) return 'it is negative'
  const [, digits, unit] = NUMBER.exec(text)!
  if (!/\d/.test(digits)) return 'it does not begin with a number'
  if (/^,\d/.test(unit)) return 'write a point before a fraction, and commas between thousands'
  if (/^[.\d]/.test(unit)) return 'its digits cannot be read as one number'
  const result = convert(Number(digits.replaceAll(/[,_ ]/g, '')), unit.trim())
  return result === Number.POSITIVE_INFINITY ? 'it is too large' : result
}

// a JSON number is read like a string without a unit
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : undefined
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
