/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
})
afterAll(() => wire.stop())

const key = (...values: unknown[]): string => JSON.stringify(values)
const create = (id: string, pk = 'a', more: object = {}): object => ({
  operationType: 'Create',
  partitionKey: key(pk),
  resourceBody: { id, pk, ...more }
})
const bulk = (body: unknown, headers: Record<string, string> = {}): Promise<WireAnswer> =>
  wire.call('POST', docs, { headers: bulkHeaders('0', headers), body })
const batch = (body: unknown, headers: Record<string, string> = {}): Promise<WireAnswer> =>
  wire.call('POST', docs, { key: ['a'], headers: { ...BATCH, ...headers }, body })
const codes = (answer: WireAnswer): number[] => answer.body.map((element: { statusCode: number }) => element.statusCode)

describe('a bulk request', () => {
  it('runs all kinds of operations in order, and returns charge, ETag and body of each in the same order', async () => {
    const answer = await bulk([
      create('all', 'a', { n: 1 }),
      { operationType: 'Read', id: 'all', partitionKey: key('a') },
      { operationType: 'Upsert', partitionKey: key('a'), resourceBody: { id: 'all', pk: 'a', n: 2 } },
      { operationType: 'Replace', id: 'all', partitionKey: key('a'), resourceBody: { id: 'all', pk: 'a', n: 3 } },
      {
        operationType: 'Patch',
        id: 'all',
        partitionKey: key('a'),
        resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] }
      },
      { operationType: 'Delete', id: 'all', partitionKey: key('a') }
    ])

    expect(answer.status).toBe(200)
    expect(codes(answer)).toEqual([201, 200, 200, 200, 200, 204])
    expect(answer.body.slice(0, 5).map((element: { resourceBody: { n: number } }) => element.resourceBody.n)).toEqual([
      1, 1, 2, 3, 4
    ])
    expect(answer.body[0].eTag).toBe(answer.body[0].resourceBody['_etag'])
    const sum = answer.body.reduce(
      (total: number, element: { requestCharge: number }) => total + element.requestCharge,
      0
    )
    expect(answer.charge).toBeCloseTo(sum, 1)
  })

  it('of large documents stores each of them, also if others are refused, repeated, replaced or deleted', async () => {
    const filler = 'x'.repeat(900)
    const many = (from: number, to: number, n: number): object[] =>
      Array.from({ length: to - from }, (_, at) => create(`large${from + at}`, 'a', { n, filler }))
    expect(codes(await bulk(many(0, 60, 1)))).toEqual(Array.from({ length: 60 }, () => 201))
    // almost all of these exist
    expect(codes(await bulk(many(0, 61, 2))).filter((code) => code === 201)).toHaveLength(1)
    const upserts = [...many(50, 70, 3), ...many(50, 70, 4)].map((each) => ({ ...each, operationType: 'Upsert' }))
    expect((await bulk(upserts)).status).toBe(200)
    for (let n = 0; n < 40; n++) await wire.call('DELETE', `${docs}/large${n}`, { key: ['a'] })
    await bulk(many(100, 160, 5))

    const { body } = await wire.call('POST', docs, {
      key: ['a'],
      body: { query: 'SELECT VALUE [c.id, c.n] FROM c WHERE STARTSWITH(c.id, "large") AND LENGTH(c.filler) = 900' },
      headers: { ...QUERY, 'x-ms-max-item-count': '-1' }
    })
    const expected = [...Array.from({ length: 10 }, (_, at) => [`large${40 + at}`, 1])]
    for (let n = 50; n < 70; n++) expected.push([`large${n}`, 4])
    for (let n = 100; n < 160; n++) expected.push([`large${n}`, 5])
    expect(body.Documents).toEqual(expect.arrayContaining(expected))
    expect(body.Documents).toHaveLength(expected.length)
  })

  it('is answered with 207 if an operation fails, and its other operations are applied', async () => {
    const answer = await bulk([
      create('good1'),
      create('good1'),
      { operationType: 'Delete', id: 'absent', partitionKey: key('a') },
      create('good2')
    ])

    expect(answer.status).toBe(207)
    expect(codes(answer)).toEqual([201, 409, 404, 201])
    expect(answer.body[1].message).toMatch(/exists/)
  })

  it('stops at the first failure if its header continue-on-error is false', async () => {
    const answer = await bulk([create('stop1'), create('stop1'), create('stop2')], {
      'x-ms-cosmos-batch-continue-on-error': 'false'
    })

    expect(codes(answer)).toEqual([201, 409, 424])
    expect((await wire.call('GET', `${docs}/stop2`, { key: ['a'] })).status).toBe(404)
  })

  it('returns no bodies of writes if the request asks for minimal answers', async () => {
    const answer = await bulk([create('min'), { operationType: 'Read', id: 'min', partitionKey: key('a') }], {
      prefer: 'return=minimal'
    })

    expect(answer.body[0]).not.toHaveProperty('resourceBody')
    expect(answer.body[0].eTag).toBeDefined()
    expect(answer.body[1].resourceBody.id).toBe('min')
  })

  it('checks ifMatch of upsert, replace, patch and delete', async () => {
    await bulk([create('match')])
    const wrong = { ifMatch: '"wrong"', id: 'match', partitionKey: key('a') }
    const resourceBody = { id: 'match', pk: 'a' }
    const answer = await bulk([
      { operationType: 'Upsert', ...wrong, resourceBody },
      { operationType: 'Replace', ...wrong, resourceBody },
      { operationType: 'Patch', ...wrong, resourceBody: [{ op: 'set', path: '/n', value: 1 }] },
      { operationType: 'Delete', ...wrong }
    ])

    expect(codes(answer)).toEqual([412, 412, 412, 412])
  })

  it('gets 400 for each invalid operation, and its valid operations are applied', async () => {
    const answer = await bulk([
      { operationType: 'Create', partitionKey: key('b'), resourceBody: { id: 'x', pk: 'a' } },
      { operationType: 'Create', partitionKey: 'not json', resourceBody: { id: 'x', pk: 'a' } },
      { operationType: 'Create', partitionKey: key('a'), resourceBody: null },
      { operationType: 'Create', partitionKey: key('a') },
      { operationType: 'Replace', partitionKey: key('a'), resourceBody: { id: 'x', pk: 'a' } },
      { operationType: 'Read', id: 7, partitionKey: key('a') },
      { operationType: 'Create', partitionKey: key('a', 'b'), resourceBody: { id: 'x', pk: 'a' } },
      create('among-bad')
    ])

    expect(codes(answer)).toEqual([400, 400, 400, 400, 400, 400, 400, 201])
    expect(answer.body[0].subStatusCode).toBe(1001)
  })

  it.each([
    ['no range', [], { 'x-ms-documentdb-partitionkeyrangeid': '' }, 410],
    ['an unknown range', [create('x')], { 'x-ms-documentdb-partitionkeyrangeid': '99' }, 410],
    ['101 operations', Array.from({ length: 101 }, (_, i) => create(`n${i}`)), {}, 400],
    ['no operation', [], {}, 400],
    ['an object', {}, {}, 400],
    ['a null among operations', [null], {}, 400],
    ['an unknown operation', [{ operationType: 'Merge', partitionKey: key('a') }], {}, 400],
    ['broken JSON', '[{"operationType":', {}, 400]
  ])('with %s is refused as a whole', async (_, body, headers, status) => {
    const answer = await bulk(body, headers)

    expect(answer.status).toBe(status)
    expect(answer.body.code).toBeDefined()
  })

  it('returns the sub-status 1002 for a range that no longer exists', async () => {
    expect((await bulk([create('x')], { 'x-ms-documentdb-partitionkeyrangeid': '99' })).subStatus).toBe(1002)
  })

  it('gets 413/3402 in place of each result beyond the first 4 MB of the answer, although the operation was applied', async () => {
    const text = 'x'.repeat(1_500_000)
    for (let i = 0; i < 3; i++) await bulk([create(`large${i}`, 'a', { text })])
    const answer = await bulk(
      [0, 1, 2].map((i) => ({
        operationType: 'Patch',
        id: `large${i}`,
        partitionKey: key('a'),
        resourceBody: [{ op: 'set', path: '/n', value: 1 }]
      }))
    )

    expect(codes(answer)).toEqual([200, 200, 413])
    expect(answer.body[2].subStatusCode).toBe(3402)
    expect((await wire.call('GET', `${docs}/large2`, { key: ['a'] })).body.n).toBe(1)
  })
})

describe('an atomic batch', () => {
  it('applies all operations in order, each on the results of the earlier ones', async () => {
    const answer = await batch([
      create('batch', 'a', { n: 1 }),
      { operationType: 'Patch', id: 'batch', resourceBody: [{ op: 'incr', path: '/n', value: 5 }] },
      { operationType: 'Read', id: 'batch' },
      { operationType: 'Upsert', resourceBody: { id: 'batch2', pk: 'a' } },
      { operationType: 'Delete', id: 'batch2' }
    ])

    expect(answer.status).toBe(200)
    expect(codes(answer)).toEqual([201, 200, 200, 201, 204])
    expect(answer.body[2].resourceBody.n).toBe(6)
    expect((await wire.call('GET', `${docs}/batch2`, { key: ['a'] })).status).toBe(404)
  })

  it('changes nothing if one operation fails: the answer is 207, with 424 for all other operations', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'before', pk: 'a', n: 1 } })
    const answer = await batch([
      create('rolled-back'),
      { operationType: 'Patch', id: 'before', resourceBody: [{ op: 'incr', path: '/n', value: 1 }] },
      { operationType: 'Delete', id: 'before' },
      create('rolled-back')
    ])

    expect(answer.status).toBe(207)
    expect(codes(answer)).toEqual([424, 424, 424, 409])
    expect((await wire.call('GET', `${docs}/rolled-back`, { key: ['a'] })).status).toBe(404)
    expect((await wire.call('GET', `${docs}/before`, { key: ['a'] })).body.n).toBe(1)
  })

  it('answers a read with the state after the earlier operations of the batch', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'turn', pk: 'a', v: 1 } })
    const upsert = { operationType: 'Upsert', resourceBody: { id: 'turn', pk: 'a', v: 2 } }
    const read = { operationType: 'Read', id: 'turn' }
    const both = await batch([read, upsert, read])
    const seen = both.body.map(
      (element: { eTag: string; resourceBody: { v: number; _etag: string } }) => element.resourceBody
    )

    expect(seen.map(({ v }: { v: number }) => v)).toEqual([1, 2, 2])
    expect(both.body[0].eTag).toBe(seen[0]['_etag'])
    expect(seen[0]['_etag']).not.toBe(seen[1]['_etag'])
  })

  it('returns an item that a later operation of the batch deletes', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'last', pk: 'a', v: 1 } })
    const answer = await batch([
      { operationType: 'Read', id: 'last' },
      { operationType: 'Delete', id: 'last' }
    ])

    expect(codes(answer)).toEqual([200, 204])
    expect(answer.body[0].resourceBody).toMatchObject({ id: 'last', v: 1 })
  })

  it('finds a renamed item only under its new id, and renames nothing if the batch fails', async () => {
    const rename = { operationType: 'Replace', id: 'name1', resourceBody: { id: 'name2', pk: 'a', n: 2 } }
    await wire.call('POST', docs, { key: ['a'], body: { id: 'name1', pk: 'a', n: 1 } })
    const failed = await batch([rename, { operationType: 'Read', id: 'name1' }])
    const good = await batch([rename, { operationType: 'Read', id: 'name2' }, create('name1')])

    expect(codes(failed)).toEqual([424, 404])
    expect(codes(good)).toEqual([200, 200, 201])
    expect(good.body[1].resourceBody.n).toBe(2)
  })

  it('increments the LSN by one', async () => {
    const lsn = async (): Promise<number> =>
      Number((await wire.call('GET', `${docs}/before`, { key: ['a'] })).headers.get('lsn'))
    const before = await lsn()
    await batch([create('step1'), create('step2'), create('step3')])

    expect(await lsn()).toBe(before + 1)
  })

  it('is refused if an operation has another partition key than the request, or if there is no operation', async () => {
    expect((await wire.call('POST', docs, { headers: BATCH, body: [create('x')] })).status).toBe(400)
    const foreign = await batch([create('x'), create('y', 'b')])
    expect(foreign.status).toBe(400)
    expect(foreign.body.message).toContain(
      'One or more operations within the batch request have a different partition key value than the request.'
    )
    expect((await batch([])).body.message).toContain('Batch request has no operations.')
    expect(codes(await batch([{ operationType: 'Create', resourceBody: { id: 'x', pk: 'b' } }]))).toEqual([400])
  })

  it('is accepted with 100 operations, and refused with more', async () => {
    const operations = Array.from({ length: 101 }, (_, i) => create(`many${i}`))

    expect((await batch(operations)).status).toBe(400)
    expect((await batch(operations.slice(1))).status).toBe(200)
  })
})
