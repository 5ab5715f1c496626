/** `5,000`; `2.5` below ten. */
export function countText(count: number): string {
  return (count < 10 ? Number(count.toPrecision(2)) : Math.round(count)).toLocaleString('en-US')
}

/** `1 document`, `2,000 documents`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

/** `12 GB`, `350 MB`: three significant digits; a KB has 1,000 bytes. */
export function bytesText(bytes: number): string {
  const unit = BYTE_UNITS.findLast(([, size]) => bytes >= size) ?? BYTE_UNITS[0]
  return `${Number((bytes / unit[1]).toPrecision(3)).toLocaleString('en-US')} ${unit[0]}`
}

const BYTE_UNITS = [
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12]
] as const

/** `67 %`, `0.4 %`. */
export function percentText(share: number): string {
  const percent = share * 100
  return `${percent >= 9.95 ? Math.round(percent) : Number(percent.toPrecision(2))} %`
}

/** `40 minutes`, `9.7 hours`, `12 days`. */
export function durationText(seconds: number): string {
  const [name, size] = TIME_UNITS.find(([, length]) => seconds >= 2 * length) ?? TIME_UNITS[2]
  const count = Math.max(1, seconds / size)
  return plural(count < 20 ? Number(count.toPrecision(2)) : Math.round(count), name)
}

const TIME_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60]
] as const

/** `/a, /b and /c`. */
export function listText(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`
}
