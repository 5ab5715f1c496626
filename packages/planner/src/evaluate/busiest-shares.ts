import type { SampleBasis } from '../model/interval.ts'
import { loadByRange } from '../model/range-load.ts'
import { usableShare } from '../model/usable-share.ts'
import type { KeyProfile } from '../sample/key-profile.ts'

/** Number of ranges up to which the estimate is simulated. */
const MAX_SIMULATED = 64

/**
 * Creates a function that estimates the share of the load of the busiest of so many ranges. It simulates powers of two
 * only, and takes for other numbers the difference that the sample shows: the search for the cheapest number of
 * partitions asks for hundreds of them.
 */
export function busiestShares(
  profile: KeyProfile,
  basis: SampleBasis,
  random: () => () => number
): (ranges: number) => number {
  const corrections = new Map<number, number>()
  return (ranges) => {
    const simulated = Math.min(MAX_SIMULATED, 2 ** Math.floor(Math.log2(ranges)))
    const correction = corrections.get(simulated) ?? correctionOf(profile, basis, simulated, random())
    corrections.set(simulated, correction)
    return Math.min(1, Math.max(1 / ranges, largestIn(profile, ranges) * correction))
  }
}

/** Estimate of the largest share, divided by the largest share of the sample, which is too large by chance. */
function correctionOf(profile: KeyProfile, basis: SampleBasis, ranges: number, random: () => number): number {
  const { value } = usableShare(profile, { ...basis, ranges, random })
  return value === null ? 1 : 1 / (ranges * value.mid * largestIn(profile, ranges))
}

function largestIn(profile: KeyProfile, ranges: number): number {
  return Math.max(...loadByRange(profile, ranges))
}
