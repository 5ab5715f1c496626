import { parsePointer, toFieldPointer } from '@keystamp/core/internal'
import { parseCount, parseDuration, parseRate, type Reading } from './quantity.ts'
import type { QueryLoad } from './workload.ts'

/** Filters that decide which partitions a query asks. */
export type QueryFilters = Pick<QueryLoad, 'equal' | 'between' | 'byId'>

/** Reads the filters of a query in SQL; or says why it cannot, as a sentence without a full stop. */
export type SqlReader = (sql: string) => QueryFilters | string

/** Documents of an answer where the query does not say how many: one by id, otherwise a small page. */
export const DEFAULT_ROWS = 10

/**
 * Reads `deviceId, at=day, rows=10 @ 20/s`: fields with an equality filter, ranges of time, documents of an answer, and
 * the rate. `id` means a filter on the id, `price=*` a range whose length does not matter, `*` no filter. SQL takes the
 * place of the fields where a reader for it is passed.
 */
export function parseQuery(text: string, readSql?: SqlReader): Reading<QueryLoad> {
  const parts = /^(.*?)\s*@\s*(?=[\d.-])([^@]*)$/s.exec(text.trim())
  if (parts === null) return { ok: false, reason: 'cannot be read: it says no rate; end it with one, such as @ 20/s' }
  const [, filters, tail] = parts
  const { rest, rows: tailRows } = takeRows(tail)
  const rate = parseRate(rest)
  const found = isSql(filters) ? { ...readFilters(filters, readSql), rows: undefined } : parseFilters(filters)
  const rows = readRows(tailRows ?? found.rows)
  const reasons = [
    ...found.reasons,
    ...(rows.ok ? [] : [`rows ${rows.reason}`]),
    ...(rate.ok ? [] : [`the rate ${rate.reason}`])
  ]
  if (!rate.ok || !rows.ok || reasons.length > 0) return { ok: false, reason: `cannot be read: ${reasons.join('; ')}` }
  const { equal, between, byId } = found.filters
  const answered = rows.value ?? (byId ? 1 : DEFAULT_ROWS)
  return { ok: true, value: { name: text.trim(), perSecond: rate.value, equal, between, byId, rows: answered } }
}

/** Reads filters in SQL, or says that they cannot be read here. */
export function readFilters(sql: string, readSql: SqlReader | undefined): FoundFilters {
  const found =
    readSql === undefined ? 'SQL is not read here: list the fields, such as deviceId, at=day @ 20/s' : readSql(sql)
  return typeof found === 'string' ? { filters: NO_FILTERS, reasons: [found] } : { filters: found, reasons: [] }
}

/** Reads a field as people write it; undefined for what is no field. A name with blanks needs its slash. */
export function parseField(text: string): string | undefined {
  const pointer = toFieldPointer(text)
  const isName = text.trim().startsWith('/') || /^[^\s=@]+$/.test(text.trim())
  return isName && parsePointer(pointer) !== undefined ? pointer : undefined
}

/** Reads the length of a range of time: `day`, `7d`; `*` where it does not matter. */
export function parseRange(text: string): Reading<number | undefined> {
  if (text === '*') return { ok: true, value: undefined }
  return parseDuration(/^[a-z]+$/i.test(text) ? `1 ${text}` : text)
}

export interface FoundFilters {
  readonly filters: QueryFilters
  readonly reasons: readonly string[]
}

const NO_FILTERS: QueryFilters = { equal: [], between: [], byId: false }

function isSql(text: string): boolean {
  return /^select\b/i.test(text)
}

/** Documents may also follow the rate: `@ 20/s rows=10`. */
function takeRows(tail: string): { readonly rest: string; readonly rows: string | undefined } {
  const rows = /[\s,]+rows\s*=\s*(\S+)\s*$/i.exec(tail)
  return rows === null ? { rest: tail, rows: undefined } : { rest: tail.slice(0, rows.index), rows: rows[1] }
}

function readRows(text: string | undefined): Reading<number | undefined> {
  return text === undefined ? { ok: true, value: undefined } : parseCount(text)
}

function parseFilters(text: string): FoundFilters & { readonly rows: string | undefined } {
  const reasons: string[] = []
  const equal: string[] = []
  const between: { field: string; seconds?: number }[] = []
  let rows: string | undefined
  const items = text.split(',').map((item) => item.trim())
  if (text === '') reasons.push('it names no field; write * for a query without a filter')
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
  return `${JSON.stringify(item.length > 40 ? `${item.slice(0, 39)}…` : item)} is no field; separate fields by commas`
}
