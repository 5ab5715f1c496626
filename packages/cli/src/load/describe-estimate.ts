import { type LoadEstimate, SAMPLE_RECORDS } from '@keystamp/load'
import { bytesText, countOf, countText, durationText } from '../progress/units.ts'

/** Report of a dry run: what the load would store in which partition, and its cost. */
export function describeEstimate(estimate: LoadEstimate, outcome: 'stored' | 'deleted'): string {
  return [...describeSample(estimate, outcome), ...describeRanges(estimate), ...describeCost(estimate)].map((line) => `${line}\n`).join('')
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
  const most = ranges.slice(0, 5).map(({ id, share }) => `${id}: ${percentText(share)}`)
  return [
    `Of ${countOf(ranges.length, 'physical partition')} the busiest get ${most.join(', ')}; an equal part is ${percentText(1 / ranges.length)}.`,
    `With these keys the load can use ${percentText(usableShare)} of the provisioned throughput.`,
    ...(isCut ? [describeDoubt(ranges.length, keys)] : [])
  ]
}

function describeDoubt(ranges: number, keys: number): string {
  const sorted = `Only the first ${countText(SAMPLE_RECORDS)} lines were read. Where the file is sorted, by time for instance, they are no random sample.`
  if (ranges === 1) return sorted
  const even = 1 / (1 + largestOf(ranges) * Math.sqrt(ranges / keys))
  return `${sorted} Even keys would show about ${percentText(even)} in a sample with this number of keys.`
}

/** The expected largest of `draws` draws from a normal distribution, in standard deviations; good to a tenth from four on. */
function largestOf(draws: number): number {
  const scale = Math.sqrt(2 * Math.log(draws))
  return scale + (2 * EULER - Math.log(Math.log(draws)) - Math.log(4 * Math.PI)) / (2 * scale)
}

const EULER = 0.5772

function describeCost({ records, ruPerRecord, usableShare, recordsInAll, isCut, budgetRuPerSecond: budget }: LoadEstimate): string[] {
  if (records === 0) return []
  const each = `About ${ruPerRecord.toFixed(1)} RU a record where it is new, twice that where it is there already.`
  if (recordsInAll === undefined) return [each]
  const ru = recordsInAll * ruPerRecord
  const time =
    budget === undefined ? '' : `, at ${countText(Math.round(budget))} RU/s at least ${durationText(ru / (budget * usableShare))}`
  return [
    each,
    `For ${isCut ? 'all of about' : 'all of'} ${countOf(Math.round(recordsInAll), 'record')}: ${countText(Math.round(ru))} RU${time}.`
  ]
}

function percentText(share: number): string {
  const percent = share * 100
  return `${percent >= 9.95 ? Math.round(percent) : Number(percent.toPrecision(2))} %`
}
