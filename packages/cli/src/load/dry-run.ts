import type { Plan, StampedBytes } from '@keystamp/core'
import type { Account } from '@keystamp/cosmos'
import { bytesText, countOf, countText, durationText } from '../progress/units.ts'
import type { InputFile } from './describe-inputs.ts'
import { createEstimator, type Estimate } from './estimate.ts'
import { sizeOf } from './progress-meter.ts'
import type { Line } from './read-lines.ts'
import type { ShapeLine } from './shape-line.ts'
import { withoutMark } from './without-mark.ts'

/** What a dry run looks at. */
export interface DryRunOptions {
  readonly account: Pick<Account, 'definition' | 'ranges' | 'offer'>
  readonly plan: Plan
  readonly shape: ShapeLine
  readonly inputs: readonly InputFile[]
  readonly read: (input: string) => AsyncIterable<readonly Line[]>
  /** Whether the record lacks an ETag that its operation needs. */
  readonly lacksEtag: (stamped: StampedBytes) => boolean
  /** What the load does with records. */
  readonly deed: 'stored' | 'deleted'
  /** RU/s that may be spent, given what was bought. */
  readonly budgetOf: (offerRu: number | undefined) => number | undefined
}

const SAMPLE = 10_000

/** Says what a load would write where, and what that would cost, from a sample; writes nothing. */
export async function dryRun(options: DryRunOptions): Promise<string> {
  const { account, inputs, budgetOf, deed } = options
  const { partitionKey } = await account.definition()
  const estimator = createEstimator(partitionKey, await account.ranges())
  const { bytesRead: sampledBytes, isCut } = await sample(options, estimator)
  const estimate = estimator.result()
  const offer = await account.offer()
  const budget = budgetOf('unknown' in offer ? undefined : offer.ruPerSecond)
  const bytes = sizeOf(inputs)
  const total = isCut ? (bytes === undefined ? undefined : (estimate.records * bytes) / sampledBytes) : estimate.records
  return [...describeSample(estimate, isCut, deed), ...describeRanges(estimate, isCut), ...describeCost(estimate, { total, isCut, budget })]
    .map((line) => `${line}\n`)
    .join('')
}

async function sample(
  { plan, shape, inputs, read, lacksEtag }: DryRunOptions,
  estimator: ReturnType<typeof createEstimator>
): Promise<Sampled> {
  let bytesRead = 0
  let records = 0
  for (const { name } of inputs) {
    for await (const lines of read(name)) {
      for (const { bytes, line, textLine, piece, size, rejection } of lines) {
        if (records === SAMPLE) return { bytesRead, isCut: true }
        // nothing of it is kept, and nothing else is read before the next line
        piece.release()
        if (bytes === undefined) {
          estimator.reject('JSON_TOO_LARGE')
          continue
        }
        const record = withoutMark(bytes, line)
        if (rejection === undefined && record.toString().trim() === '') continue
        records += 1
        bytesRead += size ?? bytes.length + 1
        const shaped = rejection ?? shape(record, name, textLine === undefined ? line : textLine - 1)
        const stamped = 'ok' in shaped ? shaped : (shaped.stamped ?? plan.stampBytes(shaped.bytes!))
        if (!stamped.ok) estimator.reject(stamped.code)
        else if (lacksEtag(stamped)) estimator.reject('ETAG_MISSING')
        else estimator.add(stamped)
      }
    }
  }
  return { bytesRead, isCut: false }
}

interface Sampled {
  readonly bytesRead: number
  /** More records follow. */
  readonly isCut: boolean
}

function describeSample({ records, rejected, bytesPerRecord, keys }: Estimate, isCut: boolean, deed: string): string[] {
  const codes = Object.entries(rejected).map(([code, count]) => `  ${countText(count)} would be rejected: ${code}`)
  const all = records + Object.values(rejected).reduce((sum, count) => sum + count, 0)
  const what = isCut
    ? `In the first ${countText(SAMPLE)} lines, ${countOf(records, 'record')} would be ${deed}`
    : `Of ${countOf(all, 'record')}, ${countText(records)} would be ${deed}`
  const how = records === 0 ? '' : ` (${bytesText(bytesPerRecord)} on average) under ${countOf(keys, 'key')}`
  return [`Dry run, nothing written. ${what}${how}.`, ...codes]
}

function describeRanges({ ranges, usableShare, records, keys }: Estimate, isCut: boolean): string[] {
  if (records === 0) return []
  const most = ranges.slice(0, 5).map(({ id, share }) => `${id}: ${percentText(share)}`)
  return [
    `Of ${countOf(ranges.length, 'physical partition')} the busiest get ${most.join(', ')}; an equal part is ${percentText(1 / ranges.length)}.`,
    `With these keys the load can use ${percentText(usableShare)} of the provisioned throughput.`,
    ...(isCut ? [describeDoubt(ranges.length, keys)] : [])
  ]
}

function describeDoubt(ranges: number, keys: number): string {
  const sorted = `Only the first ${countText(SAMPLE)} lines were read. Where the file is sorted, by time for instance, they are no random sample.`
  if (ranges === 1) return sorted
  const even = 1 / (1 + largestOf(ranges) * Math.sqrt(ranges / keys))
  return `${sorted} Even keys would show about ${percentText(even)} in a sample of so many keys.`
}

/** The expected largest of so many draws from a normal distribution, in standard deviations; good to a tenth from four on. */
function largestOf(draws: number): number {
  const scale = Math.sqrt(2 * Math.log(draws))
  return scale + (2 * EULER - Math.log(Math.log(draws)) - Math.log(4 * Math.PI)) / (2 * scale)
}

const EULER = 0.5772

interface Whole {
  /** Records that would be written; undefined where that cannot be told. */
  readonly total: number | undefined
  /** The total is an estimate. */
  readonly isCut: boolean
  readonly budget: number | undefined
}

function describeCost({ records, ruPerRecord, usableShare }: Estimate, { total, isCut, budget }: Whole): string[] {
  if (records === 0) return []
  const each = `About ${ruPerRecord.toFixed(1)} RU a record where it is new, twice that where it is there already.`
  if (total === undefined) return [each]
  const ru = total * ruPerRecord
  const time =
    budget === undefined ? '' : `, at ${countText(Math.round(budget))} RU/s at least ${durationText(ru / (budget * usableShare))}`
  return [each, `For ${isCut ? 'all of about' : 'all of'} ${countOf(Math.round(total), 'record')}: ${countText(Math.round(ru))} RU${time}.`]
}

function percentText(share: number): string {
  const percent = share * 100
  return `${percent >= 9.95 ? Math.round(percent) : Number(percent.toPrecision(2))} %`
}
