import type { CandidateReport, PlanReport } from '../report/plan-report.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import { gigabytesText, intervalText, percentText } from './figures.ts'
import { html, type Markup, section, table } from './html.ts'

const SHOWN = 10

/** Largest keys of both candidates next to the limit of a logical partition. */
export function keysSection({ candidates, comparison, verdict }: PlanReport): Markup | null {
  const best = verdict.candidate === null ? undefined : candidates[0]
  const other = candidates.find(({ name }) => name === comparison?.candidate)
  const shown = [other, best].filter((each) => each !== undefined)
  if (shown.length === 0) return null
  const sizes = shown.flatMap(({ heavy }) => heavy.map(({ gb }) => gb ?? 0))
  const isKnown = shown.some(({ heavy }) => heavy.some(({ gb }) => gb !== null))
  const scale = isKnown
    ? Math.min(MAX_LOGICAL_PARTITION_GB * 3, Math.max(MAX_LOGICAL_PARTITION_GB * 1.25, ...sizes))
    : null
  return section(
    'keys',
    'Largest keys',
    isKnown
      ? `All documents of a key form a logical partition, which holds at most ${MAX_LOGICAL_PARTITION_GB} GB: the dashed line. Longer bars than three times that are cut off.`
      : `A logical partition holds at most ${MAX_LOGICAL_PARTITION_GB} GB. The amount of data is unknown, so the bars show shares of the records.`,
    html`<div class="pair">${shown.map((each) => keysFigure(each, scale, each === best))}</div>`
  )
}

function keysFigure({ name, heavy, largestKey }: CandidateReport, scale: number | null, isVerdict: boolean): Markup {
  const most = Math.max(...heavy.map(({ share }) => share.mid), 1e-9)
  const full = largestKey?.fullOn ?? null
  return html`<figure class="${isVerdict ? 'key verdict' : 'key'}">
    <figcaption><span class="role">${isVerdict ? 'Verdict' : 'Compared with'}</span> <code>${name}</code></figcaption>
    ${table(
      ['Key', '', 'Share', 'Data'],
      heavy
        .slice(0, SHOWN)
        .map(({ hash, value, share, gb }) => [
          html`<code class="hash">${value ?? hash}</code>`,
          sizeBar(scale === null ? share.mid / most : (gb ?? 0) / scale, scale),
          html`${percentText(share.mid)} <small>${intervalText(share)}</small>`,
          gigabytesText(gb)
        ]),
      { left: [0, 1], label: `Largest keys of ${name}` }
    )}
    ${full === null ? null : html`<p class="status bad">At its present growth the largest key is full on ${full}.</p>`}
  </figure> `
}

function sizeBar(share: number, scale: number | null): Markup {
  const limit = scale === null ? null : `${Math.round((MAX_LOGICAL_PARTITION_GB / scale) * 1000) / 10}%`
  const isOver = scale !== null && share * scale >= MAX_LOGICAL_PARTITION_GB
  const width = `${Math.round(Math.min(1, share) * 1000) / 10}%`
  return html`<svg class="size" width="100%" height="14" aria-hidden="true">
    <rect class="${isOver ? 'over' : 'within'}" width="${width}" y="2" height="10" />
    ${limit === null ? null : html`<line class="limit" x1="${limit}" x2="${limit}" y1="0" y2="14" />`}
  </svg>`
}
