import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, sign, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

describe('clients of other languages', () => {
  it('can send a document in binary JSON instead of text', async () => {
    const path = await wire.container()
    // {"id":"b","pk":"a"}; only the markers are beyond ASCII
    const body = Buffer.from([0x80, 0xea, 0x08, 0x2c, 0x81, 0x62, 0x82, 0x70, 0x6b, 0x81, 0x61])
    const created = await postBytes(`${path}/docs`, body)

    expect(created.status).toBe(201)
    expect((await wire.call('GET', `${path}/docs/b`, { key: ['a'] })).body).toMatchObject({ id: 'b', pk: 'a' })
  })

  it('get the duration of a request, and the LSN of an item, in headers', async () => {
    const path = await wire.container()
    await wire.call('POST', `${path}/docs`, { body: { id: '1', pk: 'a' }, key: ['a'] })
    await wire.call('POST', `${path}/docs`, { body: { id: '2', pk: 'a' }, key: ['a'] })
    const { headers } = await wire.call('GET', `${path}/docs/1`, { key: ['a'] })

    expect(Number(headers.get('x-ms-request-duration-ms'))).toBeGreaterThanOrEqual(0)
    expect(headers.get('x-ms-item-lsn')).toBe('1')
    expect(headers.get('lsn')).toBe('2')
  })

  it('get 400/1024 for a query that names the resource id of an earlier container with the same name', async () => {
    const path = await wire.container()
    const headers = { ...QUERY, 'x-ms-cosmos-intended-collection-rid': 'AAAAAYAAAAE=' }

    expect(await wire.call('POST', `${path}/docs`, { body: { query: 'SELECT * FROM c' }, headers })).toMatchObject({
      status: 400,
      subStatus: 1024
    })
  })

  it('get `automatic: true` in the indexing policy even if they sent false, unless the indexing mode is none', async () => {
    const on = await wire.call(
      'GET',
      await wire.container({ indexingPolicy: { automatic: false, indexingMode: 'consistent' } })
    )
    const off = await wire.call(
      'GET',
      await wire.container({ indexingPolicy: { automatic: false, indexingMode: 'none' } })
    )

    expect(on.body.indexingPolicy.automatic).toBe(true)
    expect(off.body.indexingPolicy.automatic).toBe(false)
  })
})

async function postBytes(path: string, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const date = new Date().toUTCString()
  const headers = {
    'x-ms-date': date,
    authorization: sign(wire.key, 'POST', path, date),
    'x-ms-documentdb-partitionkey': '["a"]'
  }
  return fetch(wire.endpoint.replace(/\/$/, '') + path, { method: 'POST', headers, body })
}
