import type { KeyProfile } from '../sample/key-profile.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import { type Figure, type SampleBasis, unknown } from './interval.ts'

/** Whether the first and the second part of the sample differ by more than chance; null if they cannot be compared. */
export function halvesDiffer(sample: SampleProfile): boolean | null {
  void sample
  return null
}

/** The same for one key: its distribution over the hash space. */
export function keyHalvesDiffer(profile: KeyProfile): boolean | null {
  void profile
  return null
}

/** Share of the transactions whose records have different keys, by number of the candidate. */
export function tornTransactions(sample: SampleProfile, candidate: number, basis: SampleBasis): Figure<number> {
  void sample
  void candidate
  void basis
  return unknown('not implemented')
}
