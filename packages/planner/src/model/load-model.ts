import type { KeyCounts } from '../sample/key-profile.ts'
import { createDraws, drawNormals, gammaOf } from './draws.ts'
import { unseenShare } from './interval.ts'
import { rangeOf } from './range-load.ts'

export interface SampledLoad {
  readonly counts: Pick<KeyCounts, 'heavy' | 'frequencies' | 'distinct'>
  readonly byRange: Float64Array
  readonly records: number
  readonly population: number | null
}

/** Model of the load of each range, fitted to a sample. */
export interface LoadModel {
  readonly records: number
  readonly population: number | null
  /** Records in the sample by range: of heavy keys, and of the rest. */
  readonly heavyByRange: Float64Array
  readonly restByRange: Float64Array
  /** Pairs of records in the rest with the same key, and how much more they vary than independent ones. */
  readonly pairs: number
  readonly dispersion: number
}

/**
 * Splits the sample into heavy keys, whose positions and counts are known, and a rest that the hash spreads evenly. A
 * key is heavy if it decides about the load of a range. How much the rest differs between ranges follows from the
 * number of its keys, which is estimated from pairs of records with the same key.
 */
export function fitLoadModel({ counts, byRange, records, population }: SampledLoad): LoadModel {
  const ranges = byRange.length
  const { heavy, frequencies } = counts
  const last = heavy[heavy.length - 1]
  const isCut = last !== undefined && heavy.length < counts.distinct
  const least = Math.max(MIN_HEAVY, records / (HEAVY_PARTS * ranges), isCut ? last.records + 1 : 0)
  const heavyByRange = new Float64Array(ranges)
  for (const { position, records: upper, error } of heavy) {
    if (upper - error >= least) heavyByRange[rangeOf(position, ranges)] += upper
  }
  let pairs = 0
  let variance = 0
  for (const { records: count, keys } of frequencies) {
    if (count >= least) continue
    const ofKey = (count * (count - 1)) / 2
    pairs += keys * ofKey
    variance += keys * (ofKey + count * (count - 1) * (count - 2))
  }
  const restByRange = byRange.map((load, range) => Math.max(0, load - heavyByRange[range]))
  const dispersion = pairs > 0 ? Math.max(1, variance / pairs) : 1
  return { records, population, heavyByRange, restByRange, pairs, dispersion }
}

/** A key with fewer records is never heavy: its share is too uncertain. */
const MIN_HEAVY = 8
/** A key is heavy from this part of the mean load of a range on. */
const HEAVY_PARTS = 20

/** Largest shares of one range, from simulations of the model. */
export interface MaximaOfModel {
  /** Without the noise of heavy keys: their counts are taken for their shares. Ascending. */
  readonly plain: Float64Array
  /** With the noise of heavy keys. Ascending. */
  readonly noisy: Float64Array
}

export function simulateMaxima(model: LoadModel, rounds: number, random: () => number): MaximaOfModel {
  const { heavyByRange, restByRange, records, population } = model
  const ranges = restByRange.length
  const plain = new Float64Array(rounds)
  const noisy = new Float64Array(rounds)
  const mean = restByRange.reduce((sum, count) => sum + count, 0) / ranges
  const rest = new Float64Array(ranges)
  const normals = new Float64Array(ranges)
  const noise = Math.sqrt(unseenShare(records, population))
  const hasHeavy = heavyByRange.some((heavy) => heavy > 0)
  for (let round = 0; round < rounds; round++) {
    if (mean > 0) drawRest(model, mean, random, normals, rest)
    else rest.fill(0)
    plain[round] = largestPart(heavyByRange, rest)
    if (!hasHeavy) continue
    drawNormals(random, normals)
    addNoise(heavyByRange, noise, random, normals, rest)
    noisy[round] = largestPart(heavyByRange, rest)
  }
  const sorted = plain.toSorted()
  return { plain: sorted, noisy: hasHeavy ? noisy.toSorted() : sorted }
}

/** Largest load of a range, as a part of all. */
function largestPart(heavy: Float64Array, rest: Float64Array): number {
  let [total, largest] = [0, 0]
  for (let range = 0; range < heavy.length; range++) {
    const load = heavy[range] + rest[range]
    total += load
    if (load > largest) largest = load
  }
  return largest / total
}

/** Adds the noise of heavy keys to the rest. */
function addNoise(
  heavyByRange: Float64Array,
  noise: number,
  random: () => number,
  normals: Float64Array,
  rest: Float64Array
): void {
  for (let range = 0; range < heavyByRange.length; range++) {
    const heavy = heavyByRange[range]
    if (heavy > 0) rest[range] += (gammaOf(heavy + 0.5, normals[range], random) - heavy) * noise
  }
}

/**
 * Draws the loads of the rest. Each range has a load from a gamma distribution, whose variance is that of keys which
 * are spread at random, and the records of the sample were drawn from that load. `mean`: mean of `restByRange`.
 * Overwrites `normals`.
 */
function drawRest(
  { restByRange, records, population, pairs, dispersion }: LoadModel,
  mean: number,
  random: () => number,
  normals: Float64Array,
  rest: Float64Array
): void {
  drawNormals(random, normals)
  const ranges = restByRange.length
  const squares = 2 * dispersion * createDraws(random).gamma(pairs / dispersion + 0.5)
  const variance = Math.max(TINY, (squares / ranges) * (1 - 1 / ranges))
  // rate and shape of the gamma distribution
  const rate = mean / variance
  const shape = mean * rate
  if (population === null) {
    for (let range = 0; range < ranges; range++)
      rest[range] = gammaOf(shape + restByRange[range], normals[range], random) / (rate + 1)
    return
  }
  // records of the population for each record of the sample, without those that were seen
  const unseen = Math.max(0, population - records) / records
  // Variance of the number of unseen records, divided by its mean: each is a Poisson variable of a gamma variable.
  const scale = 1 + unseen / (rate + 1)
  // computed once, since a division costs as much as the rest of a draw
  const factor = unseen / ((rate + 1) * scale)
  const part = 1 / (1 + unseen)
  for (let range = 0; range < ranges; range++) {
    const seen = restByRange[range]
    rest[range] = (seen + gammaOf((shape + seen) * factor, normals[range], random) * scale) * part
  }
}

const TINY = 1e-9
