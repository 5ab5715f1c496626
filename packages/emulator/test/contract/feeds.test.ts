/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire } from './wire.ts'

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container({}, { 'x-ms-offer-throughput': '20000' })}/docs`
  for (let i = 0; i < 60; i++)
    await wire.call('POST', docs, { key: [`k${i % 6}`], body: { id: `i${i}`, pk: `k${i % 6}`, n: i } })
})
afterAll(() => wire.stop())

interface Page {
  Documents: { id: string; n: number; pk: string }[]
}

/** Reads all pages of a feed or of a query. */
async function readAll(asked: {
  headers?: Record<string, string>
  query?: unknown
  key?: unknown[]
}): Promise<{ rows: Page['Documents']; pages: number }> {
  const rows: Page['Documents'] = []
  let continuation: string | null = null
  for (let pages = 1; ; pages++) {
    const headers: Record<string, string> = { ...(asked.query === undefined ? {} : QUERY), ...asked.headers }
    if (continuation !== null) headers['x-ms-continuation'] = continuation
    const answer = await wire.call(asked.query === undefined ? 'GET' : 'POST', docs, {
      headers,
      ...(asked.query === undefined ? {} : { body: asked.query }),
      ...(asked.key === undefined ? {} : { key: asked.key })
    })
    expect(answer.status).toBe(200)
    expect(answer.body['_count']).toBe(answer.body.Documents.length)
    expect(Number(answer.headers.get('x-ms-item-count'))).toBe(answer.body['_count'])
    rows.push(...(answer.body as Page).Documents)
    continuation = answer.headers.get('x-ms-continuation')
    if (continuation === null) return { rows, pages }
  }
}

describe('the feed of items', () => {
  it('returns every item once, in pages of the requested size', async () => {
    const { rows, pages } = await readAll({ headers: { 'x-ms-max-item-count': '7' } })

    expect(new Set(rows.map((row) => row.id)).size).toBe(60)
    expect(rows).toHaveLength(60)
    expect(pages).toBe(9)
  })

  it('contains only the items of a partition key, a range id or an interval of effective keys if the request names it', async () => {
    const ofKey = await readAll({ key: ['k3'], headers: { 'x-ms-max-item-count': '4' } })
    expect(ofKey.rows.map((row) => row.n)).toEqual([3, 9, 15, 21, 27, 33, 39, 45, 51, 57])

    const { body } = await wire.call('GET', docs.replace('/docs', '/pkranges'))
    let byRange = 0
    let byKeys = 0
    for (const range of body.PartitionKeyRanges) {
      byRange += (await readAll({ headers: { 'x-ms-documentdb-partitionkeyrangeid': range.id } })).rows.length
      byKeys += (
        await readAll({
          headers: {
            'x-ms-start-epk': range.minInclusive,
            'x-ms-end-epk': range.maxExclusive,
            'x-ms-read-key-type': 'EffectivePartitionKeyRange'
          }
        })
      ).rows.length
    }
    expect([byRange, byKeys]).toEqual([60, 60])
  })

  it('refuses an invalid continuation, and a page size of zero', async () => {
    const { body } = await wire.call('GET', docs, { headers: { 'x-ms-continuation': 'garbage' } })
    expect(body.message).toContain('Invalid Continuation Token')
    for (const headers of [
      { 'x-ms-continuation': 'garbage' },
      { 'x-ms-max-item-count': '0' },
      { 'x-ms-max-item-count': 'x' }
    ]) {
      expect((await wire.call('GET', docs, { headers: headers as Record<string, string> })).status).toBe(400)
    }
  })

  it('of a range that no longer exists is answered with 410/1002', async () => {
    const answer = await wire.call('GET', docs, { headers: { 'x-ms-documentdb-partitionkeyrangeid': '77' } })

    expect(answer).toMatchObject({ status: 410, subStatus: 1002 })
  })
})

describe('a query', () => {
  it('over all keys is answered if cross-partition queries are enabled, and refused otherwise', async () => {
    const query = { query: 'SELECT * FROM c WHERE c.n < 10' }
    const { rows } = await readAll({ query, headers: { 'x-ms-max-item-count': '3' } })
    expect(rows).toHaveLength(10)

    const refused = await wire.call('POST', docs, {
      headers: { ...QUERY, 'x-ms-documentdb-query-enablecrosspartition': 'false' },
      body: query
    })
    expect(refused.status).toBe(400)
  })

  it('can sort, aggregate, limit and remove duplicates within a partition key', async () => {
    const rows = async (text: string): Promise<unknown[]> =>
      (await readAll({ query: { query: text }, key: ['k1'], headers: { 'x-ms-max-item-count': '2' } })).rows

    expect(await rows('SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 5')).toEqual([49, 43, 37, 31, 25])
    expect(await rows('SELECT VALUE COUNT(1) FROM c')).toEqual([10])
    expect((await rows('SELECT DISTINCT VALUE c.n % 4 FROM c')).length).toBe(2)
    expect(await rows('SELECT TOP 5 * FROM c')).toHaveLength(5)
    expect(await rows('SELECT TOP 3 VALUE c.n FROM c WHERE c.pk = "k1"')).toEqual([1, 7, 13])
  })

  it.each([
    'SELECT VALUE c.n FROM c ORDER BY c.n',
    'SELECT VALUE COUNT(1) FROM c',
    'SELECT DISTINCT VALUE c.pk FROM c',
    'SELECT TOP 5 * FROM c',
    'SELECT * FROM c OFFSET 1 LIMIT 5'
  ])(
    'whose rows a client has to combine from all ranges is refused, and the answer has the query plan: %s',
    async (query) => {
      const { status, subStatus, body } = await wire.call('POST', docs, { headers: QUERY, body: { query } })

      expect([status, subStatus]).toEqual([400, 1004])
      expect(JSON.parse(body.additionalErrorInfo)).toHaveProperty('queryInfo')
    }
  )

  it('is refused with 400/1004 if the request for its plan does not list a feature that the query needs', async () => {
    const headers = {
      ...QUERY,
      'x-ms-cosmos-is-query-plan-request': 'True',
      'x-ms-cosmos-supported-query-features': 'MultipleOrderBy,OffsetAndLimit,OrderBy,Top'
    }
    const answer = await wire.call('POST', docs, { headers, body: { query: 'SELECT DISTINCT c.country FROM c' } })

    expect(answer).toMatchObject({ status: 400, subStatus: 1004 })
  })

  it('can end with a full page, without an empty page after it', async () => {
    const pagesOf = async (query: string, size: number): Promise<number> =>
      (await readAll({ query: { query }, headers: { 'x-ms-max-item-count': String(size) } })).pages

    expect(await pagesOf('SELECT * FROM c', 20)).toBe(3)
    expect(await pagesOf('SELECT * FROM c', 60)).toBe(1)
    expect(await pagesOf('SELECT * FROM c WHERE c.n < 10', 5)).toBe(2)
    expect(await pagesOf('SELECT VALUE c.id FROM c WHERE c.pk = "k1"', 5)).toBe(2)
    expect(await pagesOf('SELECT * FROM c WHERE c.n < 10', 4)).toBe(3)
  })

  it('can have parameters', async () => {
    const query = { query: 'SELECT VALUE c.id FROM c WHERE c.n = @n', parameters: [{ name: '@n', value: 42 }] }

    expect((await readAll({ query })).rows).toEqual(['i42'])
  })

  it('by partition key, in the header or in WHERE, needs no header that enables cross-partition queries', async () => {
    const headers = { ...QUERY, 'x-ms-documentdb-query-enablecrosspartition': 'false' }
    const byHeader = await wire.call('POST', docs, { headers, key: ['k2'], body: { query: 'SELECT * FROM c' } })
    const inWhere = await wire.call('POST', docs, {
      headers,
      body: { query: 'SELECT * FROM c WHERE c.pk = "k2" AND c.n > 0' }
    })

    expect(byHeader.body['_count']).toBe(10)
    expect(inWhere.body['_count']).toBe(10)
  })

  it('by range id returns only the rows of that range, even if WHERE names a key of another range', async () => {
    const { body } = await wire.call('GET', docs.replace('/docs', '/pkranges'))
    const counts: number[] = await Promise.all(
      body.PartitionKeyRanges.map(async (range: { id: string }) => {
        const headers = { 'x-ms-documentdb-partitionkeyrangeid': range.id }
        return (await readAll({ query: { query: 'SELECT * FROM c WHERE c.pk = "k2"' }, headers })).rows.length
      })
    )

    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 10])
  })

  it('that is invalid is refused with 400, and an unsupported feature with 501 and its name', async () => {
    const ask = (text: unknown): ReturnType<Wire['call']> =>
      wire.call('POST', docs, { headers: QUERY, body: { query: text } })

    expect((await ask('SELECT * FORM c')).status).toBe(400)
    expect((await ask(7)).status).toBe(400)
    const called = await ask('SELECT VALUE udf.tax(c.n) FROM c')
    expect(called.status).toBe(501)
    expect(called.body.message).toMatch(/udf\.tax/)
  })

  it('has a plan with every property that clients read', async () => {
    const headers = {
      'content-type': 'application/query+json',
      'x-ms-cosmos-is-query-plan-request': 'True',
      'x-ms-cosmos-query-version': '1.4',
      'x-ms-cosmos-supported-query-features': 'Aggregate, OrderBy, Distinct, OffsetAndLimit, Top, NonValueAggregate'
    }
    const { status, body } = await wire.call('POST', docs, { headers, body: { query: 'SELECT VALUE COUNT(1) FROM c' } })

    expect(status).toBe(200)
    expect(body.partitionedQueryExecutionInfoVersion).toBe(2)
    expect(body.queryInfo).toMatchObject({
      aggregates: ['Count'],
      hasSelectValue: true,
      distinctType: 'None',
      orderBy: []
    })
    expect(body.queryRanges).toEqual([{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }])
  })
})

describe('the prefix of a hierarchical key', () => {
  it('limits feeds and queries to the keys that begin with this prefix', async () => {
    const path = await wire.container({ partitionKey: { paths: ['/t', '/u', '/v'], kind: 'MultiHash', version: 2 } })
    for (const [t, u, v] of [
      ['a', 1, 'x'],
      ['a', 1, 'y'],
      ['a', 2, 'x'],
      ['b', 1, 'x']
    ]) {
      await wire.call('POST', `${path}/docs`, { key: [t, u, v], body: { id: `${t}${u}${v}`, t, u, v } })
    }
    const count = async (key: unknown[]): Promise<number> =>
      (await wire.call('GET', `${path}/docs`, { key })).body['_count'] as number
    const queried = await wire.call('POST', `${path}/docs`, {
      headers: QUERY,
      key: ['a', 1],
      body: { query: 'SELECT * FROM c' }
    })

    expect([await count(['a']), await count(['a', 1]), await count(['a', 1, 'y']), await count(['c'])]).toEqual([
      3, 2, 1, 0
    ])
    expect(queried.body['_count']).toBe(2)
  })
})

describe('an emulator that answers cross-partition queries itself', () => {
  it('sorts, aggregates, limits and removes duplicates over all ranges', async () => {
    const serving = await openWire({ crossPartition: 'serve', ranges: 4 })
    const all = `${await serving.container()}/docs`
    for (let i = 0; i < 60; i++)
      await serving.call('POST', all, { key: [`k${i % 6}`], body: { id: `i${i}`, pk: `k${i % 6}`, n: i } })
    const rows = async (query: string): Promise<unknown[]> =>
      (await serving.call('POST', all, { headers: QUERY, body: { query } })).body.Documents as unknown[]

    expect(await rows('SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 5')).toEqual([58, 57, 56, 55, 54])
    expect(await rows('SELECT VALUE COUNT(1) FROM c ORDER BY c.n')).toEqual([60])
    expect((await rows('SELECT DISTINCT VALUE c.pk FROM c')).length).toBe(6)
    expect(await rows('SELECT TOP 5 * FROM c')).toHaveLength(5)
    await serving.stop()
  })
})
