import type { BenchServer } from './server.ts'

const DOCS = '/dbs/bench/colls/c/docs'
const BATCH = 100
const KEYS = 400

/** Partition keys by the range that they belong to. */
export type KeysByRange = ReadonlyMap<string, readonly string[]>

/** Creates the container, and finds the range of each key by a request. */
export async function prepare(server: BenchServer): Promise<KeysByRange> {
  await server.call('POST', '/dbs', {}, '{"id":"bench"}')
  await server.call(
    'POST',
    '/dbs/bench/colls',
    {},
    '{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}'
  )
  const found = new Map<string, string[]>()
  for (let i = 0; i < KEYS; i++) {
    const { range } = await server.call('GET', `${DOCS}/absent`, { 'x-ms-documentdb-partitionkey': `["k${i}"]` })
    found.set(range, [...(found.get(range) ?? []), `k${i}`])
  }
  return found
}

/** Upserts in bulk requests of 100, to all ranges in turn. The same `run` gives the same ids. */
export async function bulkUpserts(server: BenchServer, keys: KeysByRange, count: number, run: string): Promise<void> {
  const ranges = [...keys]
  await inParallel(10, Math.ceil(count / BATCH), async (batch) => {
    const [range, own] = ranges[batch % ranges.length]
    const operations = Array.from({ length: BATCH }, (_, i) => {
      const pk = own[i % own.length]
      return {
        operationType: 'Upsert',
        partitionKey: `["${pk}"]`,
        resourceBody: document(`${run}-${batch}-${i}`, pk, i)
      }
    })
    await sendBulk(server, DOCS, range, operations)
  })
}

/** Sends operations on one range as a bulk request, and throws unless all of them succeed. */
export async function sendBulk(
  server: BenchServer,
  docs: string,
  range: string,
  operations: readonly object[]
): Promise<void> {
  const headers = {
    'x-ms-cosmos-is-batch-request': 'true',
    'x-ms-cosmos-batch-atomic': 'false',
    'x-ms-cosmos-batch-continue-on-error': 'true',
    'x-ms-documentdb-partitionkeyrangeid': range,
    prefer: 'return=minimal'
  }
  const { status, text } = await server.call('POST', docs, headers, JSON.stringify(operations))
  if (status !== 200) throw new Error(`${server.name} answered a bulk request with ${status}: ${text.slice(0, 200)}`)
}

/** Upserts in single requests, sixteen at the same time. */
export async function pointUpserts(server: BenchServer, count: number): Promise<void> {
  await inParallel(16, count, async (i) => {
    const pk = `k${i % KEYS}`
    const headers = { 'x-ms-documentdb-is-upsert': 'true', 'x-ms-documentdb-partitionkey': `["${pk}"]` }
    const { status, text } = await server.call('POST', DOCS, headers, JSON.stringify(document(`p${i}`, pk, i)))
    if (status > 201) throw new Error(`${server.name} answered an upsert with ${status}: ${text.slice(0, 200)}`)
  })
}

/** Reads the documents that `pointUpserts` has written. */
export async function pointReads(server: BenchServer, count: number): Promise<void> {
  await inParallel(16, count, async (i) => {
    const { status, text } = await server.call('GET', `${DOCS}/p${i}`, {
      'x-ms-documentdb-partitionkey': `["k${i % KEYS}"]`
    })
    if (status !== 200) throw new Error(`${server.name} answered a read with ${status}: ${text.slice(0, 200)}`)
  })
}

/** Queries by key one after the other, a page of a hundred rows each; returns the milliseconds per query. */
export async function queriesByKey(server: BenchServer, count: number): Promise<number> {
  const headers = { 'x-ms-documentdb-isquery': 'true', 'x-ms-documentdb-query-enablecrosspartition': 'true' }
  const begun = performance.now()
  for (let i = 0; i < count; i++) {
    const query = { query: 'SELECT * FROM c WHERE c.pk = @pk', parameters: [{ name: '@pk', value: `lone${i}` }] }
    const { status, text } = await server.call('POST', DOCS, headers, JSON.stringify(query))
    if (status !== 200 || !text.includes('"_count":20'))
      throw new Error(`${server.name} answered a query with ${status}: ${text.slice(0, 200)}`)
  }
  return (performance.now() - begun) / count
}

/** Twenty items under each of some keys, for the queries by key. */
export async function makeLoneKeys(server: BenchServer, count: number): Promise<void> {
  await inParallel(16, count * 20, async (i) => {
    const pk = `lone${i % count}`
    await server.call(
      'POST',
      DOCS,
      { 'x-ms-documentdb-partitionkey': `["${pk}"]` },
      JSON.stringify(document(`l${i}`, pk, i))
    )
  })
}

const FILLER = 'x'.repeat(820)

/** A document of 1 KB. */
export function document(id: string, pk: string, n: number): object {
  const position = { latitude: 52.1 + n / 1000, longitude: 4.9 }
  return {
    id,
    pk,
    n,
    date: '2018-08-09',
    deviceId: `dev-${n}`,
    temperature: 21.5,
    status: 'ok',
    tags: ['a', 'b'],
    position,
    filler: FILLER
  }
}

/** Runs work for each index, at most `width` at the same time. */
export async function inParallel(width: number, count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lanes = Array.from({ length: Math.min(width, count) }, async () => {
    while (next < count) await work(next++)
  })
  await Promise.all(lanes)
}
