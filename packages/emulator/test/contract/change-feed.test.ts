import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container({}, { 'x-ms-offer-throughput': '12000' })}/docs`
  for (let i = 0; i < 20; i++) await put(`i${i}`, `k${i % 4}`, 1)
})
afterAll(() => wire.stop())

const put = (id: string, pk: string, n: number): Promise<WireAnswer> =>
  wire.call('POST', docs, { key: [pk], headers: { 'x-ms-documentdb-is-upsert': 'true' }, body: { id, pk, n } })
const changes = (headers: Record<string, string> = {}, key?: unknown[]): Promise<WireAnswer> =>
  wire.call('GET', docs, { headers: { 'A-IM': 'Incremental feed', ...headers }, ...(key === undefined ? {} : { key }) })

const idsOf = (body: { Documents: { id: string }[] }): string[] => body.Documents.map(({ id }) => id)

/** Reads changes until 304. Returns the ids in their order, and the last ETag. */
async function readAll(
  headers: Record<string, string> = {},
  key?: unknown[]
): Promise<{ ids: string[]; etag: string; pages: number }> {
  const ids: string[] = []
  let etag: string | undefined
  for (let pages = 0; ; pages++) {
    const answer = await changes({ ...headers, ...(etag === undefined ? {} : { 'If-None-Match': etag }) }, key)
    etag = answer.headers.get('etag')!
    expect(etag).not.toBeNull()
    if (answer.status === 304) return { ids, etag, pages }
    expect(answer.status).toBe(200)
    ids.push(...answer.body.Documents.map((document: { id: string }) => document.id))
  }
}

describe('the change feed', () => {
  it('returns every item once from the beginning, in pages, and ends in 304', async () => {
    const { ids, pages } = await readAll({ 'x-ms-max-item-count': '6' })

    expect(ids.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `i${i}`).toSorted())
    expect(pages).toBe(4)
  })

  it('returns only the latest version of an item that changed twice, at its new position, with its LSN', async () => {
    const { etag } = await readAll()
    await put('i3', 'k3', 2)
    await put('i1', 'k1', 2)
    await put('i3', 'k3', 3)
    const { body } = await changes({ 'If-None-Match': etag })

    expect(body.Documents.map((document: { id: string; n: number }) => [document.id, document.n])).toEqual([
      ['i1', 2],
      ['i3', 3]
    ])
    expect(body.Documents[0]['_lsn']).toBeGreaterThan(0)
  })

  it('begins after all earlier changes if If-None-Match is *', async () => {
    const now = await changes({ 'If-None-Match': '*' })
    expect(now.status).toBe(304)
    await put('later', 'k0', 1)
    const after = await changes({ 'If-None-Match': now.headers.get('etag')! })

    expect(after.body.Documents.map((document: { id: string }) => document.id)).toEqual(['later'])
  })

  it('begins at the time in If-Modified-Since', async () => {
    const old = new Date(Date.now() - 3_600_000).toUTCString()
    const future = new Date(Date.now() + 3_600_000).toUTCString()

    expect((await changes({ 'If-Modified-Since': old })).body.Documents.length).toBeGreaterThan(19)
    expect((await changes({ 'If-Modified-Since': future })).status).toBe(304)
  })

  it('contains only the changes of a partition key or of a range if the request names it', async () => {
    const { ids } = await readAll({}, ['k2'])
    expect(ids).toHaveLength(5)

    const { body } = await wire.call('GET', docs.replace('/docs', '/pkranges'))
    let all = 0
    for (const range of body.PartitionKeyRanges)
      all += (await readAll({ 'x-ms-documentdb-partitionkeyrangeid': range.id })).ids.length
    expect(all).toBe((await readAll()).ids.length)
  })

  it('does not show deleted items', async () => {
    await put('deleted', 'k0', 1)
    await wire.call('DELETE', `${docs}/deleted`, { key: ['k0'] })

    expect((await readAll()).ids).not.toContain('deleted')
  })

  it('never splits an atomic batch between two pages', async () => {
    const { etag } = await readAll()
    const operations = ['x', 'y', 'z'].map((id) => ({ operationType: 'Upsert', resourceBody: { id, pk: 'k0' } }))
    await wire.call('POST', docs, { key: ['k0'], headers: BATCH, body: operations })
    const { body } = await changes({ 'If-None-Match': etag, 'x-ms-max-item-count': '1' })

    expect(idsOf(body).toSorted()).toEqual(['x', 'y', 'z'])
  })

  it('has the changes of one bulk request under one LSN, on one page, and not always in the order of the request', async () => {
    const written: string[][] = []
    const read: string[][] = []
    for (let request = 0; request < 8; request++) {
      const { etag } = await readAll({}, ['k1'])
      const ids = [0, 1, 2, 3].map((n) => `bulk${request}-${n}`)
      const { headers } = await wire.call('GET', `${docs}/i1`, { key: ['k1'] })
      await wire.call('POST', docs, {
        headers: bulkHeaders(headers.get('x-ms-documentdb-partitionkeyrangeid')!),
        body: ids.map((id) => ({ operationType: 'Create', partitionKey: '["k1"]', resourceBody: { id, pk: 'k1' } }))
      })
      const { body } = await changes({ 'If-None-Match': etag, 'x-ms-max-item-count': '1' }, ['k1'])
      const again = await changes({ 'If-None-Match': etag, 'x-ms-max-item-count': '2' }, ['k1'])
      expect(new Set(body.Documents.map((document: Record<string, unknown>) => document['_lsn'])).size).toBe(1)
      expect(idsOf(again.body)).toEqual(idsOf(body))
      written.push(ids)
      read.push(idsOf(body))
    }

    expect(read.map((ids) => ids.toSorted())).toEqual(written)
    expect(read).not.toEqual(written)
  })

  it('has each item as `current` with its metadata, if the client asks for this format', async () => {
    const { etag } = await readAll()
    await put('wrapped', 'k0', 1)
    const format = { 'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15' }
    const [change] = (await changes({ 'If-None-Match': etag, ...format })).body.Documents
    const item = (await wire.call('GET', `${docs}/wrapped`, { key: ['k0'] })).body

    expect(change).toEqual({ current: item, metadata: { lsn: expect.any(Number), crts: item['_ts'] } })
    const unknown = { 'x-ms-cosmos-changefeed-wire-format-version': '2020-01-01' }
    expect((await changes({ 'If-None-Match': etag, ...unknown })).status).toBe(400)
  })

  it('refuses an invalid start', async () => {
    expect((await changes({ 'If-None-Match': '"abc"' })).status).toBe(400)
    expect((await changes({ 'If-None-Match': '"s1"' })).status).toBe(400)
    expect((await changes({ 'If-Modified-Since': 'yesterday' })).status).toBe(400)
  })
})
