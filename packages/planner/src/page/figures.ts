import type { Interval } from '../model/interval.ts'
import type { Verdict } from '../report/plan-report.ts'
import { formatBytes, formatCount, formatMany, formatPercent, formatPrice } from '../workload/quantity-text.ts'

/** Text for an unknown figure. */
const UNKNOWN = 'unknown'

const MIN_SHOWN_SHARE = 0.00001

/** `41–73 %`; empty if both bounds have the same text as the estimate. */
export function intervalText({ low, mid, high }: Interval): string {
  const [from, to] = [formatPercent(low < MIN_SHOWN_SHARE ? 0 : low), formatPercent(high)]
  return from === to && from === formatPercent(mid) ? '' : `${from.replace(' %', '')}–${to}`
}

/** Role of the first candidate. */
export function roleOf({ kind, candidate }: Verdict): string {
  if (kind !== 'unknown') return 'Verdict'
  return candidate === null ? 'First candidate' : 'Most even'
}

export function percentText(share: number | null | undefined): string {
  if (share === null || share === undefined) return UNKNOWN
  return share > 0 && share < MIN_SHOWN_SHARE ? 'under 0.001 %' : formatPercent(share)
}

export function countText(count: number | null): string {
  return count === null ? '–' : formatCount(Math.ceil(count))
}

export function ruText(ruPerSecond: number | null): string {
  return ruPerSecond === null ? UNKNOWN : `${formatCount(Math.ceil(ruPerSecond))} RU/s`
}

export function priceText(amount: number | null, currency: string): string {
  return amount === null ? '–' : formatPrice(amount, currency)
}

export function gigabytesText(gb: number | null): string {
  return gb === null ? '–' : formatBytes(gb * 1e9)
}

export function partitionsText(count: number): string {
  return formatMany(count, 'physical partition')
}
