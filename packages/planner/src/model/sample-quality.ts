import type { Halves, KeyProfile } from '../sample/key-profile.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import { type Figure, type Interval, isComplete, known, type SampleBasis, unknown } from './interval.ts'
import { chiSquareTail } from './special-functions.ts'

/** Whether the first and the second part of the sample differ by more than chance; null if they cannot be compared. */
export function halvesDiffer(sample: SampleProfile): boolean | null {
  const parts = [...sample.keys.map((key) => key?.halves ?? null), ...sample.fields.map(({ halves }) => halves)]
  const compared = parts.flatMap((halves) => {
    const difference = halves === null ? null : compareHalves(halves)
    return difference === null ? [] : [difference]
  })
  if (compared.length === 0) return null
  return compared.some(({ probability }) => probability < SIGNIFICANT / compared.length)
}

/** The same for one key: its distribution over the hash space. */
export function keyHalvesDiffer({ halves }: KeyProfile): boolean | null {
  const difference = halves === null ? null : compareHalves(halves)
  return difference === null ? null : difference.probability < SIGNIFICANT
}

/**
 * Whether conclusions from the sample to all documents are possible. If they are: by which part the load differs
 * between the first and the second part of the sample, more than by chance; 0 for a random sample.
 */
export function judgeOrder(profile: KeyProfile, { method, population }: SampleBasis): Figure<number> {
  if (profile.records === 0) return unknown('No record of the sample has the key.')
  if (isComplete(profile.records + profile.rejected, population) || method === 'uniform' || method === 'reservoir')
    return known(0)
  if (method === 'described') return known(0)
  if (method === 'head')
    return unknown(
      'The sample is the beginning of the data, and how the rest is distributed is not known: pass all of it, or a random sample.'
    )
  const difference = profile.halves === null ? null : compareHalves(profile.halves)
  if (difference === null || difference.probability >= SIGNIFICANT) return known(0)
  return difference.effect > MAX_EFFECT
    ? unknown(
        'The first and the second half of the sample have different keys, so that it is no random sample of all documents: pass all of them, or a random sample.'
      )
    : known(difference.effect)
}

/** Documents that have the key; null if unknown. The part that the sample lacks is taken to reject as many. */
export function populationOf({ records, rejected }: KeyProfile, { population }: SampleBasis): number | null {
  return population === null || records === 0 ? population : (population * records) / (records + rejected)
}

/** Widens an interval by a part of its bounds. */
export function widened({ low, mid, high }: Interval, part: number): Interval {
  return { low: low * (1 - part), mid, high: Math.min(1, high * (1 + part)) }
}

/** Share of the transactions whose records have different keys, by number of the candidate. */
export function tornTransactions(
  sample: SampleProfile,
  candidate: number,
  { method, population }: SampleBasis
): Figure<number> {
  if (sample.transactions.length === 0) return unknown('No transaction field is known.')
  if ((method === 'uniform' || method === 'reservoir') && !isComplete(sample.records, population))
    return unknown('The sample has single records, not whole transactions: pass all records of some period.')
  const groups = sample.transactions.reduce((sum, counts) => sum + counts.groups, 0)
  if (groups === 0) return unknown('No two records of the sample belong to one transaction.')
  return known(sample.transactions.reduce((sum, { torn }) => sum + torn[candidate], 0) / groups)
}

/** Beyond this part, a comparison of the halves says that the order of the records matters. */
const MAX_EFFECT = 0.25
const SIGNIFICANT = 0.001
/** Cells with fewer records in the smaller part are compared together. */
const MIN_EXPECTED = 5

interface Difference {
  /** Probability that a random order gives halves that differ as much. */
  readonly probability: number
  /** Mean relative difference of a cell that is not due to chance. */
  readonly effect: number
}

// a search for the best number of ranges asks for the same comparison for each number
const compared = new WeakMap<Halves, Difference | null>()

/** Compares two parts by the chi-square test; null if all records are in one cell, or there are too few. */
function compareHalves(halves: Halves): Difference | null {
  let difference = compared.get(halves)
  if (difference === undefined) {
    difference = computeDifference(halves)
    compared.set(halves, difference)
  }
  return difference
}

function computeDifference({ first, second }: Halves): Difference | null {
  const [inFirst, inSecond] = [sumOf(first), sumOf(second)]
  const records = inFirst + inSecond
  const least = Math.min(inFirst, inSecond) / records
  let [chiSquare, cells] = [0, 0]
  let pooled: readonly [number, number] = [0, 0]
  const compare = (a: number, b: number) => {
    const expected = ((a + b) * inFirst) / records
    const other = ((a + b) * inSecond) / records
    chiSquare += (a - expected) ** 2 / expected + (b - other) ** 2 / other
    cells++
  }
  for (let cell = 0; cell < first.length; cell++) {
    const together: readonly [number, number] = [pooled[0] + first[cell], pooled[1] + second[cell]]
    const isEnough = (together[0] + together[1]) * least >= MIN_EXPECTED
    if (isEnough) compare(...together)
    pooled = isEnough ? [0, 0] : together
  }
  if ((pooled[0] + pooled[1]) * least > 1) compare(...pooled)
  if (cells < 2) return null
  const degrees = cells - 1
  const effect = Math.sqrt(Math.max(0, chiSquare - degrees) / records)
  return { probability: chiSquareTail(chiSquare, degrees), effect }
}

function sumOf(cells: Float64Array): number {
  return cells.reduce((sum, count) => sum + count, 0)
}
