import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRandom } from '@keystamp/testkit'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld, type World } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const BIN = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

const REHOME = {
  plan: { into: '/partitionKey', from: [{ field: '/area' }] },
  write: { rehome: { before: '/before' }, dropProperties: ['before'] }
}

describe.skipIf(isMissing)(`a sink with \`write.rehome\`${why}`, () => {
  it('stores an entity under its new key, and deletes the document under the old one', async () => {
    const world = await startWorld({ brokers, partitions: 1 })

    const stored = await world.play(REHOME, [
      changeOf('a', 'north', undefined, 1),
      changeOf('b', 'north', undefined, 1),
      changeOf('a', 'south', 'north', 2)
    ])

    expect(stored).toEqual([
      { id: 'a', area: 'south', partitionKey: 'south', n: 2 },
      { id: 'b', area: 'north', partitionKey: 'north', n: 1 }
    ])
  })

  it('reads the previous image from a header', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    const write = { rehome: { before: { header: 'before' } } }

    const stored = await world.play({ ...REHOME, write }, [
      { key: 'a', value: '{"id":"a","area":"north"}' },
      { key: 'a', value: '{"id":"a","area":"south"}', headers: { before: '{"id":"a","area":"north"}' } }
    ])

    expect(stored).toEqual([{ id: 'a', area: 'south', partitionKey: 'south' }])
  })

  // checks L19
  it('stores each of many entities once, in its last version, after all records are read again', async () => {
    const world = await startWorld({ brokers, partitions: 4, ruPerSecond: 40_000 })
    const { records, last } = history(400, 40)
    const again = { kafka: { group: `again-${randomUUID()}` } }

    const first = await world.play(REHOME, records)
    const sink = await world.createSink({ ...REHOME, ...again })
    await sink.start()
    await expect.poll(() => sink.stats().written, { timeout: 60_000 }).toBe(records.length)
    await sink.stop()

    expect(first).toEqual(last)
    expect(await world.documents()).toEqual(last)
    expect(sink.stats().containers[0].twins.changed).toBe(0)
  })

  // checks L19, L23
  it('with `write.newerBy`, leaves one document of each entity, though its records are in several partitions and in any order', async () => {
    const world = await startWorld({ brokers, partitions: 4, defaultTtl: -1 })
    const { records, last } = history(400, 40)
    const random = createRandom(8)
    const mixed: (Change & { readonly partition: number })[] = []
    for (const record of records)
      mixed.splice(random.below(mixed.length + 1), 0, { ...record, partition: random.below(4) })
    const config = { ...REHOME, write: { ...REHOME.write, newerBy: { order: '/n' } } }

    await world.play(config, mixed)
    const again = await world.createSink({ ...config, kafka: { group: `again-${randomUUID()}` } })
    await again.start()
    await expect.poll(() => again.stats().written, { timeout: 60_000 }).toBe(records.length)
    await again.stop()

    const stored = (await world.documents()).filter((document) => document['_keystampDeleted'] !== true)
    expect(stored.map(({ _keystampPosition, ...document }) => document)).toEqual(last)
    expect(again.stats().containers[0].twins).toMatchObject({ changed: 0 })
  })

  // checks L1, L2, L19
  it('deletes the old document after a crash between the create and the delete', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    await world.play(REHOME, [changeOf('a', 'north', undefined, 1)])
    // the delete is refused again and again, without being applied
    const fault = world.emulator.faults.inject({
      on: 'bulkOperation',
      operationType: 'Delete',
      action: { kind: 'status', status: 449 }
    })
    await world.kafka.produce(world.topic, [changeOf('a', 'south', 'north', 2)])

    const crashing = await startProcess(world)
    await expect.poll(() => areasOf(world), { timeout: 60_000 }).toEqual(['north', 'south'])
    crashing.kill('SIGKILL')
    await once(crashing, 'exit')
    expect(await world.kafka.committed(world.group, [world.topic])).toMatchObject([{ offset: '1' }])
    world.emulator.faults.clear(fault)
    const next = await world.createSink(REHOME)
    await next.start()

    await world.committed(2)
    expect(await world.documents()).toEqual([{ id: 'a', area: 'south', partitionKey: 'south', n: 2 }])
    expect(next.stats().containers[0].twins).toEqual({ deleted: 1, absent: 0, changed: 0, newer: 0 })
  })

  // checks L19
  it('keeps and logs a document under the old key that another client has changed', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    await world.play(REHOME, [changeOf('a', 'north', undefined, 1)])
    const logged: string[] = []
    const log = { info: () => undefined, warn: (_: object, text: string) => logged.push(text), error: () => undefined }
    const fault = world.emulator.faults.inject({
      on: 'bulkOperation',
      operationType: 'Upsert',
      action: { kind: 'status', status: 449 }
    })
    await world.kafka.produce(world.topic, [changeOf('a', 'south', 'north', 2)])

    const sink = await world.createSink(REHOME, { log })
    await sink.start()
    await expect.poll(() => retriesOf(sink.stats().containers[0]), { timeout: 60_000 }).toBeGreaterThan(2)
    await putByAnother(world)
    world.emulator.faults.clear(fault)

    await world.committed(2)
    const stored = await world.documents()
    expect(stored.toSorted((one, other) => (String(one['area']) < String(other['area']) ? -1 : 1))).toEqual([
      { id: 'a', area: 'north', partitionKey: 'north', byAnother: true },
      { id: 'a', area: 'south', partitionKey: 'south', n: 2 }
    ])
    expect(logged.join()).toContain('old twin kept')
  })
})

interface Change {
  readonly key: string
  readonly value: string
}

function changeOf(id: string, area: string, from: string | undefined, n: number): Change {
  const before = from === undefined ? null : { id, area: from }
  return { key: id, value: JSON.stringify({ id, area, n, before }) }
}

/** Versions of entities that often change their area, and the documents that must be left. */
function history(count: number, entities: number): { readonly records: readonly Change[]; readonly last: object[] } {
  const { next: random } = createRandom(7)
  const current = new Map<string, { readonly area: string; readonly n: number }>()
  const records = Array.from({ length: count }, (_, n) => {
    const id = `e${String(Math.floor(random() * entities)).padStart(3, '0')}`
    const area = `area-${Math.floor(random() * 3)}`
    const record = changeOf(id, area, current.get(id)?.area, n)
    current.set(id, { area, n })
    return record
  })
  const last = [...current].map(([id, { area, n }]) => ({ id, area, n, partitionKey: area }))
  return { records, last: last.toSorted((one, other) => (one.id < other.id ? -1 : 1)) }
}

function retriesOf({ retries }: { readonly retries: Readonly<Record<string, number>> }): number {
  return retries['449'] ?? 0
}

async function areasOf(world: World): Promise<readonly string[]> {
  return (await world.documents()).map(({ area }) => String(area)).toSorted((one, other) => (one < other ? -1 : 1))
}

async function putByAnother({ emulator }: World): Promise<void> {
  const headers = {
    'x-ms-version': '2020-07-15',
    'x-ms-documentdb-is-upsert': 'true',
    'x-ms-documentdb-partitionkey': '["north"]',
    authorization: 'none'
  }
  const body = JSON.stringify({ id: 'a', area: 'north', partitionKey: 'north', byAnother: true })
  const response = await fetch(`${emulator.endpoint}dbs/db/colls/things/docs`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

async function startProcess(world: World): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const file = join(folder, 'sink.yaml')
  await writeFile(
    file,
    JSON.stringify({
      name: 'things',
      kafka: {
        brokers: brokers.split(','),
        topics: [world.topic],
        group: world.group,
        sessionTimeout: '6s',
        heartbeatInterval: '1s'
      },
      cosmos: {
        endpoint: world.emulator.endpoint,
        key: '${env:COSMOS_KEY}',
        database: 'db',
        container: 'things',
        requestTimeout: '3s'
      },
      commit: { every: '200ms' },
      ...REHOME
    })
  )
  const child = spawn(process.execPath, [BIN, 'sink', '--config', file], {
    env: { ...process.env, COSMOS_KEY: world.emulator.key },
    stdio: 'ignore'
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return child
}
