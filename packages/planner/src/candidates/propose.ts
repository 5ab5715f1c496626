import type { FieldSummary } from '../sample/field-summary.ts'
import type { Workload } from '../workload/workload.ts'
import {
  type Bucket,
  type BucketUnit,
  bucketSeconds,
  type Candidate,
  fieldCandidate,
  hierarchicalCandidate,
  joinedCandidate,
  lookupCandidate,
  presentCandidate
} from './candidate.ts'

/** Candidates, and the fields that no candidate uses, each with the reason. */
export interface Proposal {
  readonly candidates: readonly Candidate[]
  /** Keys of index containers: the other fields that queries filter by. They must be counted, too. */
  readonly lookups: readonly Candidate[]
  readonly dropped: readonly { readonly name: string; readonly why: string }[]
}

/** Share of the records that must have a field. */
const MIN_PRESENCE = 0.95
const MAX_SINGLE_FIELDS = 12
const MAX_JOINED = 8

/** Proposes keys from the fields of the first records and from the queries. `refineCandidates` adds suffixes. */
export function proposeCandidates(
  fields: readonly FieldSummary[],
  workload: Pick<Workload, 'queries' | 'presentKey' | 'timeField' | 'changingFields'>
): Proposal {
  const dropped: { name: string; why: string }[] = []
  const usable = fields.filter((field) => {
    const why = whyNot(field, workload.changingFields)
    if (why !== undefined) dropped.push({ name: field.path, why })
    return why === undefined
  })
  const filtered = countFilters(workload.queries)
  const ranked = usable
    .filter(({ path, time }) => path !== '/id' && (time === null || filtered.has(path)))
    .toSorted((one, other) => rankOf(other, filtered) - rankOf(one, filtered))
  const singles = ranked.slice(0, MAX_SINGLE_FIELDS)
  for (const { path } of ranked.slice(MAX_SINGLE_FIELDS)) dropped.push({ name: path, why: 'other fields fit better' })
  const byPath = new Map(usable.map((field) => [field.path, field]))
  const candidates = [
    ...(workload.presentKey === undefined ? [] : [presentCandidate(workload.presentKey)]),
    ...(byPath.has('/id') ? [fieldCandidate('/id')] : []),
    ...singles.map(({ path }) => fieldCandidate(path)),
    ...joined(singles, byPath, workload),
    ...hierarchical(singles, byPath, workload)
  ]
  return { candidates: withoutRepeats(candidates), lookups: lookupsFor(fields, filtered, candidates), dropped }
}

/** A field can be the key of an index container even if it cannot be that of the container. */
function lookupsFor(
  fields: readonly FieldSummary[],
  filtered: ReadonlyMap<string, number>,
  candidates: readonly Candidate[]
): readonly Candidate[] {
  const present = new Set(fields.filter((field) => field.present > 0).map(({ path }) => path))
  const singles = new Set(
    candidates.flatMap(({ plan, partitionKeyPaths }) =>
      plan === null && partitionKeyPaths.length === 1 ? partitionKeyPaths : []
    )
  )
  return [...filtered.keys()].filter((field) => present.has(field) && !singles.has(field)).map(lookupCandidate)
}

/** Reason why a field cannot be a part of a key. */
function whyNot(field: FieldSummary, changing: readonly string[]): string | undefined {
  const { path, present, records, types, distinct, discovered } = field
  if (types.object + types.array > 0) return 'is an object or an array in some records'
  if (changing.includes(path))
    return 'changes during the life of a document, but the value of a partition key cannot change'
  if (records > 0 && present / records < MIN_PRESENCE) {
    return `is missing in ${Math.round((1 - present / records) * 100)} % of the records`
  }
  if (types.null > 0 && types.null / Math.max(1, records) > 1 - MIN_PRESENCE) return 'is null in many records'
  if (distinct <= 1 && discovered > 1) return 'has the same value in all records'
  if (types.number - types.integer > 0) return 'has fractions: it is probably a measurement, and not an identifier'
  if (types.boolean > 0) return 'has only two values'
  return undefined
}

/** Returns for each field the queries per second that have an equality filter on the field. */
function countFilters(queries: Workload['queries']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { equal, perSecond } of queries) {
    for (const field of equal) counts.set(field, (counts.get(field) ?? 0) + perSecond)
  }
  return counts
}

/** Ranks a field: higher if queries filter by it, and then if it has many values that are not unique. */
function rankOf({ path, distinct, discovered, isId }: FieldSummary, filtered: ReadonlyMap<string, number>): number {
  const asked = filtered.get(path) ?? 0
  const variety = Math.log10(1 + distinct) / Math.log10(2 + discovered)
  return (asked > 0 ? 100 + Math.log10(1 + asked) : 0) + (isId ? 0.5 : variety)
}

/** Joins fields that a query filters by together, and joins each good field and a time bucket. */
function joined(
  singles: readonly FieldSummary[],
  byPath: ReadonlyMap<string, FieldSummary>,
  { queries, timeField }: Pick<Workload, 'queries' | 'timeField'>
): readonly Candidate[] {
  const together = queries
    .map(({ equal }) => equal.filter((field) => byPath.has(field) && field !== '/id'))
    .filter((list) => list.length > 1)
    .map((list) => joinedCandidate(list.slice(0, 3)))
  const time = timeField === undefined ? undefined : byPath.get(timeField)
  if (time === undefined || time.time === null) return together.slice(0, MAX_JOINED)
  const units = bucketUnits(queries, time.path)
  const buckets = units.map((unit): Bucket => ({ of: time.path, unit, epoch: epochOf(time) }))
  const withTime = singles
    .filter((field) => field.time === null && !field.isId && field.distinct > 1)
    .slice(0, 3)
    .flatMap(({ path }) => buckets.map((bucket) => joinedCandidate([path], bucket)))
  const timeAlone = buckets.slice(0, 1).map((bucket) => joinedCandidate([], bucket))
  return [...together, ...timeAlone, ...withTime].slice(0, MAX_JOINED)
}

function epochOf({ time }: FieldSummary): Bucket['epoch'] {
  return time === 'iso' ? null : time
}

/** Returns the units of time buckets that fit the lengths of the ranges in queries, and the day. */
function bucketUnits(queries: Workload['queries'], timeField: string): readonly BucketUnit[] {
  const lengths = queries.flatMap(({ between }) =>
    between.flatMap(({ field, seconds }) => (field === timeField && seconds !== undefined ? [seconds] : []))
  )
  const units = lengths.map((seconds) => nearestUnit(seconds))
  return [...new Set<BucketUnit>([...units, 'day'])].slice(0, 2)
}

function nearestUnit(seconds: number): BucketUnit {
  const units: readonly BucketUnit[] = ['hour', 'day', 'month']
  return units.find((unit) => bucketSeconds(unit) >= seconds * 0.9) ?? 'month'
}

/** Proposes hierarchical keys: first a field with few values, then one with more. `/id` lifts the limit of 20 GB. */
function hierarchical(
  singles: readonly FieldSummary[],
  byPath: ReadonlyMap<string, FieldSummary>,
  { queries }: Pick<Workload, 'queries'>
): readonly Candidate[] {
  const names = singles.filter(({ isId, time }) => !isId && time === null)
  const [first, second] = names.toSorted((one, other) => one.distinct - other.distinct).slice(0, 2)
  if (first === undefined) return []
  const ids = byPath.has('/id') ? ['/id'] : []
  const found = ids.map((id) => hierarchicalCandidate([first.path, id]))
  if (second === undefined) return found
  const isAsked = queries.some(({ equal }) => equal.includes(first.path))
  const orders = isAsked
    ? [[first.path, second.path]]
    : [
        [first.path, second.path],
        [second.path, first.path]
      ]
  return [
    ...found,
    ...orders.map(hierarchicalCandidate),
    ...orders.map((order) => hierarchicalCandidate([...order, ...ids]))
  ]
}

function withoutRepeats(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ partitionKeyPaths, plan }) => {
    const text = JSON.stringify([partitionKeyPaths, plan])
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}
