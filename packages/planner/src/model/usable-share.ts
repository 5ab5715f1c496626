import type { KeyProfile } from '../sample/key-profile.ts'
import { boundsOfLargest, type Figure, type Interval, isComplete, known, type SampleBasis } from './interval.ts'
import { fitLoadModel, type SampledLoad, simulateMaxima } from './load-model.ts'
import { countByRange } from './range-load.ts'
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
  const top = counts.reduce((largest, count) => Math.max(largest, count), 0)
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

/** What was read as a sample, taken as it is: what an ordered sample can tell when `usableShare` cannot. */
export function sampledUsableShare(profile: KeyProfile, ranges: number): number | null {
  const { counts } = countByRange(profile, ranges)
  const top = counts.reduce((largest, count) => Math.max(largest, count), 0)
  return top === 0 ? null : usableOf(top / profile.records, ranges)
}

function usableOf(load: number, ranges: number): number {
  return Math.min(1, 1 / (ranges * load))
}

/**
 * Load of the range with the most of it, as a share. The largest of several estimates is too large in the mean, since
 * chance has its part in which one is the largest. Drawing the noise of the sample once more shows by how much.
 */
export function largestLoad(sampled: SampledLoad, random: () => number): Interval {
  const { records, byRange } = sampled
  const ranges = byRange.length
  const rounds = Math.max(MIN_ROUNDS, Math.min(MAX_ROUNDS, Math.round(MAX_DRAWS / ranges)))
  const { plain, noisy } = simulateMaxima(fitLoadModel(sampled), rounds, random)
  const middle = quantile(plain, 0.5)
  const upper = quantile(noisy, 1 - TAIL)
  // holds for any distribution, also where the model does not
  const certain = boundsOfLargest(Math.round(maximum(byRange)), records, ranges)
  const low = Math.max(Math.min(2 * middle - upper, quantile(noisy, TAIL)), certain.low, 1 / ranges)
  const high = Math.max(low, Math.min(upper, certain.high))
  const mid = 2 * middle - quantile(noisy, 0.5)
  return { low, mid: Math.min(high, Math.max(low, mid)), high }
}

const TAIL = 0.005
const MIN_ROUNDS = 200
const MAX_ROUNDS = 1000
const MAX_DRAWS = 20_000

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function maximum(values: Float64Array | readonly number[]): number {
  let largest = 0
  for (let index = 0; index < values.length; index++) largest = Math.max(largest, values[index])
  return largest
}
