import { describe, expect, it } from 'vitest'
import { collect, useContainers } from '../start-container.ts'
import { COMPUTED, DATE, RANDOM, VIN, drives } from './drives.ts'

const start = useContainers()

describe('explain', () => {
  it('returns the number of keys, ranges and requests without sending a query', async () => {
    const { reader, pages, emulator } = await start({ writtenBy: RANDOM, documents: [] })

    const explained = await reader.explain({ date: DATE })

    expect(explained).toMatchObject({ kind: 'ranges', keys: 400, versions: [0], ru: { from: 'assumed' } })
    expect(explained.requests).toBe(explained.ranges.length)
    expect(explained.requests).toBeLessThanOrEqual(20)
    expect(explained.ranges.reduce((sum, { keys }) => sum + keys, 0)).toBe(400)
    expect(pages).toEqual([])
    expect(emulator.report().containers[0].ranges.every(({ operations }) => operations === 0)).toBe(true)
  })

  it('distinguishes a point read, one logical partition and several ranges', async () => {
    const { reader } = await start({ writtenBy: COMPUTED, documents: [] })

    expect(await reader.explain({ date: DATE, [VIN]: 'a', id: '1' })).toMatchObject({
      kind: 'point',
      requests: 1,
      ru: { least: 1 }
    })
    expect(await reader.explain({ date: DATE, [VIN]: 'a' })).toMatchObject({ kind: 'partition', keys: 1, requests: 1 })
    expect(await reader.explain({ date: DATE })).toMatchObject({ kind: 'ranges', keys: 400 })
  })

  it('uses the charges of earlier requests', async () => {
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
