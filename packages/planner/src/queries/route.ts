import type { Candidate, CandidateLevel, CandidateSuffix } from '../candidates/candidate.ts'
import type { QueryLoad } from '../workload/workload.ts'

/** Where a query goes under a key. */
export interface Route {
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Physical partitions that the query asks on average. */
  readonly ranges: number
}

/** Decides which physical partitions a query asks under a candidate key. */
export function routeQuery(query: QueryLoad, { levels }: Candidate, partitions: number): Route {
  const known: number[] = []
  for (const level of levels) {
    const keys = keysOfLevel(query, level)
    if (keys === undefined) break
    known.push(keys)
  }
  if (known.length === 0) return { kind: 'all', ranges: partitions }
  const [first] = known
  const isWhole = known.length === levels.length
  const keys = known.reduce((product, count) => product * count, 1)
  if (isWhole && keys <= 1) return { kind: query.byId ? 'point' : 'key', ranges: 1 }
  // the first level decides the range of a new container, so a prefix goes to the ranges of its first values
  return { kind: 'ranges', ranges: isEven(levels[0]) ? Math.min(partitions, first) : expectedRanges(first, partitions) }
}

/** Number of values of a level that the query allows, on average; undefined if it does not know the level. */
function keysOfLevel(query: QueryLoad, { parts, suffix }: CandidateLevel): number | undefined {
  let keys = 1
  for (const { field, bucketSeconds } of parts) {
    if (query.equal.includes(field)) {
      keys *= valuesOf(query, field)
      continue
    }
    const range = query.between.find((each) => each.field === field)
    if (range?.seconds === undefined || bucketSeconds === null) return undefined
    // a range of one day begins in the middle of a day and ends in the next one
    keys *= Math.ceil(range.seconds / bucketSeconds) + 1
  }
  if (suffix === null) return keys
  const suffixes = meanSuffixes(suffix)
  return keys * (query.equal.includes(suffix.by) ? Math.min(valuesOf(query, suffix.by), suffixes) : suffixes)
}

/** Values of a field that the query asks for. */
function valuesOf({ several }: QueryLoad, name: string): number {
  return several?.find(({ field }) => field === name)?.values ?? 1
}

/** Suffixes of the value that a query asks for, if queries ask for values as often as records have them. */
function meanSuffixes({ count, hot }: CandidateSuffix): number {
  const hotShare = hot.reduce((sum, { share }) => sum + share, 0)
  return hot.reduce((sum, each) => sum + each.share * each.count, (1 - hotShare) * count)
}

function isEven({ suffix }: CandidateLevel): boolean {
  return suffix !== null && suffix.isEven && suffix.hot.length === 0
}

/** Different ranges in which `keys` hashes lie on average. */
function expectedRanges(keys: number, partitions: number): number {
  return keys <= 1 ? 1 : partitions * (1 - (1 - 1 / partitions) ** keys)
}
