import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, operationFor, type Outcome, type Writer, type WriterOptions } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let emulator: Emulator
let client: CosmosClient
let container: Container
let count = 0
const writers: Writer[] = []

beforeAll(async () => {
  emulator = await startEmulator({ ranges: 3, ruPerSecond: 30_000 })
  client = new CosmosClient({
    endpoint: emulator.endpoint,
    key: emulator.key,
    connectionPolicy: { enableBackgroundEndpointRefreshing: false }
  })
  await client.databases.create({ id: 'writer' })
})

afterAll(async () => {
  client.dispose()
  await emulator.stop()
})

beforeEach(async () => {
  container = await createContainer({})
})

afterEach(async () => {
  emulator.faults.clear()
  await Promise.all(writers.splice(0).map((writer) => writer.close(0)))
})

async function createContainer(more: object): Promise<Container> {
  const partitionKey = { paths: ['/pk'], kind: PartitionKeyKind.Hash, version: 2 }
  const created = await client.database('writer').containers.create({ id: `c${++count}`, partitionKey, defaultTtl: -1, ...more })
  return created.container
}

async function open(options: Partial<WriterOptions> = {}): Promise<Writer> {
  const { endpoint, key } = emulator
  const writer = await createWriter({ endpoint, key, database: 'writer', container: container.id, ...options })
  writers.push(writer)
  return writer
}

async function read(id: string, key: string): Promise<Record<string, unknown> | undefined> {
  return (await container.item(id, key).read<Record<string, unknown>>()).resource
}

async function etagOf(id: string, key: string): Promise<string> {
  return (await read(id, key))!['_etag'] as string
}

function codeOf(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind
}

describe('operations', () => {
  it('create, replace, change and remove documents', async () => {
    const writer = await open()
    const record = { id: 'a', pk: 'k', n: 1 }

    expect(codeOf(await writer.write({ kind: 'create', record }))).toBe('written')
    expect(codeOf(await writer.write({ kind: 'create', record }))).toBe('ALREADY_EXISTS')
    expect(codeOf(await writer.write({ kind: 'replace', record: { ...record, n: 2 } }))).toBe('written')
    expect(codeOf(await writer.write({ kind: 'replace', record: { ...record, id: 'b' } }))).toBe('NOT_FOUND')
    expect(codeOf(await writer.write({ kind: 'patch', id: 'a', key: 'k', steps: [{ op: 'incr', path: '/n', value: 5 }] }))).toBe('written')
    expect(await read('a', 'k')).toMatchObject({ n: 7 })
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k' }))).toBe('written')
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k' }))).toBe('NOT_FOUND')
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k', ignore: [404] }))).toBe('unchanged')
  })

  it('heed an ETag', async () => {
    const writer = await open()
    const first = await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 1 } })
    const etag = first.kind === 'written' ? first.etag : undefined

    expect(etag).toBe(await etagOf('a', 'k'))
    expect(codeOf(await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 2 }, ifMatch: etag! }))).toBe('written')
    expect(codeOf(await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 3 }, ifMatch: etag! }))).toBe('PRECONDITION_FAILED')
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k', ifMatch: etag!, ignore: [412] }))).toBe('unchanged')
    expect(await read('a', 'k')).toMatchObject({ n: 2 })
  })

  it('give a document its time to live', async () => {
    const writer = await open()
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"a","pk":"k"}'), ttl: 90 })

    expect(await read('a', 'k')).toMatchObject({ ttl: 90 })
  })

  it('apply a patch of many steps as a whole', async () => {
    const writer = await open()
    await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })
    const steps = Array.from({ length: 25 }, (_, index) => ({ op: 'set' as const, path: `/f${index}`, value: index }))

    expect(codeOf(await writer.write({ kind: 'patch', id: 'a', key: 'k', steps }))).toBe('written')
    expect(await read('a', 'k')).toMatchObject({ f0: 0, f24: 24 })

    const broken = [
      ...steps.slice(0, 24).map((step) => ({ ...step, value: 'changed' })),
      { op: 'replace' as const, path: '/missing/x', value: 1 }
    ]
    expect(codeOf(await writer.write({ kind: 'patch', id: 'a', key: 'k', steps: broken }))).toBe('COSMOS_REJECTED')
    expect(await read('a', 'k')).toMatchObject({ f0: 0 })
  })

  it('follow the strategies of other sinks', async () => {
    const writer = await open()
    const write = async (strategy: Parameters<typeof operationFor>[0], record: object): Promise<string> =>
      codeOf(await writer.write(operationFor(strategy, { record })))

    expect(await write('append', { id: 'a', pk: 'k', n: 1 })).toBe('written')
    expect(await write('append', { id: 'a', pk: 'k', n: 2 })).toBe('unchanged')
    expect(await write('overwrite', { id: 'a', pk: 'k', n: 3 })).toBe('written')
    const stale = await etagOf('a', 'k')
    expect(await write('overwriteIfNotModified', { id: 'a', pk: 'k', n: 4, _etag: stale })).toBe('written')
    expect(await write('overwriteIfNotModified', { id: 'a', pk: 'k', n: 5, _etag: stale })).toBe('unchanged')
    expect(await write('overwriteIfNotModified', { id: 'a', pk: 'k', n: 6 })).toBe('unchanged')
    expect(await write('deleteIfNotModified', { id: 'a', pk: 'k', _etag: stale })).toBe('unchanged')
    expect(await read('a', 'k')).toMatchObject({ n: 4 })
    expect(await write('deleteIfNotModified', { id: 'a', pk: 'k', _etag: await etagOf('a', 'k') })).toBe('written')
    expect(await write('delete', { id: 'a', pk: 'k' })).toBe('unchanged')
  })
})

describe('atomic batches', () => {
  it('are applied as a whole, in order with what was written before and after', async () => {
    const writer = await open()
    const before = writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 1 } })
    const batch = writer.writeAtomic([
      { kind: 'replace', record: { id: 'a', pk: 'k', n: 2 } },
      { kind: 'create', record: { id: 'b', pk: 'k', n: 2 } }
    ])
    const after = writer.write({ kind: 'patch', id: 'b', key: 'k', steps: [{ op: 'incr', path: '/n', value: 1 }] })

    expect([await before, ...(await batch), await after].map(codeOf)).toEqual(['written', 'written', 'written', 'written'])
    expect(await read('a', 'k')).toMatchObject({ n: 2 })
    expect(await read('b', 'k')).toMatchObject({ n: 3 })
  })

  it('reject all when one fails, and say which', async () => {
    const writer = await open()
    await writer.write({ kind: 'upsert', record: { id: 'b', pk: 'k' } })
    const outcomes = await writer.writeAtomic([
      { kind: 'create', record: { id: 'a', pk: 'k' } },
      { kind: 'create', record: { id: 'b', pk: 'k' } },
      { kind: 'create', record: { id: 'c', pk: 'k' } }
    ])

    expect(outcomes.map(codeOf)).toEqual(['BATCH_FAILED', 'ALREADY_EXISTS', 'BATCH_FAILED'])
    expect(await read('a', 'k')).toBeUndefined()
  })

  it('take keys with characters beyond ASCII', async () => {
    const writer = await open()
    const outcomes = await writer.writeAtomic([{ kind: 'create', record: { id: 'a', pk: 'Škoda 日産 😀' } }])

    expect(outcomes.map(codeOf)).toEqual(['written'])
    expect(await read('a', 'Škoda 日産 😀')).toBeDefined()
  })
})

describe('a writer with a plan', () => {
  it('stamps objects and bytes alike', async () => {
    const writer = await open({ plan: { into: '/pk', from: [{ field: '/device' }, { field: '/year' }] } })
    await writer.write({ kind: 'upsert', record: { id: 'a', device: 'abc-123', year: 2018 } })
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"b","device":"abc-123","year":2018,"exact":1.50}') })

    expect(await read('a', 'abc-123-2018')).toBeDefined()
    expect(await read('b', 'abc-123-2018')).toBeDefined()
  })

  it('is refused when the container is split by another key, and told what to change', async () => {
    const refused = open({ plan: { into: '/other', from: [{ field: '/device' }] } })

    await expect(refused).rejects.toMatchObject({ code: 'CONTAINER_MISMATCH', message: expect.stringContaining('Change `into`') as string })
  })

  it('is refused when it is made for another way of hashing', async () => {
    const refused = open({ plan: { into: '/pk', from: [{ field: '/device' }], hashVersion: 1 } })

    await expect(refused).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('"hashVersion": 2') as string
    })
  })

  it('warns of unique keys, which hold within one key only', async () => {
    container = await createContainer({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } })
    const writer = await open({ plan: { into: '/pk', from: [{ field: '/device' }] } })

    expect(writer.warnings.join()).toContain('/email')
  })
})

describe('a writer without a plan', () => {
  it('takes key and id from where the container has them, the id itself included', async () => {
    container = await createContainer({ partitionKey: { paths: ['/id'], kind: PartitionKeyKind.Hash, version: 2 } })
    const writer = await open()
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"a","n":1}') })

    expect(await read('a', 'a')).toMatchObject({ n: 1 })
  })

  it('writes into hierarchical containers', async () => {
    container = await createContainer({ partitionKey: { paths: ['/tenant', '/user'], kind: PartitionKeyKind.MultiHash, version: 2 } })
    const writer = await open()
    const outcome = await writer.write({ kind: 'upsert', record: { id: 'a', tenant: 7, user: 'x' } })

    expect(codeOf(outcome)).toBe('written')
    expect((await container.item('a', [7, 'x']).read()).resource).toBeDefined()
  })

  it('is refused where there is no container', async () => {
    await expect(open({ container: 'nowhere' })).rejects.toMatchObject({ code: 'CONTAINER_MISSING' })
  })

  it('is refused an option that it does not know', async () => {
    await expect(open({ maxByte: 1 } as never)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    await expect(open({ share: '120%' })).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  })
})

describe('streams', () => {
  it('write lines of JSON as they are', async () => {
    const writer = await open()
    const lines = Array.from({ length: 500 }, (_, index) => `{"id":"i${index}","pk":"k${index % 9}","exact": 1.50}\n`)
    await pipeline(
      Readable.from(
        Buffer.from(lines.join(''))
          .toString()
          .match(/[^]{1,97}/g)!
          .map((part) => Buffer.from(part))
      ),
      writer.writable()
    )

    expect(writer.stats().written).toBe(500)
  })

  it('write objects, and tell of those that are rejected', async () => {
    const writer = await open()
    const rejected: string[] = []
    const onRejected = (outcome: Outcome & { kind: 'rejected' }): void => void rejected.push(outcome.code)
    await pipeline(Readable.from([{ id: 'a', pk: 'k' }, { pk: 'k' }, [{ id: 'b', pk: 'k' }, { id: 'c' }]]), writer.writable({ onRejected }))

    expect(writer.stats().written).toBe(2)
    expect(rejected.toSorted()).toEqual(['FIELD_MISSING', 'ID_MISSING'])
  })

  it('end with the first rejected record as their error when nobody wants to be told', async () => {
    const writer = await open()

    await expect(pipeline(Readable.from([{ id: 'a', pk: 'k' }, { pk: 'k' }]), writer.writable())).rejects.toMatchObject({
      code: 'RECORD_REJECTED'
    })
  })

  it('wait while there is no room', async () => {
    const writer = await open({ maxBytes: 200_000 })
    let most = 0
    async function* records(): AsyncGenerator<object> {
      for (let index = 0; index < 3000; index++) {
        most = Math.max(most, writer.stats().bytesInRoom)
        yield { id: `i${index}`, pk: `k${index % 50}`, text: 'x'.repeat(500) }
      }
    }
    await pipeline(Readable.from(records()), writer.writable())

    expect(writer.stats().written).toBe(3000)
    expect(most).toBeLessThan(230_000)
  })
})

describe('the end of a writer', () => {
  it('waits for what is open, and takes nothing more', async () => {
    const writer = await open()
    const open1 = Array.from({ length: 300 }, (_, index) => writer.write({ kind: 'upsert', record: { id: `i${index}`, pk: 'k' } }))
    await writer.close()

    expect((await Promise.all(open1)).every(({ kind }) => kind === 'written')).toBe(true)
    await expect(writer.write({ kind: 'upsert', record: { id: 'z', pk: 'k' } })).rejects.toMatchObject({ code: 'WRITER_CLOSED' })
  })

  it('gives up at the deadline, and tells those who wait', async () => {
    const writer = await open()
    emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 429, retryAfterMs: 50 } })
    const waiting = writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })
    const told = waiting.catch((error: unknown) => error)
    await writer.close(100)

    expect(await told).toMatchObject({ code: 'WRITER_CLOSED' })
    expect(writer.stats().bytesInRoom).toBe(0)
  })

  it('comes by itself when Cosmos DB fails for longer than it tries: the operation is told so, and others go on', async () => {
    const writer = await open({ retryForMs: 150 })
    const fault = emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 503 } })
    await expect(writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })).rejects.toMatchObject({
      code: 'COSMOS_UNAVAILABLE',
      retriable: true
    })
    emulator.faults.clear(fault)

    expect(codeOf(await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } }))).toBe('written')
  })
})

describe('what a writer tells', () => {
  it('counts by range, and tells of each batch without keys or payloads', async () => {
    const writer = await open()
    const events: object[] = []
    writer.events.on('batchAnswered', (event) => events.push(event))
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => writer.write({ kind: 'upsert', record: { id: `i${index}`, pk: `secret${index}` } }))
    )
    const { ranges, written, budgetRuPerSecond } = writer.stats()

    expect(written).toBe(50)
    expect(budgetRuPerSecond).toBe(30_000)
    expect(ranges).toHaveLength(3)
    expect(ranges.reduce((sum, { settled }) => sum + settled, 0)).toBe(50)
    expect(ranges.reduce((sum, { batches }) => sum + batches, 0)).toBe(events.length)
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  it('lets upserts of one document that wait take the place of each other, and tells all of them', async () => {
    const writer = await open()
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, n) => writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n } }))
    )

    expect(await read('a', 'k')).toMatchObject({ n: 49 })
    expect(outcomes.every(({ kind }) => kind === 'written')).toBe(true)
    expect(writer.stats().superseded).toBe(49)
  })

  it('follows an offer that is changed while it writes', async () => {
    const writer = await open({ followOfferMs: 50, share: '50%' })
    const { resource } = await container.readOffer()
    await client.offer(resource!.id).replace({ ...resource!, content: { ...resource!.content!, offerThroughput: 20_000 } })

    await expect.poll(() => writer.stats().budgetRuPerSecond, { timeout: 5000 }).toBe(10_000)
  })
})
