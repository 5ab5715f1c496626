import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { useContainers } from '../start-container.ts'
import { COMPUTED, DATE, RANDOM, VIN, drives, idsOf } from './drives.ts'

const start = useContainers()

describe('read', () => {
  it('reads a document with a known id by key and id', async () => {
    const { reader, pages } = await start({ writtenBy: COMPUTED, documents: drives(200) })

    const found = await reader.read({ date: DATE, [VIN]: 'VIN17', id: '17' })

    expect(found).toEqual([expect.objectContaining({ id: '17', [VIN]: 'VIN17' })])
    expect(pages).toEqual([])
  })

  it.each(['.', '..'])('reads a document with the id %j, which no URL can name', async (id) => {
    const document = { ...drives(1)[0], id }
    const { reader } = await start({ writtenBy: COMPUTED, documents: [document, ...drives(3)] })

    expect(await reader.read({ date: DATE, [VIN]: document[VIN], id })).toEqual([expect.objectContaining({ id })])
  })

  it('accepts the id as an option in addition to the parts', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: drives(20) })

    expect(await reader.read({ date: DATE, [VIN]: 'VIN17' }, { id: '17' })).toHaveLength(1)
    expect(await reader.read({ date: DATE, [VIN]: 'VIN17' }, { id: 'no such' })).toEqual([])
  })

  it.each([
    ['computed', COMPUTED],
    ['random', RANDOM]
  ])('throws an error that names the missing part if only the id is given, with %s suffixes', async (_, plan) => {
    const { reader } = await start({ writtenBy: plan, documents: [] })

    await expect(reader.read({ id: '17' })).rejects.toMatchObject({
      code: 'PARTS_MISSING',
      message: expect.stringContaining('/date')
    })
  })

  it('queries one logical partition if the id is not known', async () => {
    const documents = drives(50).map((document, index) => ({ ...document, [VIN]: `VIN${index % 5}` }))
    const { reader, pages, emulator } = await start({ writtenBy: COMPUTED, documents })

    const found = await reader.read({ date: DATE, [VIN]: 'VIN3' })

    expect(found.filter((document) => document[VIN] === 'VIN3')).toHaveLength(10)
    expect(pages).toHaveLength(1)
    expect(emulator.report().containers[0].ranges.filter(({ operations }) => operations > 0).length).toBeGreaterThan(1)
  })

  it('makes the id from the parts if the plan makes ids', async () => {
    const plan: PlanDefinition = { ...COMPUTED, id: { from: [{ field: `/${VIN}` }, { field: '/at' }] } }
    const documents = drives(20).map(({ date, at, [VIN]: vin }) => ({ date, at, [VIN]: vin }))
    const { reader, pages } = await start({ writtenBy: plan, documents })
    const [{ at, [VIN]: vin }] = documents

    expect(await reader.read({ date: DATE, at, [VIN]: vin })).toEqual([expect.objectContaining({ at })])
    expect(pages).toEqual([])
  })

  it('finds a document under a random suffix by its id, with one request for each range', async () => {
    const { reader, pages } = await start({ writtenBy: RANDOM, documents: drives(100) })

    const found = await reader.read({ date: DATE, id: '42' })

    expect(idsOf(found)).toEqual(['42'])
    expect(pages.length).toBeLessThanOrEqual(20)
  })

  it('reads by the keys of older plan versions if there is no document under the newest key', async () => {
    const before = { into: '/partitionKey', from: [{ field: '/date' }] } satisfies PlanDefinition
    const versions: PlanDefinition = {
      ...COMPUTED,
      previous: [{ until: { field: '/at', before: 1_000_000 }, plan: before }]
    }
    const { reader } = await start({ writtenBy: before, plan: versions, documents: drives(10) })

    expect(await reader.read({ date: DATE, [VIN]: 'VIN3', id: '3' })).toHaveLength(1)
    expect((await reader.explain({ date: DATE, [VIN]: 'VIN3', id: '3' })).requests).toBe(2)
  })

  it('reads documents whose keys and ids contain special characters', async () => {
    const plan: PlanDefinition = { into: '/partitionKey', from: [{ field: '/name' }] }
    const documents = ['é中😀', 'a b%c', '"quoted"', '1-1~.'].map((name, index) => ({
      id: `${name.replaceAll('/', '')} ${index}`,
      name
    }))
    const { reader } = await start({ writtenBy: plan, documents })

    for (const document of documents) {
      expect(await reader.read({ name: document.name, id: document.id })).toEqual([expect.objectContaining(document)])
      expect(await reader.read({ name: document.name })).toHaveLength(1)
    }
  })

  it('throws an error that names the missing part if the key cannot be computed', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: [] })

    await expect(reader.read({ date: DATE })).rejects.toMatchObject({ code: 'PARTS_MISSING' })
  })
})
