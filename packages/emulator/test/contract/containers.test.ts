import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

describe('a container', () => {
  it('is completed with the defaults of the service', async () => {
    const { body } = await wire.call('GET', await wire.container({ partitionKey: { paths: ['/pk'] } }))

    expect(body.partitionKey).toEqual({ paths: ['/pk'], kind: 'Hash', version: 1 })
    expect(body.indexingPolicy).toEqual({
      indexingMode: 'consistent',
      automatic: true,
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/"_etag"/?' }]
    })
    expect(body.conflictResolutionPolicy.mode).toBe('LastWriterWins')
    expect(body).not.toHaveProperty('defaultTtl')
    expect(body).not.toHaveProperty('uniqueKeyPolicy')
  })

  it('understands the version and the mode as other SDKs write them', async () => {
    const path = await wire.container({
      partitionKey: { paths: ['/pk'], kind: 'Hash', version: 'V2' },
      indexingPolicy: { indexingMode: 'Consistent' }
    })
    const { body } = await wire.call('GET', path)

    expect(body.partitionKey.version).toBe(2)
    expect(body.indexingPolicy.indexingMode).toBe('consistent')
  })

  it('is read by resource ids, its ranges too', async () => {
    const path = await wire.container()
    const named = await wire.call('GET', path)
    const rid = named.body['_self'].replace(/\/$/, '').split('/')
    const byRid = await wire.call('GET', `/dbs/${rid[1]}/colls/${rid[3]}`)

    expect(byRid.body).toEqual(named.body)
    expect((await wire.call('GET', `/dbs/${rid[1]}/colls/${rid[3]}/pkranges`)).status).toBe(200)
  })

  it('exists once: the second create is 409', async () => {
    const path = await wire.container({ id: 'twice' })

    expect((await wire.call('GET', path)).status).toBe(200)
    const second = await wire.call('POST', `/dbs/${wire.database}/colls`, { body: { id: 'twice', partitionKey: { paths: ['/pk'] } } })
    expect(second.status).toBe(409)
  })

  it.each([
    ['no key', { partitionKey: undefined }, /partitionKey/],
    ['a key without paths', { partitionKey: { paths: [] } }, /partitionKey\.paths/],
    ['a path without a slash', { partitionKey: { paths: ['pk'] } }, /pk/],
    ['two paths and one hash', { partitionKey: { paths: ['/a', '/b'], kind: 'Hash' } }, /MultiHash/],
    ['four levels', { partitionKey: { paths: ['/a', '/b', '/c', '/d'], kind: 'MultiHash' } }, /three/],
    ['an unknown kind', { partitionKey: { paths: ['/a'], kind: 'Range' } }, /kind/],
    ['version 3', { partitionKey: { paths: ['/a'], version: 3 } }, /version/],
    ['a time to live of 0', { defaultTtl: 0 }, /defaultTtl/],
    ['a text as time to live', { defaultTtl: '60' }, /defaultTtl/],
    ['an unknown indexing mode', { indexingPolicy: { indexingMode: 'eager' } }, /indexingMode/],
    ['a bad indexing path', { indexingPolicy: { includedPaths: [{ path: 'a' }] } }, /includedPaths/],
    ['a unique key without paths', { uniqueKeyPolicy: { uniqueKeys: [{ paths: [] }] } }, /unique key/],
    ['a hash in its id', { id: 'a#b' }, /'id'/]
  ])('with %s is refused with 400 and the name of the property', async (_, change, message) => {
    const body = { id: 'refused', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, ...change }
    const answer = await wire.call('POST', `/dbs/${wire.database}/colls`, { body })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
  })

  it('lets its indexing policy, its time to live be replaced, and nothing that places items', async () => {
    const path = await wire.container()
    const { body } = await wire.call('GET', path)

    const changed = await wire.call('PUT', path, { body: { ...body, defaultTtl: 60 } })
    expect(changed.status).toBe(200)
    expect(changed.body.defaultTtl).toBe(60)
    expect(changed.body['_etag']).not.toBe(body['_etag'])
    for (const change of [{ id: 'other' }, { partitionKey: { paths: ['/other'], kind: 'Hash', version: 2 } }]) {
      expect((await wire.call('PUT', path, { body: { ...body, ...change } })).status).toBe(400)
    }
  })

  it('that is missing is 404, and 404/1003 for what lies inside it', async () => {
    const path = `/dbs/${wire.database}/colls/absent`

    expect(await wire.call('GET', path)).toMatchObject({ status: 404, subStatus: 0 })
    expect(await wire.call('GET', `${path}/docs/1`, { key: ['a'] })).toMatchObject({ status: 404, subStatus: 1003 })
    expect(await wire.call('GET', `${path}/pkranges`)).toMatchObject({ status: 404, subStatus: 1003 })
  })

  it('is listed, and deleted with 204', async () => {
    const path = await wire.container({ id: 'listed' })
    const { body } = await wire.call('GET', `/dbs/${wire.database}/colls`)

    expect(body.DocumentCollections.map((container: { id: string }) => container.id)).toContain('listed')
    expect((await wire.call('DELETE', path)).status).toBe(204)
    expect((await wire.call('GET', path)).status).toBe(404)
  })
})

describe('the ranges of a container', () => {
  it('are as many as its throughput asks for, with text ids, sorted and touching', async () => {
    const path = await wire.container({}, { 'x-ms-offer-throughput': '18000' })
    const { body } = await wire.call('GET', `${path}/pkranges`)

    expect(body['_count']).toBe(3)
    expect(body.PartitionKeyRanges.map((range: { id: string }) => range.id)).toEqual(['0', '1', '2'])
    expect(body.PartitionKeyRanges.map((range: { minInclusive: string }) => range.minInclusive)).toEqual([
      '',
      '15555555555555555555555555555555',
      '2AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    ])
    expect(body.PartitionKeyRanges.at(-1).maxExclusive).toBe('FF')
  })

  it('count by 10,000 RU/s under autoscale', async () => {
    const path = await wire.container({}, { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":20000}' })

    expect((await wire.call('GET', `${path}/pkranges`)).body['_count']).toBe(2)
  })

  it('end in 304 with an ETag for a client that has them', async () => {
    const path = await wire.container()
    const first = await wire.call('GET', `${path}/pkranges`, { headers: { 'A-IM': 'Incremental feed', 'x-ms-max-item-count': '-1' } })
    const etag = first.headers.get('etag')!
    const second = await wire.call('GET', `${path}/pkranges`, { headers: { 'A-IM': 'Incremental feed', 'If-None-Match': etag } })

    expect(second.status).toBe(304)
    expect(second.headers.get('etag')).toBe(etag)
  })
})
