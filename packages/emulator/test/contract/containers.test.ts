import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

const policyOf = async (indexingPolicy: object): Promise<{ includedPaths: object[]; excludedPaths: object[] }> =>
  (await wire.call('GET', await wire.container({ indexingPolicy }))).body.indexingPolicy

describe('a container', () => {
  it('gets the default settings of the service', async () => {
    const { body } = await wire.call('GET', await wire.container({ partitionKey: { paths: ['/pk'] } }))

    expect(body.partitionKey).toEqual({ paths: ['/pk'], kind: 'Hash' })
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

  it('may have the version of its key and its indexing mode in the notation of other SDKs', async () => {
    const path = await wire.container({
      partitionKey: { paths: ['/pk'], kind: 'Hash', version: 'V2' },
      indexingPolicy: { indexingMode: 'Consistent' }
    })
    const { body } = await wire.call('GET', path)

    expect(body.partitionKey.version).toBe(2)
    expect(body.indexingPolicy.indexingMode).toBe('consistent')
  })

  it('returns the version of its partition key only if the version is not 1', async () => {
    const first = await wire.call(
      'GET',
      await wire.container({ partitionKey: { paths: ['/pk'], kind: 'Hash', version: 1 } })
    )
    const second = await wire.call('GET', await wire.container())

    expect(first.body.partitionKey).toEqual({ paths: ['/pk'], kind: 'Hash' })
    expect(second.body.partitionKey.version).toBe(2)
    expect((await wire.call('PUT', `/dbs/${wire.database}/colls/${first.body.id}`, { body: first.body })).status).toBe(
      200
    )
  })

  it('has a normalized indexing policy: excludes the ETag, and leaves out old kinds of indexes', async () => {
    const indexes = [{ kind: 'Hash', dataType: 'String', precision: 3 }]
    const mixed = await policyOf({ includedPaths: [{ path: '/a/?', indexes }], excludedPaths: [{ path: '/*' }] })
    const excluded = await policyOf({ excludedPaths: [{ path: '/"systemMetadata"/*' }] })
    const known = await policyOf({ excludedPaths: [{ path: '/"_etag"/?' }, { path: '/b/?' }] })

    expect(mixed).toMatchObject({
      includedPaths: [{ path: '/a/?' }],
      excludedPaths: [{ path: '/*' }, { path: '/"_etag"/?' }]
    })
    expect(mixed.includedPaths).toEqual([{ path: '/a/?' }])
    expect(excluded).toMatchObject({
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/"systemMetadata"/*' }, { path: '/"_etag"/?' }]
    })
    expect(known.excludedPaths).toEqual([{ path: '/"_etag"/?' }, { path: '/b/?' }])
    expect((await policyOf({ excludedPaths: [{ path: '/*' }] })).includedPaths).toEqual([])
    expect((await policyOf({ indexingMode: 'none' })).excludedPaths).toEqual([])
  })

  it('returns the progress of its index, and quota and statistics on request', async () => {
    const path = await wire.container()
    for (const id of ['1', '2'])
      await wire.call('POST', `${path}/docs`, { key: ['a'], body: { id, pk: 'a', text: 'x'.repeat(3100) } })
    await wire.call('POST', `${path}/docs`, { key: ['b'], body: { id: '1', pk: 'b' } })
    const plain = await wire.call('GET', path)
    const headers = {
      'x-ms-documentdb-populatequotainfo': 'true',
      'x-ms-documentdb-populatepartitionstatistics': 'True'
    }
    const full = await wire.call('GET', path, { headers })

    expect(plain.headers.get('x-ms-documentdb-collection-index-transformation-progress')).toBe('100')
    expect(plain.headers.get('x-ms-documentdb-collection-lazy-indexing-progress')).toBeNull()
    expect([plain.headers.get('x-ms-resource-quota'), plain.body.statistics]).toEqual([null, undefined])
    expect(full.headers.get('x-ms-resource-quota')).toMatch(
      /^documentSize=\d+;documentsSize=\d+;documentsCount=-1;collectionSize=\d+;$/
    )
    expect(full.headers.get('x-ms-resource-usage')).toMatch(
      /^documentSize=0;documentsSize=6;documentsCount=3;collectionSize=6;$/
    )
    expect(full.body.statistics).toMatchObject([
      {
        id: '0',
        documentCount: 3,
        sampledDistinctPartitionKeyCount: 2,
        partitionKeys: [{ partitionKey: ['a'] }, { partitionKey: ['b'] }]
      }
    ])
  })

  it.each([
    [
      'with spaces and a slash between double quotes',
      `/"level' 1*()"/"le/vel2"`,
      { "level' 1*()": { 'le/vel2': 'val' } }
    ],
    ['with a double quote between single quotes', `/'level" 1*()'/'le/vel2'`, { 'level" 1*()': { 'le/vel2': 'val' } }],
    ['with an escaped quote between double quotes', '/"le\\"vel"', { 'le"vel': 'val' }],
    ['with an escaped quote between single quotes', `/'le\\'vel'/x`, { "le'vel": { x: 'val' } }],
    [
      'with an escaped double quote between single quotes',
      `/'level\\" 1*()'/'le/vel2'`,
      { 'level" 1*()': { 'le/vel2': 'val' } }
    ],
    ['with letters beyond ASCII', '/größe', { größe: 'val' }],
    ['with the name of a system property', '/_partitionKey', { _partitionKey: 'val' }]
  ])('may have a key path %s', async (_, keyPath, document) => {
    const path = await wire.container({ partitionKey: { paths: [keyPath], kind: 'Hash', version: 2 } })

    expect((await wire.call('POST', `${path}/docs`, { key: ['val'], body: { id: '1', ...document } })).status).toBe(201)
    expect((await wire.call('GET', path)).body.partitionKey.paths).toEqual([keyPath])
  })

  it.each([
    ['/id ds', 4],
    ['/id/?', 4],
    ['/a/*', 3],
    ['/a/', 3],
    ['id', 0],
    ['/', 1],
    ['/a//b', 3],
    ['/"a', 1],
    ['/asdwqr31 @#$#$WRadf', 10]
  ])('with the key path %s is refused with 400 and the position of the mistake', async (keyPath, position) => {
    const body = { id: 'refused', partitionKey: { paths: [keyPath], kind: 'Hash', version: 2 } }
    const answer = await wire.call('POST', `/dbs/${wire.database}/colls`, { body })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(
      `The partition key component definition path '${keyPath}' could not be accepted, failed near position '${position}'. Partition key paths must contain only valid characters`
    )
  })

  it('and its ranges can be read by resource ids', async () => {
    const path = await wire.container()
    const named = await wire.call('GET', path)
    const rid = named.body['_self'].replace(/\/$/, '').split('/')
    const byRid = await wire.call('GET', `/dbs/${rid[1]}/colls/${rid[3]}`)

    expect(byRid.body).toEqual(named.body)
    expect((await wire.call('GET', `/dbs/${rid[1]}/colls/${rid[3]}/pkranges`)).status).toBe(200)
  })

  it('cannot be created twice: the second create is refused with 409', async () => {
    const path = await wire.container({ id: 'twice' })

    expect((await wire.call('GET', path)).status).toBe(200)
    const second = await wire.call('POST', `/dbs/${wire.database}/colls`, {
      body: { id: 'twice', partitionKey: { paths: ['/pk'] } }
    })
    expect(second.status).toBe(409)
  })

  it.each([
    ['no key', { partitionKey: undefined }, /partitionKey/],
    ['a key without paths', { partitionKey: { paths: [] } }, /partitionKey\.paths/],
    ['a key path without a slash', { partitionKey: { paths: ['pk'] } }, /pk/],
    [
      'two key paths and the kind Hash',
      { partitionKey: { paths: ['/a', '/b'], kind: 'Hash' } },
      /Too many partition key paths \(2\) .*MultiHash/
    ],
    [
      'four key paths',
      { partitionKey: { paths: ['/a', '/b', '/c', '/d'], kind: 'MultiHash' } },
      /Too many partition key paths \(4\) .* 3 is allowed/
    ],
    [
      'an id of 256 characters',
      { id: 'x'.repeat(256) },
      /Ensure to provide a unique non-empty string less than '255' characters/
    ],
    ['an unknown kind of key', { partitionKey: { paths: ['/a'], kind: 'Range' } }, /kind/],
    ['a key of version 3', { partitionKey: { paths: ['/a'], version: 3 } }, /version/],
    ['a time to live of 0', { defaultTtl: 0 }, /defaultTtl/],
    ['a string as time to live', { defaultTtl: '60' }, /defaultTtl/],
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

  it('allows changes of its indexing policy and time to live, but not of its partition key', async () => {
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

  it('that does not exist is answered with 404, and requests about its content with 404/1003', async () => {
    const path = `/dbs/${wire.database}/colls/absent`

    expect(await wire.call('GET', path)).toMatchObject({ status: 404, subStatus: 0 })
    expect(await wire.call('GET', `${path}/docs/1`, { key: ['a'] })).toMatchObject({ status: 404, subStatus: 1003 })
    expect(await wire.call('GET', `${path}/pkranges`)).toMatchObject({ status: 404, subStatus: 1003 })
  })

  it('is in the list of containers until it is deleted with 204', async () => {
    const path = await wire.container({ id: 'listed' })
    const { body } = await wire.call('GET', `/dbs/${wire.database}/colls`)

    expect(body.DocumentCollections.map((container: { id: string }) => container.id)).toContain('listed')
    expect((await wire.call('DELETE', path)).status).toBe(204)
    expect((await wire.call('GET', path)).status).toBe(404)
  })
})

describe('the ranges of a container', () => {
  it('are as many as its throughput needs, and have strings as ids and no gaps between them', async () => {
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

  it('are one for each 10,000 RU/s of the maximum throughput with autoscale', async () => {
    const path = await wire.container({}, { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":20000}' })

    expect((await wire.call('GET', `${path}/pkranges`)).body['_count']).toBe(2)
  })

  it('are answered with 304 if the client sends the ETag of the current ranges', async () => {
    const path = await wire.container()
    const first = await wire.call('GET', `${path}/pkranges`, {
      headers: { 'A-IM': 'Incremental feed', 'x-ms-max-item-count': '-1' }
    })
    const etag = first.headers.get('etag')!
    const second = await wire.call('GET', `${path}/pkranges`, {
      headers: { 'A-IM': 'Incremental feed', 'If-None-Match': etag }
    })

    expect(second.status).toBe(304)
    expect(second.headers.get('etag')).toBe(etag)
  })
})
