import { sampledUsableShare } from '../model/usable-share.ts'
import { routeQuery } from '../queries/route.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import type { QueryLoad } from '../workload/workload.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** Candidates, and their counts in the first records. */
export interface FirstCounts {
  readonly candidates: readonly Candidate[]
  readonly sample: Pick<SampleProfile, 'records' | 'keys' | 'transactions'>
  /** Difference between the share of the busiest range at one time and over all records. `candidate`: its number. */
  readonly concentrationOf: (candidate: number) => number
  readonly queries: readonly QueryLoad[]
  /** Number of physical partitions that the load and the data will need. */
  readonly partitions: number
}

/** Candidate that is no longer counted, because another one is better. */
export interface Dominated {
  readonly candidate: Candidate
  readonly why: string
}

// A key is clearly worse if its usable share is below this part of the other key's share. Chance does not explain that.
const CLEARLY_WORSE = 0.8
const MIN_RECORDS = 5000

/**
 * Finds candidates that need not be counted in all records. For each of them, another candidate is no more work,
 * spreads the load clearly better, has smaller keys, and is no worse for any query or transaction. The present key is
 * always kept.
 */
export function findDominated(counts: FirstCounts): readonly Dominated[] {
  const { candidates, sample, partitions } = counts
  if (sample.records < MIN_RECORDS || partitions === 1) return []
  const all = candidates.map((candidate, number) => meritsOf(candidate, number, counts))
  return candidates.flatMap((candidate, number) => {
    const own = all[number]
    if (own === null || candidate.kind === 'present') return []
    const better = all.findIndex((other) => other !== null && isBetter(other, own))
    if (better < 0) return []
    const records = sample.records.toLocaleString('en-US')
    const why = `spreads the records less evenly than ${candidates[better].name} (in the first ${records} records), and is no better for any query`
    return [{ candidate, why }]
  })
}

interface Merits {
  readonly effort: number
  readonly usable: number
  readonly largest: number
  readonly rejected: number
  readonly torn: number
  /** Number of physical partitions to which each query goes. */
  readonly ranges: readonly number[]
}

function meritsOf(
  candidate: Candidate,
  number: number,
  { sample, concentrationOf, queries, partitions }: FirstCounts
): Merits | null {
  const profile = sample.keys[number]
  if (profile === null || profile.records === 0) return null
  const share = sampledUsableShare(profile, partitions) ?? 0
  return {
    effort: candidate.effort,
    usable: share === 0 ? 0 : 1 / (1 / share + partitions * concentrationOf(number)),
    largest: profile.heavy[0].records / profile.records,
    rejected: profile.rejected,
    torn: sample.transactions.reduce((sum, { torn }) => sum + torn[number], 0),
    ranges: queries.map((query) => routeQuery(query, candidate, partitions).ranges)
  }
}

function isBetter(other: Merits, own: Merits): boolean {
  return (
    own.usable < CLEARLY_WORSE * other.usable &&
    other.effort <= own.effort &&
    other.largest <= own.largest &&
    other.rejected <= own.rejected &&
    other.torn <= own.torn &&
    other.ranges.every((ranges, query) => ranges <= own.ranges[query])
  )
}
