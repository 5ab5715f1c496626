import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

const COMPUTED = [
  { name: 'cp_lower', query: 'SELECT VALUE LOWER(c.name) FROM c' },
  { name: 'cp_half', query: 'SELECT VALUE r.price * 0.5 FROM root r' },
  { name: 'shadow', query: 'SELECT VALUE CONCAT(x.name, "!") FROM x' }
]
const INDEXES = {
  indexingMode: 'consistent',
  includedPaths: [{ path: '/*' }, { path: '/cp_half/?' }],
  compositeIndexes: [[{ path: '/cp_lower' }, { path: '/price', order: 'descending' }]]
}

let wire: Wire
let container: string
beforeAll(async () => {
  wire = await openWire({ crossPartition: 'serve' })
  container = await wire.container({ computedProperties: COMPUTED, indexingPolicy: INDEXES })
  for (const [id, name, price] of [
    ['1', 'Bike', 10],
    ['2', 'BIKE', 30],
    ['3', 'Car', 20]
  ] as const)
    await wire.call('POST', `${container}/docs`, { key: ['k'], body: { id, pk: 'k', name, price, shadow: 'stored' } })
  await wire.call('POST', `${container}/docs`, { key: ['k'], body: { id: '4', pk: 'k' } })
})
afterAll(() => wire.stop())

const ask = (query: string, headers: Record<string, string> = {}): Promise<WireAnswer> =>
  wire.call('POST', `${container}/docs`, { headers: { ...QUERY, ...headers }, body: { query } })

describe('computed properties of a container', () => {
  it.each<[string, unknown[]]>([
    ['SELECT VALUE c.cp_lower FROM c', ['bike', 'bike', 'car']],
    [
      'SELECT c.id, c.cp_half FROM c WHERE c.cp_half > 6',
      [
        { id: '2', cp_half: 15 },
        { id: '3', cp_half: 10 }
      ]
    ],
    ['SELECT VALUE c["cp_lower"] FROM c WHERE c.id = "3"', ['car']],
    [
      'SELECT c.cp_lower, COUNT(1) AS n FROM c GROUP BY c.cp_lower',
      [{ cp_lower: 'bike', n: 2 }, { cp_lower: 'car', n: 1 }, { n: 1 }]
    ],
    ['SELECT DISTINCT VALUE d.cp_lower FROM d', ['bike', 'car']],
    ['SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.cp_half) ORDER BY c.cp_half DESC', ['2', '3', '1']],
    ['SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.cp_lower) ORDER BY c.cp_lower, c.price DESC', ['2', '1', '3']],
    ['SELECT VALUE c.shadow FROM c', ['Bike!', 'BIKE!', 'Car!']],
    ['SELECT VALUE (SELECT VALUE d.cp_lower FROM c d) FROM c WHERE c.id = "1"', ['bike']],
    ['SELECT VALUE n FROM c.cp_lower n', ['bike', 'bike', 'car']],
    ['SELECT VALUE MAX(c.cp_half) FROM c', [15]]
  ])('are used like stored properties: %s', async (query, rows) => {
    expect((await ask(query)).body).toMatchObject({ Documents: rows })
  })

  it('are not part of an item: SELECT * and a read return the stored properties only', async () => {
    const [item] = (await ask('SELECT * FROM c WHERE c.id = "1"')).body.Documents
    const read = (await wire.call('GET', `${container}/docs/1`, { key: ['k'] })).body

    expect(item).toEqual(read)
    expect(item).toMatchObject({ shadow: 'stored' })
    expect(item).not.toHaveProperty('cp_lower')
    expect((await ask('SELECT VALUE c FROM c WHERE c.id = "1"')).body.Documents).toEqual([item])
  })

  it('must have an index to be the order of a query', async () => {
    const answer = await ask('SELECT * FROM c ORDER BY c.cp_lower')

    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(
      'The order-by item requires a range index to be defined on the corresponding index path.'
    )
  })

  it('are returned with the container, and can be changed', async () => {
    expect((await wire.call('GET', container)).body.computedProperties).toEqual(COMPUTED)
    const path = await wire.container({ computedProperties: COMPUTED })
    await wire.call('POST', `${path}/docs`, { key: ['k'], body: { id: '1', pk: 'k', n: 1 } })
    const definition = { id: path.split('/').at(-1), partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } }
    const changed = [{ name: 'cp_next', query: 'SELECT VALUE c.n + 1 FROM c' }]
    expect((await wire.call('PUT', path, { body: { ...definition, computedProperties: changed } })).status).toBe(200)
    const asked = { headers: QUERY, body: { query: 'SELECT c.cp_next, c.cp_lower FROM c' } }

    expect((await wire.call('POST', `${path}/docs`, asked)).body.Documents).toEqual([{ cp_next: 2 }])
    expect((await wire.call('PUT', path, { body: definition })).body).not.toHaveProperty('computedProperties')
    expect((await wire.call('POST', `${path}/docs`, asked)).body.Documents).toEqual([{}])
  })

  it.each<[string, unknown, string]>([
    ['a property of the system', [{ name: '_ts', query: 'SELECT VALUE 1 FROM c' }], 'system property'],
    ['the id', [{ name: 'id', query: 'SELECT VALUE 1 FROM c' }], 'system property'],
    ['the partition key', [{ name: 'pk', query: 'SELECT VALUE 1 FROM c' }], 'partition key'],
    ['no name', [{ query: 'SELECT VALUE 1 FROM c' }], "has a 'name' and a 'query'"],
    ['no query', [{ name: 'a' }], "has a 'name' and a 'query'"],
    ['the same name twice', [COMPUTED[0], COMPUTED[0]], "The name 'cp_lower' is given to two"],
    [
      '21 of them',
      Array.from({ length: 21 }, (_, n) => ({ name: `p${n}`, query: 'SELECT VALUE 1 FROM c' })),
      'at most 20'
    ],
    ['wrong syntax', [{ name: 'a', query: 'SELECT VALUE FROM c' }], 'Syntax error'],
    ['no VALUE', [{ name: 'a', query: 'SELECT c.b FROM c' }], 'it must use SELECT VALUE'],
    ['no FROM', [{ name: 'a', query: 'SELECT VALUE 1' }], 'its FROM must name the item'],
    ['a path in FROM', [{ name: 'a', query: 'SELECT VALUE b.d FROM c.b' }], 'its FROM must name the item'],
    ['JOIN', [{ name: 'a', query: 'SELECT VALUE t FROM c JOIN t IN c.tags' }], 'it must not have JOIN'],
    ['WHERE', [{ name: 'a', query: 'SELECT VALUE c.b FROM c WHERE c.d' }], 'it must not have WHERE'],
    ['GROUP BY', [{ name: 'a', query: 'SELECT VALUE c.b FROM c GROUP BY c.b' }], 'it must not have GROUP BY'],
    ['ORDER BY', [{ name: 'a', query: 'SELECT VALUE c.b FROM c ORDER BY c.b' }], 'it must not have ORDER BY'],
    ['TOP', [{ name: 'a', query: 'SELECT TOP 1 VALUE c.b FROM c' }], 'it must not have TOP'],
    ['DISTINCT', [{ name: 'a', query: 'SELECT DISTINCT VALUE c.b FROM c' }], 'it must not have DISTINCT'],
    [
      'OFFSET LIMIT',
      [{ name: 'a', query: 'SELECT VALUE c.b FROM c OFFSET 0 LIMIT 1' }],
      'it must not have OFFSET LIMIT'
    ],
    [
      'a subquery',
      [{ name: 'a', query: 'SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.b) FROM c' }],
      'it must not have a subquery'
    ],
    ['an aggregate', [{ name: 'a', query: 'SELECT VALUE MAX(c.b) FROM c' }], 'it must not have an aggregate'],
    [
      'the current time',
      [{ name: 'a', query: 'SELECT VALUE GetCurrentTimestamp() FROM c' }],
      'it must not have a function of the current time'
    ],
    ['a parameter', [{ name: 'a', query: 'SELECT VALUE c.b + @p FROM c' }], '@p'],
    ['no list', 'SELECT VALUE 1 FROM c', "The property 'computedProperties' must be an array"]
  ])('with %s are refused', async (_, computedProperties, message) => {
    const body = { id: 'refused', partitionKey: { paths: ['/pk'] }, computedProperties }
    const answer = await wire.call('POST', container.replace(/\/[^/]+$/, ''), { body })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })
})
