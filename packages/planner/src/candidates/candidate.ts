import type { PlanDefinition } from '@keystamp/core'
import type { KeyCandidate } from '../sample/profiler.ts'

/** A key that the planner considers. */
export interface Candidate extends KeyCandidate {
  readonly kind: CandidateKind
  /** Levels of the key, each with its fields. A key that is not hierarchical has one level. */
  readonly levels: readonly CandidateLevel[]
  /** Work for the users of the key, 0 for none. Of two keys with nearly the same price, the one with less work wins. */
  readonly effort: number
}

/** `lookup`: only the key of an index container, and never that of the container itself. */
export type CandidateKind = 'present' | 'id' | 'field' | 'joined' | 'suffix' | 'hot' | 'hierarchical' | 'lookup'

export interface CandidateLevel {
  readonly parts: readonly CandidatePart[]
  readonly suffix: CandidateSuffix | null
}

/** A field of the key. */
export interface CandidatePart {
  /** JSON pointer. */
  readonly field: string
  /** Length of the time bucket; null if the value itself is in the key. */
  readonly bucketSeconds: number | null
}

export interface CandidateSuffix {
  /** JSON pointer of the field that selects the suffix. */
  readonly by: string
  readonly count: number
  readonly isEven: boolean
  /** Values of one part that have their own number of suffixes, with this number and their share of the records. */
  readonly hot: readonly { readonly value?: string; readonly count: number; readonly share: number }[]
  /** Index of the part that has these values. Default: 0. */
  readonly on?: number
}

/** Property that a synthetic key is written into. */
const KEY_PATH = '/partitionKey'

export type BucketUnit = 'minute' | 'hour' | 'day' | 'month' | 'year'

const BUCKETS: Readonly<Record<BucketUnit, number>> = {
  minute: 60,
  hour: 3600,
  day: 86_400,
  month: 30 * 86_400,
  year: 365 * 86_400
}

export function bucketSeconds(unit: BucketUnit): number {
  return BUCKETS[unit]
}

/** A field of the documents as the key, without a plan. */
export function fieldCandidate(field: string): Candidate {
  const isId = field === '/id'
  return {
    kind: isId ? 'id' : 'field',
    name: field,
    plan: null,
    partitionKeyPaths: [field],
    levels: [{ parts: [{ field, bucketSeconds: null }], suffix: null }],
    effort: 0
  }
}

/** A field as the key of an index container. The plan skips the records that lack the field: they have no entry. */
export function lookupCandidate(field: string): Candidate {
  return {
    ...fieldCandidate(field),
    kind: 'lookup',
    plan: { into: KEY_PATH, from: [{ field }] },
    partitionKeyPaths: [KEY_PATH]
  }
}

/** The key that the container has now. */
export function presentCandidate(paths: readonly string[]): Candidate {
  return {
    kind: 'present',
    name: `${paths.join(', ')} (present key)`,
    plan: null,
    partitionKeyPaths: paths,
    levels: paths.map((field) => ({ parts: [{ field, bucketSeconds: null }], suffix: null })),
    effort: 0
  }
}

/** A time bucket as a part of a key. */
export interface Bucket {
  readonly of: string
  readonly unit: BucketUnit
  readonly epoch: 'seconds' | 'milliseconds' | 'microseconds' | null
}

/** Several fields that are joined to one key. A time bucket, if there is one, is the last part. */
export function joinedCandidate(fields: readonly string[], bucket: Bucket | null = null): Candidate {
  const ofTime = bucket === null ? [] : [bucketComponent(bucket)]
  const plan = { into: KEY_PATH, from: [...fields.map((field) => ({ field })), ...ofTime] } as PlanDefinition
  const parts: CandidatePart[] = fields.map((field) => ({ field, bucketSeconds: null }))
  if (bucket !== null) parts.push({ field: bucket.of, bucketSeconds: bucketSeconds(bucket.unit) })
  return {
    kind: 'joined',
    name: [...fields, ...(bucket === null ? [] : [`${bucket.unit} of ${bucket.of}`])].join(' + '),
    plan,
    partitionKeyPaths: [KEY_PATH],
    levels: [{ parts, suffix: null }],
    effort: 1
  }
}

function bucketComponent({ of, unit, epoch }: Bucket): object {
  return { bucket: unit === 'minute' ? 'minute:1' : unit, of, ...(epoch === null ? {} : { epoch }) }
}

/** Another candidate with additional even suffixes, which are computed from a field. */
export function suffixCandidate(base: Candidate, by: string, count: number): Candidate {
  const suffix = { by, count, labels: 'even' as const }
  return {
    ...withSuffix(base, suffix, { by, count, isEven: true, hot: [] }),
    kind: 'suffix',
    name: `${base.name} + ${count} suffixes by ${by}`,
    effort: 2
  }
}

/** A value that needs suffixes, the number of these suffixes, and the share of the records that have the value. */
export interface HotValue {
  readonly value: string
  readonly count: number
  readonly share: number
}

/** Another candidate with additional suffixes only for its largest values. */
export function hotCandidate(base: Candidate, by: string, values: readonly HotValue[]): Candidate {
  const hot = Object.fromEntries(values.map(({ value, count }) => [value, count]))
  const shares = values.map(({ count, share }) => ({ count, share }))
  const largest = Math.max(...values.map(({ count }) => count))
  const many = values.length === 1 ? 'the largest value' : `the ${values.length} largest values`
  return {
    ...withSuffix(base, { by, count: 1, labels: 'even', hot }, { by, count: 1, isEven: true, hot: shares }),
    kind: 'hot',
    name: `${base.name} + up to ${largest} suffixes by ${by} for ${many}`,
    effort: 2
  }
}

function withSuffix(base: Candidate, suffix: object, described: CandidateSuffix): Candidate {
  const [field] = base.partitionKeyPaths
  const own = base.plan ?? { into: KEY_PATH, from: [{ field }] }
  return {
    ...base,
    plan: { ...own, suffix } as PlanDefinition,
    partitionKeyPaths: [KEY_PATH],
    levels: [{ parts: base.levels[0].parts, suffix: described }]
  }
}

/** Fields as the levels of a hierarchical key. */
export function hierarchicalCandidate(paths: readonly string[]): Candidate {
  return {
    kind: 'hierarchical',
    name: paths.join(' / '),
    plan: null,
    partitionKeyPaths: paths,
    levels: paths.map((field) => ({ parts: [{ field, bucketSeconds: null }], suffix: null })),
    effort: 1
  }
}

/** A key plan of the user. Components that are not fields are left out, because no query can filter by them. */
export function planCandidate(name: string, plan: PlanDefinition): Candidate {
  const levels = 'levels' in plan && plan.levels !== undefined ? plan.levels : [plan]
  return {
    kind: levels.length > 1 ? 'hierarchical' : 'joined',
    name,
    plan,
    partitionKeyPaths: levels.map((level) => (level as PlanLevel).into),
    levels: levels.map((level) => levelOfPlan(level as PlanLevel)),
    effort: 1
  }
}

interface PlanLevel {
  readonly into: string
  readonly from: readonly { readonly field?: string; readonly bucket?: string; readonly of?: unknown }[]
  readonly suffix?: {
    readonly by?: unknown
    readonly count: number
    readonly labels?: string
    readonly hot?: Readonly<Record<string, number>>
    readonly on?: number
  }
}

function levelOfPlan({ from, suffix }: PlanLevel): CandidateLevel {
  const parts = from.flatMap(({ field, bucket, of }): readonly CandidatePart[] => {
    if (field !== undefined) return [{ field, bucketSeconds: null }]
    if (bucket === undefined || typeof of !== 'string') return []
    const [unit, minutes] = bucket.split(':')
    return [
      { field: of, bucketSeconds: bucketSeconds(unit as BucketUnit) * (minutes === undefined ? 1 : Number(minutes)) }
    ]
  })
  if (suffix === undefined) return { parts, suffix: null }
  const [by] = [suffix.by].flat()
  const field = typeof by === 'string' ? by : ((by as { readonly field?: string }).field ?? '')
  // `withHotShares` sets the shares once the keys are counted
  const hot = Object.entries(suffix.hot ?? {}).map(([value, count]) => ({ value, count, share: 0 }))
  const isEven = suffix.labels === 'even'
  return { parts, suffix: { by: field, count: suffix.count, isEven, hot, on: (suffix.on ?? 1) - 1 } }
}
