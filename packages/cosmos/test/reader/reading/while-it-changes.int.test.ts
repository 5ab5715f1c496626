import { describe, expect, it } from 'vitest'
import { collect, useContainers } from '../start-container.ts'
import { DATE, RANDOM, drives, idsOf } from './drives.ts'

const start = useContainers()

describe('readAll while the container changes', () => {
  it.each([
    ['no order', undefined],
    ['an order', '/at']
  ])('continues with the children of a split range, with %s', async (_, orderBy) => {
    const documents = drives(400)
    const { reader, emulator } = await start({
      writtenBy: RANDOM,
      documents,
      emulator: { ranges: 2 },
      reader: { pageItems: 20 }
    })

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

  it('returns documents with equal values once if their range is split between them', async () => {
    const documents = drives(200).map((document) => ({ ...document, at: 7 }))
    const { reader, emulator } = await start({
      writtenBy: RANDOM,
      documents,
      emulator: { ranges: 1 },
      reader: { pageItems: 20 }
    })

    const found = []
    for await (const document of reader.readAll({ date: DATE }, { orderBy: '/at' })) {
      found.push(document)
      if (found.length === 70) await emulator.split('d', 'c', '0')
    }

    expect(idsOf(found).toSorted()).toEqual(idsOf(documents).toSorted())
  })

  it('continues after two ranges were merged into one', async () => {
    const documents = drives(300)
    const { reader, emulator } = await start({
      writtenBy: RANDOM,
      documents,
      emulator: { ranges: 2 },
      reader: { pageItems: 20 }
    })

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

  it('throws an error with the status if a range stays unreachable', async () => {
    const { reader, emulator } = await start({
      writtenBy: RANDOM,
      documents: drives(5),
      emulator: { ranges: 1 },
      reader: { retryForMs: 500 }
    })
    emulator.faults.inject({ on: 'query', action: { kind: 'status', status: 410, subStatus: 1007 } })

    await expect(collect(reader.readAll({ date: DATE }))).rejects.toMatchObject({
      statusCode: 410,
      subStatus: 1007,
      retriable: true
    })
  })
})
