import type { CandidateReport, PlanReport } from '../report/plan-report.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import { gigabytesText, intervalText, percentText, roleOf } from './figures.ts'
import { html, type Markup, section, table } from './html.ts'

const SHOWN = 10

/** Largest keys of both candidates next to the limit of a logical partition. */
export function keysSection({ candidates, comparison, verdict }: PlanReport): Markup | null {
  const best = candidates.at(0)
  const other = candidates.find(({ name }) => name === comparison?.candidate)
  const shown = [other, best].filter((each) => each !== undefined)
  if (shown.length === 0) return null
  const scale = scaleOf(shown.flatMap(({ heavy }) => heavy.slice(0, SHOWN)))
  return section(
    'keys',
    'Largest keys',
    scale.limit !== null
      ? `All documents with the same key form a logical partition, which holds at most ${MAX_LOGICAL_PARTITION_GB} GB (the dashed line). Bars of more than ${3 * MAX_LOGICAL_PARTITION_GB} GB are cut off.`
      : `A logical partition holds at most ${MAX_LOGICAL_PARTITION_GB} GB. The amount of data is unknown, so the bars show shares of the records.`,
    html`<div class="pair">
      ${shown.map((each) => keysFigure(each, scale, each === best ? roleOf(verdict) : null))}
    </div>`
  )
}

/** Scale of all bars. */
interface Scale {
  /** Size of a bar of full length: GB, or a share of the records if the amount of data is unknown. */
  readonly full: number
  /** Limit of a logical partition in GB; null if the bars show shares. */
  readonly limit: number | null
}

/** Computes the scale: a bar of full length is the largest key, but at least 1.25 and at most 3 times the limit. */
function scaleOf(keys: CandidateReport['heavy']): Scale {
  const limit = MAX_LOGICAL_PARTITION_GB
  const sizes = keys.flatMap(({ gb }) => (gb === null ? [] : [gb]))
  if (sizes.length === 0) return { full: Math.max(...keys.map(({ share }) => share.mid)), limit: null }
  return { full: Math.min(limit * 3, Math.max(limit * 1.25, ...sizes)), limit }
}

function keysFigure({ name, heavy, largestKey }: CandidateReport, scale: Scale, role: string | null): Markup {
  const full = largestKey?.fullOn ?? null
  return html`<figure class="${role === null ? 'key' : 'key verdict'}">
    <figcaption><span class="role">${role ?? 'Compared with'}</span> <code>${name}</code></figcaption>
    ${table(
      ['Key', '', 'Share', 'Data'],
      heavy
        .slice(0, SHOWN)
        .map(({ hash, value, share, gb }) => [
          html`<code class="hash">${value ?? hash}</code>`,
          sizeBar(scale.limit === null ? share.mid : (gb ?? 0), scale),
          html`${percentText(share.mid)} <small>${intervalText(share)}</small>`,
          gigabytesText(gb)
        ]),
      { left: [0, 1], label: `Largest keys of ${name}` }
    )}
    ${full === null ? null : html`<p class="status bad">At the present growth, the largest logical partition reaches ${MAX_LOGICAL_PARTITION_GB} GB on ${full}.</p>`}
  </figure> `
}

function sizeBar(size: number, { full, limit }: Scale): Markup {
  const lengthOf = (value: number): string => `${Math.round(Math.min(1, value / full) * 1000) / 10}%`
  const isOver = limit !== null && size >= limit
  return html`<svg class="size" width="100%" height="14" aria-hidden="true">
    <rect class="${isOver ? 'over' : 'within'}" width="${lengthOf(size)}" y="2" height="10" />
    ${limit === null ? null : html`<line class="limit" x1="${lengthOf(limit)}" x2="${lengthOf(limit)}" y1="0" y2="14" />`}
  </svg>`
}
