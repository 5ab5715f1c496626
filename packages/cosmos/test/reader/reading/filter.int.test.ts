import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { collect, useContainers } from '../start-container.ts'
import { idsOf } from './drives.ts'

const start = useContainers()

const RIDES: PlanDefinition = {
  into: '/partitionKey',
  from: [{ field: '/medallion' }, { bucket: 'day', of: '/pickup' }],
  id: { from: [{ field: '/trip' }] }
}
const rides = ['00:00:15', '04:32:35', '10:30:00', '19:58:08'].map((time, index) => ({
  trip: `T${index}`,
  medallion: 'm',
  pickup: `2018-08-01 ${time}`,
  fare: { amount: `${index}.00`, tip: index }
}))

describe('readAll with a plan', () => {
  it('returns only the documents whose time is in the interval, not all documents of its bucket', async () => {
    const { reader } = await start({ writtenBy: RIDES, documents: rides })
    const between = ['2018-08-01T10:00:00Z', '2018-08-01T11:00:00Z'] as const

    expect(idsOf(await collect(reader.readAll({ medallion: 'm' }, { between })))).toEqual(['T2'])
    expect(idsOf(await collect(reader.readAll({ medallion: 'm', pickup: '2018-08-01' }, { between })))).toEqual(['T2'])
    expect(await collect(reader.readAll({ medallion: 'm' }, { between: ['2018-08-01', '2018-08-01'] }))).toHaveLength(4)
  })

  it('reads a single document by a field from which its id is made', async () => {
    const { reader, pages } = await start({ writtenBy: RIDES, documents: rides })

    const found = await collect(reader.readAll({ medallion: 'm', pickup: '2018-08-01', trip: 'T1' }))

    expect(idsOf(found)).toEqual(['T1'])
    expect(pages).toEqual([])
    expect(
      idsOf(await collect(reader.readAll({ medallion: 'm', trip: 'T1' }, { between: ['2018-08-01', '2018-08-02'] })))
    ).toEqual(['T1'])
    expect(idsOf(await collect(reader.readAll({ medallion: 'm', pickup: '2018-08-01', id: 'T3' })))).toEqual(['T3'])
    expect(await collect(reader.readAll({ medallion: 'm', pickup: '2018-08-01', trip: 'T1', id: 'T3' }))).toEqual([])
  })

  it('returns only the documents with the given field, although other documents share their suffix', async () => {
    const plan: PlanDefinition = { into: '/partitionKey', from: [{ field: '/day' }], suffix: { by: '/vin', count: 2 } }
    const documents = Array.from({ length: 30 }, (_, index) => ({ id: String(index), day: 'd', vin: index % 10 }))
    const { reader, pages } = await start({ writtenBy: plan, documents })

    expect(idsOf(await collect(reader.readAll({ day: 'd', vin: 3 }))).toSorted()).toEqual(['13', '23', '3'])
    expect(idsOf(await reader.read({ day: 'd', vin: '3' })).toSorted()).toEqual(['13', '23', '3'])
    expect(pages.every(({ documents: count }) => count === 3)).toBe(true)
  })

  it('uses the key in the parts for the query, and the other parts as a filter', async () => {
    const plan: PlanDefinition = {
      into: '/partitionKey',
      from: [{ field: '/day' }],
      suffix: { by: 'random', count: 400 },
      existing: 'keep'
    }
    const documents = [1, 2, 3].map((n) => ({ id: String(n), day: 'd', partitionKey: n < 3 ? 'd.7' : 'own' }))
    const { reader, pages } = await start({ writtenBy: plan, documents })

    expect(idsOf(await collect(reader.readAll({ partitionKey: 'd.7' }))).toSorted()).toEqual(['1', '2'])
    expect(idsOf(await collect(reader.readAll({ partitionKey: 'own', day: 'd' })))).toEqual(['3'])
    expect(await collect(reader.readAll({ partitionKey: 'own', day: 'e' }))).toEqual([])
    expect(pages).toHaveLength(3)
    expect(idsOf(await reader.read({ partitionKey: 'd.7', id: '2' }))).toEqual(['2'])
    expect(await reader.read({ partitionKey: 'd.7', day: 'e', id: '2' })).toEqual([])
    expect(pages).toHaveLength(3)
    expect(await reader.explain({ partitionKey: 'd.7' })).toMatchObject({ kind: 'partition', keys: 1 })
    expect(await reader.explain({ partitionKey: 'd.7', id: '2' })).toMatchObject({ kind: 'point', requests: 1 })
  })

  it('accepts the first levels of a hierarchical key without the others', async () => {
    const plan: PlanDefinition = {
      levels: [
        { into: '/a', from: [{ field: '/tenant' }] },
        { into: '/b', from: [{ field: '/day' }] }
      ]
    }
    const documents = [1, 2, 3].map((n) => ({ id: String(n), tenant: `t${n % 2}`, day: `d${n}` }))
    const { reader } = await start({ writtenBy: plan, documents, paths: ['/a', '/b'] })

    expect(idsOf(await collect(reader.readAll({ a: 't1' }))).toSorted()).toEqual(['1', '3'])
    expect(idsOf(await collect(reader.readAll({ a: 't1', day: 'd3' })))).toEqual(['3'])
    expect(idsOf(await reader.read({ a: 't1', b: 'd1', id: '1' }))).toEqual(['1'])
  })

  it.each([
    ['a misspelled part', { medalion: 'm' }, /\/medalion .*Did you mean \/medallion\?/],
    [
      'a field that is neither in the key nor in the id',
      { medallion: 'm', fare: { amount: '1.00' } },
      /\/fare .*\/medallion, \/pickup, .*\/trip/
    ],
    ['a value that the plan does not accept', { medallion: 'm', pickup: '2018-08-01', trip: {} }, /\/trip/]
  ])('refuses %s', async (_, parts, message) => {
    const { reader } = await start({ writtenBy: RIDES, documents: [] })
    const refusal = { code: 'OPTION_INVALID', message: expect.stringMatching(message) }

    await expect(collect(reader.readAll({ pickup: '2018-08-01', ...parts }))).rejects.toMatchObject(refusal)
    await expect(reader.read({ pickup: '2018-08-01', ...parts })).rejects.toMatchObject(refusal)
    await expect(reader.explain({ pickup: '2018-08-01', ...parts })).rejects.toMatchObject(refusal)
  })

  it('throws for an interval if no part of the key is a time', async () => {
    const { reader } = await start({ writtenBy: { into: '/partitionKey', from: [{ field: '/a' }] }, documents: [] })

    await expect(collect(reader.readAll({ a: 'x' }, { between: ['2018-01-01', '2018-01-02'] }))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining('`between`')
    })
  })

  it('throws if a part is not given, and returns documents without the field if the substitute is given', async () => {
    const plan: PlanDefinition = {
      into: '/partitionKey',
      from: [{ field: '/a' }, { field: '/b', missing: { use: 'none' } }]
    }
    const documents = [
      { id: '1', a: 'x' },
      { id: '2', a: 'x', b: 'y' },
      { id: '3', a: 'x', b: 'none' }
    ]
    const { reader } = await start({ writtenBy: plan, documents })

    await expect(collect(reader.readAll({ a: 'x' }))).rejects.toMatchObject({
      code: 'KEYS_UNBOUNDED',
      message: expect.stringContaining('/b')
    })
    expect(idsOf(await collect(reader.readAll({ a: 'x', b: 'none' }))).toSorted()).toEqual(['1', '3'])
    expect(idsOf(await reader.read({ a: 'x' })).toSorted()).toEqual(['1', '3'])
  })
})

describe('readAll without a plan', () => {
  const documents = Array.from({ length: 10 }, (_, index) => ({
    id: `o${index % 5}`,
    tenantId: 't',
    customerId: `c${index}`
  }))

  it('filters by parts that are not at the beginning of the key', async () => {
    const { reader, pages } = await start({ paths: ['/tenantId', '/customerId', '/id'], documents })

    expect(idsOf(await collect(reader.readAll({ tenantId: 't', id: 'o0' })))).toEqual(['o0', 'o0'])
    expect(pages.reduce((sum, { documents: count }) => sum + count, 0)).toBe(2)
    expect(await collect(reader.readAll({ tenantId: 't', customerId: 'c1', id: 'o1' }))).toHaveLength(1)
    expect(await collect(reader.readAll({ tenantId: 't', customerId: 'c1', id: 'o2' }))).toEqual([])
  })

  it('throws for a part that is neither in the key nor in the id', async () => {
    const { reader } = await start({ paths: ['/tenantId', '/customerId', '/id'], documents: [] })

    await expect(collect(reader.readAll({ tenantId: 't', custmerId: 'c1' }))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining('Did you mean /customerId?')
    })
    await expect(collect(reader.readAll({ tenantId: 't', customerId: {} }))).rejects.toMatchObject({
      code: 'OPTION_INVALID'
    })
    await expect(collect(reader.readAll({ tenantId: 't' }, { between: ['2018', '2019'] }))).rejects.toMatchObject({
      code: 'OPTION_INVALID'
    })
  })
})

describe('the options of readAll', () => {
  it('restricts the documents by a condition with parameters', async () => {
    const { reader, pages } = await start({ writtenBy: RIDES, documents: rides })
    const parts = { medallion: 'm', pickup: '2018-08-01' }

    const found = await collect(
      reader.readAll(parts, {
        where: 'c.fare.tip > @k0 AND c.fare.amount != "@nobody" -- a comment',
        parameters: { k0: 1 },
        orderBy: '/pickup'
      })
    )

    expect(idsOf(found)).toEqual(['T2', 'T3'])
    expect(pages.reduce((sum, { documents: count }) => sum + count, 0)).toBe(2)
  })

  it.each([
    [{ where: 'WHERE c.a = 1' }, /without the words/],
    [{ where: '' }, /`where` must be a condition/],
    [{ where: 'c.a = @a' }, /uses @a/],
    [{ where: 'c.a = 1', parameters: { b: 1 } }, /@b/],
    [{ parameters: { b: 1 } }, /`parameters` needs `where`/],
    [{ select: ['fare'] }, /JSON pointers/],
    [{ select: [] }, /JSON pointers/],
    [{ limit: 0 }, /`limit`/]
  ])('throws for %j', async (options, message) => {
    const { reader } = await start({ writtenBy: RIDES, documents: [] })

    await expect(collect(reader.readAll({ medallion: 'm', pickup: '2018-08-01' }, options))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringMatching(message)
    })
  })

  it('returns only the selected fields, and still filters by other fields', async () => {
    const { reader } = await start({ writtenBy: RIDES, documents: rides })
    const between = ['2018-08-01T04:00', '2018-08-01T10:30'] as const

    const found = await collect(
      reader.readAll({ medallion: 'm' }, { between, select: ['/fare/tip', '/none', '/trip/deep'], orderBy: '/pickup' })
    )

    expect(found).toEqual([{ fare: { tip: 1 } }, { fare: { tip: 2 } }])
    expect(
      await collect(reader.readAll({ medallion: 'm', pickup: '2018-08-01', trip: 'T1' }, { select: ['/fare'] }))
    ).toEqual([{ fare: { amount: '1.00', tip: 1 } }])
  })

  it('ends after `limit` documents', async () => {
    const { reader, pages } = await start({ writtenBy: RIDES, documents: rides })

    const found = await collect(
      reader.readAll(
        { medallion: 'm', pickup: '2018-08-01' },
        { limit: 2, orderBy: { field: '/pickup', isDescending: true } }
      )
    )

    expect(idsOf(found)).toEqual(['T3', 'T2'])
    expect(pages).toHaveLength(1)
  })
})
