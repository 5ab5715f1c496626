import type { SampleBasis } from '../model/interval.ts'
import { NO_CONCENTRATION, type TimeConcentration } from '../model/time-concentration.ts'
import { busiestShare } from '../model/usable-share.ts'
import type { KeyProfile } from '../sample/key-profile.ts'

/** Numbers of ranges up to which each one is considered; above it, steps of a tenth. */
const ALL_UP_TO = 12

/**
 * Creates a function that estimates the share of the load of the busiest of a number of ranges. The search for the cheapest
 * number of partitions asks for hundreds of numbers. Only some of them are simulated: small ones, steps of a tenth, and
 * those from `fewest` on, the number that storage needs. The others are never the cheapest: their share is 1.
 */
export function busiestShares(
  profile: KeyProfile,
  basis: SampleBasis,
  fewest: number,
  random: () => () => number,
  concentration: TimeConcentration = NO_CONCENTRATION
): (ranges: number) => number {
  const shares = new Map<number, number>()
  return (ranges) => {
    if (!isConsidered(ranges, fewest)) return 1
    const known = shares.get(ranges)
    if (known !== undefined) return known
    const ofAnyTime = busiestShare(profile, { ...basis, ranges, random: random() }).value ?? 1
    const share = Math.min(1, ofAnyTime + concentration(ranges))
    shares.set(ranges, share)
    return share
  }
}

function isConsidered(ranges: number, fewest: number): boolean {
  if (ranges <= ALL_UP_TO || (ranges >= fewest && ranges <= fewest + 2)) return true
  // exactly one number of each step of a tenth
  return Math.floor(Math.log(ranges) / Math.log(1.1)) !== Math.floor(Math.log(ranges - 1) / Math.log(1.1))
}
