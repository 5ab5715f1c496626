import type { HeatMap, PlanReport } from '../report/plan-report.ts'
import { formatCount } from '../workload/quantity-text.ts'
import { countText, percentText, roleOf } from './figures.ts'
import { html, type Markup, section, table } from './html.ts'

/** Load by range and time of both keys, or the reason why it is unknown. */
export function heatSection(report: PlanReport): Markup {
  const { heat, comparison, unknown, verdict } = report
  const maps = [comparison?.heat ?? null, heat].filter((map) => map !== null)
  if (maps.length === 0) {
    return section('heat', 'Load over time', null, html`<p class="muted">Unknown: ${unknown['heat'] ?? ''}.</p>`)
  }
  return section(
    'heat',
    'Load over time',
    'Each column is a window of time, and each row is a part of the hash space. The color shows the share that the row has of the load in this window, as a multiple of an even share. A row that is always red is a part with frequent keys. Red cells that move from row to row show that the key depends on the time.',
    html`<div class="pair">${maps.map((map) => heatFigure(map, map === heat ? roleOf(verdict) : null))}</div>
      ${legend()} ${minutesTable(report)}`
  )
}

function heatFigure(map: HeatMap, role: string | null): Markup {
  const { candidate, minutes, values, ranges } = map
  const busiest = values.map((shares) => Math.max(...shares) * ranges)
  const worst = busiest.indexOf(Math.max(...busiest))
  const label = `Load of ${formatCount(ranges)} parts of the hash space in ${formatCount(minutes.length)} windows of time under ${candidate}; the busiest part has ${multiple(busiest[worst])} an even share.`
  return html`<figure class="${role === null ? 'key' : 'key verdict'}">
    <figcaption><span class="role">${role ?? 'Compared with'}</span> <code>${candidate}</code></figcaption>
    ${drawHeat(map, label)}
    <p class="axis-line"><span>${timeText(minutes[0])}</span><span>${timeText(minutes[minutes.length - 1])}</span></p>
    <details>
      <summary>Table</summary>
      ${table(
        ['Window', 'Busiest row', 'Its share', 'Multiple of an even share'],
        minutes.map((minute, index) => {
          const share = busiest[index] / ranges
          return [
            timeText(minute),
            formatCount(values[index].indexOf(Math.max(...values[index])) + 1),
            percentText(share),
            multiple(busiest[index])
          ]
        }),
        { label: `Busiest row of each window under ${candidate}` }
      )}
    </details>
  </figure> `
}

/** For both keys: the minute that needs the most throughput, and the number of keys that are active in a minute. */
function minutesTable({ candidates, comparison }: PlanReport): Markup | null {
  const shown = candidates.filter(({ rank, name }) => rank === 1 || name === comparison?.candidate)
  if (shown.every(({ worstMinute, effectiveKeys }) => worstMinute === null && (effectiveKeys?.minute ?? null) === null))
    return null
  return table(
    ['Key', 'Minute that needs the most RU/s', 'Usable share', 'RU/s', 'Active keys in a minute'],
    shown.map(({ name, worstMinute, effectiveKeys }) => [
      html`<code>${name}</code>`,
      worstMinute === null ? '–' : timeText(worstMinute.at),
      worstMinute === null ? '–' : percentText(worstMinute.usableShare),
      countText(worstMinute?.neededRuPerSecond ?? null),
      effectiveKeys?.minute ? countText(Math.round(effectiveKeys.minute.median)) : '–'
    ]),
    { left: [0, 1], label: 'Minute of each key that needs the most RU/s' }
  )
}

/** For each window of time: the share of its load by range. */
export type HeatShares = Pick<HeatMap, 'values' | 'ranges'>

/** A heat map with the legend of its colors. */
export function heatPicture(shares: HeatShares, label: string): Markup {
  return html`${drawHeat(shares, label)} ${legend()}`
}

/** Lower bounds of the colors, as multiples of an even share. */
const LEVELS: readonly number[] = [0.01, 0.5, 0.85, 1.2, 2, 4]

// one shape for each color, in which adjacent cells of a window are one rectangle: large maps are painted quickly
function drawHeat({ values, ranges }: HeatShares, label: string): Markup {
  const shapes = LEVELS.map(() => '')
  for (const [x, shares] of values.entries()) {
    for (let y = 0; y < ranges;) {
      const level = levelOf(shares[y] * ranges)
      let end = y + 1
      while (end < ranges && levelOf(shares[end] * ranges) === level) end++
      if (level >= 0) shapes[level] += `M${x} ${y}h1V${end}h-1z`
      y = end
    }
  }
  return html`<svg
    class="heat"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${values.length} ${ranges}"
    preserveAspectRatio="none"
  >
    ${shapes.map((shape, level) => shape !== '' && html`<path class="level-${level}" d="${shape}" />`)}
  </svg>`
}

function levelOf(relative: number): number {
  return LEVELS.findLastIndex((least) => relative >= least)
}

const LEGEND = [
  'less than 0.5 ×',
  '0.5 to 0.85 ×',
  '0.85 to 1.2 × (even)',
  '1.2 to 2 ×',
  '2 to 4 ×',
  '4 × or more'
] as const

function legend(): Markup {
  return html`<ul class="legend" aria-label="Colors">
    ${LEGEND.map(
      (text, level) =>
        html`<li>
          <svg width="14" height="14" aria-hidden="true"><rect class="level-${level}" width="14" height="14" /></svg>
          ${text}
        </li>`
    )}
  </ul>`
}

function multiple(relative: number): string {
  return `${formatCount(Number(relative.toPrecision(2)))} ×`
}

function timeText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}
