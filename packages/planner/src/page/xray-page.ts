import type { Check, Finding, XrayedKey, XrayedRange, XrayReport } from '../report/xray-report.ts'
import { formatCount, formatMany, formatPercent, formatRate } from '../workload/quantity-text.ts'
import { drawBars, scaleOf } from './bars.ts'
import { countText, gigabytesText, percentText } from './figures.ts'
import { type HeatShares, heatPicture } from './heat.ts'
import { html, type Markup, section, table } from './html.ts'
import { type PageOptions, renderShell } from './shell.ts'
import { candidatesSection } from './verdict.ts'

/** Renders a report on a live container as one HTML file, from the report alone. The page has no script. */
export function renderXrayPage(report: XrayReport, options: PageOptions): string {
  const main = html`${header(report)} ${findingsSection(report)} ${rangesSection(report)} ${timeSection(report)}
  ${keysSection(report)} ${queriesSection(report)} ${checksSection(report)} ${planSection(report)}
  ${unseenSection(report)}`
  const footer =
    'Made by keystamp xray from the report that this file contains. Keys are shown as hashes unless --show-values was given.'
  const title = `${report.container.name}: ${TITLES[report.verdict.kind]}`
  return renderShell({ title, main, footer, report }, options)
}

const TITLES = { healthy: 'healthy', findings: 'troubles found', unknown: 'could not tell' } as const

function header({ container, verdict, load, looked }: XrayReport): Markup {
  const { name, partitionKey, physicalPartitions, ruPerSecond, throughput, isShared, documents, gb } = container
  const note = [...(throughput === 'autoscale' ? ['autoscale'] : []), ...(isShared ? ['of the database'] : [])]
  const tiles = [
    ['Partition key', html`${partitionKey.paths.map((path) => html`<code>${path}</code> `)}`, ''],
    ['Physical partitions', formatCount(physicalPartitions), ''],
    [
      'Throughput',
      ruPerSecond === null ? 'unknown' : html`${formatCount(ruPerSecond)} <small>RU/s</small>`,
      note.join(', ')
    ],
    [
      'Usable share',
      percentText(load?.usableShare),
      load === null ? 'no load was seen' : 'of the RU/s, for the load that was seen'
    ],
    ['Data', gigabytesText(gb), documents === null ? '' : formatMany(documents, 'document')]
  ] as const
  return html`<header>
    <p class="kicker">${name} <span class="kind">${TITLES[verdict.kind]}</span></p>
    <h1>${verdict.sentence}</h1>
    <dl class="tiles">
      ${tiles.map(
        ([title, value, more]) =>
          html`<div>
            <dt>${title}</dt>
            <dd>${value}${more === '' ? null : html`<small class="note">${more}</small>`}</dd>
          </div> `
      )}
    </dl>
    <p class="sample">
      Read at ${looked.at.slice(0, 19).replace('T', ' ')} UTC with ${formatMany(looked.requests, 'request')} and
      ${formatCount(Math.ceil(looked.chargeRu))} RU, at most ${formatCount(looked.maxRuPerSecond)} RU/s. Nothing was
      written.
    </p>
  </header> `
}

/** A number with its unit. */
function amount(value: number, unit: Check['unit']): string {
  if (unit === 'share') return formatPercent(value)
  return unit === 'GB' ? gigabytesText(value) : formatCount(value)
}

function findingsSection({ findings }: XrayReport): Markup | null {
  if (findings.length === 0) return null
  return section('findings', 'Findings', null, html`${findings.map(findingOf)}`)
}

function findingOf({ title, value, unit, reason, remedy, key }: Finding): Markup {
  return html`<h3>${title}: ${amount(value, unit)}</h3>
    <p>${reason}${key === null ? null : html` Key <code class="hash">${key}</code>.`}</p>
    <p class="muted">Remedy: ${remedy}</p>`
}

function rangesSection({ ranges, load, container }: XrayReport): Markup {
  // 1 is an even load: as much of it as of the throughput
  const relative = ranges.map(({ loadShare, throughputFraction }) => (loadShare ?? 0) / throughputFraction)
  const chart =
    load === null
      ? null
      : html`<figure>
          ${drawBars({
            loads: relative,
            limit: 1,
            scale: scaleOf(relative, 1),
            label: `Load of ${formatMany(ranges.length, 'physical partition')}; the busiest has ${formatCount(Number(Math.max(...relative).toPrecision(2)))} times its part of the throughput.`
          })}
        </figure>`
  return section(
    'ranges',
    'Physical partitions',
    load === null
      ? 'In the order of the hash space.'
      : 'In the order of the hash space. Each bar is the share of the load that a physical partition has, as a multiple of its share of the throughput: the line is an even load.',
    html`${chart}
    ${table(['Range', 'Load', 'Of the RU/s', 'RU/s', 'Of the hash space', 'Data', 'Documents'], ranges.map(rowOf), {
      label: `Physical partitions of ${container.name}`
    })}`
  )
}

function rowOf(range: XrayedRange): readonly string[] {
  const { id, loadShare, throughputFraction, ruPerSecond, hashShare, gb, documents } = range
  return [
    id,
    loadShare === null ? '–' : formatPercent(loadShare),
    formatPercent(throughputFraction),
    countText(ruPerSecond),
    hashShare === null ? '–' : formatPercent(hashShare),
    gigabytesText(gb),
    countText(documents)
  ]
}

function timeSection({ load, ranges }: XrayReport): Markup | null {
  if (load === null || load.windows.length < 2) return null
  const shares: HeatShares = { values: load.windows.map((window) => window.shares), ranges: ranges.length }
  const label = `Load of ${formatMany(ranges.length, 'physical partition')} in ${formatMany(load.windows.length, 'window')} of time.`
  return section(
    'time',
    'Load over time',
    'Time runs to the right, the hash space downwards. Color is the share of a physical partition in the load of its time, as a multiple of an even share. A red line is a busy physical partition; a red spot that moves means that the key follows the time.',
    html`<figure>
      ${heatPicture(shares, label)}
      <p class="axis-line">
        <span>${timeText(load.windows[0].at)}</span><span>${timeText(load.windows[load.windows.length - 1].at)}</span>
      </p>
    </figure>`
  )
}

function timeText(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

const SHOWN_KEYS = 10

function keysSection({ load, ranges }: XrayReport): Markup | null {
  const busy = (load?.keys ?? []).slice(0, SHOWN_KEYS)
  const large = ranges
    .flatMap(({ id, largestKeys }) => largestKeys.map((key) => ({ ...key, range: id })))
    .toSorted((a, b) => b.gb - a.gb)
    .slice(0, SHOWN_KEYS)
  if (busy.length === 0 && large.length === 0) return null
  return section(
    'keys',
    'Keys',
    null,
    html`<div class="pair">
      ${
        busy.length === 0
          ? null
          : html`<figure>
              <figcaption>Busiest</figcaption>
              ${table(
                ['Key', 'Range', 'Load'],
                busy.map((key) => [nameOf(key), key.range, formatPercent(key.share)]),
                { label: 'Busiest keys' }
              )}
            </figure>`
      }
      ${
        large.length === 0
          ? null
          : html`<figure>
              <figcaption>Largest</figcaption>
              ${table(
                ['Key', 'Range', 'Data'],
                large.map((key) => [nameOf(key), key.range, gigabytesText(key.gb)]),
                { label: 'Largest keys' }
              )}
            </figure>`
      }
    </div>`
  )
}

function queriesSection({ queries }: XrayReport): Markup | null {
  if (queries.length === 0) return null
  return section(
    'queries',
    'Queries',
    'Physical partitions that an execution asks on average.',
    table(
      ['Query', 'Rate', 'Physical partitions'],
      queries.map(({ name, perSecond, ranges }) => [
        html`<code>${name}</code>`,
        formatRate(perSecond),
        formatCount(Number(ranges.toPrecision(2)))
      ]),
      { label: 'Queries' }
    )
  )
}

function nameOf(key: XrayedKey): Markup {
  return html`<code class="hash">${key.value ?? key.hash}</code>`
}

const STATES = { found: 'found', clear: 'ok', unseen: 'not seen' } as const
const STATE_CLASSES = { found: 'bad', clear: 'good', unseen: 'muted' } as const

function checksSection({ checks }: XrayReport): Markup {
  return section(
    'checks',
    'Checks',
    null,
    table(
      ['Check', 'Result', 'Number', 'Threshold', 'What is measured'],
      checks.map(({ title, state, value, unit, threshold, measures }) => [
        title,
        html`<span class="${STATE_CLASSES[state]}">${STATES[state]}</span>`,
        value === null ? '–' : amount(value, unit),
        amount(threshold, unit),
        measures
      ]),
      { left: [0, 1, 4], label: 'Checks' }
    )
  )
}

/**
 * Says for how many physical partitions the planner gave its answer: for those that the measured load needs, which can
 * be fewer than the container has.
 */
export function describePlanned({ plan, ranges }: XrayReport): string {
  if (plan === null) return ''
  const documents = `For ${formatMany(plan.sample.records, 'sampled document')}`
  const count = plan.partitions?.count ?? ranges.length
  return count === ranges.length
    ? `${documents}.`
    : `${documents}, and a new container with the ${formatMany(count, 'physical partition')} that the measured load needs. This container has ${formatCount(ranges.length)}.`
}

/** The planner's answer, with its candidates. */
function planSection(report: XrayReport): Markup | null {
  const { plan } = report
  if (plan === null) return null
  return html`${section(
    'planner',
    'Answer of the planner',
    describePlanned(report),
    html`<p class="big"><b>${plan.verdict.sentence}</b></p>`
  )}
  ${candidatesSection(plan)}`
}

function unseenSection({ unseen }: XrayReport): Markup | null {
  if (unseen.length === 0) return null
  return section(
    'unseen',
    'Not seen',
    null,
    html`<ul>
      ${unseen.map(
        ({ what, why, checks }) =>
          html`<li>
            ${what}:
            ${why}${checks.length === 0 ? null : html` <span class="muted">Not checked: ${checks.join(', ')}.</span>`}
          </li>`
      )}
    </ul>`
  )
}
