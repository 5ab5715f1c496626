import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type PlainAnswer, readEverything, send } from './plain-client.ts'

let folder: string
let emulator: Emulator
let nowMs: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-data-'))
  nowMs = 1_800_000_000_000
  await start()
})
afterEach(async () => {
  await emulator.stop()
  rmSync(folder, { recursive: true })
})

async function start(): Promise<void> {
  emulator = await startEmulator({ auth: 'off', data: folder, now: () => nowMs, ranges: 2 })
}

async function restart(): Promise<void> {
  await emulator.stop()
  await start()
}

const ORDERS = '/dbs/shop/colls/orders'
const FEED = { 'a-im': 'Full-Fidelity Feed', 'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15' }

async function createContainer(): Promise<void> {
  await send(emulator.endpoint, 'POST', '/dbs', { body: { id: 'shop' } })
  const body = {
    id: 'orders',
    partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
    defaultTtl: -1,
    changeFeedPolicy: { retentionDuration: 10 },
    previousImageRetentionPolicy: { supportedFeatures: { allVersionsAndDeletes: { mode: 3 } } }
  }
  const headers = { 'x-ms-offer-throughput': '12000' }
  expect((await send(emulator.endpoint, 'POST', '/dbs/shop/colls', { body, headers })).status).toBe(201)
}

const upsert = (pk: string, id: string, more: object = {}): Promise<PlainAnswer> =>
  send(emulator.endpoint, 'POST', `${ORDERS}/docs`, {
    key: [pk],
    headers: { 'x-ms-documentdb-is-upsert': 'true' },
    body: { id, pk, ...more }
  })

async function changesAfter(etag: string, range?: string): Promise<PlainAnswer> {
  const headers = {
    ...FEED,
    'if-none-match': etag,
    'x-ms-max-item-count': '-1',
    ...(range === undefined ? {} : { 'x-ms-documentdb-partitionkeyrangeid': range })
  }
  return send(emulator.endpoint, 'GET', `${ORDERS}/docs`, { headers })
}

async function writeVersions(): Promise<string> {
  const etag = (await changesAfter('*')).headers.get('etag')!
  for (let i = 0; i < 12; i++) await upsert(`k${i % 5}`, String(i), { n: 1 })
  for (let i = 0; i < 6; i++) await upsert(`k${i % 5}`, String(i), { n: 2, ...(i < 3 ? { ttl: 10 } : {}) })
  await send(emulator.endpoint, 'DELETE', `${ORDERS}/docs/7`, { key: ['k2'] })
  return etag
}

it('the change feed of all versions has the same changes after a restart', async () => {
  await createContainer()
  const etag = await writeVersions()
  nowMs += 20_000
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
  await emulator.split('shop', 'orders', '0')
  const before = (await changesAfter(etag)).headers.get('etag')!
  const everything = await readEverything(emulator.endpoint)
  await restart()
  expect(await readEverything(emulator.endpoint)).toEqual(everything)

  nowMs += 20_000
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
  const { body } = await send(emulator.endpoint, 'GET', ORDERS)
  const { changeFeedPolicy, ...without } = body
  await send(emulator.endpoint, 'PUT', ORDERS, { body: without })
  await send(emulator.endpoint, 'PUT', ORDERS, { body: { ...without, changeFeedPolicy } })
  const before = await changesAfter(etag, '0')
  await restart()
  const after = await changesAfter(etag, '0')
  expect([after.status, after.body?.code]).toEqual([before.status, before.body?.code])
  expect(before.status).not.toBe(200)
})

it('the throughput of single ranges is kept', async () => {
  await createContainer()
  await emulator.redistributeThroughput('shop', 'orders', {
    throughputPolicy: 'custom',
    targetPhysicalPartitionThroughputInfo: [{ id: '0', throughput: 8000 }],
    sourcePhysicalPartitionThroughputInfo: [{ id: '1' }]
  })
  const before = [emulator.throughputDistribution('shop', 'orders'), await readEverything(emulator.endpoint)]
  await restart()
  expect([emulator.throughputDistribution('shop', 'orders'), await readEverything(emulator.endpoint)]).toEqual(before)
})
