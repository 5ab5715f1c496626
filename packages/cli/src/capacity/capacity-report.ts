import {
  formatBytes,
  formatCount,
  formatMany,
  formatPercent,
  formatPrice,
  LIST_PRICES,
  type NeededThroughput,
  type PricedAccount,
  type ThroughputMode
} from '@keystamp/planner'
import { computeNeed, computeRaise, type NeedReport, type RaiseReport } from './capacity.ts'
import type { CapacityQuestion } from './capacity-options.ts'

/** Answer of `keystamp capacity`, printed as is with `--json`. */
export interface CapacityReport {
  readonly schemaVersion: 1
  /** Plain sentences. */
  readonly verdict: readonly string[]
  readonly mode: ThroughputMode
  readonly raise: RaiseReport | null
  readonly need: NeedReport | null
  readonly assumptions: readonly string[]
  /** Sources of the numbers. */
  readonly basis: readonly string[]
}

/** Computes the answer to a question. */
export function computeCapacity(question: CapacityQuestion): CapacityReport {
  const { mode, container, assumptions, account } = question
  const raise = computeRaise(question)
  const need = computeNeed(question)
  return {
    schemaVersion: 1,
    verdict: [
      ...(raise === null ? [] : describeRaise(raise, mode)),
      ...(need === null ? [] : describeNeed(need, question))
    ],
    mode,
    raise,
    need,
    assumptions: [
      ...assumptions,
      'The load is spread evenly over the hash space: with an uneven key, the load can use less of the throughput.',
      ...(container === undefined
        ? []
        : ['All physical partitions of the container have equally large parts of the hash space.'])
    ],
    basis: basisOf(account)
  }
}

function basisOf({ regions, multiRegionWrites }: PricedAccount): readonly string[] {
  const { currency, region, listDate } = LIST_PRICES
  const where = `${formatMany(regions, 'region')}${multiRegionWrites ? ' with writes in each' : ''}`
  return [
    "Limits, splits and charges: Microsoft's pages on scaling provisioned throughput, service quotas and request units, as of May 2026.",
    `Prices: list prices in ${currency}, ${region}, read on ${listDate}, for ${where}.`,
    'Nothing was measured on a live account.'
  ]
}

/** Describes the effect of a raise in sentences. */
function describeRaise(raise: RaiseReport, mode: ThroughputMode): readonly string[] {
  const { before, direct, better, path, prices } = raise
  const change = direct.ruPerSecond > before.ruPerSecond ? 'Raising' : 'Lowering'
  const rates = `${change} ${mode === 'manual' ? 'the throughput' : 'the autoscale maximum'} from ${ru(before.ruPerSecond)} to ${ru(direct.ruPerSecond)} RU/s`
  const cost = `${formatPercent(Math.abs(prices.direct / prices.before - 1))} ${prices.direct > prices.before ? 'more' : 'less'}`
  if (direct.usableShare === 1)
    return [`${rates} costs ${cost}, and an even load can use all of it: ${whenDone(raise)}.`]
  return [
    `${rates} costs ${cost} and ${gainOf(raise)}.`,
    `Better: raise it to ${ru(path[0].ruPerSecond)} RU/s first, wait for the splits, and then lower it to ${ru(better.ruPerSecond)} RU/s: an even load can then use all of it.`
  ]
}

function gainOf({ before, direct }: RaiseReport): string {
  const usable = `an even load can use ${ru(direct.usableRuPerSecond)} RU/s (${formatPercent(direct.usableShare)})`
  const gain = Math.round(direct.usableRuPerSecond - before.usableRuPerSecond)
  if (gain === 0) return `adds no usable throughput: ${usable}, as before`
  if (gain < 0) return `reduces the usable throughput: ${usable} instead of ${ru(before.usableRuPerSecond)} RU/s`
  return `makes only a part of it usable: ${usable}`
}

function whenDone({ before, direct }: RaiseReport): string {
  if (direct.partitions === before.partitions)
    return `the change takes effect immediately, and the container keeps its ${partitionsText(direct.partitions)}`
  return `every physical partition splits, and the container then has ${partitionsText(direct.partitions)}`
}

/** Describes the need of data and load in sentences. */
function describeNeed(need: NeedReport, { mode }: CapacityQuestion): readonly string[] {
  const { load, throughput, reason, prices, storage } = need
  const unknown = storage.gb === null ? [unknownStorage(storage.growthBytesPerDay ?? 0)] : []
  if (load === null) return storage.gb === null ? unknown : [describeStorage(need, storage.gb)]
  if (throughput === null) return [`No throughput is possible: ${reason}.`]
  const rate = `${mode === 'manual' ? '' : 'an autoscale maximum of '}${ru(throughput.ruPerSecond)} RU/s`
  const price = `${formatPrice(throughput.monthlyPrice, prices.currency)} a month${prices.storage === null ? '' : `, and ${formatPrice(prices.storage, prices.currency)} for storage`}`
  const what =
    throughput.partitions === 1
      ? `One physical partition and ${rate} are enough`
      : `The container needs ${partitionsText(throughput.partitions)} and ${rate}`
  const answer = `${what}${storage.inAYear === null ? '' : ' today'}: ${price}.`
  return [[answer, ...reasonsOf(need, throughput)].join(' '), ...unknown]
}

function reasonsOf({ storage }: NeedReport, { partitions, decidedBy }: NeededThroughput): readonly string[] {
  const { inAYear, kind } = storage
  const isMore = inAYear !== null && inAYear.partitions > partitions
  const later = isMore ? [`In a year, the data will need ${partitionsText(inAYear.partitions)}.`] : []
  if (decidedBy !== 'one') return [DECIDED_BY[decidedBy], ...later]
  return kind === 'growing' ? later : ['With one physical partition, the key does not matter for the load.']
}

function describeStorage({ storage: { partitions }, leastRuPerSecond }: NeedReport, gb: number): string {
  const { planned, low, high } = partitions!
  const practice = low === high ? '' : ` (${formatCount(low)} to ${formatCount(high)} in practice)`
  return `${formatBytes(gb * 1e9)} need ${partitionsText(planned)}${practice}, and at least ${ru(leastRuPerSecond!)} RU/s. The load may need more: give it with --writes.`
}

const DECIDED_BY = {
  storage: 'The amount of data determines the number of physical partitions.',
  throughput: 'The load determines the number of physical partitions.',
  present: 'The container already has these physical partitions, and cannot get fewer.'
} as const

function unknownStorage(growthBytesPerDay: number): string {
  return `The amount of data is unknown, and counts as 0 GB. It grows by ${formatBytes(growthBytesPerDay)} a day without limit. Give its size with --gb, or a time to live with --ttl.`
}

function ru(ruPerSecond: number): string {
  return formatCount(Math.round(ruPerSecond))
}

function partitionsText(count: number): string {
  return formatMany(count, 'physical partition')
}
