import { parsePointer, toFieldPointer } from '@keystamp/core/internal'
import { parseCount, parseDuration, parseRate, type Reading } from './quantity.ts'
import type { QueryLoad } from './workload.ts'

/** Filters that determine to which physical partitions a query goes. */
export type QueryFilters = Pick<QueryLoad, 'equal' | 'several' | 'between' | 'byId'>

/** Filters that were found in SQL. */
export interface SqlFilters extends QueryFilters {
  /** Number of documents in an answer, if the query limits it. */
  readonly rows?: number | undefined
  /** Fields with a range between two parameters. If a field is a time, the length of the range is unknown. */
  readonly openRanges?: readonly string[] | undefined
  /** Whether an answer has one row for many documents. */
  readonly isAggregate?: boolean | undefined
  /** Parts of the query that are not used. */
  readonly notes?: readonly string[] | undefined
}

/** Reads the filters of a query in SQL. Returns a reason without a final period if the query cannot be read. */
export type SqlReader = (sql: string) => SqlFilters | string

/** Default number of documents in an answer of a query without a filter on the id. */
const DEFAULT_ROWS = 10

/**
 * Reads `deviceId, at=day, rows=10 @ 20/s`: fields with an equality filter, ranges of time, the number of documents in
 * an answer, and the rate. `id` means a filter on the id, `price=*` a range of any length, `*` no filter.
 * If `readSql` is passed, the fields can be written as SQL. Facts that SQL does not contain then follow the rate:
 * `@ 20/s rows=10, at=day`.
 */
export function parseQuery(text: string, readSql?: SqlReader): Reading<QueryLoad> {
  const parts = /^(.*?)\s*@\s*(?=[\d.-])([^@]*)$/s.exec(text.trim())
  if (parts === null)
    return { ok: false, reason: 'cannot be read: the rate is missing; end the query with one, such as @ 20/s' }
  const [, filters, tail] = parts
  const [rateText = '', ...additions] = splitTail(tail)
  const rate = parseRate(rateText)
  const added = additions.length === 0 ? undefined : parseFilters(additions.join(','))
  const found = isSql(filters) ? readFilters(filters, readSql) : parseFilters(filters)
  const completed = withLengths(found.filters, added?.filters.between ?? [])
  const rows = readRows(added?.rows ?? found.rows)
  const reasons = [
    ...found.reasons,
    ...(added?.reasons ?? []),
    ...(added?.filters.equal ?? []).map(
      (field) => `after the rate, ${field} needs a length of time, such as ${field}=day`
    ),
    ...completed.reasons,
    ...(rows.ok ? [] : [`rows ${rows.reason}`]),
    ...(rate.ok ? [] : [`the rate ${rate.reason}`])
  ]
  if (!rate.ok || !rows.ok || reasons.length > 0) return { ok: false, reason: `cannot be read: ${reasons.join('; ')}` }
  return { ok: true, value: toLoad(text.trim(), rate.value, rows.value, completed.filters) }
}

/** Completes the filters: adds the number of documents in an answer, and notes on unknown facts. */
export function toLoad(name: string, perSecond: number, rows: number | undefined, filters: SqlFilters): QueryLoad {
  const { equal, between, byId, several = [], openRanges = [], isAggregate, notes = [] } = filters
  const open = between.filter(({ field, seconds }) => seconds === undefined && openRanges.includes(field))
  const all = [
    ...notes,
    ...(isAggregate === true && rows === undefined
      ? [
          'an aggregate is charged for all documents that its filters match; write their number after the rate: rows=1000'
        ]
      : []),
    ...open.map(
      ({ field }) =>
        `the length of the range of ${field} is unknown; if the field is a time, write the length after the rate: ${field.slice(1)}=day`
    )
  ]
  return {
    name,
    perSecond,
    equal,
    ...(several.length === 0 ? {} : { several }),
    between,
    byId,
    rows: rows ?? filters.rows ?? (byId ? 1 : DEFAULT_ROWS),
    ...(all.length === 0 ? {} : { notes: all })
  }
}

/** Sets the lengths of ranges whose bounds do not say it. */
export function withLengths(
  filters: SqlFilters,
  lengths: QueryFilters['between']
): { readonly filters: SqlFilters; readonly reasons: readonly string[] } {
  const lengthOf = new Map(lengths.map(({ field, seconds }) => [field, seconds]))
  const others = [...lengthOf.keys()].filter((name) => filters.between.every(({ field }) => field !== name))
  return {
    filters: {
      ...filters,
      between: filters.between.map((range) => {
        const seconds = lengthOf.get(range.field) ?? range.seconds
        return seconds === undefined ? { field: range.field } : { field: range.field, seconds }
      })
    },
    reasons: others.map((field) => `the query has no range of ${field}, but its length is given`)
  }
}

/** Reads filters in SQL. Returns a reason if there is no reader for SQL. */
export function readFilters(sql: string, readSql: SqlReader | undefined): FoundFilters {
  const found =
    readSql === undefined ? 'SQL is not supported here: list the fields, such as deviceId, at=day @ 20/s' : readSql(sql)
  return typeof found === 'string'
    ? { filters: NO_FILTERS, reasons: [found], rows: undefined }
    : { filters: found, reasons: [], rows: undefined }
}

/** Reads a field such as `deviceId` or `/vehicle/vin`; undefined for other text. A name with blanks needs a slash. */
export function parseField(text: string): string | undefined {
  const pointer = toFieldPointer(text)
  const isName = text.trim().startsWith('/') || /^[^\s=@]+$/.test(text.trim())
  return isName && parsePointer(pointer) !== undefined ? pointer : undefined
}

/** Reads the length of a range of time: `day`, `7d`; `*` if the length does not matter. */
export function parseRange(text: string): Reading<number | undefined> {
  if (text === '*') return { ok: true, value: undefined }
  return parseDuration(/^[a-z]+$/i.test(text) ? `1 ${text}` : text)
}

export interface FoundFilters {
  readonly filters: SqlFilters
  readonly reasons: readonly string[]
  /** Number of documents in an answer, as a string that is not yet parsed. */
  readonly rows: string | undefined
}

const NO_FILTERS: QueryFilters = { equal: [], between: [], byId: false }

function isSql(text: string): boolean {
  return /^select\b/i.test(text)
}

/** Splits the rate from the additions after it: `20/s rows=10, at=day`. */
function splitTail(tail: string): readonly string[] {
  const first = /[\s,]+[^\s,=]+\s*=/.exec(tail)
  if (first === null) return [tail]
  const additions = tail.slice(first.index).replaceAll(/\s*=\s*/g, '=')
  return [tail.slice(0, first.index), ...additions.split(/[\s,]+/).filter((item) => item !== '')]
}

function readRows(text: string | undefined): Reading<number | undefined> {
  return text === undefined ? { ok: true, value: undefined } : parseCount(text)
}

function parseFilters(text: string): FoundFilters {
  const reasons: string[] = []
  const equal: string[] = []
  const between: { field: string; seconds?: number }[] = []
  let rows: string | undefined
  const items = text.split(',').map((item) => item.trim())
  if (text === '') reasons.push('the fields are missing; write * for a query without a filter')
  for (const item of text === '' || text === '*' ? [] : items) {
    const [name, range] = splitOnce(item)
    const field = parseField(name)
    if (name.toLowerCase() === 'rows' && range !== undefined) rows = range
    else if (field === undefined) reasons.push(whyNoField(item))
    else if (equal.includes(field) || between.some((each) => each.field === field))
      reasons.push(`${field} is named twice`)
    else if (range === undefined) equal.push(field)
    else {
      const length = parseRange(range)
      if (!length.ok) reasons.push(`the range of ${field} ${length.reason}`)
      else between.push(length.value === undefined ? { field } : { field, seconds: length.value })
    }
  }
  return { filters: { equal, between, byId: equal.includes('/id') }, reasons, rows }
}

function splitOnce(item: string): readonly [string, string | undefined] {
  const at = item.indexOf('=')
  return at < 0 ? [item, undefined] : [item.slice(0, at).trim(), item.slice(at + 1).trim()]
}

function whyNoField(item: string): string {
  if (item === '') return 'there is a comma without a field'
  return `${JSON.stringify(item.length > 40 ? `${item.slice(0, 39)}…` : item)} is not a field; separate fields with commas`
}
