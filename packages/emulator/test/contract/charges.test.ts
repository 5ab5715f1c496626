/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, QUERY, type Wire } from './wire.ts'

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
})
afterAll(() => wire.stop())

/** A document with this number of bytes and of indexed values. */
function sized(id: string, bytes: number, terms: number): Record<string, unknown> {
  const document: Record<string, unknown> = { id, pk: 'a' }
  for (let i = 0; i < terms - 3; i++) document[`n${i}`] = i
  document['text'] = ''
  document['text'] = 'x'.repeat(bytes - JSON.stringify(document).length)
  return document
}

describe('request units', () => {
  it('of a create depend on the size of the item, plus 0.2 for each indexed value', async () => {
    const charge = async (bytes: number, terms: number): Promise<number> =>
      (await wire.call('POST', docs, { key: ['a'], body: sized(`c${bytes}-${terms}`, bytes, terms) })).charge

    expect(await charge(1024, 10)).toBeCloseTo(6.95, 2)
    expect(await charge(500, 10)).toBeCloseTo(6.95, 2)
    expect(await charge(1024, 20)).toBeCloseTo(8.95, 2)
    expect(await charge(2048, 10)).toBeCloseTo(8.29, 2)
    expect(await charge(65_536, 10)).toBeCloseTo(24.67, 2)
  })

  it('of a replace are twice the RU for the size of the item, plus 0.2 for each value added or removed; a patch costs 0.4 more for each property', async () => {
    await wire.call('POST', docs, { key: ['a'], body: sized('r', 1024, 10) })
    const changed = { ...sized('r', 1024, 10), n0: 100 }
    const replace = await wire.call('PUT', `${docs}/r`, { key: ['a'], body: changed })
    const same = await wire.call('PUT', `${docs}/r`, { key: ['a'], body: changed })
    const patch = await wire.call('PATCH', `${docs}/r`, {
      key: ['a'],
      body: [
        { op: 'set', path: '/n0', value: 200 },
        { op: 'set', path: '/n1', value: 201 }
      ]
    })

    expect(replace.charge).toBeCloseTo(2 * 4.95 + 2 * 0.2, 1)
    expect(same.charge).toBeCloseTo(2 * 4.95, 1)
    expect(patch.charge).toBeCloseTo(2 * 4.95 + 4 * 0.2 + 2 * 0.4, 1)
  })

  it('of a point read are 1 for 1 KB and grow with the size; a delete costs as much as a create', async () => {
    const created = await wire.call('POST', docs, { key: ['a'], body: sized('d', 1024, 10) })
    await wire.call('POST', docs, { key: ['a'], body: sized('large', 102_400, 5) })

    expect((await wire.call('GET', `${docs}/d`, { key: ['a'] })).charge).toBe(1)
    expect((await wire.call('GET', `${docs}/large`, { key: ['a'] })).charge).toBeGreaterThan(7)
    expect((await wire.call('DELETE', `${docs}/d`, { key: ['a'] })).charge).toBe(created.charge)
  })

  it('of a create depend on the indexing policy', async () => {
    const charge = async (indexingPolicy: object): Promise<number> => {
      const path = await wire.container({ indexingPolicy })
      return (await wire.call('POST', `${path}/docs`, { key: ['a'], body: sized('i', 1024, 10) })).charge
    }

    expect(await charge({ indexingMode: 'none' })).toBeCloseTo(4.95, 2)
    expect(
      await charge({ excludedPaths: [{ path: '/*' }], includedPaths: [{ path: '/n0/?' }, { path: '/n1/?' }] })
    ).toBeCloseTo(5.35, 2)
    expect(await charge({ includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/text/?' }] })).toBeCloseTo(6.75, 2)
  })

  it('are in every answer, also of refused requests, and in every operation of a bulk request and of a batch', async () => {
    for (const answer of [
      await wire.call('GET', `${docs}/absent`, { key: ['a'] }),
      await wire.call('POST', docs, { key: ['a'], body: { id: 1 } }),
      await wire.call('GET', '/'),
      await wire.call('POST', docs, { headers: QUERY, body: { query: 'SELECT * FROM c' } })
    ]) {
      expect(answer.headers.get('x-ms-request-charge')).toMatch(/^\d+(\.\d{1,2})?$/)
    }
    const operations = [1, 2].map((i) => ({
      operationType: 'Upsert',
      partitionKey: '["a"]',
      resourceBody: sized(`b${i}`, 1024, 10)
    }))
    const bulk = await wire.call('POST', docs, { headers: bulkHeaders('0'), body: operations })
    const batch = await wire.call('POST', docs, { headers: BATCH, key: ['a'], body: operations })
    expect(bulk.body.map((element: { requestCharge: number }) => element.requestCharge)).toEqual([6.95, 6.95])
    expect(bulk.charge).toBeCloseTo(13.9, 2)
    expect(batch.charge).toBeCloseTo(19.8, 2)
  })

  it('of a strong read are twice those of a session read', async () => {
    const strong = await openWire({ consistency: 'Strong' })
    const path = `${await strong.container()}/docs`
    await strong.call('POST', path, { key: ['a'], body: { id: '1', pk: 'a' } })
    const charge = async (headers: Record<string, string>): Promise<number> =>
      (await strong.call('GET', `${path}/1`, { key: ['a'], headers })).charge

    expect([await charge({}), await charge({ 'x-ms-consistency-level': 'Session' })]).toEqual([2, 1])
    await strong.stop()
  })

  it('of a query grow with the returned bytes', async () => {
    const charge = async (query: string): Promise<number> =>
      (await wire.call('POST', docs, { headers: QUERY, body: { query } })).charge

    expect(await charge('SELECT * FROM c')).toBeGreaterThan(await charge('SELECT * FROM c WHERE c.id = "absent"'))
    expect(await charge('SELECT * FROM c WHERE c.id = "absent"')).toBeGreaterThan(2)
  })
})
