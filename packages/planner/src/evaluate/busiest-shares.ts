import type { SampleBasis } from '../model/interval.ts'
import { loadByRange } from '../model/range-load.ts'
import { usableShare } from '../model/usable-share.ts'
import type { KeyProfile } from '../sample/key-profile.ts'

/** Numbers of ranges up to which the estimate is simulated for each of them. */
const SIMULATED = 64

/**
 * Creates a function that estimates the share of the load of the busiest of so many ranges. For many ranges it takes
 * the estimate of the nearest smaller simulated number and what the sample adds to it.
 */
export function busiestShares(
  profile: KeyProfile,
  basis: SampleBasis,
  random: () => () => number
): (ranges: number) => number {
  const known = new Map<number, number>()
  const simulated = (ranges: number): number => {
    const found = known.get(ranges)
    if (found !== undefined) return found
    const { value } = usableShare(profile, { ...basis, ranges, random: random() })
    const share = value === null ? largestIn(profile, ranges) : 1 / (ranges * value.mid)
    known.set(ranges, share)
    return share
  }
  return (ranges) => {
    if (ranges <= SIMULATED) return simulated(ranges)
    const below = 2 ** Math.floor(Math.log2(ranges))
    // the share of the busiest range never rises with more ranges, and never falls below an even share
    const ratio = largestIn(profile, ranges) / largestIn(profile, below)
    return Math.max(1 / ranges, simulated(below) * Math.min(1, ratio))
  }
}

function largestIn(profile: KeyProfile, ranges: number): number {
  return Math.max(...loadByRange(profile, ranges))
}
