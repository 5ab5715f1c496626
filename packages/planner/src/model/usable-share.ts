import type { KeyProfile } from '../sample/key-profile.ts'
import { type Figure, type Interval, type SampleBasis, unknown } from './interval.ts'

export interface UsableShareOptions extends SampleBasis {
  /** Physical partitions: equal ranges of the hash space. */
  readonly ranges: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
}

/** Share of the provisioned throughput that can be used: 1 / (ranges x largest share of one range). */
export function usableShare(profile: KeyProfile, options: UsableShareOptions): Figure<Interval> {
  void profile
  void options
  return unknown('not implemented')
}

/** Share of the records in each range, in the order of the hash space: what the sample has, without an estimate. */
export function loadByRange(profile: KeyProfile, ranges: number): number[] {
  void profile
  return Array.from({ length: ranges }, () => 1 / ranges)
}
