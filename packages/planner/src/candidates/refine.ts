import type { FieldSummary } from '../sample/field-summary.ts'
import type { KeyProfile } from '../sample/key-profile.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import type { Workload } from '../workload/workload.ts'
import { type Candidate, fieldCandidate, type HotValue, hotCandidate, suffixCandidate } from './candidate.ts'

export interface RefineOptions {
  readonly fields: readonly FieldSummary[]
  readonly queries: Workload['queries']
  /** Fields that change during the life of a document: a suffix must not depend on them. */
  readonly changingFields: readonly string[]
  /** Physical partitions that the load and the data will need. */
  readonly partitions: number
  /** GB of all documents; null if unknown. */
  readonly gb: number | null
}

/** A candidate, and the counts of its keys in the first records. */
export interface Counted {
  readonly candidate: Candidate
  readonly profile: KeyProfile
  /** Difference between the share of the busiest range at one time and over all records. Default: 0. */
  readonly concentration?: number
}

/** Largest share of the load of one physical partition that a key may have without suffixes. */
const QUIET_SHARE = 0.1
/** GB that a key may have at most: half of the limit, because suffixes do not divide a key evenly. */
const MAX_KEY_GB = MAX_LOGICAL_PARTITION_GB / 2
const MAX_SUFFIXES = 1024
const MAX_HOT_VALUES = 100
const MAX_BASES = 4

/** Returns candidates with suffixes for those whose largest keys are too large for a physical or logical partition. */
export function refineCandidates(counted: readonly Counted[], options: RefineOptions): readonly Candidate[] {
  const bases = counted
    .filter(({ candidate }) => candidate.levels.length === 1 && candidate.kind !== 'id')
    .filter((each) => each.profile.heavy.length > 0 && countsFor(largestShare(each), options).length > 0)
    .toSorted((one, other) => usefulness(other.candidate, options) - usefulness(one.candidate, options))
    .slice(0, MAX_BASES)
  return bases.flatMap((each) => {
    const base =
      each.candidate.kind === 'present' ? fieldCandidate(each.candidate.partitionKeyPaths[0]) : each.candidate
    const by = suffixField(base, options)
    if (by === undefined) return []
    const hot = hotValues(each.profile, options)
    return [
      ...countsFor(largestShare(each), options).map((count) => suffixCandidate(base, by, count)),
      ...(hot.length === 0 || hot.length >= each.profile.atLeast ? [] : [hotCandidate(base, by, hot)])
    ]
  })
}

/** Share of the largest key in the records of one time. */
function largestShare({ profile: { heavy, records }, concentration = 0 }: Counted): number {
  return Math.min(1, heavy[0].records / records + concentration)
}

/**
 * Numbers of suffixes for a key with this share of the records: the number that keeps the size below the limit, and the
 * number that spreads the load. Fewer suffixes make queries cheaper, and more suffixes make the load more even, so both
 * become candidates and their prices are compared.
 */
function countsFor(share: number, { partitions, gb }: RefineOptions): readonly number[] {
  const forSize = powerOfTwo((share * (gb ?? 0)) / MAX_KEY_GB)
  const forLoad = partitions > 1 ? powerOfTwo((share * partitions) / QUIET_SHARE) : 1
  return [...new Set([forSize, Math.max(forSize, forLoad)])].filter((count) => count > 1)
}

/** Rates a base for suffixes: higher if queries filter by all of its fields. */
function usefulness({ levels: [{ parts }] }: Candidate, { queries }: RefineOptions): number {
  const known = queries.filter(({ equal, between }) =>
    parts.every(({ field }) => equal.includes(field) || between.some((range) => range.field === field))
  )
  return known.reduce((sum, { perSecond }) => sum + perSecond, 0) + 1 / (1 + parts.length)
}

/** Chooses the field that selects a suffix: a field that queries filter by, or else the field with the most values. */
function suffixField(
  { levels: [{ parts }] }: Candidate,
  { fields, queries, changingFields }: RefineOptions
): string | undefined {
  const own = new Set(parts.map(({ field }) => field))
  const possible = fields.filter(
    ({ path, types, present, records, distinct, time }) =>
      !own.has(path) &&
      !changingFields.includes(path) &&
      time === null &&
      types.object + types.array + types.null === 0 &&
      present === records &&
      distinct > 16
  )
  const mostValues = Math.max(...possible.map(({ distinct }) => distinct))
  // with a field of few values, most records of a key would get the same suffix, so it is not preferred
  const asked = ({ path, distinct }: FieldSummary): number =>
    distinct * FEWER_VALUES < mostValues
      ? 0
      : queries.filter(({ equal }) => equal.includes(path)).reduce((sum, { perSecond }) => sum + perSecond, 0)
  const [best] = possible.toSorted(
    (one, other) => asked(other) - asked(one) || other.distinct - one.distinct || (one.path < other.path ? -1 : 1)
  )
  return best?.path
}

const FEWER_VALUES = 10

/** Returns the values of one field that have too many records, each with a sufficient number of suffixes. */
function hotValues({ heavy, records }: KeyProfile, options: RefineOptions): readonly HotValue[] {
  return heavy.slice(0, MAX_HOT_VALUES).flatMap(({ values, records: own }) => {
    const share = own / records
    const count = countsFor(share, options).at(-1)
    const value = values?.length === 1 ? values[0] : undefined
    const isText = typeof value === 'string' || typeof value === 'number'
    return count !== undefined && isText ? [{ value: String(value), count, share }] : []
  })
}

function powerOfTwo(atLeast: number): number {
  return Math.min(MAX_SUFFIXES, 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1, atLeast)))))
}
