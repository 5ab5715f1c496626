import type { Candidate, CandidateLevel, CandidateSuffix } from '../candidates/candidate.ts'
import { rangesOfHot } from './hot-ranges.ts'
import type { QueryLoad } from '../workload/workload.ts'

/** Where a query goes under a key. */
export interface Route {
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Physical partitions that the query asks on average. */
  readonly ranges: number
}

/** Decides which physical partitions a query asks under a candidate key. */
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
  // the first level decides the range of a new container, so a prefix goes to the ranges of its first values
  return { kind: 'ranges', ranges: rangesOfLevel(known[0], candidate, partitions) }
}

/** Keys of one level that a query allows. */
interface LevelKeys {
  /** Values without a suffix. */
  readonly values: number
  readonly suffix: CandidateSuffix | null
  /** Values of the field of the suffix that the query asks for; infinite if it does not know the field. */
  readonly mostSuffixes: number
}

/** Keys of a level that the query allows, on average; undefined if it does not know the level. */
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

/** Values of a field that the query asks for. */
function valuesOf({ several }: QueryLoad, name: string): number {
  return several?.find(({ field }) => field === name)?.values ?? 1
}

/** Ranges on average, if queries ask for values as often as records have them. */
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

/** Different ranges in which `keys` hashes lie on average. */
function expectedRanges(keys: number, partitions: number): number {
  return keys <= 1 ? 1 : partitions * (1 - (1 - 1 / partitions) ** keys)
}
