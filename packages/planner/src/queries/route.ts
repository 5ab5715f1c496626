import { type Candidate, type CandidateLevel, type CandidateSuffix, presentCandidate } from '../candidates/candidate.ts'
import { rangesOfHot } from './hot-ranges.ts'
import type { QueryLoad } from '../workload/workload.ts'

/** Physical partitions to which a query goes under a key. */
export interface Route {
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Mean number of physical partitions. */
  readonly ranges: number
}

/** Determines to which physical partitions a query goes under a candidate key. */
export function routeQuery(query: QueryLoad, candidate: Candidate, partitions: number): Route {
  const { levels } = candidate
  const known: LevelKeys[] = []
  for (const level of levels) {
    const keys = keysOfLevel(query, level)
    if (keys === undefined) break
    known.push(keys)
  }
  if (known.length === 0) return { kind: 'all', ranges: partitions }
  const isOne = known.every(({ values, suffix, mostSuffixes }) => values <= 1 && (suffix === null || mostSuffixes <= 1))
  if (isOne && known.length === levels.length) return { kind: query.byId ? 'point' : 'key', ranges: 1 }
  // in a new container, the first level determines the range, so a prefix goes to the ranges of its first values
  return { kind: 'ranges', ranges: rangesOfLevel(known[0], candidate, partitions) }
}

/** Physical partitions that a query asks on average in a container with these partition key paths (JSON pointers). */
export function routePresentKey(query: QueryLoad, paths: readonly string[], partitions: number): number {
  return routeQuery(query, presentCandidate(paths), partitions).ranges
}

/** Keys of one level that match a query. */
interface LevelKeys {
  /** Values without a suffix. */
  readonly values: number
  readonly suffix: CandidateSuffix | null
  /** Number of values that the query has for the field of the suffix; infinite if it does not filter by this field. */
  readonly mostSuffixes: number
}

/** Returns the mean number of keys of a level that match the query; undefined if the query does not limit the level. */
function keysOfLevel(query: QueryLoad, { parts, suffix }: CandidateLevel): LevelKeys | undefined {
  let values = 1
  for (const { field, bucketSeconds } of parts) {
    if (query.equal.includes(field)) {
      values *= valuesOf(query, field)
      continue
    }
    const range = query.between.find((each) => each.field === field)
    if (range?.seconds === undefined || bucketSeconds === null) return undefined
    // a range of one day begins in the middle of a day and ends in the next one; one hour is mostly within one day
    values *= range.seconds / bucketSeconds + 1
  }
  const isSuffixKnown = suffix === null || query.equal.includes(suffix.by)
  const mostSuffixes = isSuffixKnown ? valuesOf(query, suffix?.by ?? '') : Number.POSITIVE_INFINITY
  return { values, suffix, mostSuffixes }
}

/** Number of values that the query has for a field. */
function valuesOf({ several }: QueryLoad, name: string): number {
  return several?.find(({ field }) => field === name)?.values ?? 1
}

/** Mean number of ranges, assuming that queries read a value as often as it occurs in the records. */
function rangesOfLevel({ values, suffix, mostSuffixes }: LevelKeys, candidate: Candidate, partitions: number): number {
  if (suffix === null) return expectedRanges(values, partitions)
  const { count, hot, isEven } = suffix
  const rangesWith = (suffixes: number): number => {
    const asked = Math.min(suffixes, mostSuffixes)
    return isEven && suffixes > 1
      ? rangesOfSlices({ values, suffixes, asked }, partitions)
      : expectedRanges(asked * values, partitions)
  }
  const hotShare = hot.reduce((sum, { share }) => sum + share, 0)
  return hot.reduce(
    (sum, each) => {
      // the labels of a value that the plan names are known, so that their ranges need no estimate
      const known = values === 1 && mostSuffixes >= each.count ? rangesOfHot(candidate, each, partitions) : undefined
      return sum + each.share * (known ?? rangesWith(each.count))
    },
    (1 - hotShare) * rangesWith(count)
  )
}

/**
 * Even label j of every base is in the same slice of the hash space, number j of `suffixes` slices. So the keys of
 * several bases with the same label are in the same range, if a range is not smaller than a slice.
 */
function rangesOfSlices(
  { values, suffixes, asked }: { readonly values: number; readonly suffixes: number; readonly asked: number },
  partitions: number
): number {
  const slices = asked === suffixes ? suffixes : expectedRanges(asked, suffixes)
  if (suffixes >= partitions) return asked === suffixes ? partitions : expectedRanges(slices, partitions)
  return slices * expectedRanges(values, partitions / suffixes)
}

/** Mean number of different ranges for `keys` random hashes. */
function expectedRanges(keys: number, partitions: number): number {
  return keys <= 1 ? 1 : partitions * (1 - (1 - 1 / partitions) ** keys)
}
