/** A quantity that was read, or one sentence part why not: `must be a rate such as 5000/s, not "fast": ...`. */
export type Reading<T = number> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string }

/** `5000/s`, `300k/min`, `10M/day`: a rate a second. */
export function parseRate(text: unknown): Reading {
  throw new Error(`not written yet: ${String(text)}`)
}

/** `1KB`, `500GB`, `1.5 TiB`: bytes. KB are 1,000 bytes, KiB 1,024. */
export function parseBytes(text: unknown): Reading {
  throw new Error(`not written yet: ${String(text)}`)
}

/** `2GB/day`, `500 GB/month`: bytes a day. */
export function parseGrowth(text: unknown): Reading {
  throw new Error(`not written yet: ${String(text)}`)
}

/** `7d`, `24h`, `90 days`: seconds. */
export function parseDuration(text: unknown): Reading {
  throw new Error(`not written yet: ${String(text)}`)
}

/** `40%`: a share, 0.4. */
export function parsePercent(text: unknown): Reading {
  throw new Error(`not written yet: ${String(text)}`)
}

/** `10M`, `2,500,000`, or a number: a whole number. */
export function parseCount(text: unknown): Reading {
  throw new Error(`not written yet: ${String(text)}`)
}

/** `20k`, `20,000 RU/s`, or a number: RU/s. */
export function parseRu(text: unknown): Reading {
  throw new Error(`not written yet: ${String(text)}`)
}

export function formatRate(perSecond: number): string {
  return `${perSecond}/s`
}

export function formatBytes(bytes: number): string {
  return `${bytes} B`
}

export function formatDuration(seconds: number): string {
  return `${seconds} s`
}

export function formatPercent(share: number): string {
  return `${share * 100} %`
}

export function formatCount(count: number): string {
  return `${count}`
}

/** `$1,168`; cents below 10. */
export function formatPrice(amount: number, currency: string): string {
  return `${amount} ${currency}`
}
