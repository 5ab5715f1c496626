import { distinctKeys } from '../../src/model/distinct-keys.ts'
import type { Interval, SampleBasis } from '../../src/model/interval.ts'
import { largestKeyShare, shareOf } from '../../src/model/largest-key.ts'
import { usableShare } from '../../src/model/usable-share.ts'
import type { KeyProfile } from '../../src/sample/key-profile.ts'
import { createRandom } from '../../src/sample/random.ts'
import { countAll, createSampler, DOCUMENTS, type NamedPopulation, type Population } from './populations.ts'

const DRAWS = 400
/** A lower count has a probability of one in a million if 95 % of all intervals contain the true value. */
const MIN_COVERED = 372
/** All sizes only in `npm run prove:planner`: large samples take minutes. */
const isProof = process.env['KEYSTAMP_PROVE'] !== undefined
const SIZES = isProof ? [1000, 10_000, 100_000] : [1000]
/** The one of the listed keys whose interval contains its share least often. */
const HEAVY = 'heavy keys'
/** Keys that a report lists. */
const LISTED = 20
const RANGES = 50
const basis: SampleBasis = { method: 'uniform', population: DOCUMENTS }

type Bounds = Pick<Interval, 'low' | 'high'>

/** Figures of a sample, each with the interval that is stated for it. */
function figuresOf(profile: KeyProfile, random: () => number): Readonly<Record<string, Bounds>> {
  const distinct = distinctKeys(profile, basis)
  return {
    'usable share': usableShare(profile, { ...basis, ranges: RANGES, random }).value!,
    'distinct keys': { low: distinct.low, high: distinct.high! },
    'largest key': largestKeyShare(profile, basis).value!
  }
}

/** Figures whose intervals contain the true value less often than stated, each with the size of the samples. */
export function poorlyCovered({ name, create }: NamedPopulation): readonly string[] {
  const population = create()
  const whole = countAll(population)
  const truth = figuresOf(whole, createRandom(1))
  const counts = countsByPosition(population)
  const random = createRandom(7)
  const draw = createSampler(population, random)
  return SIZES.flatMap((size) => {
    const covered = new Map([...Object.keys(truth), HEAVY].map((figure) => [figure, 0]))
    const heavyCovered = Array.from({ length: LISTED }, () => 0)
    const cover = (figure: string) => covered.set(figure, covered.get(figure)! + 1)
    for (let each = 0; each < DRAWS; each++) {
      const sample = draw(size)
      for (const [figure, interval] of Object.entries(figuresOf(sample, random)))
        if (contains(interval, truth[figure].low)) cover(figure)
      for (const [rank, isCovered] of heavyKeysCovered(sample, counts).entries()) if (isCovered) heavyCovered[rank]++
    }
    covered.set(HEAVY, Math.min(...heavyCovered))
    if (isProof) console.log(tableRow(name, size, covered))
    return [...covered].flatMap(([figure, count]) =>
      count >= MIN_COVERED ? [] : [`${figure}, ${size} records: ${count} of ${DRAWS}`]
    )
  })
}

function contains({ low, high }: Bounds, value: number): boolean {
  return low <= value * (1 + ROUNDING) && value <= high * (1 + ROUNDING)
}

/** For each of the first keys that a report lists: whether its interval contains its share. A missing key is covered. */
function heavyKeysCovered({ heavy, records }: KeyProfile, counts: ReadonlyMap<number, number>): readonly boolean[] {
  return Array.from({ length: LISTED }, (_, rank) => {
    const key = heavy[rank] as KeyProfile['heavy'][number] | undefined
    if (key === undefined) return true
    return contains(shareOf(key.records, records, DOCUMENTS), counts.get(key.position)! / DOCUMENTS)
  })
}

function countsByPosition({ keyOf, positions }: Population): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const key of keyOf) counts.set(positions[key], (counts.get(positions[key]) ?? 0) + 1)
  return counts
}

function tableRow(name: string, size: number, covered: ReadonlyMap<string, number>): string {
  const figures = [...covered].map(([figure, count]) => `${figure} ${count}`).join(', ')
  return `${name.padEnd(28)} ${String(size).padStart(7)} records: ${figures} of ${DRAWS}, at least ${MIN_COVERED} wanted`
}

const ROUNDING = 1e-12
