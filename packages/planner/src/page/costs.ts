import type { CandidateReport, PlanReport, Price, QueryReport } from '../report/plan-report.ts'
import { formatCount, formatDuration } from '../workload/quantity-text.ts'
import { countText, gigabytesText, priceText, ruText } from './figures.ts'
import { html, type Markup, section, table } from './html.ts'

const KINDS = {
  point: 'a point read',
  key: 'one logical partition',
  ranges: 'some physical partitions',
  all: 'all physical partitions'
} as const

/** Queries under the key of the verdict, next to the key that it is compared with. */
export function queriesSection({ candidates, comparison }: PlanReport): Markup | null {
  const [best] = candidates
  if (best === undefined || best.queries.length === 0) return null
  const other = candidates.find(({ name }) => name === comparison?.candidate)
  const rows = best.queries.map((query, index) => [
    html`<code>${query.name}</code>`,
    kindText(query),
    ruText(query.ruPerSecond),
    ...(other === undefined ? [] : [kindText(other.queries[index]), ruText(other.queries[index].ruPerSecond)])
  ])
  const headings = ['Query', best.name, 'RU/s', ...(other === undefined ? [] : [other.name, 'RU/s'])]
  return section('queries', 'Queries', best.readers, table(headings, rows, { left: [0, 1, 3], label: 'Queries' }))
}

function kindText({ kind, ranges }: QueryReport): string {
  return kind === 'ranges' && ranges !== null
    ? `${KINDS.ranges} (${formatCount(Number(ranges.toPrecision(2)))})`
    : KINDS[kind]
}

const WAYS: readonly (readonly [keyof Price & ('manual' | 'autoscale' | 'serverless' | 'reserved'), string])[] = [
  ['manual', 'Manual throughput'],
  ['autoscale', 'Autoscale'],
  ['serverless', 'Serverless'],
  ['reserved', 'Manual, reserved for a year']
]

/** Prices of a month in each way of paying, and what other retention periods would cost. */
export function priceSection({ candidates: [best], retention, unknown }: PlanReport): Markup | null {
  if (best === undefined) return null
  return section(
    'price',
    'Price and retention',
    best.price === null
      ? `The price is unknown: ${best.unknown['price'] ?? ''}.`
      : `List prices in ${best.price.currency} of ${best.price.listDate}, for a month.`,
    html`${best.price === null ? null : priceTable(best.price, best.unknown)} ${indexTable(best)}
    ${retention.length > 0 ? retentionTable(retention, best.price?.currency ?? 'USD') : html`<p class="muted">Other retention periods are not shown: ${unknown['retention'] ?? ''}.</p>`}`
  )
}

function priceTable(price: Price, unknown: Readonly<Record<string, string>>): Markup {
  const { storage, currency } = price
  const rows = WAYS.map(([way, name]) => {
    const amount = price[way]
    if (amount === null)
      return [name, '–', '–', html`<span class="muted">${unknown[`price/${way}`] ?? 'not possible'}</span>`]
    return [
      name,
      priceText(amount, currency),
      priceText(storage, currency),
      html`<b>${priceText(amount + (storage ?? 0), currency)}</b>`
    ]
  })
  return table(['Way of paying', 'Throughput', 'Storage', 'Together'], rows, { label: 'Prices of a month' })
}

/** Containers of entries from which queries learn the key; their prices are part of the price of the verdict. */
function indexTable({ indexContainers, price }: CandidateReport): Markup | null {
  if (indexContainers.length === 0) return null
  return html`<h3>Index containers</h3>
    ${table(
      ['Key', 'Queries', 'RU/s', 'Partitions', 'Data', 'A month'],
      indexContainers.map(({ name, queries, neededRuPerSecond, physicalPartitions, gb, monthlyPrice }) => [
        html`<code>${name}</code>`,
        queries.join('; '),
        countText(neededRuPerSecond),
        countText(physicalPartitions),
        gigabytesText(gb),
        priceText(monthlyPrice, price?.currency ?? 'USD')
      ]),
      { left: [0, 1], label: 'Index containers' }
    )}`
}

function retentionTable(retention: PlanReport['retention'], currency: string): Markup {
  return html`<h3>If documents are kept longer or shorter</h3>
    ${table(
      ['Kept for', 'Data', 'Partitions', 'A month', 'Key'],
      retention.map(({ days, gb, partitions, monthlyPrice, candidate }) => [
        formatDuration(days * 86_400),
        gigabytesText(gb),
        countText(partitions),
        priceText(monthlyPrice, currency),
        candidate === null ? 'none is possible' : html`<code>${candidate}</code>`
      ]),
      { left: [0, 4], label: 'Retention' }
    )}`
}
