import { html, type Markup } from './html.ts'

/** Loads of ranges, for one of several charts with the same scale. */
export interface Bars {
  readonly loads: readonly number[]
  /** Largest load that is not throttled; the part of a bar above it has another color. Null: no limit is known. */
  readonly limit: number | null
  /** Load at the upper edge; bars that are higher are cut off. */
  readonly scale: number
  /** Description for screen readers. */
  readonly label: string
}

const HEIGHT = 100
const STEP = 10

/** Draws a bar for each range. All bars are two shapes, so that a thousand ranges are painted quickly. */
export function drawBars({ loads, limit, scale, label }: Bars): Markup {
  const width = STEP * loads.length
  const bar = loads.length > MAX_SEPARATE ? STEP : STEP * 0.8
  const y = (load: number): number => Math.round((1 - Math.min(load, scale) / scale) * HEIGHT * 100) / 100
  const shape = (from: number, to: number, index: number): string =>
    `M${index * STEP} ${y(from)}V${y(to)}h${bar}V${y(from)}z`
  const top = limit ?? scale
  const within = loads.map((load, index) => shape(0, Math.min(load, top), index)).join('')
  const over = loads.map((load, index) => (load > top ? shape(top, load, index) : '')).join('')
  return html`<svg
    class="bars"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${width} ${HEIGHT}"
    preserveAspectRatio="none"
  >
    <path class="within" d="${within}" />
    <path class="over" d="${over}" />
    ${
      limit === null || limit > scale
        ? null
        : html`<line class="limit" x1="0" x2="${width}" y1="${y(limit)}" y2="${y(limit)}" />`
    }
  </svg>`
}

/** Number of ranges up to which bars have gaps. */
const MAX_SEPARATE = 150

/** Computes one scale for several charts: the highest load, but at most 3 times the limit, to keep small loads visible. */
export function scaleOf(loads: readonly number[], limit: number | null): number {
  const most = loads.reduce((highest, load) => Math.max(highest, load), 0) * 1.05
  if (limit === null) return most || 1
  return Math.min(Math.max(most, limit * 1.15), limit * 3) || 1
}
