import type { CandidateReport, PlanReport } from '@keystamp/planner'
import { formatBytes, formatCount, formatMany, formatPercent, formatPrice } from '@keystamp/planner'
import type { TextLayout } from '../terminal/text-layout.ts'
import { describeMeasured } from './measure/measured-text.ts'

const LABEL_COLUMNS = 14
const MAX_ROWS = 12
const MAX_NAME = 34
/** Sizes of keys below 1 KB say nothing: such a key has less than a document. */
const MIN_SHOWN_GB = 1e-6

/** Returns the text of a report for a terminal, from the report alone: verdict, candidates, assumptions, sources. */
export function describeReport(report: PlanReport, layout: TextLayout): string {
  const blocks = [
    layout.paragraph(report.verdict.sentence).map(layout.bold),
    candidateTable(report, layout),
    [...whyLines(report, layout), ...keyLines(report, layout), ...queryLines(report, layout)],
    describeMeasured(report, layout),
    retentionTable(report, layout),
    recipeLines(report, layout),
    listOf('Warnings', warningsOf(report), layout),
    listOf(
      'Assumptions',
      report.assumptions.map(({ what, couldChange }) => `${what} This could change ${couldChange}.`),
      layout
    ),
    listOf('Based on', basisLines(report), layout).map(layout.dim)
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n')
}

const COLUMNS =
  'usable: share of the provisioned RU/s that the load can use, with its 95 % interval. queries: point reads, or queries to one key, to some physical partitions, or to all of them.'

function candidateTable({ candidates }: PlanReport, layout: TextLayout): readonly string[] {
  if (candidates.length === 0) return []
  const shown = candidates.slice(0, MAX_ROWS)
  const rows = shown.map((each) => [
    `${String(each.rank).padStart(2)}  ${each.name}`,
    shareText(each),
    each.neededRuPerSecond === null ? '-' : formatCount(each.neededRuPerSecond),
    each.physicalPartitions === null ? '-' : formatCount(each.physicalPartitions),
    each.monthlyPrice === null ? '-' : formatPrice(each.monthlyPrice, each.price?.currency ?? 'USD'),
    queriesText(each)
  ])
  const rest = candidates.length - shown.length
  return [
    ...layout.table([['    key', 'usable', 'RU/s', 'partitions', 'per month', 'queries'], ...rows], { indent: 4 }),
    ...(rest > 0 ? [`    and ${rest} more (--json prints all of them)`] : []),
    ...layout.paragraph(COLUMNS).map(layout.dim)
  ]
}

function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 3)}...`
}

function shareText({ usableShare }: CandidateReport): string {
  if (usableShare === null) return 'unknown'
  const [low, mid, high] = [usableShare.low, usableShare.mid, usableShare.high].map((share) => Math.round(share * 100))
  return low === high ? `${mid} %` : `${mid} % (${low}-${high})`
}

function queriesText({ queries }: CandidateReport): string {
  if (queries.length === 0) return '-'
  const counts = (['point', 'key', 'ranges', 'all'] as const).map(
    (kind) => [kind, queries.filter((query) => query.kind === kind).length] as const
  )
  return counts
    .flatMap(([kind, count]) => (count === 0 ? [] : `${count} ${kind === 'ranges' ? 'some' : kind}`))
    .join(', ')
}

function shareOfKey(share: number): string {
  return share < 0.00001 ? 'under 0.001 %' : formatPercent(share)
}

/** Returns a line for each of the next candidates: the reason why it is not the verdict. */
function whyLines({ candidates }: PlanReport, layout: TextLayout): readonly string[] {
  return candidates
    .filter(({ whyNot }) => whyNot !== null)
    .slice(0, 4)
    .flatMap(({ name, whyNot }, index) =>
      layout.labeled(index === 0 ? 'Why not' : '', LABEL_COLUMNS, `${name}: ${whyNot}`)
    )
}

function keyLines({ candidates: [best] }: PlanReport, layout: TextLayout): readonly string[] {
  if (best === undefined) return []
  const { distinctKeys, largestKey, worstMinute, effectiveKeys } = best
  const { low, mid, high } = distinctKeys
  const many =
    mid === null || high === null
      ? `at least ${formatCount(low)}`
      : low === high
        ? formatCount(low)
        : `${formatCount(low)} to ${formatCount(Math.round(high))}`
  const largest =
    largestKey === null
      ? ''
      : `; the largest has ${shareOfKey(largestKey.share.mid)} of the documents${largestKey.gb === null || largestKey.gb < MIN_SHOWN_GB ? '' : ` (${formatBytes(largestKey.gb * 1e9)})`}${largestKey.fullOn === null ? '' : `, and reaches 20 GB on ${largestKey.fullOn}`}`
  const minute =
    worstMinute === null
      ? []
      : layout.labeled(
          'Worst minute',
          LABEL_COLUMNS,
          `${worstMinute.at}: the load can use ${formatPercent(worstMinute.usableShare)} of the RU/s${worstMinute.neededRuPerSecond === null ? '' : `, and needs ${formatCount(worstMinute.neededRuPerSecond)} RU/s`}.`
        )
  const active = effectiveKeys?.minute ?? null
  return [
    ...layout.labeled(
      'Keys',
      LABEL_COLUMNS,
      `${many} distinct ${low === 1 && (high ?? 1) < 1.5 ? 'key' : 'keys'}${largest}.`
    ),
    ...(active === null
      ? []
      : layout.labeled(
          '',
          LABEL_COLUMNS,
          `In a typical minute, ${formatMany(Math.round(active.median), 'key')} ${Math.round(active.median) === 1 ? 'is' : 'are'} active; in 1 % of the minutes, at most ${formatCount(Math.round(active.p01))}.`
        )),
    ...minute
  ]
}

const KINDS = {
  point: 'a point read',
  key: 'one logical partition',
  ranges: 'some physical partitions',
  all: 'all physical partitions'
} as const

function queryLines({ candidates: [best] }: PlanReport, layout: TextLayout): readonly string[] {
  if (best === undefined) return []
  return best.queries.flatMap(({ name, kind, ranges, ruPerSecond }, index) => {
    const count = kind === 'ranges' && ranges !== null ? ` (${formatCount(Number(ranges.toPrecision(2)))})` : ''
    const cost = ruPerSecond === null ? '' : `, ${formatCount(Math.ceil(ruPerSecond))} RU/s`
    return layout.labeled(index === 0 ? 'Queries' : '', LABEL_COLUMNS, `${name}: ${KINDS[kind]}${count}${cost}`)
  })
}

function retentionTable({ retention }: PlanReport, layout: TextLayout): readonly string[] {
  if (retention.length === 0) return []
  const rows = retention.map(({ days, gb, partitions, monthlyPrice, candidate }) => [
    formatMany(days, 'day'),
    gb === null ? '-' : formatBytes(gb * 1e9),
    partitions === null ? '-' : formatCount(partitions),
    monthlyPrice === null ? '-' : formatPrice(monthlyPrice, 'USD'),
    candidate === null ? 'none is possible' : shortened(candidate)
  ])
  return layout.table([['time to live', 'data', 'partitions', 'per month', 'key'], ...rows])
}

function recipeLines({ recipe }: PlanReport, layout: TextLayout): readonly string[] {
  if (recipe === null) return []
  const steps = recipe.steps.flatMap((step, index) =>
    layout.labeled(index === 0 ? 'Next steps' : '', LABEL_COLUMNS, `${index + 1}. ${step}`)
  )
  const plan = recipe.plan === null ? [] : layout.labeled('Key plan', LABEL_COLUMNS, JSON.stringify(recipe.plan))
  return [...steps, ...plan]
}

function warningsOf({ candidates: [best], hygiene, sample }: PlanReport): readonly string[] {
  return [
    ...(sample.halvesDiffer === true
      ? ['The first and the second half of the sample differ: the sample is not a random sample of all data.']
      : []),
    ...(best?.warnings ?? []),
    ...hygiene.slice(0, 6).map(({ path, finding, records }) => `${path} ${finding} (${formatMany(records, 'record')}).`)
  ]
}

function basisLines({ sample, basis }: PlanReport): readonly string[] {
  const seen = basis['keys'] ?? formatMany(sample.records, 'record')
  return [
    `Keys: ${seen} (${formatBytes(sample.bytes)}, seed ${sample.seed}).`,
    `Throughput: ${basis['throughput']}. Prices: ${basis['price']}.`,
    'Charges, limits and prices are from the documentation of Cosmos DB. They were not measured on a live account.'
  ]
}

function listOf(label: string, lines: readonly string[], layout: TextLayout): readonly string[] {
  return lines.flatMap((line, index) => layout.labeled(index === 0 ? label : '', LABEL_COLUMNS, line))
}

/** JSON of a report, with each list of numbers on one line: a heat map has thousands of them. */
export function printJson(report: object): string {
  const text = JSON.stringify(report, null, 2)
  // a string cannot contain a line break, so only lists begin like this
  return `${text.replaceAll(/\[\n\s+(-?\d[-\d.e+]*(?:,\n\s+-?\d[-\d.e+]*)*)\n\s+\]/g, (_list, numbers: string) => `[${numbers.replaceAll(/\n\s+/g, ' ')}]`)}\n`
}
