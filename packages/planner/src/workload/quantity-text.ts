// Text of quantities, in the forms that `quantity.ts` reads.

/** `5,000`, `2.5`: whole numbers unchanged, others with three significant digits. */
export function formatCount(count: number): string {
  const rounded = Number.isInteger(count) || Math.abs(count) >= 1000 ? Math.round(count) : Number(count.toPrecision(3))
  const [whole, fraction] = plain(rounded).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** `1 document`, `5,000 documents`: a number and its noun, whose plural ends in "s". */
export function formatMany(count: number, noun: string): string {
  const text = formatCount(count)
  return `${text} ${noun}${text === '1' ? '' : 's'}`
}

// without an exponent
function plain(value: number): string {
  if (Math.abs(value) >= 1e21) return BigInt(value).toString()
  return /e-/.test(String(value)) ? value.toFixed(20).replace(/0+$/, '') : String(value)
}

/** `5,000/s`, `30/min`, `8.64/day`: per second if that is at least 1, otherwise per minute, hour or day. */
export function formatRate(perSecond: number): string {
  const [name, seconds] = RATE_UNITS.find((unit) => perSecond * unit[1] >= 1) ?? RATE_UNITS[perSecond === 0 ? 0 : 3]
  return `${formatCount(perSecond * seconds)}/${name}`
}

const RATE_UNITS = [
  ['s', 1],
  ['min', 60],
  ['h', 3600],
  ['day', 86_400]
] as const

/** `1 KB`, `500 GB`, `3.02 TB`: three significant digits; a KB has 1,000 bytes. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${formatCount(value >= 1000 ? value : Number(value.toPrecision(3)))} ${BYTE_UNITS[unit]}`
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** `7 days`, `36 hours`: a multiple of the largest possible unit, otherwise three significant digits. */
export function formatDuration(seconds: number): string {
  const unit =
    TIME_UNITS.find(([, length]) => seconds > 0 && seconds % length === 0 && seconds / length < 1000) ??
    TIME_UNITS.find(([, length]) => seconds >= 2 * length) ??
    TIME_UNITS[3]
  const count = formatCount(seconds / unit[1])
  return `${count} ${unit[0]}${count === '1' ? '' : 's'}`
}

const TIME_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1]
] as const

/** `67 %`, `8.9 %`: two significant digits below 10 %. */
export function formatPercent(share: number): string {
  const percent = share * 100
  return `${Math.abs(percent) >= 9.95 ? Math.round(percent) : Number(percent.toPrecision(2))} %`
}

/** `$1,168`, `EUR 1,168`; with cents below 10. */
export function formatPrice(amount: number, currency: string): string {
  const text = amount < 9.995 ? amount.toFixed(2) : formatCount(Math.round(amount))
  return currency === 'USD' ? `$${text}` : `${currency} ${text}`
}
