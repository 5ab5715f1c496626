/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire } from './wire.ts'

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
})
afterAll(() => wire.stop())

describe('partition keys', () => {
  it.each([['text'], [7], [-0.5], [true], [false], [null], [undefined], [''], ['日本語😀']])(
    'with the value %s distinguish items with the same id',
    async (value) => {
      const body = { id: 'kinds', ...(value === undefined ? {} : { pk: value }), mark: String(value) }
      const created = await wire.call('POST', docs, { key: [value], body })
      const read = await wire.call('GET', `${docs}/kinds`, { key: [value] })

      expect(created.status).toBe(201)
      expect(read.body.mark).toBe(String(value))
    }
  )

  it.each([
    ['an object', { a: 1 }],
    ['an empty object', {}],
    ['an array', ['a']]
  ])('are undefined if %s is at the path of the key', async (_, pk) => {
    const id = JSON.stringify(pk)
    const created = await wire.call('POST', docs, { key: [undefined], body: { id, pk } })
    // the same document with whitespace, so that it is parsed
    const spaced = await wire.call('POST', docs, {
      key: [undefined],
      body: `{"id": ${JSON.stringify(`${id} `)}, "pk": ${id}}`
    })
    const read = await wire.call('GET', `${docs}/${encodeURIComponent(id)}`, { key: [undefined] })

    expect([created.status, spaced.status, read.status]).toEqual([201, 201, 200])
    expect(read.body.pk).toEqual(pk)
  })

  it('are undefined at each level that is an object or an array', async () => {
    const path = await wire.container({ partitionKey: { paths: ['/t', '/u/v'], kind: 'MultiHash', version: 2 } })
    const body = { id: '1', t: [], u: { v: {} } }

    expect((await wire.call('POST', `${path}/docs`, { key: [undefined, undefined], body })).status).toBe(201)
    expect((await wire.call('GET', `${path}/docs/1`, { key: [undefined, undefined] })).body).toMatchObject(body)
  })

  it('of version 1 may be as long as those of version 2, although only their first bytes are hashed', async () => {
    const path = await wire.container(
      { partitionKey: { paths: ['/pk'], kind: 'Hash' } },
      { 'x-ms-offer-throughput': '20000' }
    )
    const long = 'x'.repeat(2000)
    const ranges = await Promise.all(
      ['a', 'b'].map(async (end) => {
        const created = await wire.call('POST', `${path}/docs`, {
          key: [long + end],
          body: { id: end, pk: long + end }
        })
        expect(created.status).toBe(201)
        return created.headers.get('x-ms-documentdb-partitionkeyrangeid')
      })
    )

    expect(ranges[0]).toBe(ranges[1])
    expect((await wire.call('GET', `${path}/docs/a`, { key: [`${long}a`] })).status).toBe(200)
    expect((await wire.call('GET', `${path}/docs/a`, { key: [`${long}b`] })).status).toBe(404)
    expect(
      (await wire.call('POST', `${path}/docs`, { key: ['x'.repeat(2049)], body: { id: '1', pk: 'x'.repeat(2049) } }))
        .status
    ).toBe(400)
  })

  it('must be in every request for a single item', async () => {
    expect((await wire.call('GET', `${docs}/kinds`)).status).toBe(400)
    expect((await wire.call('POST', docs, { body: { id: 'x', pk: 'a' } })).status).toBe(400)
  })

  it('must be a JSON array of scalars', async () => {
    for (const header of ['a', '"a"', '[', '[["a"]]', '[{"a":1}]']) {
      const answer = await wire.call('GET', `${docs}/kinds`, { headers: { 'x-ms-documentdb-partitionkey': header } })
      expect(answer.status).toBe(400)
    }
  })

  it('with several levels need every level in requests for single items', async () => {
    const path = await wire.container({ partitionKey: { paths: ['/t', '/u'], kind: 'MultiHash', version: 2 } })

    expect((await wire.call('POST', `${path}/docs`, { key: ['a', 1], body: { id: '1', t: 'a', u: 1 } })).status).toBe(
      201
    )
    expect((await wire.call('GET', `${path}/docs/1`, { key: ['a', 1] })).status).toBe(200)
    expect((await wire.call('GET', `${path}/docs/1`, { key: ['a'] })).status).toBe(400)
  })
})
