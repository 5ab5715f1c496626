import { formatPointer, parseInstant, parsePointer } from '@keystamp/core/internal'
import type { Candidate, QueryLoad } from '@keystamp/planner'
import type { SampleRecord } from './kept-records.ts'

/** A query with values of one record, as a client sends it. */
export interface QueryCase {
  readonly sql: string
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[]
  /** Values for the key: records with the fields that the query filters by, one for each combination of values. */
  readonly parts: readonly SampleRecord[]
  /** First and last moment of a range of a time that is part of the key; undefined if the query has no such range. */
  readonly between: readonly [string | number, string | number] | undefined
  /** Record whose values the query contains. */
  readonly record: SampleRecord
}

/** Creates a query with the values of a record; undefined if the record does not have all fields of the query. */
export function createQueryCase(
  query: QueryLoad,
  candidate: Candidate,
  record: SampleRecord,
  others: readonly SampleRecord[]
): QueryCase | undefined {
  const values = query.equal.map((field) => ({ field, list: valuesFor(query, field, [record, ...others]) }))
  const ranges = query.between.map((range) => ({ ...range, bounds: boundsOf(record, range) }))
  if (values.some(({ list }) => list.length === 0) || ranges.some(({ bounds }) => bounds === undefined))
    return undefined
  const parameters: { name: string; value: unknown }[] = []
  const parameter = (value: unknown): string => {
    const name = `@p${parameters.length}`
    parameters.push({ name, value })
    return name
  }
  const conditions = [
    ...values.map(({ field, list }) =>
      list.length === 1
        ? `${pathOf(field)} = ${parameter(list[0])}`
        : `${pathOf(field)} IN (${list.map(parameter).join(', ')})`
    ),
    ...ranges.map(
      ({ field, bounds }) =>
        `${pathOf(field)} >= ${parameter(bounds?.[0])} AND ${pathOf(field)} <= ${parameter(bounds?.[1])}`
    )
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const keyFields = fieldsOf(candidate)
  return {
    sql: `SELECT * FROM c${where}`,
    parameters,
    parts: combinations(values.filter(({ field }) => keyFields.has(field) || field === '/id')),
    between: ranges.find(({ field, seconds }) => seconds !== undefined && bucketFields(candidate).has(field))?.bounds,
    record
  }
}

/** Returns the values of a field for a query: that of the first record, and more if the query has several values. */
function valuesFor({ several }: QueryLoad, field: string, records: readonly SampleRecord[]): readonly unknown[] {
  const count = several?.find((each) => each.field === field)?.values ?? 1
  const first = valueAt(records[0], field)
  if (first === undefined) return []
  const found = new Set<unknown>()
  for (const record of records) {
    const value = valueAt(record, field)
    if (value !== undefined) found.add(value)
    if (found.size === count) break
  }
  return [...found]
}

/** Returns the first and last moment of a range that begins at the time of a record, in the form of this time. */
function boundsOf(
  record: SampleRecord,
  { field, seconds = 0 }: QueryLoad['between'][number]
): readonly [string | number, string | number] | undefined {
  const value = valueAt(record, field)
  if (typeof value === 'number') return [value, value + (value < 1e11 ? seconds : seconds * 1000)]
  if (typeof value !== 'string') return undefined
  const start = parseInstant(value)
  if (start === undefined) return [value, value]
  return [value, new Date(Date.parse(value) + seconds * 1000).toISOString()]
}

/** Returns a record for each combination of the values. */
function combinations(
  values: readonly { readonly field: string; readonly list: readonly unknown[] }[]
): readonly SampleRecord[] {
  return values.reduce<readonly SampleRecord[]>(
    (parts, { field, list }) => parts.flatMap((part) => list.map((value) => withValue(part, field, value))),
    [{}]
  )
}

function fieldsOf({ levels }: Candidate): ReadonlySet<string> {
  return new Set(
    levels.flatMap(({ parts, suffix }) => [...parts.map(({ field }) => field), ...(suffix === null ? [] : [suffix.by])])
  )
}

function bucketFields({ levels }: Candidate): ReadonlySet<string> {
  return new Set(
    levels.flatMap(({ parts }) => parts.flatMap(({ field, bucketSeconds }) => (bucketSeconds === null ? [] : [field])))
  )
}

/** Returns a value of a record by its JSON pointer; undefined if the value is missing or an object. */
export function valueAt(record: SampleRecord, pointer: string): unknown {
  let value: unknown = record
  for (const name of parsePointer(pointer) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as SampleRecord)[name]
  }
  return typeof value === 'object' && value !== null ? undefined : value
}

function withValue(record: SampleRecord, pointer: string, value: unknown): SampleRecord {
  const [name, ...rest] = parsePointer(pointer) ?? []
  if (rest.length === 0) return { ...record, [name]: value }
  const inner = (record[name] ?? {}) as SampleRecord
  return { ...record, [name]: withValue(inner, formatPointer(rest), value) }
}

/** Returns the path of a field in SQL: `c["vehicle"]["vin"]`. */
function pathOf(pointer: string): string {
  return `c${(parsePointer(pointer) ?? []).map((name) => `[${JSON.stringify(name)}]`).join('')}`
}
