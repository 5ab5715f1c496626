import { isComplete, type SampleBasis } from '../model/interval.ts'
import { populationOf } from '../model/sample-quality.ts'
import { NO_CONCENTRATION, type TimeConcentration, timeConcentration } from '../model/time-concentration.ts'
import { busiestShare, sampledUsableShare } from '../model/usable-share.ts'
import type { KeyProfile } from '../sample/key-profile.ts'
import type { SampleProfile } from '../sample/profiler.ts'

/** The first pass simulates every number of ranges up to this one, and larger numbers in steps of 10 %. */
const ALL_UP_TO = 12
const STEP = 1.1
/** How many numbers of ranges the second pass simulates near the best number of the first pass. */
const SECOND_PASS = 16
/** How many numbers of ranges the second pass compares, to find those that it simulates. */
const COMPARED = 100

/**
 * Computes the share of the load that the busiest range has, for many numbers of ranges. The search for the cheapest
 * number of physical partitions needs these shares. If the sample has all documents, each share is counted. Otherwise a
 * share needs a simulation, so the search has two passes: the first tries some numbers; the second tries numbers near
 * the best of them, namely those for which the sample is spread most evenly.
 */
export class BusiestShares {
  readonly #sample: Pick<SampleProfile, 'keys' | 'reservoir'>
  readonly #basis: SampleBasis
  readonly #random: () => () => number
  // a search for another time to live needs the same numbers
  readonly #known = new Map<number, Map<number, number>>()
  readonly #concentrations = new Map<number, TimeConcentration>()

  /** `random` makes a seeded source; equal calls give equal numbers. */
  constructor(sample: Pick<SampleProfile, 'keys' | 'reservoir'>, basis: SampleBasis, random: () => () => number) {
    this.#sample = sample
    this.#basis = basis
    this.#random = random
  }

  /** Difference between the share of the busiest range at one time and over all records. `candidate`: its number. */
  concentration(candidate: number): TimeConcentration {
    let found = this.#concentrations.get(candidate)
    if (found === undefined) {
      found = timeConcentration(this.#sample.reservoir, candidate, this.#random)
      this.#concentrations.set(candidate, found)
    }
    return found
  }

  /** Whether shares are counted without a simulation. Keys that depend on the time always need one. */
  areCounted(candidate: number): boolean {
    const profile = this.#profileOf(candidate)
    const isWhole = isComplete(profile.records, populationOf(profile, this.#basis))
    return isWhole && this.concentration(candidate) === NO_CONCENTRATION
  }

  /**
   * Share of the busiest range by number of ranges. It is 1 for a number that the pass skips, so that this number is
   * never the cheapest. `fewest`: the number that storage needs. `near`: the best number of the first pass; it is given
   * in the second pass only.
   */
  of(candidate: number, fewest: number, near?: number): (ranges: number) => number {
    const isEach = this.areCounted(candidate)
    let around: ReadonlySet<number> | undefined
    const isNear = (ranges: number): boolean => {
      if (near === undefined || !isAround(ranges, fewest, near)) return false
      around ??= mostEven(this.#profileOf(candidate), fewest, near)
      return around.has(ranges)
    }
    return (ranges) => (isEach || isTried(ranges, fewest) || isNear(ranges) ? this.#shareOf(candidate, ranges) : 1)
  }

  /** Share of the busiest range for every number of ranges: for the few numbers that a present container can have. */
  each(candidate: number): (ranges: number) => number {
    return (ranges) => this.#shareOf(candidate, ranges)
  }

  #profileOf(candidate: number): KeyProfile {
    return this.#sample.keys[candidate] as KeyProfile
  }

  #shareOf(candidate: number, ranges: number): number {
    let shares = this.#known.get(candidate)
    if (shares === undefined) {
      shares = new Map()
      this.#known.set(candidate, shares)
    }
    let share = shares.get(ranges)
    if (share === undefined) {
      const profile = this.#profileOf(candidate)
      const ofAnyTime = busiestShare(profile, { ...this.#basis, ranges, random: this.#random() }).value ?? 1
      share = Math.min(1, ofAnyTime + this.concentration(candidate)(ranges))
      shares.set(ranges, share)
    }
    return share
  }
}

function isTried(ranges: number, fewest: number): boolean {
  if (ranges <= ALL_UP_TO || (ranges >= fewest && ranges <= fewest + 2)) return true
  // the smallest number of each step
  return Math.floor(Math.log(ranges) / Math.log(STEP)) !== Math.floor(Math.log(ranges - 1) / Math.log(STEP))
}

function isAround(ranges: number, fewest: number, near: number): boolean {
  return ranges >= firstAround(fewest, near) && ranges <= 2 * near
}

function firstAround(fewest: number, near: number): number {
  return Math.max(fewest, Math.ceil(near / STEP))
}

/** Numbers between one step below `near` and twice `near` for which the sample is spread most evenly, of at most 100 numbers. */
function mostEven(profile: KeyProfile, fewest: number, near: number): ReadonlySet<number> {
  const from = firstAround(fewest, near)
  const distance = Math.max(1, (2 * near - from) / COMPARED)
  const numbers = Array.from({ length: Math.max(0, Math.floor((2 * near - from) / distance) + 1) }, (_, index) => {
    const ranges = from + Math.round(index * distance)
    return { ranges, usable: sampledUsableShare(profile, ranges) ?? 0 }
  })
  const best = numbers.toSorted((one, other) => other.usable - one.usable).slice(0, SECOND_PASS)
  return new Set(best.map(({ ranges }) => ranges))
}
