import { type LoadEstimate, type LoadProgress, type LoadSummary, SAMPLE_RECORDS } from '@keystamp/load'
import { fitLine, type Piece, wholeLine } from '../progress/progress-view.ts'
import { ALL_REJECTED } from '../progress/stamp-text.ts'
import { bytesText, countOf, countText, durationText } from '../progress/units.ts'

/** Report of a dry run: the records that the load would store, their physical partitions, and the cost. */
export function describeEstimate(estimate: LoadEstimate, outcome: 'stored' | 'deleted'): string {
  return [...describeSample(estimate, outcome), ...describeRanges(estimate), ...describeCost(estimate)]
    .map((line) => `${line}\n`)
    .join('')
}

function describeSample({ records, rejected, bytesPerRecord, keys, isCut }: LoadEstimate, outcome: string): string[] {
  const codes = Object.entries(rejected).map(([code, count]) => `  ${countText(count)} would be rejected: ${code}`)
  const all = records + Object.values(rejected).reduce((sum, count) => sum + count, 0)
  const what = isCut
    ? `In the first ${countText(SAMPLE_RECORDS)} lines, ${countOf(records, 'record')} would be ${outcome}`
    : `Of ${countOf(all, 'record')}, ${countText(records)} would be ${outcome}`
  const how = records === 0 ? '' : ` (${bytesText(bytesPerRecord)} on average) under ${countOf(keys, 'key')}`
  return [`Dry run, nothing written. ${what}${how}.`, ...codes]
}

function describeRanges({ ranges, usableShare, records, keys, isCut }: LoadEstimate): string[] {
  if (records === 0) return []
  const busiest = ranges.slice(0, 5).map(({ id, share }) => `${id}: ${percentText(share)}`)
  return [
    ranges.length === 1
      ? 'The container has 1 physical partition.'
      : `Of ${countOf(ranges.length, 'physical partition')}, the busiest get these shares of the records: ${busiest.join(', ')}; an equal share is ${percentText(1 / ranges.length)}.`,
    `With these keys, the load can use ${percentText(usableShare)} of the provisioned throughput.`,
    ...(isCut ? [describeDoubt(ranges.length, keys)] : [])
  ]
}

function describeDoubt(ranges: number, keys: number): string {
  const sorted = `Only the first ${countText(SAMPLE_RECORDS)} lines were read. If the file is sorted, for example by time, they are not a random sample.`
  if (ranges === 1) return sorted
  const even = 1 / (1 + largestOf(ranges) * Math.sqrt(ranges / keys))
  return `${sorted} Perfectly even keys would reach about ${percentText(even)} in a sample with this number of keys.`
}

/**
 * The expected maximum of `draws` draws from a normal distribution, in standard deviations. The error is at most a
 * tenth for four draws or more.
 */
function largestOf(draws: number): number {
  const scale = Math.sqrt(2 * Math.log(draws))
  return scale + (2 * EULER - Math.log(Math.log(draws)) - Math.log(4 * Math.PI)) / (2 * scale)
}

const EULER = 0.5772

function describeCost({
  records,
  ruPerRecord,
  usableShare,
  recordsInAll,
  isCut,
  budgetRuPerSecond: budget
}: LoadEstimate): string[] {
  if (records === 0) return []
  const each = `About ${ruPerRecord.toFixed(1)} RU for each new document, and twice as much to replace a document.`
  if (recordsInAll === undefined) return [each]
  const ru = recordsInAll * ruPerRecord
  const time =
    budget === undefined
      ? ''
      : `, at ${countText(Math.round(budget))} RU/s at least ${durationText(ru / (budget * usableShare))}`
  return [
    each,
    `In all, ${isCut ? 'about ' : ''}${countOf(Math.round(recordsInAll), 'record')}: ${countText(Math.round(ru))} RU${time}.`
  ]
}

function percentText(share: number): string {
  const percent = share * 100
  return `${percent >= 9.95 ? Math.round(percent) : Number(percent.toPrecision(2))} %`
}

/** Summary of a load in one line, and the number of rejected records in one line for each code. */
export function describeLoad(summary: LoadSummary, isDelete: boolean): string {
  const {
    written,
    unchanged,
    rejected,
    rejectedByCode,
    firstSkipped,
    chargedRu,
    operations,
    throttledOperations,
    seconds
  } = summary
  const rate = seconds > 0 ? `, ${countOf(Math.round((written + unchanged) / seconds), 'record')}/s` : ''
  const throttled = operations === 0 ? 0 : (throttledOperations / operations) * 100
  const others = unchanged === 0 ? '' : `, ${countText(unchanged)} unchanged`
  const line = `${countOf(written, 'record')} ${isDelete ? 'deleted' : 'written'}${others}, ${countText(rejected)} rejected; ${countText(Math.round(chargedRu))} RU, ${throttled.toFixed(1)} % throttled, in ${seconds.toFixed(1)} s${rate}`
  const codes = Object.entries(rejectedByCode).map(([code, count]) => `  ${code}: ${countText(count)}`)
  const first = firstSkipped === undefined ? [] : [`  The first: ${firstSkipped}`]
  const warnings = rejected > 0 && written + unchanged === 0 ? [ALL_REJECTED] : []
  return [line, ...codes, ...first, ...warnings].map((each) => `${each}\n`).join('')
}

/** Progress as a line of text. */
export function lineOfLoad(progress: LoadProgress): string {
  return wholeLine(piecesOf(progress))
}

/** Progress as a bar and text, no wider than the terminal; the rates are left out first. */
export function barOfLoad(progress: LoadProgress, columns: number): string {
  return fitLine(piecesOf(progress), progress.share, columns)
}

function piecesOf(progress: LoadProgress): readonly Piece[] {
  const { records, rejected, recordsPerSecond, ruPerSecond, budgetRuPerSecond, share, secondsLeft } = progress
  return [
    ...(share === undefined ? [] : [[0, `${String(Math.floor(share * 100)).padStart(3)} %`] as const]),
    [1, countOf(records, 'record')],
    ...(rejected === 0 ? [] : [[3, `${countText(rejected)} rejected`] as const]),
    ...(secondsLeft === undefined ? [] : [[2, `${durationText(secondsLeft)} left`] as const]),
    ...[slowText(progress)].filter((text) => text !== undefined).map((text) => [5, text] as const),
    [6, `${countOf(Math.round(recordsPerSecond), 'record')}/s`],
    [
      7,
      `${countText(Math.round(ruPerSecond))} RU/s${budgetRuPerSecond === undefined ? '' : ` (${percentOf(ruPerSecond, budgetRuPerSecond)} % of the budget)`}`
    ]
  ]
}

function slowText({ throttled, slowest }: LoadProgress): string | undefined {
  if (throttled !== undefined) return throttledText(throttled)
  return slowest === undefined ? undefined : `slowed by partition ${slowest.range} (${percentOf(slowest.share, 1)} %)`
}

// the whole explanation is too long for a line that changes every second
function throttledText({ range, reason, heaviestKey }: NonNullable<LoadProgress['throttled']>): string {
  switch (reason) {
    case 'hot-key':
      return `partition ${range} throttled: one key takes ${percentOf(heaviestKey?.share ?? 1, 1)} % of it`
    case 'many-keys-in-one-range':
      return `partition ${range} throttled: many keys share it`
    case 'container-full':
      return `partition ${range} throttled: the container has too few RU/s`
    case 'other-clients':
      return `partition ${range} throttled: other clients use it`
  }
}

function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 100)
}
