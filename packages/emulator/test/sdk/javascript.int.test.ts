import { Agent } from 'node:https'
import {
  BulkOperationType,
  ChangeFeedStartFrom,
  type Container,
  CosmosClient,
  type Database,
  type ErrorResponse,
  PartitionKeyKind
} from '@azure/cosmos'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const WAYS: [string, EmulatorOptions][] = [
  ['http', {}],
  ['https', { https: true }],
  ['http, with the emulator running queries over all keys', { crossPartition: 'serve' }],
  ['http, throttled', { throttle: true }]
]

describe.each(WAYS)('@azure/cosmos over %s', (_, options) => {
  let emulator: Emulator
  let client: CosmosClient
  let database: Database
  let container: Container
  beforeAll(async () => {
    emulator = await startEmulator(options)
    client = connect(emulator)
    ;({ database } = await client.databases.createIfNotExists({ id: 'shop' }))
    const definition = { id: 'orders', partitionKey: { paths: ['/customer'], version: 2 } }
    ;({ container } = await database.containers.createIfNotExists({ ...definition, throughput: 20_000 }))
    await container.items.executeBulkOperations(
      Array.from({ length: 120 }, (_unused, i) => ({
        operationType: BulkOperationType.Create,
        partitionKey: `c${i % 8}`,
        resourceBody: { id: `o${i}`, customer: `c${i % 8}`, total: i, tags: [i % 2 === 0 ? 'even' : 'odd'] }
      }))
    )
  })
  afterAll(async () => {
    client.dispose()
    await emulator.stop()
  })

  const rows = async (query: string, pageSize = 100): Promise<unknown[]> =>
    (await container.items.query(query, { maxItemCount: pageSize }).fetchAll()).resources

  it('creates, reads, replaces, patches and deletes an item', async () => {
    const { item } = await container.items.create({ id: 'one', customer: 'x', n: 1 })
    const { resource } = await item.replace({ id: 'one', customer: 'x', n: 2 })
    await item.patch([{ op: 'incr', path: '/n', value: 3 }])

    expect(resource?.['n']).toBe(2)
    expect((await container.item('one', 'x').read<{ n: number }>()).resource?.n).toBe(5)
    expect((await item.delete()).statusCode).toBe(204)
    expect((await container.item('one', 'x').read()).statusCode).toBe(404)
  })

  it('finds an item whose id has a question mark, which the client does not escape', async () => {
    const { item } = await container.items.create({ id: 'Disallowed?Chars', customer: 'x' })

    expect((await item.read()).statusCode).toBe(200)
    expect((await item.replace({ id: 'Disallowed?Chars', customer: 'x', n: 1 })).statusCode).toBe(200)
    expect((await item.delete()).statusCode).toBe(204)
  })

  it('gets 409 for conflicts and 412 for stale ETags', async () => {
    const { resource } = await container.items.create({ id: 'race', customer: 'x' })
    await expect(container.items.create({ id: 'race', customer: 'x' })).rejects.toMatchObject({ code: 409 })
    await container.items.upsert({ id: 'race', customer: 'x', n: 1 })
    const accessCondition = { type: 'IfMatch', condition: resource!['_etag'] }
    await expect(
      container.item('race', 'x').replace({ id: 'race', customer: 'x' }, { accessCondition })
    ).rejects.toMatchObject({
      code: 412
    })
  })

  it('groups, joins, sorts by two properties and removes duplicates over several ranges', async () => {
    const order = [
      { path: '/parity', order: 'ascending' as const },
      { path: '/total', order: 'descending' as const }
    ]
    const indexingPolicy = { compositeIndexes: [order] }
    const definition = { id: 'lines', partitionKey: { paths: ['/customer'], version: 2 }, throughput: 20_000 }
    const { container: lines } = await database.containers.createIfNotExists({ ...definition, indexingPolicy })
    for (let n = 0; n < 40; n++) {
      const tags = ['a', 'b', 'c'].slice(n % 4)
      await lines.items.create({
        id: `l${n}`,
        customer: `c${n % 9}`,
        total: n,
        parity: n % 2 === 0 ? 'even' : 'odd',
        tags
      })
    }
    const ask = async (query: string): Promise<unknown[]> =>
      (await lines.items.query(query, { maxItemCount: 3 }).fetchAll()).resources
    const groups = await ask(
      'SELECT c.parity, COUNT(1) AS n, AVG(c.total) AS mean, MAX(c.total) AS most FROM c GROUP BY c.parity'
    )

    expect(groups.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))).toEqual([
      { parity: 'even', n: 20, mean: 19, most: 38 },
      { parity: 'odd', n: 20, mean: 20, most: 39 }
    ])
    expect(
      (await ask('SELECT VALUE COUNT(1) FROM c GROUP BY c.customer')).map(Number).toSorted((one, other) => one - other)
    ).toEqual([4, 4, 4, 4, 4, 5, 5, 5, 5])
    expect(await ask('SELECT c.id, t FROM c JOIN t IN c.tags')).toHaveLength(60)
    expect((await ask('SELECT DISTINCT VALUE t FROM t IN c.tags')).map(String).toSorted()).toEqual(['a', 'b', 'c'])
    expect(await ask('SELECT VALUE c.total FROM c ORDER BY c.parity, c.total DESC')).toEqual([
      ...Array.from({ length: 20 }, (_unused, n) => 38 - 2 * n),
      ...Array.from({ length: 20 }, (_unused, n) => 39 - 2 * n)
    ])
    await expect(ask('SELECT * FROM c ORDER BY c.total, c.parity')).rejects.toMatchObject({ code: 400 })
    expect(await ask('SELECT VALUE SUM(c.total) FROM c WHERE c.customer IN ("c0", "c1")')).toEqual([
      [0, 9, 18, 27, 36, 1, 10, 19, 28, 37].reduce((sum, n) => sum + n, 0)
    ])
    expect(await ask('SELECT TOP 1 VALUE 7')).toEqual([7])
    await lines.delete()
  })

  it('queries one key and all keys, in small pages', async () => {
    expect(await rows('SELECT * FROM c WHERE c.customer = "c3"', 4)).toHaveLength(15)
    expect(await rows('SELECT VALUE c.id FROM c WHERE c.total < 50', 7)).toHaveLength(50)
    expect((await container.items.query('SELECT * FROM c', { partitionKey: 'c1' }).fetchAll()).resources).toHaveLength(
      15
    )
  })

  it('sorts, aggregates and limits across ranges', async () => {
    expect(
      await rows('SELECT VALUE c.total FROM c WHERE IS_DEFINED(c.total) ORDER BY c.total DESC OFFSET 2 LIMIT 3')
    ).toEqual([117, 116, 115])
    expect(await rows('SELECT VALUE COUNT(1) FROM c WHERE IS_DEFINED(c.total)')).toEqual([120])
    expect(await rows('SELECT VALUE AVG(c.total) FROM c')).toEqual([59.5])
    expect(await rows('SELECT VALUE MAX(c.total) FROM c')).toEqual([119])
    expect((await rows('SELECT DISTINCT VALUE c.tags[0] FROM c WHERE IS_DEFINED(c.tags)')).length).toBe(2)
    expect(await rows('SELECT TOP 4 c.id FROM c WHERE IS_DEFINED(c.total) ORDER BY c.total')).toEqual([
      { id: 'o0' },
      { id: 'o1' },
      { id: 'o2' },
      { id: 'o3' }
    ])
  })

  it('sends bulk operations to their ranges, also during a split', async () => {
    const [range] = (await container.readPartitionKeyRanges().fetchAll()).resources
    await emulator.split('shop', 'orders', range.id)
    const results = await container.items.executeBulkOperations(
      Array.from({ length: 80 }, (_unused, i) => ({
        operationType: BulkOperationType.Upsert,
        partitionKey: `s${i}`,
        resourceBody: { id: 'split', customer: `s${i}` }
      }))
    )

    expect(results.map((result) => result.response?.statusCode)).toEqual(Array.from({ length: 80 }, () => 201))
  })

  it('rolls back an atomic batch', async () => {
    const operations = ['new', 'new'].map((id) => ({
      operationType: BulkOperationType.Create,
      resourceBody: { id, customer: 'batch' }
    }))
    const { result } = await container.items.batch(operations, 'batch')

    expect(result?.map((one) => one.statusCode)).toEqual([424, 409])
    expect((await container.item('new', 'batch').read()).statusCode).toBe(404)
  })

  it('reads the change feed until there is nothing new', async () => {
    const changeFeedStartFrom = ChangeFeedStartFrom.Beginning('c5')
    const iterator = container.items.getChangeFeedIterator({ changeFeedStartFrom, maxItemCount: 6 })
    const ids: string[] = []
    for (let page = await iterator.readNext(); page.statusCode !== 304; page = await iterator.readNext()) {
      ids.push(...page.result.map((item: { id: string }) => item.id))
    }

    expect(ids).toHaveLength(15)
  })

  it('uses hash version 1 for a container whose definition has no key version', async () => {
    const definition = { id: 'first-version', partitionKey: { paths: ['/customer'] }, throughput: 20_000 }
    const { container: first } = await database.containers.create(definition)
    const results = await first.items.executeBulkOperations(
      Array.from({ length: 40 }, (_unused, i) => ({
        operationType: BulkOperationType.Create,
        partitionKey: `${'long'.repeat(40)}${i}`,
        resourceBody: { id: `${i}`, customer: `${'long'.repeat(40)}${i}` }
      }))
    )

    expect((await first.read()).resource?.partitionKey).toEqual({ paths: ['/customer'], kind: 'Hash' })
    expect(results.map((result) => result.response?.statusCode)).toEqual(Array.from({ length: 40 }, () => 201))
  })

  it('distinguishes hierarchical keys', async () => {
    const partitionKey = { paths: ['/tenant', '/user'], kind: PartitionKeyKind.MultiHash, version: 2 }
    const { container: tenants } = await database.containers.createIfNotExists({ id: 'tenants', partitionKey })
    for (const [tenant, user] of [
      ['a', 1],
      ['a', 2],
      ['b', 1]
    ])
      await tenants.items.create({ id: `${tenant}${user}`, tenant, user })

    expect((await tenants.item('a2', ['a', 2]).read<{ user: number }>()).resource?.user).toBe(2)
    expect((await tenants.items.query('SELECT * FROM c WHERE c.tenant = "a"').fetchAll()).resources).toHaveLength(2)
  })

  it('reads and replaces throughput', async () => {
    const { resource, offer } = await container.readOffer()
    expect(resource?.content?.offerThroughput).toBe(20_000)
    const { content, ...rest } = resource!
    await offer.replace({ ...rest, content: { ...content!, offerThroughput: 22_000 } })
    expect((await container.readOffer()).resource?.content?.offerThroughput).toBe(22_000)
  })

  it('reads the usage of a container, and the share of each physical partition in the throughput', async () => {
    const definition = { id: 'sized', partitionKey: { paths: ['/customer'], version: 2 } }
    const { container: sized } = await database.containers.createIfNotExists({ ...definition, throughput: 12_000 })
    await sized.items.create({ id: '1', customer: 'x', text: 'x'.repeat(2048) })
    const { headers } = await sized.read({ populateQuotaInfo: true })
    await emulator.redistributeThroughput('shop', 'sized', {
      throughputPolicy: 'custom',
      targetPhysicalPartitionThroughputInfo: [{ id: '0', throughput: 2000 }]
    })
    const { resources } = await sized.readPartitionKeyRanges().fetchAll()

    expect(headers['x-ms-resource-usage']).toContain('documentsSize=2;documentsCount=1;')
    expect(headers['x-ms-resource-quota']).toContain('documentsCount=-1;')
    expect(resources.map((range) => range.throughputFraction)).toEqual([0.25, 0.75])
  })

  it('is refused if its account key is wrong', async () => {
    const stranger = connect({ ...emulator, key: Buffer.from('wrong').toString('base64') })

    await expect(stranger.databases.readAll().fetchAll()).rejects.toSatisfy(
      (error: ErrorResponse) => error.code === 401
    )
    stranger.dispose()
  })
})

function connect({ endpoint, key, certificate }: Pick<Emulator, 'endpoint' | 'key' | 'certificate'>): CosmosClient {
  if (certificate === undefined) return new CosmosClient({ endpoint, key })
  // a trust store needs only the certificate of the emulator
  return new CosmosClient({ endpoint, key, agent: new Agent({ ca: certificate }) })
}
