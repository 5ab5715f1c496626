/** A number with separators, with at most two decimals when it is small. */
export function countText(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: Math.abs(count) < 100 ? 2 : 0 })
}

/** A size in bytes with a unit. */
export function bytesText(bytes: number): string {
  const step = UNITS.findLastIndex((_, index) => bytes >= 1024 ** index)
  return step <= 0
    ? `${countText(bytes)} B`
    : `${countText(Number((bytes / 1024 ** step).toPrecision(3)))} ${UNITS[step]}`
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A share as a percentage. */
export function percentText(share: number): string {
  return `${countText(Number((share * 100).toPrecision(share >= 0.1 ? 3 : 2)))} %`
}

/** A count and its noun, which gets an s unless the count is 1. */
export function countedText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A duration in one or two units, such as `1 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${countText(Number(ms.toPrecision(3)))} ms`
  const parts = [
    [Math.floor(ms / 86_400_000), 'd'],
    [Math.floor(ms / 3_600_000) % 24, 'h'],
    [Math.floor(ms / 60_000) % 60, 'min'],
    [Math.floor(ms / 1000) % 60, 's']
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** A time of day in UTC. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19)
}

/** A date and time in UTC. */
export function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** The retries of a request, as the end of a sentence; nothing without retries. */
export function retriesText(retries: number): string {
  if (retries === 0) return ''
  return `, after ${countText(retries)} ${retries === 1 ? 'retry' : 'retries'}`
}
