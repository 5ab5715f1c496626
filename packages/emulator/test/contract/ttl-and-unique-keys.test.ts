/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BATCH, openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

async function pass(seconds: number): Promise<void> {
  if (wire.emulator === undefined) await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  else wire.emulator.clock.advance(seconds * 1000)
}

describe('a time to live', () => {
  const make = (docs: string, body: object): Promise<WireAnswer> =>
    wire.call('POST', docs, { key: ['a'], body: { pk: 'a', ...body } })
  const status = async (docs: string, id: string): Promise<number> =>
    (await wire.call('GET', `${docs}/${id}`, { key: ['a'] })).status

  it('of the container expires items without a time to live of their own; that of an item overrides that of the container', async () => {
    const docs = `${await wire.container({ defaultTtl: 2 })}/docs`
    await make(docs, { id: 'default' })
    await make(docs, { id: 'longer', ttl: 100 })
    await make(docs, { id: 'never', ttl: -1 })
    await pass(3)

    expect([await status(docs, 'default'), await status(docs, 'longer'), await status(docs, 'never')]).toEqual([
      404, 200, 200
    ])
    const { body } = await wire.call('POST', docs, { headers: QUERY, body: { query: 'SELECT VALUE c.id FROM c' } })
    expect(body.Documents.toSorted()).toEqual(['longer', 'never'])
    expect((await make(docs, { id: 'default' })).status).toBe(201)
  })

  it('of an item has an effect only if the container has a time to live, which may be -1', async () => {
    const off = `${await wire.container()}/docs`
    const on = `${await wire.container({ defaultTtl: -1 })}/docs`
    for (const docs of [off, on]) {
      await make(docs, { id: 'short', ttl: 1 })
      await make(docs, { id: 'plain' })
    }
    await pass(2)

    expect([await status(off, 'short'), await status(on, 'short'), await status(on, 'plain')]).toEqual([200, 404, 200])
  })

  it('frees the id of an expired item: a replace can give this id to another item', async () => {
    const docs = `${await wire.container({ defaultTtl: -1 })}/docs`
    await make(docs, { id: 'ended', ttl: 1 })
    await make(docs, { id: 'other', n: 1 })
    await pass(2)

    expect((await wire.call('PUT', `${docs}/other`, { key: ['a'], body: { id: 'ended', pk: 'a', n: 2 } })).status).toBe(
      200
    )
    expect([await status(docs, 'ended'), await status(docs, 'other')]).toEqual([200, 404])
    expect((await wire.call('GET', docs, { key: ['a'] })).body['_count']).toBe(1)
  })

  it('counts from the last write', async () => {
    const docs = `${await wire.container({ defaultTtl: 5 })}/docs`
    await make(docs, { id: 'renewed' })
    await pass(3)
    await wire.call('PUT', `${docs}/renewed`, { key: ['a'], body: { id: 'renewed', pk: 'a' } })
    await pass(3)

    expect(await status(docs, 'renewed')).toBe(200)
  })
})

describe('a unique key', () => {
  let docs: string
  beforeAll(async () => {
    docs = `${await wire.container({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/a', '/b/c'] }] } })}/docs`
  })
  const create = (key: string, body: object): Promise<WireAnswer> =>
    wire.call('POST', docs, { key: [key], body: { pk: key, ...body } })

  it('refuses a second item with the same value in the same logical partition with 409/3301', async () => {
    expect((await create('p', { id: '1', email: 'x', a: 1 })).status).toBe(201)
    expect(await create('p', { id: '2', email: 'x', a: 2 })).toMatchObject({ status: 409, subStatus: 3301 })
    expect((await create('q', { id: '2', email: 'x' })).status).toBe(201)
  })

  it('compares all its paths together; a missing value counts as null', async () => {
    expect((await create('r', { id: '1', email: '1', a: 1, b: { c: 1 } })).status).toBe(201)
    expect((await create('r', { id: '2', email: '2', a: 1, b: { c: 2 } })).status).toBe(201)
    expect((await create('r', { id: '3', email: '3', a: 1 })).status).toBe(201)
    expect((await create('r', { id: '4', email: '4', a: 1, b: { c: null } })).status).toBe(409)
  })

  it('can be used again after its item was deleted, or changed by replace, upsert or patch', async () => {
    await create('s', { id: '1', email: 'old', a: 1 })
    await wire.call('PUT', `${docs}/1`, { key: ['s'], body: { id: '1', pk: 's', email: 'new', a: 1 } })
    expect((await create('s', { id: '2', email: 'old', a: 2 })).status).toBe(201)
    const patch = [{ op: 'set', path: '/email', value: 'new' }]
    expect((await wire.call('PATCH', `${docs}/2`, { key: ['s'], body: patch })).status).toBe(409)
    await wire.call('DELETE', `${docs}/1`, { key: ['s'] })
    expect((await wire.call('PATCH', `${docs}/2`, { key: ['s'], body: patch })).status).toBe(200)
  })

  it('stays with an item that a replace gives another id', async () => {
    await create('u', { id: '1', email: 'x', a: 1 })

    expect(
      (await wire.call('PUT', `${docs}/1`, { key: ['u'], body: { id: '2', pk: 'u', email: 'x', a: 1 } })).status
    ).toBe(200)
    expect((await create('u', { id: '1', email: 'x', a: 2 })).status).toBe(409)
    await wire.call('DELETE', `${docs}/2`, { key: ['u'] })
    expect((await create('u', { id: '1', email: 'x', a: 2 })).status).toBe(201)
  })

  it('is checked in an atomic batch against the earlier operations of the batch', async () => {
    const upsert = (id: string, email: string): object => ({
      operationType: 'Upsert',
      resourceBody: { id, pk: 't', email, a: id }
    })
    const batch = (operations: object[]): Promise<WireAnswer> =>
      wire.call('POST', docs, { key: ['t'], headers: BATCH, body: operations })

    expect((await batch([upsert('1', 'x'), upsert('2', 'x')])).status).toBe(207)
    expect((await batch([upsert('1', 'x'), upsert('1', 'y'), upsert('2', 'x')])).status).toBe(200)
    expect((await batch([{ operationType: 'Delete', id: '1' }, upsert('3', 'y')])).status).toBe(200)
  })
})
