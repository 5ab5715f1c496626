import { readFile, stat } from 'node:fs/promises'
import { isKeystampError } from '@keystamp/core'
import { systemReason } from '@keystamp/core/internal'
import {
  formatCount,
  formatMany,
  formatPercent,
  type LogExport,
  type LoggedContainer,
  type LogRow,
  parseLogRows,
  parseQuery
} from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { readSample } from './read-sample.ts'
import { readSql } from './read-sql.ts'

/** Log Analytics exports at most some hundred MB at a time. */
const MAX_BYTES = 1 << 30

/** Reads exports of Log Analytics (`--log-export`): CSV or JSON, rows of one container. */
export async function readLogExports(
  paths: readonly string[],
  wanted: LoggedContainer | undefined,
  dependencies: Pick<Dependencies, 'stdin' | 'stderr' | 'signal'>
): Promise<LogExport | undefined> {
  if (paths.length === 0) return undefined
  const read: LogExport[] = []
  for (const path of paths) read.push(await readLogExport(path, wanted, dependencies))
  return {
    uses: read.flatMap(({ uses }) => uses),
    queries: read.flatMap(({ queries }) => queries),
    // the rates of queries are known already
    seconds: Math.max(...read.map(({ uses, seconds }) => (uses.length === 0 ? 0 : seconds))),
    skipped: read.reduce((sum, { skipped }) => sum + skipped, 0)
  }
}

async function readLogExport(
  path: string,
  wanted: LoggedContainer | undefined,
  dependencies: Pick<Dependencies, 'stdin' | 'stderr' | 'signal'>
): Promise<LogExport> {
  const rows = /\.csv(\.gz|\.zst)?$/i.test(path) ? await readCsv(path, dependencies) : await readJson(path)
  const found = parseLogRows(rows, wanted)
  if (!found.ok) throw new UsageError(`The log export ${path} ${found.reason}.`)
  const { skipped, uses, queries } = found.value
  if (uses.length === 0 && queries.length === 0)
    throw new UsageError(
      `The log export ${path} has ${formatMany(skipped, 'row')}, but none with a time, a key or query, and an id.`
    )
  if (skipped > 0)
    dependencies.stderr.write(
      `keystamp: warning: ${formatMany(skipped, 'row')} of ${path} cannot be read, and ${skipped === 1 ? 'is' : 'are'} left out.\n`
    )
  return found.value
}

async function readCsv(
  path: string,
  dependencies: Pick<Dependencies, 'stdin' | 'stderr' | 'signal'>
): Promise<readonly LogRow[]> {
  const rows: LogRow[] = []
  try {
    for await (const batch of readSample([path], { csv: true }, dependencies))
      for (const record of batch) rows.push(JSON.parse(decoder.decode(record)) as LogRow)
  } catch (error) {
    if (!isKeystampError(error)) throw error
    throw new UsageError(`The log export ${path} cannot be read: ${error.message}`)
  }
  return rows
}

const decoder = new TextDecoder()

/** Reads an array of rows, rows on lines of their own, or the answer of the query API: tables with columns and rows. */
async function readJson(path: string): Promise<readonly LogRow[]> {
  let text: string
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new UsageError(`The log export ${path} is larger than 1 GB: export a shorter time.`)
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`The log export ${path} cannot be read: ${systemReason(error)}.`)
  }
  const whole = parse(text)
  const rows = whole === undefined ? rowsOnLines(text) : Array.isArray(whole) ? whole : (tableRows(whole) ?? [whole])
  if (rows === undefined)
    throw new UsageError(
      `The log export ${path} is not valid JSON${/^\s*[[{]/.test(text) ? ', or is cut off' : ''}: export it again, as JSON, or as CSV with the name ending in .csv.`
    )
  if (!rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    throw new UsageError(`The log export ${path} has rows that are no JSON objects with the names of the columns.`)
  return rows as readonly LogRow[]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function rowsOnLines(text: string): readonly unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const rows = lines.map(parse)
  return lines.length === 0 || rows.includes(undefined) ? undefined : rows
}

interface Tables {
  readonly tables?: readonly {
    readonly columns?: readonly { readonly name?: string }[]
    readonly rows?: readonly (readonly unknown[])[]
  }[]
}

function tableRows(whole: unknown): readonly LogRow[] | undefined {
  const [table] = (whole as Tables | null)?.tables ?? []
  if (table?.columns === undefined || table.rows === undefined) return undefined
  const names = table.columns.map(({ name }) => name ?? '')
  return table.rows.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column]])))
}

/** Most frequent queries of a log export that are considered for a key. */
const MAX_QUERIES = 20

/** Queries of a log export as `--query` takes them, without those that cannot be read. */
export function loggedQueries(log: LogExport | undefined): readonly string[] {
  return (log?.queries ?? [])
    .slice(0, MAX_QUERIES)
    .map(({ text, perSecond }) => `${text.replaceAll(/\s+/g, ' ')} @ ${rateText(perSecond)}/s`)
    .filter((query) => parseQuery(query, readSql).ok)
}

function rateText(perSecond: number): string {
  const digits = Number(perSecond.toPrecision(3)).toFixed(9)
  return digits.replace(/\.?0+$/, '')
}

/** Part of a sentence about the request units of the present keys in a log export. */
export function describeLoggedUses({ uses, seconds }: LogExport): string {
  const byKey = new Map<string, number>()
  let total = 0
  for (const { values, ru } of uses) {
    const key = JSON.stringify(values)
    byKey.set(key, (byKey.get(key) ?? 0) + ru)
    total += ru
  }
  let busiest = 0
  for (const ru of byKey.values()) busiest = Math.max(busiest, ru)
  return `${formatCount(Number((total / seconds).toPrecision(3)))} RU/s on ${formatCount(byKey.size)} present keys, of which the busiest takes ${formatPercent(total === 0 ? 0 : busiest / total)}`
}
