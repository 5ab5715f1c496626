import type { KeyCount, KeyProfile } from '../sample/key-profile.ts'
import { distinctKeys } from './distinct-keys.ts'
import {
  boundsOfLargest,
  type Figure,
  type Interval,
  isComplete,
  known,
  type SampleBasis,
  unseenShare
} from './interval.ts'
import { judgeOrder, populationOf, widened } from './sample-quality.ts'
import { gammaCdf, solveRising } from './special-functions.ts'

/** Share of the records that the most frequent key has. */
export function largestKeyShare(profile: KeyProfile, basis: SampleBasis): Figure<Interval> {
  const order = judgeOrder(profile, basis)
  if (order.reason !== null) return order
  const { records, heavy } = profile
  const population = populationOf(profile, basis)
  const [{ records: count, error }] = heavy
  const { low, high } = shareOf(count, records, population, error)
  if (isComplete(records, population)) return known({ low, mid: high, high })
  const { high: mostKeys } = distinctKeys(profile, basis)
  const least = Math.max(low, mostKeys === null ? 0 : 1 / mostKeys)
  const mid = Math.max(2 * count - medianOfMaxima(heavy), typicalCount(profile)) / records
  return known(widened({ low: least, mid: clamp(mid, least, high), high }, order.value))
}

/**
 * Share of a key that was chosen because it is frequent. The lower bounds hold for all keys of a sample together; an
 * upper bound holds for each key on its own. `error`: what the count is too high at most.
 */
export function shareOf(count: number, records: number, population: number | null, error = 0): Interval {
  const share = count / records
  const certain = (count - error) / records
  if (isComplete(records, population)) return { low: certain, mid: share, high: share }
  const { low } = boundsOfLargest(count - error, records, records)
  const { high } = boundsOfLargest(count, records, records)
  const shrink = Math.sqrt(unseenShare(records, population))
  const seen = population === null ? 0 : records / population
  const least = Math.max(certain - (certain - low) * shrink, certain * seen)
  const most = Math.min(share + (high - share) * shrink, share * seen + 1 - seen)
  return { low: least, mid: clamp(share, least, most), high: most }
}

// How much the largest count is above the count of the largest share is found by letting all counts vary once more.
function medianOfMaxima(heavy: readonly KeyCount[]): number {
  const [{ records: largest }] = heavy
  const competing = heavy.filter(({ records }) => records >= largest / 4).slice(0, MAX_COMPETING)
  const below = (limit: number) => competing.reduce((product, { records }) => product * gammaCdf(limit, records), 1)
  return solveRising(below, 0.5, 0, 2 * largest + 20)
}

const MAX_COMPETING = 100

// the mean count of the key of a record
function typicalCount({ frequencies, records }: KeyProfile): number {
  return frequencies.reduce((sum, { records: count, keys }) => sum + keys * count * (count - 1), 0) / records
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
