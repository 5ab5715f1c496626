import type { BenchServer } from './server.ts'
import { document, inParallel, sendBulk } from './workloads.ts'

/** The items of the container. */
export const DOCS: string = '/dbs/queries/colls/c/docs'
const BATCH = 100
const QUERY = {
  'x-ms-documentdb-isquery': 'true',
  'x-ms-documentdb-query-enablecrosspartition': 'true',
  'x-ms-max-item-count': '-1'
}

/** A query with its parameters, and the header of a scope if it has one. */
export interface AskedQuery {
  readonly query: string
  readonly parameters?: readonly { name: string; value: unknown }[]
  readonly headers?: Record<string, string>
}

/** Makes a container whose documents of 1 KB have their keys in turn; returns the ids of its ranges. */
export async function fillContainer(server: BenchServer, keys: readonly string[], count: number): Promise<string[]> {
  await server.call('DELETE', '/dbs/queries')
  await server.call('POST', '/dbs', {}, '{"id":"queries"}')
  const definition = '{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}'
  await server.call('POST', '/dbs/queries/colls', {}, definition)
  const ranges = await keysByRange(server, keys)
  const batches = [...ranges].flatMap(([range, own]) => batchesOf(range, own, Math.floor(count / keys.length)))
  await inParallel(10, batches.length, async (at) => {
    const { range, documents } = batches[at]
    const operations = documents().map((resourceBody) => ({
      operationType: 'Create',
      partitionKey: JSON.stringify([resourceBody.pk]),
      resourceBody
    }))
    await sendBulk(server, DOCS, range, operations)
  })
  return [...ranges.keys()]
}

async function keysByRange(server: BenchServer, keys: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  await inParallel(16, keys.length, async (at) => {
    const { range } = await server.call('GET', `${DOCS}/absent`, { 'x-ms-documentdb-partitionkey': `["${keys[at]}"]` })
    const own = found.get(range) ?? []
    found.set(range, own)
    own.push(keys[at])
  })
  return found
}

interface Batch {
  readonly range: string
  readonly documents: () => { readonly id: string; readonly pk: string }[]
}

function batchesOf(range: string, own: readonly string[], each: number): Batch[] {
  const total = own.length * each
  return Array.from({ length: Math.ceil(total / BATCH) }, (_, batch) => ({
    range,
    documents: () =>
      Array.from({ length: Math.min(BATCH, total - batch * BATCH) }, (__, i) => {
        const n = batch * BATCH + i
        const named = { id: `${range}-${n}`, pk: own[n % own.length] }
        return { ...named, ...document(named.id, named.pk, n) }
      })
  }))
}

/** Runs a query with all its pages; returns the number of its rows and the milliseconds that it took. */
export async function askAll(server: BenchServer, asked: AskedQuery): Promise<{ rows: number; ms: number }> {
  const begunMs = performance.now()
  const { query, parameters = [], headers = {} } = asked
  const body = JSON.stringify({ query, parameters })
  let rows = 0
  let continuation: string | undefined
  do {
    const more: Record<string, string> = continuation === undefined ? {} : { 'x-ms-continuation': continuation }
    const answer = await server.call('POST', DOCS, { ...QUERY, ...headers, ...more }, body)
    if (answer.status !== 200) throw new Error(`A query was answered with ${answer.status}: ${answer.text}`)
    rows += Number(/"_count":(\d+)\}$/.exec(answer.text.slice(-40))?.[1])
    continuation = answer.continuation
  } while (continuation !== undefined)
  return { rows, ms: performance.now() - begunMs }
}
