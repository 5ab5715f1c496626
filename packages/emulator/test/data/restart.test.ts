import { startEmulator } from '@keystamp/emulator'
import { expect, it } from 'vitest'
import { type PlainAnswer, readEverything } from './plain-client.ts'
import { ORDERS, useDataFolder } from './use-data-folder.ts'

const data = useDataFolder()
const { start, restart, call, createContainer, upsert } = data

function ids(answer: PlainAnswer): string[] {
  return answer.body.Documents.map(({ id, n }: { id: string; n: number }) => `${id} ${n}`)
}

async function fill(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await upsert(`key ${i % 7}`, `item ${i}`, { n: i, text: 'ü€😀' })
}

it('all that clients can read is the same after a restart', async () => {
  await createContainer({}, '12000')
  await call('POST', '/dbs', { body: { id: 'shared' }, headers: { 'x-ms-offer-throughput': '1000' } })
  await call('POST', '/dbs/shared/colls', {
    body: { id: 'one', partitionKey: { paths: ['/a', '/b'], kind: 'MultiHash' } }
  })
  await fill(40)
  await upsert('key 1', 'item 1', { n: 'changed' })
  await call('DELETE', `${ORDERS}/docs/item%202`, { key: ['key 2'] })
  await call('PATCH', `${ORDERS}/docs/item%203`, {
    key: ['key 3'],
    body: { operations: [{ op: 'incr', path: '/n', value: 5 }] }
  })
  await call('PUT', `${ORDERS}/docs/item%204`, { key: ['key 4'], body: { id: 'another id', pk: 'key 4' } })

  const before = await readEverything(data.emulator.endpoint)
  await restart()

  expect(await readEverything(data.emulator.endpoint)).toEqual(before)
})

it('the ranges, their ids, parents and session tokens are the same after a restart that follows splits and a merge', async () => {
  await createContainer({}, '12000')
  await fill(30)
  await data.emulator.split('shop', 'orders', '0')
  await fill(20)
  await data.emulator.merge('shop', 'orders', '2')
  await fill(10)

  const before = await readEverything(data.emulator.endpoint)
  await restart()

  expect(await readEverything(data.emulator.endpoint)).toEqual(before)
  expect(await data.emulator.split('shop', 'orders', '1')).toEqual(['5', '6'])
})

it.each([undefined, '0', '1'])(
  'a client that reads the change feed of range %s misses nothing and reads nothing twice across a restart',
  async (range) => {
    await createContainer({}, '12000')
    await fill(10)
    const headers = {
      'a-im': 'Incremental feed',
      ...(range === undefined ? {} : { 'x-ms-documentdb-partitionkeyrangeid': range })
    }
    // a throttled write takes a version that no client sees
    data.emulator.throttle({ overdraw: false })
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => upsert('key 1', 'large', { text: 'x'.repeat(1e6) }))
    )
    expect(statuses.map(({ status }) => status)).toContain(429)
    data.emulator.throttle(false)
    const etag = (await call('GET', `${ORDERS}/docs`, { headers })).headers.get('etag')!

    await restart()
    await fill(14)
    const next = await call('GET', `${ORDERS}/docs`, { headers: { ...headers, 'if-none-match': etag } })

    const all = ids(await call('GET', `${ORDERS}/docs`, { headers }))
    expect(ids(next)).toEqual(all.filter((text) => !text.startsWith('large')))
  }
)

it('a session token from before a restart is still valid', async () => {
  await createContainer()
  const written = await upsert('a', '1')
  const session = { 'x-ms-session-token': written.headers.get('x-ms-session-token')! }
  await restart()
  expect((await call('GET', `${ORDERS}/docs/1`, { key: ['a'], headers: session })).status).toBe(200)
})

it('an item that is created after a restart gets another resource id than the items before', async () => {
  await createContainer()
  const first = await upsert('a', '1')
  await restart()
  const second = await upsert('a', '2')
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body['_rid']).not.toBe(first.body['_rid'])
})

it('resource ids of deleted resources are not given again after a restart', async () => {
  await createContainer()
  const rids = async (): Promise<string[]> => {
    await createContainer()
    const item = await upsert('a', '1')
    const found = [item.body['_rid'] as string, (await call('GET', '/offers')).body.Offers[0]['_rid'] as string]
    await call('DELETE', '/dbs/shop')
    return found
  }
  await call('DELETE', '/dbs/shop')
  const first = await rids()
  await restart()
  const second = await rids()
  expect(new Set([...first, ...second]).size).toBe(4)
})

it('an offer keeps its throughput, its minimum and its ETag after a restart', async () => {
  await createContainer()
  const offer = (await call('GET', '/offers')).body.Offers[0]
  await call('PUT', `/${offer['_self']}`, { body: { ...offer, content: { offerThroughput: 50_000 } } })
  await call('PUT', `/${offer['_self']}`, { body: { ...offer, content: { offerThroughput: 600 } } })
  const before = await call('GET', `/${offer['_self']}`)

  await restart()

  const after = await call('GET', `/${offer['_self']}`)
  expect(after.body).toEqual(before.body)
  expect(after.headers.get('x-ms-cosmos-min-throughput')).toBe(before.headers.get('x-ms-cosmos-min-throughput'))
  expect(data.emulator.report().containers[0].ranges[0].provisionedRuPerSecond).toBe(120)
})

it('splits for a raised throughput continue after a restart', async () => {
  await restart({ moveMs: 60_000 })
  await createContainer()
  const offer = (await call('GET', '/offers')).body.Offers[0]
  await call('PUT', `/${offer['_self']}`, { body: { ...offer, content: { offerThroughput: 40_000 } } })

  await restart()

  await expect.poll(() => data.emulator.report().containers[0].ranges.length).toBe(4)
  expect((await call('GET', `/${offer['_self']}`)).headers.get('x-ms-offer-replace-pending')).toBe('false')
})

it('a changed container keeps its definition and its ETag', async () => {
  await createContainer({ defaultTtl: 100 })
  const { body } = await call('GET', ORDERS)
  await call('PUT', ORDERS, { body: { ...body, defaultTtl: 500, indexingPolicy: { indexingMode: 'none' } } })
  const before = await call('GET', ORDERS)
  await restart()
  expect((await call('GET', ORDERS)).body).toEqual(before.body)
})

it('unique keys are enforced after a restart', async () => {
  await createContainer({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } })
  await upsert('a', '1', { email: 'ada' })
  await upsert('a', '2', { email: 'bob' })
  await upsert('a', '2', { email: 'eve' })
  await restart()
  expect((await upsert('a', '3', { email: 'ada' })).status).toBe(409)
  expect((await upsert('a', '3', { email: 'eve' })).status).toBe(409)
  expect((await upsert('a', '3', { email: 'bob' })).status).toBe(201)
})

it('an item expires on time although the emulator is restarted, and does not come back', async () => {
  await createContainer({ defaultTtl: 100 })
  await upsert('a', '1')
  await upsert('a', '2', { ttl: 1000 })
  await upsert('a', '3', { ttl: -1 })
  data.nowMs += 50_000
  await restart()
  expect((await call('GET', `${ORDERS}/docs/1`, { key: ['a'] })).status).toBe(200)
  data.nowMs += 51_000
  expect((await call('GET', `${ORDERS}/docs/1`, { key: ['a'] })).status).toBe(404)
  expect((await upsert('a', '1', { again: true })).status).toBe(201)
  await restart()
  expect((await call('GET', `${ORDERS}/docs/1`, { key: ['a'] })).body.again).toBe(true)
  data.nowMs += 898_500
  const statuses = await Promise.all(['1', '2', '3'].map((id) => call('GET', `${ORDERS}/docs/${id}`, { key: ['a'] })))
  expect(statuses.map(({ status }) => status)).toEqual([404, 200, 200])
})

it('the clock of the emulator stays ahead after a restart', async () => {
  data.emulator.clock.advance(3_600_000)
  data.emulator.clock.advance(60_000)
  await restart()
  expect(data.emulator.clock.now()).toBe(data.nowMs + 3_660_000)
})

it('an atomic batch and an id with half of a surrogate pair are kept', async () => {
  await createContainer()
  const odd = '{"id":"half \\ud83d","pk":"a"}'
  expect((await call('POST', `${ORDERS}/docs`, { key: ['a'], body: odd })).status).toBe(201)
  const operations = [
    { operationType: 'Create', resourceBody: { id: '1', pk: 'a' } },
    { operationType: 'Upsert', resourceBody: { id: '1', pk: 'a', n: 2 } },
    { operationType: 'Delete', id: 'half \ud83d' },
    { operationType: 'Create', resourceBody: { id: 'half \ud83d', pk: 'a' } }
  ]
  const headers = { 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'true' }
  expect((await call('POST', `${ORDERS}/docs`, { key: ['a'], headers, body: operations })).status).toBe(200)

  const before = await readEverything(data.emulator.endpoint)
  await restart()

  expect(await readEverything(data.emulator.endpoint)).toEqual(before)
  expect((await call('POST', `${ORDERS}/docs`, { key: ['a'], body: odd })).status).toBe(409)
})

it('a reset is kept', async () => {
  await createContainer()
  await fill(3)
  data.emulator.reset()
  await restart()
  expect((await call('GET', '/dbs')).body['_count']).toBe(0)
})

it('containers that the option creates at the start may be in the data folder', async () => {
  await restart({ containers: ['shop/orders:/pk'] })
  await upsert('a', '1')
  await restart({ containers: ['shop/orders:/pk'] })
  expect((await call('GET', `${ORDERS}/docs/1`, { key: ['a'] })).status).toBe(200)
  await data.emulator.stop()
  const other = startEmulator({ data: data.folder, containers: ['shop/orders:/other'] })
  await expect(other).rejects.toThrow('The container shop/orders is in the data folder with the partition key /pk.')
  await start()
})
