import type { HeatMap, PlanReport } from '../report/plan-report.ts'
import { formatCount } from '../workload/quantity-text.ts'
import { countText, percentText, roleOf } from './figures.ts'
import { html, type Markup, section, table } from './html.ts'

/** Load by range and time of both keys; nothing if the records have no time. */
export function heatSection(report: PlanReport): Markup {
  const { heat, comparison, unknown, verdict } = report
  const maps = [comparison?.heat ?? null, heat].filter((map) => map !== null)
  if (maps.length === 0) {
    return section('heat', 'Load over time', null, html`<p class="muted">Unknown: ${unknown['heat'] ?? ''}.</p>`)
  }
  return section(
    'heat',
    'Load over time',
    'Time runs to the right, the hash space downwards. Color is the share of a range in the load of its time, as a multiple of an even share. A red line is a busy physical partition; a red spot that moves means that the key follows the time.',
    html`<div class="pair">${maps.map((map) => heatFigure(map, map === heat ? roleOf(verdict) : null))}</div>
      ${legend()} ${minutesTable(report)}`
  )
}

function heatFigure(map: HeatMap, role: string | null): Markup {
  const { candidate, minutes, values, ranges } = map
  const hottest = values.map((shares) => Math.max(...shares) * ranges)
  const worst = hottest.indexOf(Math.max(...hottest))
  const label = `Load of ${formatCount(ranges)} ranges in ${formatCount(minutes.length)} windows of time under ${candidate}; the hottest has ${multiple(hottest[worst])} of an even share.`
  return html`<figure class="${role === null ? 'key' : 'key verdict'}">
    <figcaption><span class="role">${role ?? 'Compared with'}</span> <code>${candidate}</code></figcaption>
    ${drawHeat(map, label)}
    <p class="axis-line"><span>${timeText(minutes[0])}</span><span>${timeText(minutes[minutes.length - 1])}</span></p>
    <details>
      <summary>Table</summary>
      ${table(
        ['Window', 'Hottest range', 'Its share', 'Of an even share'],
        minutes.map((minute, index) => {
          const share = hottest[index] / ranges
          return [
            timeText(minute),
            formatCount(values[index].indexOf(Math.max(...values[index])) + 1),
            percentText(share),
            multiple(hottest[index])
          ]
        }),
        { label: `Hottest range of each window under ${candidate}` }
      )}
    </details>
  </figure> `
}

/** The minute of each key that needs the most throughput, and the number of keys that are active at the same time. */
function minutesTable({ candidates, comparison }: PlanReport): Markup | null {
  const shown = candidates.filter(({ rank, name }) => rank === 1 || name === comparison?.candidate)
  if (shown.every(({ worstMinute, effectiveKeys }) => worstMinute === null && (effectiveKeys?.minute ?? null) === null))
    return null
  return table(
    ['Key', 'Worst minute', 'Usable then', 'RU/s needed then', 'Keys active in a minute'],
    shown.map(({ name, worstMinute, effectiveKeys }) => [
      html`<code>${name}</code>`,
      worstMinute === null ? '–' : timeText(worstMinute.at),
      worstMinute === null ? '–' : percentText(worstMinute.usableShare),
      countText(worstMinute?.neededRuPerSecond ?? null),
      effectiveKeys?.minute ? countText(Math.round(effectiveKeys.minute.median)) : '–'
    ]),
    { left: [0, 1], label: 'Worst minute of each key' }
  )
}

/** Lower bounds of the colors, as multiples of an even share. */
const LEVELS: readonly number[] = [0.01, 0.5, 0.85, 1.2, 2, 4]

// one shape for each color, and equal cells of one window in one piece: a large map is painted at once
function drawHeat({ values, ranges }: HeatMap, label: string): Markup {
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

const LEGEND = ['below 0.5 ×', '0.5 ×', 'even: 0.85 to 1.2 ×', '1.2 ×', '2 ×', '4 × and more'] as const

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
