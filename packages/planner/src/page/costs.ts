import type { CandidateReport, PlanReport, Price, QueryReport } from '../report/plan-report.ts'
import { formatCount, formatDuration } from '../workload/quantity-text.ts'
import { countText, gigabytesText, priceText } from './figures.ts'
import { html, type Markup, section, table } from './html.ts'

const KINDS = {
  point: 'a point read',
  key: 'one logical partition',
  ranges: 'some physical partitions',
  all: 'all physical partitions'
} as const

/** Queries under the first candidate and under the key that it is compared with. */
export function queriesSection({ candidates, comparison }: PlanReport): Markup | null {
  const [best] = candidates
  if (best === undefined || best.queries.length === 0) return null
  const other = candidates.find(({ name }) => name === comparison?.candidate)
  const rows = best.queries.map((query, index) => [
    html`<code>${query.name}</code>`,
    kindText(query),
    countText(query.ruPerSecond),
    ...(other === undefined ? [] : [kindText(other.queries[index]), countText(other.queries[index].ruPerSecond)])
  ])
  const headings = ['Query', best.name, 'RU/s', ...(other === undefined ? [] : [other.name, 'RU/s'])]
  return section('queries', 'Queries', best.readers, table(headings, rows, { left: [0, 1, 3], label: 'Queries' }))
}

function kindText({ kind, ranges }: QueryReport): string {
  return kind === 'ranges' && ranges !== null
    ? `${KINDS.ranges} (${formatCount(Number(ranges.toPrecision(2)))})`
    : KINDS[kind]
}

const PRICING_MODELS: readonly (readonly [
  keyof Price & ('manual' | 'autoscale' | 'serverless' | 'reserved'),
  string
])[] = [
  ['manual', 'Manual throughput'],
  ['autoscale', 'Autoscale'],
  ['serverless', 'Serverless'],
  ['reserved', 'Manual, reserved for a year']
]

/** Prices per month under each pricing model, and prices for other times to live. */
export function priceSection({ candidates: [best], retention, unknown }: PlanReport): Markup | null {
  if (best === undefined) return null
  return section(
    'price',
    'Price',
    best.price === null
      ? `The price is unknown: ${best.unknown['price'] ?? ''}.`
      : `Prices per month, from the list prices in ${best.price.currency} of ${best.price.listDate}.`,
    html`${best.price === null ? null : priceTable(best.price, best.unknown)} ${indexTable(best)}
    ${retention.length > 0 ? retentionTable(retention, best.price?.currency ?? 'USD') : html`<p class="muted">Prices for other times to live are not shown: ${unknown['retention'] ?? ''}.</p>`}`
  )
}

function priceTable(price: Price, unknown: Readonly<Record<string, string>>): Markup {
  const { storage, currency } = price
  const rows = PRICING_MODELS.map(([way, name]) => {
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
  return table(['Pricing model', 'Throughput', 'Storage', 'Total'], rows, { label: 'Prices per month' })
}

/** Index containers of the first candidate. Its price includes their prices. */
function indexTable({ indexContainers, price }: CandidateReport): Markup | null {
  if (indexContainers.length === 0) return null
  return html`<h3>Index containers</h3>
    ${table(
      ['Partition key', 'Queries', 'RU/s', 'Partitions', 'Data', 'Per month'],
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
  return html`<h3>Other times to live</h3>
    ${table(
      ['Time to live', 'Data', 'Partitions', 'Per month', 'Key'],
      retention.map(({ days, gb, partitions, monthlyPrice, candidate }) => [
        formatDuration(days * 86_400),
        gigabytesText(gb),
        countText(partitions),
        priceText(monthlyPrice, currency),
        candidate === null ? 'no key is possible' : html`<code>${candidate}</code>`
      ]),
      { left: [0, 4], label: 'Other times to live' }
    )}`
}
