import { PartitionKeyDefinitionVersion } from '@azure/cosmos'
import type { PlanDefinition } from '@keystamp/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createReader } from '../../src/reader/reader.ts'
import { collect, startContainer, type StartContainerOptions, type StartedContainer } from './start-container.ts'

const DATE = '2018-08-09'
const VIN = 'Vehicle-Identification-Number'
const RANDOM: PlanDefinition = { into: '/partitionKey', from: [{ field: '/date' }], suffix: { by: 'random', count: 400 } }
const COMPUTED: PlanDefinition = { into: '/partitionKey', from: [{ field: '/date' }], suffix: { by: `/${VIN}`, count: 400 } }

const started: StartedContainer[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()))
})

describe('readAll', () => {
  it('finds what is spread over 400 keys by asking each range once', async () => {
    const documents = drives(900)
    const { reader, pages } = await start({ writtenBy: RANDOM, documents })

    const found = await collect(reader.readAll({ date: DATE }))

    expect(idsOf(found).toSorted()).toEqual(idsOf(documents).toSorted())
    expect(pages.length).toBeLessThanOrEqual(20)
    expect(pages.every(({ requests }) => requests === 1)).toBe(true)
  })

  it('asks once a range and once a further page', async () => {
    const { reader, pages } = await start({ writtenBy: RANDOM, documents: drives(600), reader: { pageItems: 10 } })

    await collect(reader.readAll({ date: DATE }))

    expect(pages.length).toBeGreaterThan(20)
    const further = pages.filter(({ isFirst }) => !isFirst).length
    expect(pages.length - further).toBeLessThanOrEqual(20)
  })

  it.each([
    ['upwards', '/at', (a: number, b: number) => a - b],
    ['downwards', { field: '/at', isDescending: true }, (a: number, b: number) => b - a]
  ] as const)('gives documents of all ranges in one order, %s', async (_, orderBy, compare) => {
    const documents = drives(700)
    const { reader } = await start({ writtenBy: RANDOM, documents, reader: { pageItems: 7 } })

    const found = await collect(reader.readAll({ date: DATE }, { orderBy }))

    expect(found.map(({ at }) => at)).toEqual(documents.map(({ at }) => at).toSorted(compare))
  })

  it('sorts values of all types as the service does', async () => {
    const values = [undefined, null, false, true, -1, 0, 2.5, '', 'A', 'a', 'é', [1], { a: 1 }]
    const documents = values.map((at, index) => ({ id: String(index), date: DATE, ...(at === undefined ? {} : { at }) }))
    const { reader } = await start({ writtenBy: RANDOM, documents })

    const found = await collect(reader.readAll({ date: DATE }, { orderBy: '/at' }))

    expect(found.map(({ at }) => at)).toEqual(values)
  })

  it('gives nothing for what is not there', async () => {
    const { reader } = await start({ writtenBy: RANDOM, documents: drives(5) })

    expect(await collect(reader.readAll({ date: '1999-01-01' }, { orderBy: '/at' }))).toEqual([])
  })

  it('finds documents of both versions of a plan', async () => {
    const before = { into: '/partitionKey', from: [{ literal: 'old' }, { field: '/date' }] } satisfies PlanDefinition
    const versions: PlanDefinition = { ...COMPUTED, previous: [{ until: { field: '/at', before: 50 }, plan: before }] }
    const documents = drives(100)
    const { reader, pages } = await start({ writtenBy: versions, documents })

    const found = await collect(reader.readAll({ date: DATE }, { orderBy: '/at' }))

    expect(found.map(({ at }) => at)).toEqual(documents.map(({ at }) => at).toSorted((a, b) => a - b))
    expect(pages.length).toBeLessThanOrEqual(20)
    const { keys, versions: asked } = await reader.explain({ date: DATE })
    expect(keys).toBe(401)
    expect(asked).toEqual([0, 1])
  })

  it('reads the days between two times', async () => {
    const plan: PlanDefinition = { into: '/partitionKey', from: [{ field: '/tenant' }, { bucket: 'day', of: '/at' }] }
    const documents = Array.from({ length: 30 }, (_, day) => ({
      id: String(day),
      tenant: 'a',
      at: `2026-01-${String(day + 1).padStart(2, '0')}T12:00:00Z`
    }))
    const { reader } = await start({ writtenBy: plan, documents })

    const found = await collect(reader.readAll({ tenant: 'a' }, { between: ['2026-01-10', '2026-01-14'], orderBy: '/at' }))

    expect(idsOf(found)).toEqual(['9', '10', '11', '12', '13'])
  })

  it('asks by the first levels of a hierarchical key', async () => {
    const plan: PlanDefinition = {
      levels: [
        { into: '/tenant', from: [{ field: '/tenant' }] },
        { into: '/device', from: [{ field: '/device' }] }
      ]
    }
    const documents = Array.from({ length: 40 }, (_, index) => ({ id: String(index), tenant: `t${index % 2}`, device: `d${index % 10}` }))
    const { reader, pages } = await start({ writtenBy: plan, paths: ['/tenant', '/device'], documents })

    expect((await collect(reader.readAll({ tenant: 't1' }))).every(({ tenant }) => tenant === 't1')).toBe(true)
    expect(pages).toHaveLength(1)
    expect(await reader.read({ tenant: 't1', device: 'd3' })).toHaveLength(4)
    expect(await reader.read({ tenant: 't1', device: 'd3', id: '13' })).toHaveLength(1)
  })

  it('follows keys of many bases and suffixes of a hierarchical plan', async () => {
    const plan: PlanDefinition = {
      levels: [
        { into: '/tenant', from: [{ field: '/tenant' }] },
        { into: '/part', from: [{ bucket: 'day', of: '/at' }], suffix: { by: '/device', count: 8 } }
      ]
    }
    const documents = Array.from({ length: 60 }, (_, index) => ({
      id: String(index),
      tenant: 'x',
      device: `d${index}`,
      at: `2026-01-0${1 + (index % 3)}T00:00:00Z`
    }))
    const { reader } = await start({ writtenBy: plan, paths: ['/tenant', '/part'], documents })

    const found = await collect(reader.readAll({ tenant: 'x' }, { between: ['2026-01-01', '2026-01-02'] }))

    expect(found).toHaveLength(40)
  })

  it('stops asking when the caller has seen enough', async () => {
    const { reader, pages } = await start({ writtenBy: RANDOM, documents: drives(600), reader: { pageItems: 5, parallel: 2 } })

    const seen = []
    for await (const document of reader.readAll({ date: DATE })) {
      seen.push(document)
      if (seen.length === 3) break
    }

    expect(seen).toHaveLength(3)
    expect(pages.length).toBeLessThanOrEqual(5)
  })

  it('ends with the reason when it is aborted', async () => {
    const { reader } = await start({ writtenBy: RANDOM, documents: drives(100), reader: { pageItems: 1 } })
    const abort = new AbortController()

    const reading = (async () => {
      for await (const _ of reader.readAll({ date: DATE }, { signal: abort.signal })) abort.abort(new Error('enough'))
    })()

    await expect(reading).rejects.toThrow(/enough|aborted/)
  })

  it('says what is missing when the keys cannot be listed', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: [] })

    await expect(collect(reader.readAll({ [VIN]: 'a' }))).rejects.toMatchObject({ code: 'KEYS_UNBOUNDED' })
  })
})

describe('readAll while the container changes', () => {
  it.each([
    ['no order', undefined],
    ['an order', '/at']
  ])('goes on where a split range is read from its children, with %s', async (_, orderBy) => {
    const documents = drives(400)
    const { reader, emulator } = await start({ writtenBy: RANDOM, documents, emulator: { ranges: 2 }, reader: { pageItems: 20 } })

    const found = []
    for await (const document of reader.readAll({ date: DATE }, orderBy === undefined ? {} : { orderBy })) {
      found.push(document)
      if (found.length === 50) await emulator.split('d', 'c', '0')
      if (found.length === 120) await emulator.split('d', 'c', '1')
    }

    expect(idsOf(found).toSorted()).toEqual(idsOf(documents).toSorted())
    const inOrder = documents.map(({ at }) => at).toSorted((a, b) => a - b)
    const times = found.map(({ at }) => Number(at))
    expect(orderBy === undefined ? times.toSorted((a, b) => a - b) : times).toEqual(inOrder)
  })

  it('gives documents with equal values once when their range is split between them', async () => {
    const documents = drives(200).map((document) => ({ ...document, at: 7 }))
    const { reader, emulator } = await start({ writtenBy: RANDOM, documents, emulator: { ranges: 1 }, reader: { pageItems: 20 } })

    const found = []
    for await (const document of reader.readAll({ date: DATE }, { orderBy: '/at' })) {
      found.push(document)
      if (found.length === 70) await emulator.split('d', 'c', '0')
    }

    expect(idsOf(found).toSorted()).toEqual(idsOf(documents).toSorted())
  })

  it('goes on where two ranges were merged into one', async () => {
    const documents = drives(300)
    const { reader, emulator } = await start({ writtenBy: RANDOM, documents, emulator: { ranges: 2 }, reader: { pageItems: 20 } })

    const found = []
    for await (const document of reader.readAll({ date: DATE })) {
      found.push(document)
      if (found.length === 50) await emulator.merge('d', 'c', '0')
    }

    expect(idsOf(found).toSorted()).toEqual(idsOf(documents).toSorted())
  })

  it('waits while a range is being split', async () => {
    const { reader, emulator } = await start({ writtenBy: RANDOM, documents: drives(50), emulator: { ranges: 1 } })
    await reader.explain({ date: DATE })
    const split = emulator.split('d', 'c', '0', { lockMs: 1200 })

    expect(await collect(reader.readAll({ date: DATE }))).toHaveLength(50)
    await split
  })

  it('gives up a range that stays unreachable, with its status', async () => {
    const { reader, emulator } = await start({
      writtenBy: RANDOM,
      documents: drives(5),
      emulator: { ranges: 1 },
      reader: { patienceMs: 500 }
    })
    emulator.faults.inject({ on: 'query', action: { kind: 'status', status: 410, subStatus: 1007 } })

    await expect(collect(reader.readAll({ date: DATE }))).rejects.toMatchObject({ statusCode: 410, subStatus: 1007, retriable: true })
  })
})

describe('readAll in trouble', () => {
  it.each([
    ['throttled', { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 5 }],
    ['unavailable', { kind: 'status', status: 503 }],
    ['reset', { kind: 'reset' }],
    ['answered by a proxy', { kind: 'htmlBody', status: 502 }],
    ['answered without a body', { kind: 'emptyBody', status: 500 }],
    ['refused for a signature that is too old', { kind: 'status', status: 401 }]
  ] as const)('asks again when it is %s', async (_, action) => {
    const { reader, emulator, pages } = await start({ writtenBy: RANDOM, documents: drives(60), emulator: { ranges: 3 } })
    emulator.faults.inject({ on: 'query', count: 1, action })

    expect(await collect(reader.readAll({ date: DATE }))).toHaveLength(60)
    expect(pages.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual([1, 1, 2])
  })

  it('gives up when throttling outlasts its patience', async () => {
    const { reader, emulator } = await start({
      writtenBy: RANDOM,
      documents: drives(5),
      emulator: { ranges: 1 },
      reader: { patienceMs: 60 }
    })
    emulator.faults.inject({ on: 'query', action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 20 } })

    await expect(collect(reader.readAll({ date: DATE }))).rejects.toMatchObject({ code: 'COSMOS_UNAVAILABLE', statusCode: 429 })
  })

  it('does not try again what cannot be cured', async () => {
    const { reader, emulator } = await start({ writtenBy: RANDOM, documents: drives(5), emulator: { ranges: 1 } })
    emulator.faults.inject({ on: 'query', count: 1, action: { kind: 'status', status: 400 } })

    await expect(collect(reader.readAll({ date: DATE }))).rejects.toMatchObject({ code: 'COSMOS_REFUSED', statusCode: 400 })
  })
})

describe('read', () => {
  it('reads the document whose id is known by key and id', async () => {
    const { reader, pages } = await start({ writtenBy: COMPUTED, documents: drives(200) })

    const found = await reader.read({ date: DATE, [VIN]: 'VIN17', id: '17' })

    expect(found).toEqual([expect.objectContaining({ id: '17', [VIN]: 'VIN17' })])
    expect(pages).toEqual([])
  })

  it('takes the id beside the parts, too', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: drives(20) })

    expect(await reader.read({ date: DATE, [VIN]: 'VIN17' }, { id: '17' })).toHaveLength(1)
    expect(await reader.read({ date: DATE, [VIN]: 'VIN17' }, { id: 'no such' })).toEqual([])
  })

  it('asks the one logical partition where the id is not known', async () => {
    const documents = drives(50).map((document, index) => ({ ...document, [VIN]: `VIN${index % 5}` }))
    const { reader, pages, emulator } = await start({ writtenBy: COMPUTED, documents })

    const found = await reader.read({ date: DATE, [VIN]: 'VIN3' })

    expect(found.filter((document) => document[VIN] === 'VIN3')).toHaveLength(10)
    expect(pages).toHaveLength(1)
    expect(emulator.report().containers[0].ranges.filter(({ operations }) => operations > 0).length).toBeGreaterThan(1)
  })

  it('makes the id of the parts where the plan makes ids', async () => {
    const plan: PlanDefinition = { ...COMPUTED, id: { from: [{ field: `/${VIN}` }, { field: '/at' }] } }
    const documents = drives(20).map(({ date, at, [VIN]: vin }) => ({ date, at, [VIN]: vin }))
    const { reader, pages } = await start({ writtenBy: plan, documents })
    const [{ at, [VIN]: vin }] = documents

    expect(await reader.read({ date: DATE, at, [VIN]: vin })).toEqual([expect.objectContaining({ at })])
    expect(pages).toEqual([])
  })

  it('finds a document under a random suffix by its id, asking each range once', async () => {
    const { reader, pages } = await start({ writtenBy: RANDOM, documents: drives(100) })

    const found = await reader.read({ date: DATE, id: '42' })

    expect(idsOf(found)).toEqual(['42'])
    expect(pages.length).toBeLessThanOrEqual(20)
  })

  it('looks under older keys when the newest has nothing', async () => {
    const before = { into: '/partitionKey', from: [{ field: '/date' }] } satisfies PlanDefinition
    const versions: PlanDefinition = { ...COMPUTED, previous: [{ until: { field: '/at', before: 1_000_000 }, plan: before }] }
    const { reader } = await start({ writtenBy: before, plan: versions, documents: drives(10) })

    expect(await reader.read({ date: DATE, [VIN]: 'VIN3', id: '3' })).toHaveLength(1)
    expect((await reader.explain({ date: DATE, [VIN]: 'VIN3', id: '3' })).requests).toBe(2)
  })

  it('reads keys and ids of any characters', async () => {
    const plan: PlanDefinition = { into: '/partitionKey', from: [{ field: '/name' }] }
    const documents = ['é中😀', 'a b%c', '"quoted"', '1-1~.'].map((name, index) => ({ id: `${name.replaceAll('/', '')} ${index}`, name }))
    const { reader } = await start({ writtenBy: plan, documents })

    for (const document of documents) {
      expect(await reader.read({ name: document.name, id: document.id })).toEqual([expect.objectContaining(document)])
      expect(await reader.read({ name: document.name })).toHaveLength(1)
    }
  })

  it('says what is missing when the key cannot be computed', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: [] })

    await expect(reader.read({ date: DATE })).rejects.toMatchObject({ code: 'PARTS_MISSING' })
  })
})

describe('createReader without a plan', () => {
  it('takes the key as the parts hold it', async () => {
    const { reader } = await start({
      paths: ['/city'],
      documents: [
        { id: '1', city: 'Rome' },
        { id: '2', city: 'Oslo' }
      ]
    })

    expect(idsOf(await reader.read({ city: 'Rome' }))).toEqual(['1'])
    expect(await reader.read({ city: 'Rome', id: '2' })).toEqual([])
  })

  it('needs nothing but the id where the id is the key', async () => {
    const { reader, pages } = await start({ paths: ['/id'], documents: [{ id: '1' }, { id: '2', at: 7 }] })

    expect(await reader.read({ id: '2' })).toEqual([expect.objectContaining({ at: 7 })])
    expect(pages).toEqual([])
  })

  it('keeps the types of keys apart', async () => {
    const { reader } = await start({
      paths: ['/year'],
      documents: [
        { id: '1', year: 2018 },
        { id: '2', year: '2018' }
      ]
    })

    expect(idsOf(await reader.read({ year: 2018 }))).toEqual(['1'])
    expect(idsOf(await reader.read({ year: '2018' }))).toEqual(['2'])
  })

  it('reads version-1 containers', async () => {
    const { reader } = await start({ paths: ['/city'], version: PartitionKeyDefinitionVersion.V1, documents: [{ id: '1', city: 'Rome' }] })

    expect(await collect(reader.readAll({ city: 'Rome' }))).toHaveLength(1)
  })
})

describe('createReader', () => {
  it('refuses a container that the plan does not stamp for, before the first read', async () => {
    const { reader } = await start({ paths: ['/other'], plan: COMPUTED, documents: [] })

    await expect(reader.read({ date: DATE, [VIN]: 'a' })).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringContaining('/other')
    })
  })

  it.each([
    ['an unknown option', { paralel: 3 }, /`paralel`/],
    ['a page of nothing', { pageItems: 0 }, /`pageItems`/],
    ['an order that is no pointer', {}, /`orderBy`/]
  ])('refuses %s', async (_, extra, message) => {
    const options = { endpoint: 'http://127.0.0.1:1/', key: 'c2VjcmV0', database: 'd', container: 'c', ...extra }

    const use = async (): Promise<unknown> => collect(createReader(options).readAll({}, { orderBy: 'at' }))

    await expect(use()).rejects.toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })
  })
})

describe('explain', () => {
  it('counts keys, ranges and requests without asking', async () => {
    const { reader, pages, emulator } = await start({ writtenBy: RANDOM, documents: [] })

    const explained = await reader.explain({ date: DATE })

    expect(explained).toMatchObject({ kind: 'ranges', keys: 400, versions: [0], ru: { from: 'assumed' } })
    expect(explained.requests).toBe(explained.ranges.length)
    expect(explained.requests).toBeLessThanOrEqual(20)
    expect(explained.ranges.reduce((sum, { keys }) => sum + keys, 0)).toBe(400)
    expect(pages).toEqual([])
    expect(emulator.report().containers[0].ranges.every(({ operations }) => operations === 0)).toBe(true)
  })

  it('tells a point read, one logical partition, and many ranges apart', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: [] })

    expect(await reader.explain({ date: DATE, [VIN]: 'a', id: '1' })).toMatchObject({ kind: 'point', requests: 1, ru: { least: 1 } })
    expect(await reader.explain({ date: DATE, [VIN]: 'a' })).toMatchObject({ kind: 'partition', keys: 1, requests: 1 })
    expect(await reader.explain({ date: DATE })).toMatchObject({ kind: 'ranges', keys: 400 })
  })

  it('uses the prices that it was charged', async () => {
    const { reader, pages } = await start({ writtenBy: RANDOM, documents: drives(200) })
    await collect(reader.readAll({ date: DATE }))

    const { ru, requests } = await reader.explain({ date: DATE })

    const paid = pages.reduce((sum, { chargeRu }) => sum + chargeRu, 0)
    expect(ru.from).toBe('measured')
    expect(ru.least).toBeGreaterThan(paid / 2)
    expect(ru.least).toBeLessThan(paid * 2)
    expect(requests).toBe(pages.length)
  })
})

async function start(options: StartContainerOptions): Promise<StartedContainer> {
  const container = await startContainer(options)
  started.push(container)
  return container
}

/** Records of a day: `at` is a permutation, so that order of writing and order of time differ. */
function drives(count: number) {
  return Array.from({ length: count }, (_, index) => ({ id: String(index), date: DATE, [VIN]: `VIN${index}`, at: (index * 7919) % count }))
}

function idsOf(documents: readonly { readonly id?: unknown }[]): string[] {
  return documents.map(({ id }) => String(id))
}
