import { createWriter, type Operation, type Outcome, type Writer } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, describe, expect, it } from 'vitest'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { decodedOf, SAMPLE_PLAN, sampleRecord, type Setting, mapperOptions } from './sample.ts'

interface Store {
  /** Maps and writes a record; returns its outcome. */
  readonly write: (value: object | string | undefined, record?: Partial<SinkRecord>) => Promise<string>
  readonly read: (id: string, ...key: readonly unknown[]) => Promise<Record<string, unknown> | undefined>
  readonly writer: Writer
  readonly map: (value: object) => Operation
}

const running: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

/** Opens a container of the emulator, with a mapper and a writer for this setting. */
async function openStore(setting: Setting): Promise<Store> {
  const emulator = await startEmulator({ auth: 'off' })
  running.push(emulator.stop)
  const { paths = ['/pk'], defaultTtl } = setting
  await ask(emulator, 'POST', 'dbs', { id: 'd' })
  const partitionKey = { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  await ask(emulator, 'POST', 'dbs/d/colls', {
    id: 'c',
    partitionKey,
    ...(defaultTtl === undefined ? {} : { defaultTtl })
  })
  const { plan, map } = createRecordMapper(mapperOptions(setting))
  const { endpoint, key } = emulator
  const writer = await createWriter({
    endpoint,
    key,
    database: 'd',
    container: 'c',
    ...(plan === undefined ? {} : { plan })
  })
  running.push(() => writer.close())

  async function write(value: object | string | undefined, overrides: Partial<SinkRecord> = {}): Promise<string> {
    const record = sampleRecord({ ...setting.record, ...overrides })
    const mapped = map(record, decodedOf(record, value))
    if (mapped === 'ignore' || !('kind' in mapped)) return mapped === 'ignore' ? mapped : mapped.code
    const outcome: Outcome = await writer.write(mapped)
    return outcome.kind === 'rejected' ? `${outcome.code} ${outcome.status}` : outcome.kind
  }

  return {
    write,
    writer,
    map: (value) => map(sampleRecord(), decodedOf(sampleRecord(), value)) as Operation,
    read: async (id, ...values) => {
      const answer = await ask(emulator, 'GET', `dbs/d/colls/c/docs/${encodeURIComponent(id)}`, undefined, values)
      if (answer === undefined) return undefined
      return Object.fromEntries(Object.entries(answer).filter(([name]) => !name.startsWith('_') || name === '_kafka'))
    }
  }
}

async function ask(
  { endpoint }: Emulator,
  method: string,
  path: string,
  body?: object,
  key: readonly unknown[] = []
): Promise<object | undefined> {
  const answer = await fetch(endpoint + path, {
    method,
    headers: {
      authorization: 'off',
      'x-ms-date': new Date().toUTCString(),
      'x-ms-version': '2018-12-31',
      ...(key.length > 0 ? { 'x-ms-documentdb-partitionkey': JSON.stringify(key) } : {})
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (answer.status === 404) return undefined
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as object
}

const ID_LEVEL_PLAN: Setting['plan'] = {
  levels: [
    { into: '/tenant', from: [{ field: '/tenant' }] },
    { into: '/id', from: [{ id: true }] }
  ]
}

describe('mapped records', () => {
  it('are stored whole, with key, id, time to live and metadata, without dropped properties', async () => {
    const write = { ttl: 60, drop: ['secret'], metadata: { into: '_kafka', fields: ['offset'] } } as const
    const id = { strategy: 'metadata', delimiter: '-', escape: 'underscore' } as const
    const store = await openStore({ plan: SAMPLE_PLAN, id, write, defaultTtl: -1 })

    expect(await store.write({ device: 'd', secret: 's', id: 'own' })).toBe('written')
    expect(await store.read('cars_eu-2-7', 'd')).toEqual({
      id: 'cars_eu-2-7',
      device: 'd',
      pk: 'd',
      ttl: 60,
      _kafka: { offset: 7 }
    })
  })

  it.each<[string, Setting, object, readonly unknown[]]>([
    ['under the id', { paths: ['/id'] }, { key: 1 }, ['vin-1']],
    ['under the id as a level', { paths: ['/tenant', '/id'] }, { tenant: 't' }, ['t', 'vin-1']],
    [
      'under the id as the last level of a plan',
      { paths: ['/tenant', '/id'], plan: ID_LEVEL_PLAN },
      { tenant: 't' },
      ['t', 'vin-1']
    ],
    ['under its own key', { paths: ['/a/b'] }, { a: { b: 5 } }, [5]]
  ])(
    'are stored %s, and deleted by a tombstone if the tombstone identifies the document',
    async (_, setting, value, key) => {
      const store = await openStore({ ...setting, id: { strategy: 'fullKey', escape: 'lossless' } })

      expect(await store.write(value)).toBe('written')
      expect(await store.read('vin-1', ...key)).toEqual({ ...value, id: 'vin-1' })

      const isKeyedById = setting.paths?.join() === '/id'
      expect(await store.write(undefined)).toBe(isKeyedById ? 'written' : 'FIELD_MISSING')
      expect(await store.read('vin-1', ...key)).toEqual(isKeyedById ? undefined : { ...value, id: 'vin-1' })
    }
  )

  it('are stored, and deleted by a tombstone whose Kafka key contains the partition key and the id', async () => {
    const plan = { into: '/pk', from: [{ field: '/device', orKey: '/device' }] } as const
    const id = { strategy: 'inKey', path: '$.vin', escape: 'lossless' } as const
    const store = await openStore({ plan, id, record: { key: Buffer.from('{"device":"d","vin":"v"}') } })

    expect(await store.write({ device: 'd' })).toBe('written')
    expect(await store.read('v', 'd')).toEqual({ device: 'd', pk: 'd', id: 'v' })
    expect(await store.write(undefined)).toBe('written')
    expect(await store.read('v', 'd')).toBeUndefined()
    expect(await store.write(undefined)).toBe('unchanged')
  })

  it('are stored only once for each id under the strategy append', async () => {
    const store = await openStore({ plan: SAMPLE_PLAN, write: { strategy: 'append' } })

    expect(await store.write({ id: 'i', device: 'd', n: 1 })).toBe('written')
    expect(await store.write({ id: 'i', device: 'd', n: 2 })).toBe('unchanged')
    expect(await store.read('i', 'd')).toMatchObject({ n: 1 })
  })

  it('are stored as patches of more than ten properties, also of properties next to a nested key', async () => {
    const paths = ['/meta/tenant']
    const first = await openStore({ paths })
    const base = { id: 'i', meta: { tenant: 't', kept: 1 }, count: 1, kept: true }
    await first.write(base)
    const write = {
      strategy: 'patch',
      patch: {
        operation: 'set',
        members: new Map([['count', { operation: 'increment', path: undefined }]]),
        condition: undefined
      }
    } satisfies Setting['write']
    const { map } = createRecordMapper(mapperOptions({ paths, write }))
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`m${index}`, index]))
    const record = sampleRecord()
    const patch = map(
      record,
      decodedOf(record, { id: 'i', meta: { tenant: 't', name: 'n' }, count: 2, _ts: 5, ...many })
    ) as Operation

    expect(await first.writer.write(patch)).toMatchObject({ kind: 'written' })
    expect(await first.read('i', 't')).toEqual({
      ...base,
      meta: { tenant: 't', kept: 1, name: 'n' },
      count: 3,
      ...many
    })
  })

  it('are stored as patches only if the document meets the condition', async () => {
    const condition = 'from c where c.version = 1'
    const write = { strategy: 'patch', patch: { operation: 'set', members: new Map(), condition } } as const
    const store = await openStore({ write })
    await store.writer.write({ kind: 'upsert', record: { id: 'i', pk: 'p', version: 1 } })

    expect(await store.write({ id: 'i', pk: 'p', version: 2 })).toBe('written')
    expect(await store.write({ id: 'i', pk: 'p', version: 3 })).toBe('unchanged')
    expect(await store.read('i', 'p')).toMatchObject({ version: 2 })
    expect(await store.write({ id: 'other', pk: 'p', version: 3 })).toContain('404')
  })

  it('are stored together by an atomic batch', async () => {
    const store = await openStore({ plan: SAMPLE_PLAN })
    const operations = [1, 2, 3].map((n) => store.map({ id: `i${n}`, device: 'd', n }))

    expect(await store.writer.writeAtomic(operations)).toMatchObject([
      { kind: 'written' },
      { kind: 'written' },
      { kind: 'written' }
    ])
    expect(await store.read('i3', 'd')).toMatchObject({ n: 3 })
  })
})
