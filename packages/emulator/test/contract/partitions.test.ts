/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { effectiveKey } from '../../src/partition/effective-key.ts'
import { bulkHeaders, openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

// The service does not split or merge on request, so these tests run against the emulator only.
describe.skipIf(process.env['KEYSTAMP_TEST_COSMOS_ENDPOINT'] !== undefined)('physical partitions', () => {
  let wire: Wire
  let path: string
  let docs: string
  let name: string
  beforeAll(async () => {
    wire = await openWire()
  })
  afterAll(() => wire.stop())

  async function fresh(ru = '20000'): Promise<void> {
    path = await wire.container({}, { 'x-ms-offer-throughput': ru })
    docs = `${path}/docs`
    name = path.split('/').at(-1)!
  }

  const upsert = (id: string, pk: string): object => ({
    operationType: 'Upsert',
    partitionKey: JSON.stringify([pk]),
    resourceBody: { id, pk }
  })
  const bulk = (range: string, operations: object[]): Promise<WireAnswer> =>
    wire.call('POST', docs, { headers: bulkHeaders(range), body: operations })
  const ranges = async (): Promise<{ id: string; minInclusive: string; maxExclusive: string; parents: string[] }[]> =>
    (await wire.call('GET', `${path}/pkranges`)).body.PartitionKeyRanges
  const fill = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++)
      await wire.call('POST', docs, { key: [`k${i}`], body: { id: `i${i}`, pk: `k${i}` } })
  }

  it('serve the keys whose hashes are in their range, with V1, V2 and MultiHash', async () => {
    for (const partitionKey of [
      { paths: ['/pk'], kind: 'Hash', version: 1 },
      { paths: ['/pk'], kind: 'Hash', version: 2 },
      { paths: ['/pk', '/b'], kind: 'MultiHash', version: 2 }
    ] as const) {
      path = await wire.container({ partitionKey }, { 'x-ms-offer-throughput': '20000' })
      docs = `${path}/docs`
      const known = await ranges()
      for (let i = 0; i < 30; i++) {
        const key = partitionKey.paths.length === 2 ? [`k${i}`, i] : [`k${i}`]
        const { headers } = await wire.call('POST', docs, { key, body: { id: '1', pk: `k${i}`, b: i } })
        const hashed = effectiveKey(key, partitionKey)
        const owner = known.findLast((range) => range.minInclusive <= hashed)

        expect(headers.get('x-ms-documentdb-partitionkeyrangeid')).toBe(owner?.id)
      }
    }
  })

  it('refuse single operations of a bulk request whose key belongs to another range', async () => {
    await fresh()
    const { body } = await bulk(
      '0',
      Array.from({ length: 40 }, (_, i) => upsert('1', `k${i}`))
    )
    const statuses = body.map((element: { statusCode: number }) => element.statusCode)

    expect(new Set(statuses)).toEqual(new Set([201, 400]))
    const { body: feed } = await wire.call('GET', docs, { headers: { 'x-ms-documentdb-partitionkeyrangeid': '0' } })
    expect(feed['_count']).toBe(statuses.filter((status: number) => status === 201).length)
  })

  it('split into two children with new ids and the id of their parent, and keep items, order and LSNs', async () => {
    await fresh()
    await fill(80)
    const before = await wire.call('GET', docs, { headers: { 'x-ms-max-item-count': '-1' } })
    const children = await wire.emulator!.split(wire.database, name, '1')
    const after = await wire.call('GET', docs, { headers: { 'x-ms-max-item-count': '-1' } })

    expect(children).toEqual(['4', '5'])
    const listed = await ranges()
    expect(listed.map((range) => range.id)).toEqual(['0', '4', '5', '2', '3'])
    expect(listed[1].parents).toEqual(['1'])
    expect(listed[1].maxExclusive).toBe(listed[2].minInclusive)
    expect(after.body.Documents.map((item: { id: string }) => item.id).toSorted()).toEqual(
      before.body.Documents.map((item: { id: string }) => item.id).toSorted()
    )
    expect(await bulk('1', [upsert('1', 'a')])).toMatchObject({ status: 410, subStatus: 1002 })
    for (let i = 0; i < 80; i++) expect((await wire.call('GET', `${docs}/i${i}`, { key: [`k${i}`] })).status).toBe(200)
  })

  it('are listed and answer 410/1007 during a split, and answer 410/1002 after it', async () => {
    await fresh('400')
    await fill(5)
    const done = wire.emulator!.split(wire.database, name, '0', { hold: true })

    expect((await ranges()).map((range) => range.id)).toEqual(['0'])
    expect(await bulk('0', [upsert('1', 'a')])).toMatchObject({ status: 410, subStatus: 1007 })
    expect(await wire.call('GET', `${docs}/i0`, { key: ['k0'] })).toMatchObject({ status: 410, subStatus: 1007 })
    expect(await wire.call('POST', docs, { headers: QUERY, body: { query: 'SELECT * FROM c' } })).toMatchObject({
      status: 410,
      subStatus: 1007
    })

    wire.emulator!.completeMoves(wire.database, name)
    expect(await done).toEqual(['1', '2'])
    expect(await bulk('0', [upsert('1', 'a')])).toMatchObject({ status: 410, subStatus: 1002 })
    expect((await wire.call('GET', `${docs}/i0`, { key: ['k0'] })).status).toBe(200)
  })

  it('merge into one child with the ids of both parents and a new version of session tokens', async () => {
    await fresh()
    await fill(40)
    const [child] = await wire.emulator!.merge(wire.database, name, '2')

    const listed = await ranges()
    expect(listed.map((range) => range.id)).toEqual(['0', '1', child])
    expect(listed[2].parents).toEqual(['2', '3'])
    const { headers } = await wire.call('GET', docs, { headers: { 'x-ms-documentdb-partitionkeyrangeid': child } })
    expect(headers.get('x-ms-session-token')).toMatch(new RegExp(`^${child}:0#`))
    expect((await wire.call('GET', docs, { headers: { 'x-ms-max-item-count': '-1' } })).body['_count']).toBe(40)
  })

  it('may split and merge between the pages of a feed, which still returns every item exactly once', async () => {
    await fresh('12000')
    await fill(60)
    const ids: string[] = []
    let continuation: string | null = null
    for (let page = 0; page === 0 || continuation !== null; page++) {
      const headers: Record<string, string> = {
        'x-ms-max-item-count': '4',
        ...(continuation === null ? {} : { 'x-ms-continuation': continuation })
      }
      const answer = await wire.call('GET', docs, { headers })
      ids.push(...answer.body.Documents.map((item: { id: string }) => item.id))
      continuation = answer.headers.get('x-ms-continuation')
      const [first, second] = await ranges()
      if (page % 3 === 0) await wire.emulator!.split(wire.database, name, page % 2 === 0 ? first.id : second.id)
      if (page % 3 === 2) await wire.emulator!.merge(wire.database, name, first.id)
    }

    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(60)
  })

  it('may split during a read of the change feed, which still returns every change exactly once', async () => {
    await fresh('400')
    await fill(10)
    const headers = { 'A-IM': 'Incremental feed', 'x-ms-documentdb-partitionkeyrangeid': '0' }
    const etag = (await wire.call('GET', docs, { headers })).headers.get('etag')!
    const children = await wire.emulator!.split(wire.database, name, '0')
    await wire.call('POST', docs, { key: ['fresh'], body: { id: 'fresh', pk: 'fresh' } })
    const seen: string[] = []
    for (const child of children) {
      const answer = await wire.call('GET', docs, {
        headers: { 'A-IM': 'Incremental feed', 'x-ms-documentdb-partitionkeyrangeid': child, 'If-None-Match': etag }
      })
      if (answer.status === 200) seen.push(...answer.body.Documents.map((item: { id: string }) => item.id))
    }

    expect(seen).toEqual(['fresh'])
  })

  it('split automatically when they have too many bytes', async () => {
    const small = await openWire({ splitAtBytes: 5000 })
    const container = await small.container()
    for (let i = 0; i < 30; i++)
      await small.call('POST', `${container}/docs`, {
        key: [`k${i}`],
        body: { id: '1', pk: `k${i}`, text: 'x'.repeat(400) }
      })
    const { body } = await small.call('GET', `${container}/pkranges`)
    await small.stop()

    expect(body['_count']).toBeGreaterThan(2)
  })

  it('do not split if they have only one key, however large it is', async () => {
    const small = await openWire({ splitAtBytes: 1000 })
    const container = await small.container()
    for (let i = 0; i < 10; i++)
      await small.call('POST', `${container}/docs`, {
        key: ['a'],
        body: { id: String(i), pk: 'a', text: 'x'.repeat(400) }
      })
    const { body } = await small.call('GET', `${container}/pkranges`)
    await small.stop()

    expect(body['_count']).toBe(1)
  })

  it('refuse writes to a key that has reached its size limit with 403/1014, and accept writes to other keys', async () => {
    const small = await openWire({ maxLogicalPartitionBytes: 2000 })
    const container = `${await small.container()}/docs`
    const put = (id: string, pk: string): Promise<WireAnswer> =>
      small.call('POST', container, { key: [pk], body: { id, pk, text: 'x'.repeat(900) } })
    const answers = [await put('1', 'a'), await put('2', 'a'), await put('3', 'a'), await put('3', 'b')]
    await small.stop()

    expect(answers.map(({ status, subStatus }) => [status, subStatus])).toEqual([
      [201, 0],
      [201, 0],
      [403, 1014],
      [201, 0]
    ])
  })

  it('refuse an impossible split or merge', async () => {
    await fresh('400')

    await expect(wire.emulator!.split(wire.database, name, '9')).rejects.toThrow(/no range '9'/)
    await expect(wire.emulator!.merge(wire.database, name, '0')).rejects.toThrow(/nothing to merge/)
    await expect(wire.emulator!.split(wire.database, name, '0', { at: 'FF' })).rejects.toThrow(/cannot be split/)
    await expect(wire.emulator!.split(wire.database, 'absent', '0')).rejects.toThrow(/no container/)
  })
})
