const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** 1,234,567 bytes are 1.23 MB. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? String(Math.round(value)) : value.toPrecision(3)} ${UNITS[unit]}`
}

export function countText(count: number): string {
  return count.toLocaleString('en-US')
}

/** 1 record, 2,000 records. */
export function countOf(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Seconds as 4:05 or 1:02:03. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const padded = String(whole % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${padded}` : `${hours}:${String(minutes).padStart(2, '0')}:${padded}`
}
