import {
  type Check,
  describePlanned,
  formatBytes,
  formatCount,
  formatDuration,
  formatMany,
  formatPercent,
  formatRate,
  type XrayReport
} from '@keystamp/planner'
import type { TextLayout } from '../terminal/text-layout.ts'

const LABEL_COLUMNS = 14
const MAX_RANGES = 16
const MAX_KEYS = 5
const MAX_NAME = 50

/** Text of a report for a terminal, from the report alone: the verdict, the findings, then what they rest on. */
export function describeXray(report: XrayReport, layout: TextLayout): string {
  const blocks = [
    layout.paragraph(report.verdict.sentence).map(layout.bold),
    findingLines(report, layout),
    containerLines(report, layout),
    rangeTable(report, layout),
    keyLines(report, layout),
    queryLines(report, layout),
    checkTable(report, layout),
    planLines(report, layout),
    report.unseen.flatMap(({ what, why }, index) =>
      layout.labeled(index === 0 ? 'Not seen' : '', LABEL_COLUMNS, `${capital(what)}: ${why}`)
    ),
    layout.labeled('Looked', LABEL_COLUMNS, lookedText(report)).map(layout.dim)
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n')
}

function findingLines({ findings }: XrayReport, layout: TextLayout): readonly string[] {
  return findings.flatMap(({ title, key, value, unit, reason, remedy }, index) => [
    ...layout.labeled(
      index === 0 ? 'Findings' : '',
      LABEL_COLUMNS,
      `${index + 1}. ${capital(title)}: ${amount(value, unit)}${key === null ? '' : `, key ${key}`}. ${reason}`
    ),
    ...layout.labeled('', LABEL_COLUMNS, `   Remedy: ${remedy}`)
  ])
}

/** A number with its unit. */
function amount(value: number, unit: Check['unit']): string {
  if (unit === 'share') return formatPercent(value)
  return unit === 'GB' ? formatBytes(value * 1e9) : formatCount(value)
}

function containerLines({ container, load }: XrayReport, layout: TextLayout): readonly string[] {
  const { name, partitionKey, ruPerSecond, throughput, isShared, documents, gb, physicalPartitions } = container
  const rate =
    ruPerSecond === null
      ? 'unknown RU/s'
      : `${formatCount(ruPerSecond)} RU/s${throughput === 'autoscale' ? ' (autoscale)' : ''}${isShared ? ' of its database' : ''}`
  const size = [
    ...(documents === null ? [] : [formatMany(documents, 'document')]),
    ...(gb === null ? [] : [formatBytes(gb * 1e9)])
  ]
  const parts = [
    `partition key ${partitionKey.paths.join(', ')}`,
    formatMany(physicalPartitions, 'physical partition'),
    rate,
    ...size
  ]
  return [
    ...layout.labeled('Container', LABEL_COLUMNS, `${name}: ${parts.join(', ')}.`),
    ...(load === null ? [] : layout.labeled('Load', LABEL_COLUMNS, loadText(load)))
  ]
}

function loadText({ source, perSecond, usableShare, distinctKeys }: NonNullable<XrayReport['load']>): string {
  const rate =
    source === 'log'
      ? `${formatCount(Number(perSecond.toPrecision(3)))} RU/s of the log export`
      : `writes at ${formatRate(perSecond)}`
  return `${rate} on ${formatMany(distinctKeys, 'key')}; with this spread, ${formatPercent(usableShare)} of the RU/s can be used.`
}

function rangeTable({ ranges, load }: XrayReport, layout: TextLayout): readonly string[] {
  const shown = ranges
    .toSorted((a, b) => (b.loadShare ?? 0) / b.throughputFraction - (a.loadShare ?? 0) / a.throughputFraction)
    .slice(0, MAX_RANGES)
  const rows = shown.map((range) => [
    range.id,
    share(range.loadShare),
    share(range.throughputFraction),
    range.ruPerSecond === null ? '-' : formatCount(Math.round(range.ruPerSecond)),
    share(range.hashShare),
    range.gb === null ? '-' : formatBytes(range.gb * 1e9),
    range.documents === null ? '-' : formatCount(range.documents)
  ])
  const rest = ranges.length - shown.length
  const ofLoad = load?.source === 'log' ? 'RU' : 'writes'
  return [
    ...layout.table([['range', ofLoad, 'of the RU/s', 'RU/s', 'of the hash', 'data', 'documents'], ...rows]),
    ...(rest > 0 ? [`and ${rest} more, less busy (--json has them all)`] : [])
  ]
}

function share(value: number | null): string {
  return value === null ? '-' : formatPercent(value)
}

function keyLines({ load, ranges }: XrayReport, layout: TextLayout): readonly string[] {
  const busiest = (load?.keys ?? [])
    .slice(0, MAX_KEYS)
    .map((key) => `${key.value ?? key.hash} ${formatPercent(key.share)}`)
  const largest = ranges
    .flatMap(({ largestKeys }) => largestKeys)
    .toSorted((a, b) => b.gb - a.gb)
    .slice(0, MAX_KEYS)
    .map((key) => `${key.value ?? key.hash} ${formatBytes(key.gb * 1e9)}`)
  return [
    ...(busiest.length === 0 ? [] : layout.labeled('Busiest keys', LABEL_COLUMNS, `${busiest.join(', ')}.`)),
    ...(largest.length === 0 ? [] : layout.labeled('Largest keys', LABEL_COLUMNS, `${largest.join(', ')}.`))
  ]
}

function queryLines({ queries }: XrayReport, layout: TextLayout): readonly string[] {
  return queries.flatMap(({ name, perSecond, ranges }, index) =>
    layout.labeled(
      index === 0 ? 'Queries' : '',
      LABEL_COLUMNS,
      `${shortened(name)}: ${formatRate(perSecond)}, ${formatMany(Number(ranges.toPrecision(2)), 'physical partition')}`
    )
  )
}

function checkTable({ checks }: XrayReport, layout: TextLayout): readonly string[] {
  const STATES = { found: 'FOUND', clear: 'ok', unseen: 'not seen' } as const
  const rows = checks.map(({ title, state, value, unit, threshold }) => [
    title,
    STATES[state],
    value === null ? '-' : amount(value, unit),
    amount(threshold, unit)
  ])
  return layout.table([['check', 'result', 'number', 'threshold'], ...rows])
}

function planLines(report: XrayReport, layout: TextLayout): readonly string[] {
  const { plan } = report
  if (plan === null) return []
  return layout.labeled(
    'Planner',
    LABEL_COLUMNS,
    `${plan.verdict.sentence} (${describePlanned(report)} The page and --json have all keys.)`
  )
}

function lookedText({ looked, load }: XrayReport): string {
  const { at, readSeconds, requests, chargeRu, maxRuPerSecond } = looked
  const period = load?.source === 'log' ? '' : `, ${formatDuration(readSeconds)} of writes`
  return `${at.slice(0, 19).replace('T', ' ')} UTC${period}; ${formatMany(requests, 'request')}, ${formatCount(Math.ceil(chargeRu))} RU, at most ${formatCount(maxRuPerSecond)} RU/s; nothing was written.`
}

function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 3)}...`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
