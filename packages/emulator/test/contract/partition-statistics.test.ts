import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkHeaders, openWire, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

const ASKED = { 'x-ms-documentdb-populatepartitionstatistics': 'true' }
const GB = 2 ** 20

const read = (from: Wire, path: string, headers: Record<string, string> = ASKED): Promise<WireAnswer> =>
  from.call('GET', path, { headers })

/** Stores an item of exactly `bytes` bytes. */
async function put(to: Wire, path: string, pk: string, id: string, bytes: number): Promise<WireAnswer> {
  const body = { id, pk, text: '' }
  body.text = 'x'.repeat(bytes - JSON.stringify(body).length)
  return to.call('POST', `${path}/docs`, { key: [pk], headers: { 'x-ms-documentdb-is-upsert': 'true' }, body })
}

describe('the statistics of a container', () => {
  it('have size, number of items and the largest keys of each range, the largest key first', async () => {
    const path = await wire.container({}, { 'x-ms-offer-throughput': '12000' })
    await put(wire, path, 'small', '1', 1024)
    await put(wire, path, 'large', '1', 3072)
    await put(wire, path, 'large', '2', 2048)
    const { body } = await read(wire, path)

    expect(body.statistics).toHaveLength(2)
    const keys = body.statistics.flatMap((range: { partitionKeys: unknown[] }) => range.partitionKeys)
    expect(keys).toContainEqual({ partitionKey: ['large'], sizeInKB: 5 })
    expect(keys).toContainEqual({ partitionKey: ['small'], sizeInKB: 1 })
    expect(sum(body.statistics, 'sizeInKB')).toBe(6)
    expect(sum(body.statistics, 'documentCount')).toBe(3)
    expect(sum(body.statistics, 'sampledDistinctPartitionKeyCount')).toBe(2)
  })

  it('have the ten largest keys of a range, or up to a thousand if a request asks for all', async () => {
    const path = await wire.container()
    const operations = Array.from({ length: 30 }, (_, n) => ({
      operationType: 'Create',
      partitionKey: `["k${n}"]`,
      resourceBody: { id: '1', pk: `k${n}`, text: 'x'.repeat(1024 * (n + 1)) }
    }))
    await wire.call('POST', `${path}/docs`, { headers: bulkHeaders('0'), body: operations })
    const [range] = (await read(wire, path)).body.statistics
    const all = await read(wire, path, { ...ASKED, 'x-ms-cosmos-internal-get-all-partition-key-stats': 'true' })

    expect(range.sampledDistinctPartitionKeyCount).toBe(30)
    expect(range.partitionKeys.map((key: { sizeInKB: number }) => key.sizeInKB)).toEqual([
      30, 29, 28, 27, 26, 25, 24, 23, 22, 21
    ])
    expect(all.body.statistics[0].partitionKeys).toHaveLength(30)
  })

  it('have all levels of a hierarchical key, and an empty object for a missing level', async () => {
    const partitionKey = { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 }
    const path = await wire.container({ partitionKey })
    await wire.call('POST', `${path}/docs`, { key: ['t', 7], body: { id: '1', tenant: 't', user: 7 } })
    await wire.call('POST', `${path}/docs`, { key: [null, undefined], body: { id: '1', tenant: null } })
    const [{ partitionKeys }] = (await read(wire, path)).body.statistics

    expect(partitionKeys.map((key: { partitionKey: unknown }) => key.partitionKey)).toEqual(
      expect.arrayContaining([
        ['t', 7],
        [null, {}]
      ])
    )
  })

  it('do not count items whose time to live has ended', async () => {
    const path = await wire.container({ defaultTtl: 10 })
    await put(wire, path, 'a', '1', 2048)
    wire.emulator?.clock.advance(11_000)
    const quota = await read(wire, path, { 'x-ms-documentdb-populatequotainfo': 'true' })
    const { body } = await read(wire, path)

    expect(body.statistics).toMatchObject([{ sizeInKB: 0, documentCount: 0, partitionKeys: [] }])
    expect(quota.headers.get('x-ms-resource-usage')).toContain('documentsCount=0;')
  })

  it('are missing from an answer to a request that does not ask for them', async () => {
    expect((await read(wire, await wire.container(), {})).body.statistics).toBeUndefined()
  })
})

describe('the option `partitionStatistics`', () => {
  it('`approximate` leaves out keys below 1 GB, and gives whole percentages of the range', async () => {
    const other = await openWire({ partitionStatistics: 'approximate', storageScale: 1024 * 1024 })
    const path = await other.container()
    await put(other, path, 'large', '1', 6100)
    await put(other, path, 'medium', '1', 3500)
    await put(other, path, 'small', '1', 400)
    const [range] = (await read(other, path)).body.statistics
    await other.stop()

    expect(range).toEqual({
      id: '0',
      sizeInKB: 10_000 * 1024,
      documentCount: 3,
      sampledDistinctPartitionKeyCount: 2,
      partitionKeys: [
        { partitionKey: ['large'], sizeInKB: 6100 * 1024 },
        { partitionKey: ['medium'], sizeInKB: 3500 * 1024 }
      ]
    })
  })

  it('`approximate` rounds the size of a key to a whole percentage of its range', async () => {
    const other = await openWire({ partitionStatistics: 'approximate', storageScale: 1024 * 1024 })
    const path = await other.container()
    await put(other, path, 'large', '1', 6144)
    await put(other, path, 'medium', '1', 3456)
    await put(other, path, 'small', '1', 400)
    const [range] = (await read(other, path)).body.statistics
    await other.stop()

    expect(range.partitionKeys).toEqual([
      { partitionKey: ['large'], sizeInKB: 6100 * 1024 },
      { partitionKey: ['medium'], sizeInKB: 3500 * 1024 }
    ])
  })

  it('`none` answers like an account without statistics', async () => {
    const other = await openWire({ partitionStatistics: 'none' })
    const { status, body } = await read(other, await other.container())
    await other.stop()

    expect([status, 'statistics' in body]).toEqual([200, false])
  })

  it('`refused` answers 403, but only to requests that ask for statistics', async () => {
    const other = await openWire({ partitionStatistics: 'refused' })
    const path = await other.container()
    const answers = [await read(other, path), await read(other, path, {})]
    await other.stop()

    expect(answers.map(({ status }) => status)).toEqual([403, 200])
  })

  it('is refused if it has an unknown value', async () => {
    await expect(openWire({ partitionStatistics: 'some' as 'none' })).rejects.toThrow(
      /partitionStatistics.*exact, approximate, none, refused/
    )
  })
})

describe('the storage scale', () => {
  it('multiplies the sizes in statistics, in the usage and in the report', async () => {
    const other = await openWire({ storageScale: 1024 })
    const path = await other.container()
    await put(other, path, 'a', '1', 300)
    const { body, headers } = await read(other, path)
    const [range] = other.emulator!.report().containers[0].ranges
    await other.stop()

    expect(body.statistics).toMatchObject([{ sizeInKB: 300, partitionKeys: [{ sizeInKB: 300 }] }])
    expect(headers.get('x-ms-resource-usage')).toBe(
      'documentSize=0;documentsSize=300;documentsCount=1;collectionSize=300;'
    )
    expect(range.bytes).toBe(300 * 1024)
  })

  it('lets a key reach 20 GB with a few documents', async () => {
    const other = await openWire({ storageScale: 1024 * 1024 })
    const path = await other.container()
    const first = await put(other, path, 'full', '1', 19 * 1024)
    const second = await put(other, path, 'full', '2', 1025)
    const third = await put(other, path, 'full', '3', 1024)
    const { body } = await read(other, path)
    await other.stop()

    expect([first.status, second.status, second.subStatus, third.status]).toEqual([201, 403, 1014, 201])
    expect(body.statistics[0].partitionKeys).toEqual([{ partitionKey: ['full'], sizeInKB: 20 * GB }])
  })

  it('lets a range grow beyond 50 GB, and the range is split', async () => {
    const other = await openWire({ storageScale: 1024 * 1024 })
    const path = await other.container()
    for (let n = 0; n < 5; n++) await put(other, path, `k${n}`, '1', 10 * 1024)
    const before = (await other.call('GET', `${path}/pkranges`)).body['_count']
    await put(other, path, 'k5', '1', 1024)
    const after = (await other.call('GET', `${path}/pkranges`)).body['_count']
    const { body } = await read(other, path)
    await other.stop()

    expect([before, after]).toEqual([1, 2])
    expect(sum(body.statistics, 'sizeInKB')).toBe(51 * GB)
  })

  it('can be changed while the emulator runs, also over HTTP', async () => {
    const other = await openWire()
    const path = await other.container()
    await put(other, path, 'a', '1', 1024)
    const change = (scale: unknown): Promise<Response> =>
      fetch(`${other.endpoint}_control/storage`, { method: 'PUT', body: JSON.stringify({ scale }) })
    const statuses = [(await change(20 * GB)).status, (await change(0)).status, (await change('1')).status]
    const full = await put(other, path, 'a', '2', 100)
    other.emulator?.scaleStorage(1)
    const after = await put(other, path, 'a', '2', 100)
    await other.stop()

    expect(statuses).toEqual([204, 400, 400])
    expect([full.status, full.subStatus, after.status]).toEqual([403, 1014, 201])
  })

  it('is a whole number from 1', async () => {
    await expect(openWire({ storageScale: 0.5 })).rejects.toThrow(/storageScale.*from 1 to 1000000000, not 0\.5/)
  })
})

function sum(ranges: readonly Record<string, number>[], name: string): number {
  return ranges.reduce((total, range) => total + range[name], 0)
}
