import { createPlan, isKeystampError } from '@keystamp/core'
import { createReader, openAccount, type Reader } from '@keystamp/cosmos'
import { type Candidate, type MeasuredQuery, predictQuery, type QueryLoad } from '@keystamp/planner'
import type { SampleRecord } from './kept-records.ts'
import type { LocalAnswer, LocalContainer } from './local-container.ts'
import { createQueryCase, type QueryCase, valueAt } from './query-cases.ts'

export interface MeasuredQueries {
  readonly queries: readonly MeasuredQuery[]
  /** Reasons why queries were not measured. */
  readonly notes: readonly string[]
}

/** Number of records for which a query is routed, and of queries that run for each number of physical partitions. */
const ROUTED_RECORDS = 200
const RUNS = 4

/** A container with records, under the key of a candidate. */
export interface QueryContext {
  readonly container: LocalContainer
  readonly candidate: Candidate
  /** Records that are in the container. */
  readonly records: readonly SampleRecord[]
  readonly partitions: number
  readonly signal: AbortSignal
}

/** Runs the queries of a workload with values of records that are in the container. */
export async function measureQueries(queries: readonly QueryLoad[], context: QueryContext): Promise<MeasuredQueries> {
  const router = createRouter(context.container, context.candidate)
  const measured: MeasuredQuery[] = []
  const notes: string[] = []
  try {
    for (const query of queries) {
      context.signal.throwIfAborted()
      const found = await measureQuery(query, context, router)
      if (found === undefined)
        notes.push(`The query ${query.name} was not measured: no written record has all of its fields.`)
      else measured.push(found)
    }
  } finally {
    router.close()
  }
  return { queries: measured, notes }
}

/** Measures a query with the values of a few records for each number of partitions, and weights the results. */
async function measureQuery(
  query: QueryLoad,
  context: QueryContext,
  router: Router
): Promise<MeasuredQuery | undefined> {
  const { candidate, partitions, container } = context
  const isPoint = predictQuery(query, candidate, { partitions, bytes: 0 }).kind === 'point'
  const routed = new Map<number, { readonly found: QueryCase; readonly ranges: readonly string[] }[]>()
  let cases = 0
  for (const found of casesOf(query, context)) {
    const ranges = await router.rangesOf(found)
    routed.set(ranges.length, [...(routed.get(ranges.length) ?? []), { found, ranges }])
    cases++
  }
  let [ranges, ru, bytes] = [0, 0, 0]
  for (const [count, group] of routed) {
    const answers: LocalAnswer[] = []
    for (const each of group.slice(0, RUNS)) {
      const answer = await (isPoint
        ? readPoint(container, candidate, each.found)
        : runQuery(container, each.found, each.ranges, query.rows))
      if (answer !== undefined) answers.push(answer)
    }
    if (answers.length === 0) return undefined
    const weight = group.length / cases
    ranges += weight * count
    ru += weight * meanOf(answers.map(({ chargeRu }) => chargeRu))
    bytes += weight * meanOf(answers.map((each) => each.bytes))
  }
  if (cases === 0) return undefined
  const predicted = predictQuery(query, candidate, { partitions, bytes })
  return {
    name: query.name,
    kind: predicted.kind,
    ranges: { predicted: predicted.ranges, measured: ranges },
    ru: { predicted: predicted.ru, measured: ru }
  }
}

function casesOf(query: QueryLoad, { candidate, records }: QueryContext): readonly QueryCase[] {
  const step = Math.max(1, Math.floor(records.length / ROUTED_RECORDS))
  const chosen = records.filter((_record, index) => index % step === 0)
  return chosen.flatMap((record, index) => {
    const found = createQueryCase(query, candidate, record, chosen.slice(index + 1))
    return found === undefined ? [] : [found]
  })
}

/** Requests one page from each of the physical partitions. */
async function runQuery(
  container: LocalContainer,
  { sql, parameters }: QueryCase,
  ranges: readonly string[],
  rows: number
): Promise<LocalAnswer> {
  const answers = await Promise.all(
    ranges.map((range) =>
      container.request('', {
        headers: {
          'content-type': 'application/query+json',
          'x-ms-documentdb-isquery': 'true',
          'x-ms-documentdb-query-enablecrosspartition': 'true',
          'x-ms-documentdb-partitionkeyrangeid': range,
          'x-ms-max-item-count': String(Math.min(MAX_PAGE_ITEMS, Math.max(1, Math.ceil(rows))))
        },
        body: { query: sql, parameters }
      })
    )
  )
  const failed = answers.find(({ status }) => status !== 200)
  if (failed !== undefined) throw new Error(`The local emulator answered ${failed.status} to a query: ${sql}`)
  return {
    status: 200,
    chargeRu: answers.reduce((sum, { chargeRu }) => sum + chargeRu, 0),
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

const MAX_PAGE_ITEMS = 1000

/** Reads a document by its key and id; undefined if it is not in the container. */
async function readPoint(
  container: LocalContainer,
  { plan, partitionKeyPaths }: Candidate,
  { record }: QueryCase
): Promise<LocalAnswer | undefined> {
  const values =
    plan === null
      ? partitionKeyPaths.map((path) => valueAt(record, path) ?? {})
      : createPlan(plan, { random: Math.random }).keyFor(record).values
  const headers = { 'x-ms-documentdb-partitionkey': JSON.stringify(values) }
  const answer = await container.request(`/${encodeURIComponent(String(record['id']))}`, { headers })
  return answer.status === 200 ? answer : undefined
}

/** Finds the physical partitions to which a client sends a query. */
interface Router {
  readonly rangesOf: (query: QueryCase) => Promise<readonly string[]>
  readonly close: () => void
}

/** Creates a router that uses the reader of @keystamp/cosmos. Without a list of keys, it returns all partitions. */
function createRouter({ address }: LocalContainer, { plan }: Candidate): Router {
  const options = { ...address, metadataBy: 'direct' as const }
  const reader = createReader({ ...options, ...(plan === null ? {} : { plan }) })
  const account = openAccount(options)
  return {
    rangesOf: async ({ parts, between }) => {
      const asked = await rangesOfParts(reader, parts, between)
      return asked ?? (await account.ranges()).map(({ id }) => id)
    },
    close: () => {
      reader.close()
      account.close()
    }
  }
}

/** Returns the ranges of the keys that are possible for the parts; undefined if the parts do not limit the keys. */
async function rangesOfParts(
  reader: Reader,
  parts: readonly SampleRecord[],
  between: QueryCase['between']
): Promise<readonly string[] | undefined> {
  try {
    const explained = await Promise.all(parts.map((part) => reader.explain(part, between && { between })))
    return [...new Set(explained.flatMap(({ ranges }) => ranges.map(({ id }) => id)))]
  } catch (error) {
    if (isKeystampError(error) && (error.code === 'KEYS_UNBOUNDED' || error.code === 'PARTS_MISSING')) return undefined
    throw error
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
