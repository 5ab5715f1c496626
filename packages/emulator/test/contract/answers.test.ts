import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkHeaders, openWire, type Wire } from './wire.ts'

let wire: Wire
let path: string
beforeAll(async () => {
  wire = await openWire()
  path = await wire.container()
})
afterAll(() => wire.stop())

describe('an answer about items', () => {
  it('contains the LSN and the resource id of the container in its headers', async () => {
    const { headers, body } = await wire.call('POST', `${path}/docs`, { key: ['a'], body: { id: '1', pk: 'a' } })
    const { body: container } = await wire.call('GET', path)

    expect(headers.get('x-ms-alt-content-path')).toBe(path.slice(1))
    expect(headers.get('x-ms-content-path')).toBe(container['_rid'])
    expect(headers.get('lsn')).toBe('1')
    expect(headers.get('content-type')).toBe('application/json')
    expect(body['_self']).toBe(`${container['_self']}docs/${body['_rid']}/`)
  })

  it('has the activity id of the request', async () => {
    const given = '6f0d1f4e-9f3c-4c7b-8d43-0f5e4a3b2c1d'
    const { headers } = await wire.call('GET', `${path}/docs/1`, { key: ['a'], headers: { 'x-ms-activity-id': given } })

    expect(headers.get('x-ms-activity-id')).toBe(given)
  })

  it('has the activity id in its message and the sub-status only in a header if it is an error', async () => {
    const { body, headers } = await wire.call('GET', '/dbs/absent/colls/c/docs/1', { key: ['a'] })

    expect(Object.keys(body as object)).toEqual(['code', 'message'])
    expect(body.message).toContain(headers.get('x-ms-activity-id'))
    expect(headers.get('x-ms-substatus')).toBe('1003')
  })
})

describe('a request', () => {
  it('that names the resource id of an earlier container with the same name is refused with 400/1024', async () => {
    const headers = { 'x-ms-cosmos-intended-collection-rid': 'AAAAAYAAAH8=' }

    expect(await wire.call('GET', `${path}/docs/1`, { key: ['a'], headers })).toMatchObject({
      status: 400,
      subStatus: 1024
    })
  })

  it('of more than 2 MB is refused with 413, even if it is a bulk request', async () => {
    const text = 'x'.repeat(1_200_000)
    const operations = ['1', '2'].map((id) => ({
      operationType: 'Upsert',
      partitionKey: '["a"]',
      resourceBody: { id, pk: 'a', text }
    }))
    const answer = await wire.call('POST', `${path}/docs`, { headers: bulkHeaders('0'), body: operations })

    expect(answer.status).toBe(413)
    expect(answer.body.code).toBe('RequestEntityTooLarge')
    expect(answer.body.message).toContain('{"Errors":["Request size is too large"]}')
  })

  it('may have header names in upper or lower case, and a query string', async () => {
    const { status } = await wire.call('GET', `${path}/docs/1?api=1`, {
      headers: { 'X-MS-DocumentDB-PartitionKey': '["a"]' }
    })

    expect(status).toBe(200)
  })
})

describe('an entry in the list of ranges', () => {
  it('has every property that clients read', async () => {
    const { body } = await wire.call('GET', `${path}/pkranges`)

    expect(body.PartitionKeyRanges[0]).toMatchObject({
      id: '0',
      minInclusive: '',
      maxExclusive: 'FF',
      ridPrefix: 0,
      throughputFraction: 1,
      status: 'online',
      parents: [],
      ownedArchivalPKRangeIds: []
    })
  })
})
