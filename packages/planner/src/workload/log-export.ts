import type { KeyComponent } from '@keystamp/core'
import type { Reading } from './quantity.ts'

/** Request units of one key, from a row of CDBPartitionKeyRUConsumption. */
export interface LoggedUse {
  /** Values of the partition key, one for each level; undefined for a missing one. */
  readonly values: readonly KeyComponent[]
  readonly ru: number
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** All executions of one query text, from rows of CDBQueryRuntimeStatistics. */
export interface LoggedQuery {
  readonly text: string
  readonly perSecond: number
  /** Physical partitions that an execution asked on average. */
  readonly ranges: number
}

/** Rows of one container in an export of Log Analytics. */
export interface LogExport {
  readonly uses: readonly LoggedUse[]
  readonly queries: readonly LoggedQuery[]
  /** Seconds from the first to the last row. */
  readonly seconds: number
  /** Rows that have no usable time, number or key. */
  readonly skipped: number
}

export type LogRow = Readonly<Record<string, unknown>>

/** Names of the container whose rows are wanted; rows of other containers are left out. */
export interface LoggedContainer {
  readonly database: string
  readonly container: string
}

const USE_COLUMNS = ['TimeGenerated', 'PartitionKey', 'RequestCharge'] as const
const QUERY_COLUMNS = ['TimeGenerated', 'QueryText', 'PartitionKeyRangeId', 'ActivityId'] as const
const OTHER_COLUMNS = ['DatabaseName', 'CollectionName', 'CorrelatedActivityId'] as const
const COLUMNS: readonly string[] = [...new Set([...USE_COLUMNS, ...QUERY_COLUMNS, ...OTHER_COLUMNS])]

/**
 * Reads the rows of an export of CDBPartitionKeyRUConsumption or CDBQueryRuntimeStatistics. The reason for a failure
 * completes a sentence that begins with the name of the file.
 */
export function parseLogRows(rows: readonly LogRow[], wanted?: LoggedContainer): Reading<LogExport> {
  if (rows.length === 0) return { ok: false, reason: 'has no row' }
  const columns = columnsOf(rows[0])
  const has = (names: readonly string[]): boolean => names.every((name) => columns.has(name))
  const isUse = has(USE_COLUMNS)
  if (!isUse && !has(QUERY_COLUMNS)) return { ok: false, reason: wrongColumns(rows[0]) }
  const named = rows.map((row) => withPlainNames(row, columns))
  const own = wanted === undefined ? named : named.filter((row) => isOf(row, wanted))
  const containers = new Set(own.map((row) => `${textOf(row['DatabaseName'])}/${textOf(row['CollectionName'])}`))
  if (own.length === 0)
    return { ok: false, reason: `has no row of the container ${wanted?.database}/${wanted?.container}` }
  if (containers.size > 1)
    return {
      ok: false,
      reason: `has rows of ${containers.size} containers (${[...containers].slice(0, 3).join(', ')}): export one of them, with a filter on CollectionName`
    }
  return { ok: true, value: isUse ? readUses(own) : readQueries(own) }
}

/** Name in the file of each column that is known: the portal writes `TimeGenerated [UTC]`. */
function columnsOf(row: LogRow): ReadonlyMap<string, string> {
  const names = Object.keys(row)
  return new Map(
    COLUMNS.flatMap((column) => {
      const isColumn = (name: string): boolean =>
        name
          .replace(/ \[[^\]]*\]$/, '')
          .trim()
          .toLowerCase() === column.toLowerCase()
      const name = names.find(isColumn)
      return name === undefined ? [] : [[column, name] as const]
    })
  )
}

function withPlainNames(row: LogRow, columns: ReadonlyMap<string, string>): LogRow {
  return Object.fromEntries([...columns].map(([column, name]) => [column, row[name]]))
}

function wrongColumns(row: LogRow): string {
  const names = Object.keys(row)
  const found = names.length === 0 ? 'no columns' : `the columns ${names.slice(0, 8).join(', ')}`
  return `has ${found}, and is no export that is known: CDBPartitionKeyRUConsumption has ${USE_COLUMNS.join(', ')}; CDBQueryRuntimeStatistics has ${QUERY_COLUMNS.join(', ')}`
}

function isOf(row: LogRow, { database, container }: LoggedContainer): boolean {
  return isNamed(row['DatabaseName'], database) && isNamed(row['CollectionName'], container)
}

// the logs have names in other letters, and a query may have left out their columns
function isNamed(value: unknown, name: string): boolean {
  const text = textOf(value)
  return text === '' || text.toLowerCase() === name.toLowerCase()
}

/** A larger charge of one operation is a mistake in the file. */
const MAX_CHARGE = 1e12

function readUses(rows: readonly LogRow[]): LogExport {
  const uses = rows.flatMap((row): readonly LoggedUse[] => {
    const atMs = timeOf(row['TimeGenerated'])
    const ru = Number(row['RequestCharge'])
    const values = keyOf(row['PartitionKey'])
    return atMs === undefined || !(ru >= 0 && ru < MAX_CHARGE) || values === undefined ? [] : [{ values, ru, atMs }]
  })
  return {
    uses,
    queries: [],
    seconds: spanOf(uses.map(({ atMs }) => atMs)),
    skipped: rows.length - uses.length
  }
}

/** One execution of a query: the physical partitions that it asked. */
interface Execution {
  readonly text: string
  readonly ranges: Set<string>
}

function readQueries(rows: readonly LogRow[]): LogExport {
  const executions = new Map<string, Execution>()
  const times: number[] = []
  for (const row of rows) {
    const atMs = timeOf(row['TimeGenerated'])
    const text = textOf(row['QueryText']).trim()
    // the client of a query gives the same id to its requests to all physical partitions
    const id = textOf(row['CorrelatedActivityId']) || textOf(row['ActivityId'])
    if (atMs === undefined || text === '' || id === '') continue
    times.push(atMs)
    const execution = executions.get(id) ?? { text, ranges: new Set<string>() }
    execution.ranges.add(textOf(row['PartitionKeyRangeId']))
    executions.set(id, execution)
  }
  const seconds = spanOf(times)
  const byText = new Map<string, Execution[]>()
  for (const execution of executions.values())
    byText.set(execution.text, [...(byText.get(execution.text) ?? []), execution])
  const queries = [...byText].map(([text, all]) => ({
    text,
    perSecond: all.length / Math.max(1, seconds),
    ranges: all.reduce((sum, { ranges }) => sum + ranges.size, 0) / all.length
  }))
  return {
    uses: [],
    queries: queries.toSorted((a, b) => b.perSecond - a.perSecond),
    seconds,
    skipped: rows.length - times.length
  }
}

function spanOf(times: readonly number[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const time of times) {
    if (time < first) first = time
    if (time > last) last = time
  }
  return times.length === 0 ? 0 : Math.max(1, (last - first) / 1000)
}

/** A time in ISO 8601, or as the portal writes it in UTC: `5/3/2026, 10:00:00.000 AM`. */
function timeOf(value: unknown): number | undefined {
  const text = textOf(value).trim()
  const parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),? (\d{1,2}):(\d\d):(\d\d)(\.\d+)?(?: ?([AP])M)?$/i.exec(text)
  if (parts === null) {
    const time = Date.parse(/^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
    return Number.isNaN(time) ? undefined : time
  }
  const [, month, day, year, hour, minute, second, fraction = '0', half] = parts
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return (
    Date.UTC(Number(year), Number(month) - 1, Number(day), hours, Number(minute), Number(second)) +
    Number(fraction) * 1000
  )
}

/** Values of a key: a JSON array such as `["tenant-1"]`; any other text is one value. */
function keyOf(value: unknown): readonly KeyComponent[] | undefined {
  if (Array.isArray(value)) return value.map(toComponent)
  const text = textOf(value)
  if (text === '') return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (Array.isArray(parsed)) return parsed.map(toComponent)
  } catch {
    // not JSON: the value itself
  }
  return [text]
}

function toComponent(value: unknown): KeyComponent {
  return typeof value === 'object' && value !== null ? undefined : (value as KeyComponent)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The text of a query without the values in it, which may be personal data. */
export function withoutLiterals(query: string): string {
  return query
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '?')
    .replaceAll(/(?<![\w.@$])-?\d+(?:\.\d+)?/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
