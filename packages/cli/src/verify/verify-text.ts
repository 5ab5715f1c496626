import { formatCount, formatDuration } from '@keystamp/planner'
import type { TextLayout } from '../terminal/text-layout.ts'
import type { ReportedDifference, ReportedPlace, VerifyReport } from './verify-report.ts'

const LABEL_COLUMNS = 12
const MAX_SHOWN = 20
const MAX_PLACE = 80
const KINDS = ['missing', 'extra', 'different', 'misplaced'] as const
type Kind = (typeof KINDS)[number]

const MEANINGS: Readonly<Record<Kind | 'unsettled', string>> = {
  missing: 'in a, but not in b',
  extra: 'in b, but not in a, or there twice',
  different: 'other content in b',
  misplaced: 'in b under another key or id than planned',
  unsettled: 'could not be compared'
}

/** Text of a report for a terminal: the verdict, the numbers, and the first differences, or all of them. */
export function describeVerify(report: VerifyReport, layout: TextLayout, showsAll: boolean): string {
  const blocks = [
    layout.paragraph(verdictOf(report)).map(layout.bold),
    [
      ...layout.labeled('a', LABEL_COLUMNS, containerText(report.a, report.compared.a)),
      ...layout.labeled('b', LABEL_COLUMNS, containerText(report.b, report.compared.b))
    ],
    countTable(report, layout),
    differenceLines(report, layout, showsAll ? Number.POSITIVE_INFINITY : MAX_SHOWN),
    layout.labeled('Compared', LABEL_COLUMNS, timeText(report)).map(layout.dim)
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n')
}

/** Number of differences in a report. */
function differencesIn(report: VerifyReport): number {
  return KINDS.reduce((sum, kind) => sum + report[kind].length, 0)
}

function verdictOf(report: VerifyReport): string {
  const count = differencesIn(report)
  const { length: unsettled } = report.unsettled
  const doubt = unsettled === 0 ? '' : ` ${documents(unsettled)} could not be compared.`
  if (report.equal) return `Equal at ${utc(report.at)}.`
  if (count === 0) return `Not settled: no difference was found, but${doubt.toLowerCase()}`
  const early = report.complete ? '' : ' The comparison ended early, since it had found 10,000 documents.'
  return `Different: ${formatCount(count)} ${count === 1 ? 'difference' : 'differences'}.${doubt}${early}`
}

function containerText(name: string, count: number): string {
  return `${name}, ${documents(count)} read`
}

function documents(count: number): string {
  return count === 1 ? '1 document' : `${formatCount(count)} documents`
}

function countTable(report: VerifyReport, layout: TextLayout): readonly string[] {
  if (report.equal) return []
  const rows = [...KINDS, 'unsettled' as const].map((kind) => [
    `${kind}: ${MEANINGS[kind]}`,
    formatCount(report[kind].length)
  ])
  return layout.table([['finding', 'documents'], ...rows])
}

function differenceLines(report: VerifyReport, layout: TextLayout, limit: number): readonly string[] {
  const lines = [
    ...KINDS.flatMap((kind) => report[kind].map((difference) => () => differenceText(kind, difference, layout))),
    ...report.unsettled.map(({ document, reason }) => () => {
      const why = reason === 'changing' ? 'it changes all the time' : 'several documents of a have these fields: --by'
      return layout.labeled('unsettled', LABEL_COLUMNS, `${placeText(document)}: ${why}`)
    })
  ]
  const rest = lines.length - limit
  return [
    ...lines.slice(0, limit).flatMap((line) => line()),
    ...(rest > 0 ? [`and ${formatCount(rest)} more (--json has them all)`] : [])
  ]
}

function differenceText(
  kind: Kind,
  { document, copy, planned, code }: ReportedDifference,
  layout: TextLayout
): readonly string[] {
  const places = [
    ...(copy === null || isSame(copy, document) ? [] : [`copy ${placeText(copy)}`]),
    ...(kind === 'misplaced' && planned !== null ? [`planned ${placeText(planned)}`] : []),
    ...(code === null ? [] : [`the plan rejects it: ${code}`])
  ]
  return layout.labeled(kind, LABEL_COLUMNS, [placeText(document), ...places].join(', '))
}

function isSame(one: ReportedPlace, other: ReportedPlace): boolean {
  return one.hash === other.hash
}

function placeText({ hash, key, id }: ReportedPlace): string {
  if (key === undefined) return hash
  const text = JSON.stringify(id === undefined || id === '' ? key : [...key, id])
  return text.length <= MAX_PLACE ? text : `${text.slice(0, MAX_PLACE - 3)}...`
}

function timeText({ began, at, ruSpent }: VerifyReport): string {
  const seconds = (Date.parse(at) - Date.parse(began)) / 1000
  return `from ${utc(began)} to ${utc(at)}, in ${formatDuration(Math.max(1, Math.round(seconds)))}; ${formatCount(Math.ceil(ruSpent))} RU in both containers.`
}

function utc(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`
}
