import type { FieldSummary } from '../sample/field-summary.ts'
import type { KeyProfile } from '../sample/key-profile.ts'
import type { Workload } from '../workload/workload.ts'
import { type Candidate, type HotValue, hotCandidate, suffixCandidate } from './candidate.ts'

export interface RefineOptions {
  readonly fields: readonly FieldSummary[]
  readonly queries: Workload['queries']
  /** Fields that change during the life of a document: a suffix must not depend on them. */
  readonly changingFields: readonly string[]
  /** Physical partitions that the load or the data will need. */
  readonly partitions: number
}

/** A counted candidate: its keys in the first records. */
export interface Counted {
  readonly candidate: Candidate
  readonly profile: KeyProfile
}

/** Share of one partition up to which a key needs no suffixes. */
const QUIET_SHARE = 0.1
const MAX_SUFFIXES = 1024
const MAX_HOT_VALUES = 100
const MAX_BASES = 4

/** Adds candidates with suffixes for those whose largest keys are too large for one physical partition. */
export function refineCandidates(counted: readonly Counted[], options: RefineOptions): readonly Candidate[] {
  const bases = counted
    .filter(({ candidate }) => candidate.levels.length === 1 && candidate.kind !== 'id' && candidate.kind !== 'present')
    .filter(({ profile }) => needsSuffix(profile, options.partitions))
    .toSorted((one, other) => usefulness(other.candidate, options) - usefulness(one.candidate, options))
    .slice(0, MAX_BASES)
  return bases.flatMap(({ candidate, profile }) => {
    const by = suffixField(candidate, options)
    if (by === undefined) return []
    const hot = hotValues(profile, options.partitions)
    const count = powerOfTwo(
      Math.max(...profile.heavy.map(({ records }) => records / profile.records)),
      options.partitions
    )
    return [
      suffixCandidate(candidate, by, Math.max(2, count)),
      ...(hot.length === 0 || hot.length >= profile.atLeast ? [] : [hotCandidate(candidate, by, hot)])
    ]
  })
}

function needsSuffix({ heavy, records }: KeyProfile, partitions: number): boolean {
  return partitions > 1 && heavy.length > 0 && heavy[0].records / records > QUIET_SHARE / partitions
}

/** Bases that queries know come first. */
function usefulness({ levels: [{ parts }] }: Candidate, { queries }: RefineOptions): number {
  const known = queries.filter(({ equal, between }) =>
    parts.every(({ field }) => equal.includes(field) || between.some((range) => range.field === field))
  )
  return known.reduce((sum, { perSecond }) => sum + perSecond, 0) + 1 / (1 + parts.length)
}

/** The field that selects a suffix: one that queries know, else the one with the most values. */
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
  const asked = (path: string): number =>
    queries.filter(({ equal }) => equal.includes(path)).reduce((sum, { perSecond }) => sum + perSecond, 0)
  const [best] = possible.toSorted(
    (one, other) =>
      asked(other.path) - asked(one.path) || other.distinct - one.distinct || (one.path < other.path ? -1 : 1)
  )
  return best?.path
}

/** Values of one field that are larger than a small part of a partition, each with a sufficient number of suffixes. */
function hotValues({ heavy, records }: KeyProfile, partitions: number): readonly HotValue[] {
  return heavy.slice(0, MAX_HOT_VALUES).flatMap(({ values, records: own }) => {
    const share = own / records
    const count = powerOfTwo(share, partitions)
    const value = values?.length === 1 ? values[0] : undefined
    const isText = typeof value === 'string' || typeof value === 'number'
    return share > QUIET_SHARE / partitions && count > 1 && isText ? [{ value: String(value), count, share }] : []
  })
}

/** Suffixes after which each key has at most a tenth of the load of a partition: a power of two. */
function powerOfTwo(share: number, partitions: number): number {
  const wanted = (share * partitions) / QUIET_SHARE
  return Math.min(MAX_SUFFIXES, 2 ** Math.max(0, Math.ceil(Math.log2(wanted))))
}
