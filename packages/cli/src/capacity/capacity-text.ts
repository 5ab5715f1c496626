import {
  formatBytes,
  formatCount,
  formatMany,
  formatPercent,
  formatPrice,
  formatRate,
  MAX_CONTAINER_RU
} from '@keystamp/planner'
import type { TextLayout } from '../terminal/text-layout.ts'
import type { NeedReport, RaiseReport } from './capacity.ts'
import type { CapacityReport } from './capacity-report.ts'

const LABEL_COLUMNS = 15
const SUPPORT_REQUEST = ' More than 1,000,000 RU/s need a support request to Microsoft.'

/** Returns the text of a report: first the verdict, then the figures, assumptions and sources. */
export function describeCapacity(report: CapacityReport, layout: TextLayout): string {
  const { verdict, raise, need, assumptions, basis } = report
  const blocks = [
    verdict.flatMap((sentence) => layout.paragraph(sentence).map(layout.bold)),
    ...(raise === null ? [] : [raiseTable(raise, layout), pathOf(raise, layout)]),
    ...(need === null ? [] : [needLines(need, layout)]),
    layout.labeled('Assumptions', LABEL_COLUMNS, assumptions.join(' ')),
    layout.labeled('Based on', LABEL_COLUMNS, basis.join(' ')).map(layout.dim)
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n')
}

function raiseTable({ before, direct, better, prices, currency }: RaiseReport, layout: TextLayout): readonly string[] {
  const hasPath = better !== direct && better.partitions !== direct.partitions
  const columns = hasPath ? [before, direct, better] : [before, direct]
  const amounts = hasPath ? [prices.before, prices.direct, prices.better] : [prices.before, prices.direct]
  return layout.table([
    ['', 'now', 'in one step', ...(hasPath ? ['in these steps'] : [])],
    ['provisioned RU/s', ...columns.map(({ ruPerSecond }) => ru(ruPerSecond))],
    ['physical partitions', ...columns.map(({ partitions }) => formatCount(partitions))],
    ['usable RU/s (even load)', ...columns.map(({ usableRuPerSecond }) => ru(usableRuPerSecond))],
    ['usable share', ...columns.map(({ usableShare }) => formatPercent(usableShare))],
    ['maximum RU/s of one key', ...columns.map(({ ruPerSecond, partitions }) => ru(ruPerSecond / partitions))],
    ['price per month', ...amounts.map((amount) => formatPrice(amount, currency))]
  ])
}

function pathOf(raise: RaiseReport, layout: TextLayout): readonly string[] {
  const { steps, priceOfSplits, path, leastRuPerSecond, currency, direct } = raise
  const peak = Math.max(...path.map(({ ruPerSecond }) => ruPerSecond))
  const splits =
    priceOfSplits === null ? '' : ` Six hours at ${ru(peak)} RU/s cost ${formatPrice(priceOfSplits, currency)}.`
  const why =
    direct.usableShare === 1
      ? []
      : [
          'Reason: Cosmos DB splits only as many physical partitions as the new throughput needs, and then gives all of them the same RU/s. A physical partition that was not split gets twice the load of a half, and limits the whole container.'
        ]
  return [
    ...why.flatMap((sentence) => layout.paragraph(sentence)),
    ...(why.length > 0 ? [''] : []),
    ...steps.flatMap((step, index) =>
      layout.labeled(index === 0 ? 'Steps' : '', LABEL_COLUMNS, `${index + 1}. ${step}`)
    ),
    ...layout.labeled(
      '',
      LABEL_COLUMNS,
      `After that, the minimum is ${ru(leastRuPerSecond)} RU/s. Lowering the throughput does not merge physical partitions.${splits}${peak > MAX_CONTAINER_RU ? SUPPORT_REQUEST : ''}`
    )
  ]
}

function needLines(need: NeedReport, layout: TextLayout): readonly string[] {
  const rows: (readonly [string, string])[] = [
    ['Data', dataText(need)],
    ['Partitions', partitionsText(need)],
    ['Next split', nextSplitText(need)],
    ['Load', loadText(need)],
    ['Throughput', throughputText(need)],
    ['Per month', pricesText(need)],
    ['Break-even', crossoversText(need)]
  ]
  return rows.filter(([, text]) => text !== '').flatMap(([label, text]) => layout.labeled(label, LABEL_COLUMNS, text))
}

function dataText({ storage }: NeedReport): string {
  const { gb, kind, growthBytesPerDay } = storage
  const growth = growthBytesPerDay === null ? '' : `${formatBytes(growthBytesPerDay)} a day`
  if (gb === null) return growth === '' ? 'unknown' : `unknown; ${growth} are added`
  if (kind === 'steady')
    return `${formatBytes(gb * 1e9)} in the steady state: ${growth} are written, and the same amount expires`
  return `${formatBytes(gb * 1e9)}${kind === 'growing' ? `; ${growth} are added` : ''}`
}

function partitionsText({ storage: { partitions, inAYear } }: NeedReport): string {
  if (partitions === null) return ''
  const { best, low, high, planned } = partitions
  const year =
    inAYear === null
      ? ''
      : `; in a year, ${formatBytes(inAYear.gb * 1e9)} and ${formatCount(inAYear.partitions)} planned`
  return `${formatCount(best)} if each is full (50 GB), ${low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`} in practice (45 to 30 GB), ${formatCount(planned)} planned (40 GB)${year}`
}

function nextSplitText({ storage: { nextSplit } }: NeedReport): string {
  if (nextSplit === null) return ''
  const earliest = Math.round(nextSplit.earliestDays)
  const latest = Math.round(nextSplit.latestDays)
  if (latest === 0) return 'now: the physical partitions are full'
  return earliest === 0 ? `within ${days(latest)}` : `in ${earliest} to ${days(latest)}`
}

function days(count: number): string {
  return formatMany(count, 'day')
}

function loadText({ load }: NeedReport): string {
  if (load === null) return 'unknown (--writes)'
  return `${ru(load.ruPerSecond)} RU/s: ${formatRate(load.writesPerSecond)} x ${formatCount(load.ruPerWrite)} RU per write`
}

function throughputText({ throughput, steps }: NeedReport): string {
  if (throughput === null) return ''
  const quota = throughput.isAboveQuota
    ? `${SUPPORT_REQUEST} As an alternative, create the container with less: its physical partitions split as the data grows.`
    : ''
  const rate = steps.length === 0 ? 'The container already has this throughput.' : steps.join(' ')
  const now = throughput.path.at(-1)?.partitions ?? throughput.partitions
  const path =
    now < throughput.partitions ? `${rate} Its physical partitions split automatically as the data grows.` : rate
  return `${path} After that, the minimum is ${ru(throughput.leastRuPerSecond)} RU/s.${quota}`
}

function pricesText({ prices, load }: NeedReport): string {
  const text = (name: string, amount: number | null): string =>
    amount === null ? '' : `${name} ${formatPrice(amount, prices.currency)}`
  const serverless = prices.unknown['serverless']
  return [
    text('manual', prices.manual),
    text('autoscale', prices.autoscale),
    text('serverless', prices.serverless),
    text('manual reserved for one year', prices.reservedOneYear),
    text('for three years', prices.reservedThreeYears),
    text('storage with index', prices.storage),
    serverless === undefined || load === null ? '' : `serverless is not possible: ${serverless}`
  ]
    .filter((each) => each !== '')
    .join('; ')
}

function crossoversText({ crossovers, load }: NeedReport): string {
  if (load === null) return ''
  const { manualOverAutoscale, manualOverServerless } = crossovers
  const autoscale =
    manualOverAutoscale === null
      ? ''
      : `Manual is cheaper than autoscale above a mean utilization of ${formatPercent(manualOverAutoscale)}. `
  const serverless =
    manualOverServerless === null
      ? ''
      : `Manual is cheaper than serverless above ${formatPercent(manualOverServerless)}.`
  return `${autoscale}${serverless}`.trim()
}

function ru(ruPerSecond: number): string {
  return formatCount(Math.round(ruPerSecond))
}
