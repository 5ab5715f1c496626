import { expect, it } from 'vitest'
import { type PlainAnswer, readEverything } from './plain-client.ts'
import { ORDERS, useDataFolder } from './use-data-folder.ts'

const data = useDataFolder({ ranges: 2 })
const { restart, call, upsert } = data

const FEED = { 'a-im': 'Full-Fidelity Feed', 'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15' }

const createContainer = (): Promise<void> =>
  data.createContainer(
    {
      defaultTtl: -1,
      changeFeedPolicy: { retentionDuration: 10 },
      previousImageRetentionPolicy: { supportedFeatures: { allVersionsAndDeletes: { mode: 3 } } }
    },
    '12000'
  )

async function changesAfter(etag: string, range?: string): Promise<PlainAnswer> {
  const headers = {
    ...FEED,
    'if-none-match': etag,
    'x-ms-max-item-count': '-1',
    ...(range === undefined ? {} : { 'x-ms-documentdb-partitionkeyrangeid': range })
  }
  return call('GET', `${ORDERS}/docs`, { headers })
}

async function writeVersions(): Promise<string> {
  const etag = (await changesAfter('*')).headers.get('etag')!
  for (let i = 0; i < 12; i++) await upsert(`k${i % 5}`, String(i), { n: 1 })
  for (let i = 0; i < 6; i++) await upsert(`k${i % 5}`, String(i), { n: 2, ...(i < 3 ? { ttl: 10 } : {}) })
  await call('DELETE', `${ORDERS}/docs/7`, { key: ['k2'] })
  return etag
}

it('the change feed of all versions has the same changes after a restart', async () => {
  await createContainer()
  const etag = await writeVersions()
  data.nowMs += 20_000
  await upsert('k0', 'after the expiry')
  const before = await changesAfter(etag)
  expect(before.body.Documents).toHaveLength(12 + 6 + 1 + 3 + 1)

  await restart()

  const after = await changesAfter(etag)
  expect(after.body).toEqual(before.body)
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
})

it('items expire as changes after a restart, also when their range was split', async () => {
  await createContainer()
  const etag = await writeVersions()
  await data.emulator.split('shop', 'orders', '0')
  const before = (await changesAfter(etag)).headers.get('etag')!
  const everything = await readEverything(data.emulator.endpoint)
  await restart()
  expect(await readEverything(data.emulator.endpoint)).toEqual(everything)

  data.nowMs += 20_000
  await upsert('k0', 'new')

  const kinds = (await changesAfter(before)).body.Documents.map(
    ({ metadata }: { metadata: Record<string, unknown> }) =>
      `${String(metadata['operationType'])} ${String(metadata['timeToLiveExpired'])}`
  )
  expect(kinds.toSorted()).toEqual(['create undefined', 'delete true', 'delete true', 'delete true'])
})

it('versions that a container dropped with its retention stay dropped', async () => {
  await createContainer()
  const etag = await writeVersions()
  const { body } = await call('GET', ORDERS)
  const { changeFeedPolicy, ...without } = body
  await call('PUT', ORDERS, { body: without })
  await call('PUT', ORDERS, { body: { ...without, changeFeedPolicy } })
  const before = await changesAfter(etag, '0')
  await restart()
  const after = await changesAfter(etag, '0')
  expect([after.status, after.body?.code]).toEqual([before.status, before.body?.code])
  expect(before.status).not.toBe(200)
})

it('the throughput of single ranges is kept', async () => {
  await createContainer()
  await data.emulator.redistributeThroughput('shop', 'orders', {
    throughputPolicy: 'custom',
    targetPhysicalPartitionThroughputInfo: [{ id: '0', throughput: 8000 }],
    sourcePhysicalPartitionThroughputInfo: [{ id: '1' }]
  })
  const before = [data.emulator.throughputDistribution('shop', 'orders'), await readEverything(data.emulator.endpoint)]
  await restart()
  expect([
    data.emulator.throughputDistribution('shop', 'orders'),
    await readEverything(data.emulator.endpoint)
  ]).toEqual(before)
})
