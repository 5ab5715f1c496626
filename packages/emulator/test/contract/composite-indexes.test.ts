import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

const REFUSAL = 'The order by query does not have a corresponding composite index that it can be served from.'
const COMPOSITES = [
  [
    { path: '/name', order: 'ascending' },
    { path: '/age', order: 'ascending' }
  ],
  [{ path: '/name' }, { path: '/age' }, { path: '/at', order: 'descending' }],
  [{ path: '/address/city' }, { path: '/address/"zip code"', order: 'descending' }]
]

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire({ crossPartition: 'serve' })
  docs = `${await wire.container({ indexingPolicy: { compositeIndexes: COMPOSITES } })}/docs`
  for (const [id, name, age] of [
    ['1', 'b', 2],
    ['2', 'a', 2],
    ['3', 'a', 1]
  ] as const)
    await wire.call('POST', docs, { key: ['k'], body: { id, pk: 'k', name, age } })
})
afterAll(() => wire.stop())

const ask = (query: string, path: string = docs): Promise<WireAnswer> =>
  wire.call('POST', path, { headers: QUERY, body: { query } })

describe('ORDER BY with several properties', () => {
  it.each([
    ['c.name, c.age', ['3', '2', '1']],
    ['c.name ASC, c.age ASC', ['3', '2', '1']],
    ['c.name DESC, c.age DESC', ['1', '2', '3']],
    ['c.name, c.age, c.at DESC', ['3', '2', '1']],
    ['c.name DESC, c.age DESC, c.at', ['1', '2', '3']],
    ['c.address.city, c["address"]["zip code"] DESC', ['1', '2', '3']]
  ])(
    'is served from a composite index of the same paths, in their order or in the opposite one: %s',
    async (keys, ids) => {
      const answer = await ask(`SELECT VALUE c.id FROM c ORDER BY ${keys}`)

      expect(answer.status).toBe(200)
      expect(answer.body.Documents).toEqual(ids)
    }
  )

  it.each([
    'SELECT * FROM c ORDER BY c.age, c.name',
    'SELECT * FROM c ORDER BY c.name, c.age DESC',
    'SELECT * FROM c ORDER BY c.name, c.age, c.at',
    'SELECT * FROM c ORDER BY c.name, c.at',
    'SELECT * FROM c ORDER BY c.name, c.age[0]',
    'SELECT * FROM c WHERE c.pk = "k" ORDER BY c.pk, c.name',
    'SELECT * FROM c.address a ORDER BY a.name, a.age'
  ])('is refused with the message of the service without such an index: %s', async (query) => {
    const answer = await ask(query)

    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(REFUSAL)
  })

  it('follows the path of FROM', async () => {
    expect((await ask('SELECT VALUE a FROM c.address a ORDER BY a.city, a["zip code"] DESC')).status).toBe(200)
  })

  it('needs no index next to an aggregate, and none with one property', async () => {
    expect((await ask('SELECT VALUE COUNT(1) FROM c ORDER BY c.age, c.name')).body.Documents).toEqual([3])
    expect((await ask('SELECT * FROM c ORDER BY c.age')).status).toBe(200)
  })

  it('is served once the index is added', async () => {
    const path = await wire.container()
    const query = 'SELECT * FROM c ORDER BY c.x, c.y'
    expect((await ask(query, `${path}/docs`)).status).toBe(400)
    const id = path.split('/').at(-1)
    const indexingPolicy = { compositeIndexes: [[{ path: '/x' }, { path: '/y' }]] }
    await wire.call('PUT', path, { body: { id, partitionKey: { paths: ['/pk'], version: 2 }, indexingPolicy } })

    expect((await ask(query, `${path}/docs`)).status).toBe(200)
  })
})

describe('a composite index', () => {
  it.each<[string, unknown, string]>([
    ['one path', [[{ path: '/a' }]], 'has 2 to 8 paths'],
    ['nine paths', [Array.from({ length: 9 }, (_, n) => ({ path: `/p${n}` }))], 'has 2 to 8 paths'],
    ['a wildcard', [[{ path: '/a/*' }, { path: '/b' }]], 'no wildcard'],
    ['a path without a slash', [[{ path: 'a' }, { path: '/b' }]], 'The path "a" of a composite index'],
    ['another order', [[{ path: '/a', order: 'up' }, { path: '/b' }]], "'ascending' or 'descending'"],
    ['no list', { path: '/a' }, 'must be an array']
  ])('with %s is refused', async (_, compositeIndexes, message) => {
    const body = { id: 'refused', partitionKey: { paths: ['/pk'] }, indexingPolicy: { compositeIndexes } }
    const answer = await wire.call('POST', docs.replace(/\/[^/]+\/docs$/, ''), { body })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })
})
