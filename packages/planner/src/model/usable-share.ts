import type { KeyProfile } from '../sample/key-profile.ts'
import {
  boundsOfLargest,
  type Figure,
  type Interval,
  isComplete,
  known,
  type SampleBasis,
  TAIL_99
} from './interval.ts'
import { fitLoadModel, type MaximaOfModel, type SampledLoad, simulateMaxima } from './load-model.ts'
import { countByRange, maximum, mostInOneRange } from './range-load.ts'
import { judgeOrder, populationOf, widened } from './sample-quality.ts'

export interface UsableShareOptions extends SampleBasis {
  /** Physical partitions: equal ranges of the hash space. */
  readonly ranges: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
}

/** Share of the provisioned throughput that can be used: 1 / (ranges x largest share of one range). */
export function usableShare(profile: KeyProfile, options: UsableShareOptions): Figure<Interval> {
  const { ranges } = options
  const { records } = profile
  const order = judgeOrder(profile, options)
  if (order.reason !== null) return order
  const { counts, error } = countByRange(profile, ranges)
  const top = maximum(counts)
  const population = populationOf(profile, options)
  if (isComplete(records, population)) {
    const even = records / ranges
    return known({
      low: usableOf((top + error) / records, ranges),
      mid: usableOf(top / records, ranges),
      high: usableOf(Math.max(even, top - error) / records, ranges)
    })
  }
  const load = largestLoad({ counts: profile.placed, byRange: counts, records, population }, options.random)
  const { low, mid, high } = widened(load, order.value)
  return known({ low: usableOf(high, ranges), mid: usableOf(mid, ranges), high: usableOf(low, ranges) })
}

/**
 * Estimates the share of the load on the busiest range, without an interval. It needs few simulation rounds, because a
 * search calls it for many numbers of ranges.
 */
export function busiestShare(profile: KeyProfile, options: UsableShareOptions): Figure<number> {
  const { records } = profile
  const order = judgeOrder(profile, options)
  if (order.reason !== null) return order
  const { counts } = countByRange(profile, options.ranges)
  const population = populationOf(profile, options)
  if (isComplete(records, population)) return known(maximum(counts) / records)
  const rounds = Math.min(MAX_ROUGH_ROUNDS, Math.max(MIN_ROUGH_ROUNDS, Math.round(ROUGH_DRAWS / options.ranges)))
  const model = fitLoadModel({ counts: profile.placed, byRange: counts, records, population })
  return known(middleOf(simulateMaxima(model, rounds, options.random), 1 / options.ranges))
}

/**
 * Usable share for the records of the sample alone. It is also known for an ordered sample, which allows no conclusion
 * about other records.
 */
export function sampledUsableShare(profile: KeyProfile, ranges: number): number | null {
  const top = mostInOneRange(profile, ranges)
  return top === 0 ? null : usableOf(top / profile.records, ranges)
}

function usableOf(load: number, ranges: number): number {
  return Math.min(1, 1 / (ranges * load))
}

/**
 * Load of the busiest range, as a share of the total. The largest of several estimates is too large on average: the
 * estimate that chance increased most is likely to be the largest. The simulation adds the noise of the sample a second
 * time. The increase is an estimate of this bias.
 */
export function largestLoad(sampled: SampledLoad, random: () => number): Interval {
  const { records, byRange } = sampled
  const ranges = byRange.length
  const rounds = Math.max(MIN_ROUNDS, Math.min(MAX_ROUNDS, Math.round(MAX_DRAWS / ranges)))
  const maxima = simulateMaxima(fitLoadModel(sampled), rounds, random)
  const middle = quantile(maxima.plain, 0.5)
  const upper = quantile(maxima.noisy, 1 - TAIL_99)
  // holds for any distribution, also where the model does not
  const certain = boundsOfLargest(Math.round(maximum(byRange)), records, ranges)
  const low = Math.max(Math.min(2 * middle - upper, quantile(maxima.noisy, TAIL_99)), certain.low, 1 / ranges)
  const high = Math.max(low, Math.min(upper, certain.high))
  return { low, mid: Math.min(high, middleOf(maxima, low)), high }
}

// Subtracts the bias: it assumes that the noise of heavy keys has increased the largest load by as much as a second draw
// of that noise increases it.
function middleOf({ plain, noisy }: MaximaOfModel, low: number): number {
  return Math.max(low, 2 * quantile(plain, 0.5) - quantile(noisy, 0.5))
}

const MIN_ROUNDS = 200
const MAX_ROUNDS = 1000
const MAX_DRAWS = 20_000
const MIN_ROUGH_ROUNDS = 21
const MAX_ROUGH_ROUNDS = 101
const ROUGH_DRAWS = 5000

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
