import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire({ ranges: 3 })
})
afterAll(() => wire.stop())

const JOIN = 'SELECT VALUE [c.id, t] FROM c JOIN t IN c.tags'

/** A container with an item for each number of tags that is not negative; returns the path of its items. */
async function fill(counts: readonly number[]): Promise<string> {
  const docs = `${await wire.container()}/docs`
  for (const [n, count] of counts.entries()) if (count >= 0) await put(docs, n, count)
  return docs
}

async function put(docs: string, n: number, count: number): Promise<void> {
  const body = { id: `i${n}`, pk: `k${n % 4}`, tags: Array.from({ length: count }, (_, tag) => tag) }
  const answer = await wire.call('POST', docs, {
    key: [body.pk],
    body,
    headers: { 'x-ms-documentdb-is-upsert': 'true' }
  })
  expect(answer.status).toBeLessThan(300)
}

const page = (docs: string, size: number, continuation?: string | null, query: string = JOIN): Promise<WireAnswer> =>
  wire.call('POST', docs, {
    body: { query },
    headers: {
      ...QUERY,
      'x-ms-max-item-count': String(size),
      ...(typeof continuation === 'string' ? { 'x-ms-continuation': continuation } : {})
    }
  })

/** The rows of all pages from a continuation on; `between` runs after the first of these pages. */
async function readPages(
  docs: string,
  size: number,
  { query = JOIN, between = async () => {} }: { query?: string; between?: () => Promise<unknown> } = {}
): Promise<{ rows: string[]; sizes: number[] }> {
  const rows: string[] = []
  const sizes: number[] = []
  let continuation: string | null = null
  do {
    const { status, headers, body }: WireAnswer = await page(docs, size, continuation, query)
    expect(status).toBe(200)
    rows.push(...(body.Documents as unknown[]).map((row) => JSON.stringify(row)))
    sizes.push(body.Documents.length)
    continuation = headers.get('x-ms-continuation')
    if (sizes.length === 1) await between()
  } while (continuation !== null)
  return { rows, sizes }
}

const COUNTS = [3, 0, 25, 1, 7, 0, 40, 2]
const rowsOf = (counts: readonly number[]): string[] =>
  counts.flatMap((count, n) => Array.from({ length: count }, (_, tag) => JSON.stringify([`i${n}`, tag])))

describe('the pages of a query with JOIN', () => {
  it.each([1, 6, 7, 25, 40, 100])('have at most %i rows, and each row once', async (size) => {
    const { rows, sizes } = await readPages(await fill(COUNTS), size)

    expect(rows.toSorted()).toEqual(rowsOf(COUNTS).toSorted())
    expect(sizes.slice(0, -1).every((count) => count === size)).toBe(true)
    expect(sizes.at(-1)).toBeGreaterThan(0)
  })

  it.each([1, 5, 28, 77])('end after the %i rows of TOP', async (top) => {
    const query = `SELECT TOP ${top} VALUE [c.id, t] FROM c JOIN t IN c.tags WHERE t >= 0`
    const docs = await fill(COUNTS)
    const headers = { ...QUERY, 'x-ms-documentdb-partitionkey': '["k2"]', 'x-ms-max-item-count': '6' }
    const rows: unknown[] = []
    let continuation: string | null = null
    do {
      const more: Record<string, string> = continuation === null ? {} : { 'x-ms-continuation': continuation }
      const answer: WireAnswer = await wire.call('POST', docs, { body: { query }, headers: { ...headers, ...more } })
      rows.push(...answer.body.Documents)
      continuation = answer.headers.get('x-ms-continuation')
    } while (continuation !== null)

    expect(rows.map((row) => JSON.stringify(row))).toEqual(rowsOf([0, 0, 25, 0, 0, 0, 40]).slice(0, top))
  })

  it('go on with the next item if the item at their end is deleted', async () => {
    const docs = await fill([-1, -1, 25, -1, -1, -1, 40])
    const remove = (): Promise<WireAnswer> => wire.call('DELETE', `${docs}/i2`, { key: ['k2'] })
    const { rows } = await readPages(docs, 10, { between: remove })

    expect(rows).toEqual([...rowsOf([0, 0, 10]), ...rowsOf([0, 0, 0, 0, 0, 0, 40])])
  })

  it.each([
    [4, 0],
    [10, 0],
    [30, 20]
  ])('return the rest of an item that has %i rows when the next page begins', async (count, rest) => {
    const docs = await fill([0, 0, 25, 0, 0, 0, 40])
    const { rows } = await readPages(docs, 10, { between: () => put(docs, 2, count) })

    expect(rows).toHaveLength(10 + rest + 40)
    expect(new Set(rows).size).toBe(rows.length)
  })

  it('stay complete if the ranges are split between two pages', async () => {
    const docs = await fill(COUNTS)
    const [, , database = '', , container = ''] = docs.split('/')
    const split = async (): Promise<void> => {
      for (const range of ['0', '1', '2']) await wire.emulator?.split(database, container, range)
    }
    const { rows } = await readPages(docs, 4, { between: split })

    expect(rows.toSorted()).toEqual(rowsOf(COUNTS).toSorted())
  })

  it.each(['split', 'merge'] as const)(
    'have no row twice if each page is followed by a %s and by a write',
    async (move) => {
      const path = await wire.container()
      const docs = `${path}/docs`
      const [, , database = '', , container = ''] = docs.split('/')
      const store = (id: string): Promise<WireAnswer> =>
        wire.call('POST', docs, { key: [id], body: { id, pk: id, tags: [0, 1, 2, 3, 4] } })
      for (let n = 0; n < 20; n++) await store(`old${n}`)
      const rows: string[] = []
      let continuation: string | null = null
      for (let n = 0; n === 0 || continuation !== null; n++) {
        const answer: WireAnswer = await page(docs, 3, continuation)
        rows.push(...(answer.body.Documents as unknown[]).map((row) => JSON.stringify(row)))
        continuation = answer.headers.get('x-ms-continuation')
        // items of the other half, and new items, can come before the item in which the page has ended
        if (n < 12) await store(`new${n}`)
        const ranges = (await wire.call('GET', `${path}/pkranges`)).body.PartitionKeyRanges
        if (n < 6 && move === 'split') await wire.emulator!.split(database, container, ranges[0].id)
        if (n % 9 === 4 && move === 'merge' && ranges.length > 1)
          await wire.emulator!.merge(database, container, ranges[0].id)
      }

      expect(new Set(rows).size).toBe(rows.length)
      expect(rows.filter((row) => row.startsWith('["old'))).toHaveLength(100)
    }
  )

  it('are served without a query plan, as those of a query without JOIN', async () => {
    const docs = await fill([1])

    expect((await page(docs, 10)).status).toBe(200)
    expect((await page(docs, 10, null, 'SELECT DISTINCT t FROM c JOIN t IN c.tags')).subStatus).toBe(1004)
  })

  it.each(['SELECT DISTINCT a, b', 'SELECT VALUE a'])(
    'let other requests run while the rows of one item are made: %s',
    async (select) => {
      const docs = await fill([400])
      const done: string[] = []
      const query = `${select} FROM c JOIN a IN c.tags JOIN b IN c.tags WHERE a < 0`
      const asked = wire.call('POST', docs, { key: ['k0'], body: { query }, headers: QUERY })
      const readTwice = async (): Promise<void> => {
        for (let n = 0; n < 2; n++) expect((await wire.call('GET', `${docs}/i0`, { key: ['k0'] })).status).toBe(200)
      }
      await Promise.all([asked.then(() => done.push('query')), readTwice().then(() => done.push('reads'))])

      expect(done).toEqual(['reads', 'query'])
    }
  )
})
