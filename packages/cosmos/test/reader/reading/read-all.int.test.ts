import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { collect, useContainers } from '../start-container.ts'
import { COMPUTED, DATE, RANDOM, VIN, drives, idsOf } from './drives.ts'

const start = useContainers()

describe('readAll', () => {
  // checks L3
  it('finds documents under 400 keys with one query for each range', async () => {
    const documents = drives(900)
    const { reader, pages } = await start({ writtenBy: RANDOM, documents })

    const found = await collect(reader.readAll({ date: DATE }))

    expect(idsOf(found).toSorted()).toEqual(idsOf(documents).toSorted())
    expect(pages.length).toBeLessThanOrEqual(20)
    expect(pages.every(({ requests }) => requests === 1)).toBe(true)
  })

  it('sends one request for each range and for each further page', async () => {
    const { reader, pages } = await start({ writtenBy: RANDOM, documents: drives(600), reader: { pageItems: 10 } })

    await collect(reader.readAll({ date: DATE }))

    expect(pages.length).toBeGreaterThan(20)
    const further = pages.filter(({ isFirst }) => !isFirst).length
    expect(pages.length - further).toBeLessThanOrEqual(20)
  })

  it.each([
    ['ascending', '/at', (a: number, b: number) => a - b],
    ['descending', { field: '/at', isDescending: true }, (a: number, b: number) => b - a]
  ] as const)('returns the documents of all ranges in one %s order', async (_, orderBy, compare) => {
    const documents = drives(700)
    const { reader } = await start({ writtenBy: RANDOM, documents, reader: { pageItems: 7 } })

    const found = await collect(reader.readAll({ date: DATE }, { orderBy }))

    expect(found.map(({ at }) => at)).toEqual(documents.map(({ at }) => at).toSorted(compare))
  })

  it('sorts values of all types as the service does', async () => {
    const values = [undefined, null, false, true, -1, 0, 2.5, '', 'A', 'a', 'é', [1], { a: 1 }]
    const documents = values.map((at, index) => ({
      id: String(index),
      date: DATE,
      ...(at === undefined ? {} : { at })
    }))
    const { reader } = await start({ writtenBy: RANDOM, documents })

    const found = await collect(reader.readAll({ date: DATE }, { orderBy: '/at' }))

    expect(found.map(({ at }) => at)).toEqual(values)
  })

  it('returns nothing if no document matches', async () => {
    const { reader } = await start({ writtenBy: RANDOM, documents: drives(5) })

    expect(await collect(reader.readAll({ date: '1999-01-01' }, { orderBy: '/at' }))).toEqual([])
  })

  it('finds the documents of the current and of the previous version of a plan', async () => {
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

  it('reads the daily buckets between two times', async () => {
    const plan: PlanDefinition = { into: '/partitionKey', from: [{ field: '/tenant' }, { bucket: 'day', of: '/at' }] }
    const documents = Array.from({ length: 30 }, (_, day) => ({
      id: String(day),
      tenant: 'a',
      at: `2026-01-${String(day + 1).padStart(2, '0')}T12:00:00Z`
    }))
    const { reader } = await start({ writtenBy: plan, documents })

    const found = await collect(
      reader.readAll({ tenant: 'a' }, { between: ['2026-01-10', '2026-01-14'], orderBy: '/at' })
    )

    expect(idsOf(found)).toEqual(['9', '10', '11', '12', '13'])
  })

  it('reads one prefix of a hierarchical key with one query', async () => {
    const plan: PlanDefinition = {
      levels: [
        { into: '/tenant', from: [{ field: '/tenant' }] },
        { into: '/device', from: [{ field: '/device' }] }
      ]
    }
    const documents = Array.from({ length: 40 }, (_, index) => ({
      id: String(index),
      tenant: `t${index % 2}`,
      device: `d${index % 10}`
    }))
    const { reader, pages } = await start({ writtenBy: plan, paths: ['/tenant', '/device'], documents })

    expect((await collect(reader.readAll({ tenant: 't1' }))).every(({ tenant }) => tenant === 't1')).toBe(true)
    expect(pages).toHaveLength(1)
    expect(await reader.read({ tenant: 't1', device: 'd3' })).toHaveLength(4)
    expect(await reader.read({ tenant: 't1', device: 'd3', id: '13' })).toHaveLength(1)
  })

  it('finds documents under many base keys and suffixes of a hierarchical plan', async () => {
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

  it('sends no more requests after the caller has stopped', async () => {
    const { reader, pages } = await start({
      writtenBy: RANDOM,
      documents: drives(600),
      reader: { pageItems: 5, parallel: 2 }
    })

    const seen = []
    for await (const document of reader.readAll({ date: DATE })) {
      seen.push(document)
      if (seen.length === 3) break
    }

    expect(seen).toHaveLength(3)
    expect(pages.length).toBeLessThanOrEqual(5)
  })

  it('throws the reason of the abort signal', async () => {
    const { reader } = await start({ writtenBy: RANDOM, documents: drives(100), reader: { pageItems: 1 } })
    const abort = new AbortController()

    const reading = (async () => {
      for await (const _ of reader.readAll({ date: DATE }, { signal: abort.signal })) abort.abort(new Error('enough'))
    })()

    await expect(reading).rejects.toThrow('enough')
  })

  it('throws READER_CLOSED if the reader is closed during or before a read', async () => {
    const { reader } = await start({ writtenBy: RANDOM, documents: drives(100), reader: { pageItems: 1 } })

    const reading = (async () => {
      for await (const _ of reader.readAll({ date: DATE })) reader.close()
    })()

    await expect(reading).rejects.toMatchObject({ code: 'READER_CLOSED' })
    await expect(reader.read({ date: DATE, [VIN]: 'a', id: 'b' })).rejects.toMatchObject({ code: 'READER_CLOSED' })
    await expect(collect(reader.readAll({ date: DATE }))).rejects.toMatchObject({ code: 'READER_CLOSED' })
    await expect(reader.explain({ date: DATE })).rejects.toMatchObject({ code: 'READER_CLOSED' })
  })

  it('throws KEYS_UNBOUNDED if a part is missing without which the keys cannot be listed', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: [] })

    await expect(collect(reader.readAll({ [VIN]: 'a' }))).rejects.toMatchObject({ code: 'KEYS_UNBOUNDED' })
  })
})
