import type { CosmosClient } from '@azure/cosmos'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import { createReader, createWriter, type Operation, type Outcome, type Reader, type Writer } from '@keystamp/cosmos'
import { COMPUTED_SUFFIX, DATE, JOINED, RANDOM_SUFFIX, SOME_VIN, VIN, vins } from './article-data.ts'
import { emulated } from './emulated.ts'
import { newContainer, raiseThroughput, rangeCount } from './containers.ts'
import type { Shown } from './row.ts'

/**
 * A day written under random suffixes, and read as a whole: each range gets one query for its share of the 400 keys.
 */
export function dayUnderRandomSuffixes(): Promise<Shown[]> {
  let pages = 0
  const plan = createPlan(RANDOM_SUFFIX, { random: Math.random })
  return inContainer({ ranges: 4, plan, onPage: () => pages++ }, async ({ writer, reader }) => {
    for (const vin of vins(100)) await writer.write({ kind: 'create', record: { id: vin, date: DATE, [VIN]: vin } })
    const found: unknown[] = []
    for await (const { id } of reader.readAll({ date: DATE }, { orderBy: '/id' })) found.push(id)
    const isInOrder = JSON.stringify(found) === JSON.stringify(vins(100))
    return [
      {
        input: 'readAll of a day of 100 vehicles under random suffixes, over 4 ranges',
        output: `${found.length} documents ${isInOrder ? 'in order' : 'out of order'}, ${pages} requests`
      }
    ]
  })
}

/** Finds the trips of a vehicle on a day from the vehicle and the date. */
export function oneVehicle(): Promise<Shown[]> {
  return inContainer({ ranges: 4, plan: COMPUTED_SUFFIX }, async ({ writer, reader }) => {
    const known = { date: DATE, [VIN]: SOME_VIN }
    await writer.write({ kind: 'create', record: { id: 'trip-1', ...known } })
    await writer.write({ kind: 'create', record: { id: 'trip-2', ...known } })
    return [
      { input: `read(${JSON.stringify(known)})`, output: await readText(reader, known) },
      { input: 'the same with the id trip-2', output: await readText(reader, known, 'trip-2') }
    ]
  })
}

/** Items that get their key on the way into the container. */
export function stampedOnTheWay(): Promise<Shown[]> {
  return inContainer({ plan: JOINED }, async ({ writer, reader }) => {
    const record = { id: '1', deviceId: 'abc-123', date: 2018 }
    await writer.write({ kind: 'create', bytes: Buffer.from(JSON.stringify(record)) })
    const [stored] = await reader.read(record)
    return [
      {
        input: `through a writer: ${JSON.stringify(record)}`,
        output: `stored with the key "${String(stored?.['partitionKey'])}"`
      }
    ]
  })
}

/** Outcome for an existing id, under the same key and under another. */
export function sameIdWritten(): Promise<Shown[]> {
  return inContainer({ plan: JOINED }, async ({ writer }) => {
    const records = ['abc-123', 'abc-124', 'abc-123'].map((deviceId) => ({ id: 'reading-1', deviceId, date: 2018 }))
    const shown: Shown[] = []
    for (const record of records) {
      const outcome = await writer.write({ kind: 'create', record: { ...record } })
      shown.push({ input: `writer creates ${JSON.stringify(record)}`, output: outcomeText(outcome) })
    }
    return shown
  })
}

/** A transaction with one key, and one with two keys. */
export function atomicWrites(): Promise<Shown[]> {
  return inContainer({ plan: JOINED }, async ({ writer }) => {
    const together = await writer.writeAtomic([create('abc-123', '1'), create('abc-123', '2')])
    const torn = await writer.writeAtomic([create('abc-123', '3'), create('abc-124', '4')])
    return [
      { input: 'writeAtomic of two items of one key', output: together.map(outcomeText).join(', ') },
      { input: 'writeAtomic of items of two keys', output: torn.map(outcomeText).join(', ') }
    ]
  })
}

/** An item whose key changes: written with its previous image, it is not left under the old key. */
export function rehomedItem(): Promise<Shown[]> {
  return inContainer({ plan: JOINED }, async ({ writer, client }) => {
    const before = { id: '1', deviceId: 'abc-123', date: 2018 }
    await writer.upsert({ ...before })
    const { twin } = await writer.upsert({ ...before, date: 2019 }, { before: { record: before } })
    const { resources } = await client.database('articles').container('items').items.readAll().fetchAll()
    const keys = resources.map((item) => String(item['partitionKey'])).join(', ')
    return [
      {
        input: 'upsert of an item whose date has changed, with its previous image',
        output: `old item ${twin}; stored under ${keys}`
      }
    ]
  })
}

/** Writes continue while the only range of the container is split by more throughput. */
export function writtenThroughSplit(): Promise<Shown[]> {
  return inContainer({ plan: JOINED, throughput: 5000 }, async ({ writer, reader, client }) => {
    const records = Array.from({ length: 400 }, (_, index) => ({
      id: String(index),
      deviceId: `abc-${index}`,
      date: 2018
    }))
    const container = client.database('articles').container('items')
    const before = await rangeCount(container)
    const first = records.slice(0, 200).map((record) => writer.write({ kind: 'create', record: { ...record } }))
    await raiseThroughput(client, container, 20_000)
    const then = records.slice(200).map((record) => writer.write({ kind: 'create', record: { ...record } }))
    const outcomes = await Promise.all([...first, ...then])
    const written = outcomes.filter(({ kind }) => kind === 'written').length
    const found = await Promise.all(records.map((record) => reader.read(record)))
    return [
      {
        input: '400 items written while 5,000 RU/s become 20,000',
        output: `${before} range became ${await rangeCount(container)}; ${written} written, ${found.flat().length} read`
      }
    ]
  })
}

interface Setting {
  readonly ranges?: number
  readonly plan?: PlanDefinition | ReturnType<typeof createPlan>
  readonly throughput?: number
  readonly onPage?: () => void
}

interface Opened {
  readonly writer: Writer
  readonly reader: Reader
  readonly client: CosmosClient
}

function inContainer<T>(
  { ranges, plan, throughput, onPage }: Setting,
  run: (opened: Opened) => Promise<T>
): Promise<T> {
  return emulated({ ruPerSecond: 40_000, ...(ranges === undefined ? {} : { ranges }) }, async (client, account) => {
    await newContainer(client, throughput === undefined ? {} : { throughput })
    const options = { ...account, database: 'articles', container: 'items', ...(plan === undefined ? {} : { plan }) }
    const writer = await createWriter(options)
    const reader = createReader({ ...options, ...(onPage === undefined ? {} : { onPage }) })
    try {
      return await run({ writer, reader, client })
    } finally {
      reader.close()
      await writer.close()
    }
  })
}

function create(deviceId: string, id: string): Operation {
  return { kind: 'create', record: { id, deviceId, date: 2018 } }
}

function outcomeText(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? `rejected: ${outcome.code}` : outcome.kind
}

async function readText(reader: Reader, parts: object, id?: string): Promise<string> {
  const options = id === undefined ? {} : { id }
  const { kind, requests } = await reader.explain(parts, options)
  const found = await reader.read(parts, options)
  const ids = found.map((document) => document.id).join(', ')
  return `${ids}, by ${requests} ${kind === 'point' ? 'point read' : 'query inside one logical partition'}`
}
