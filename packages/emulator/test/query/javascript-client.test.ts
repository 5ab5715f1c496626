import { type Container, CosmosClient, type JSONValue } from '@azure/cosmos'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlannedContainer, servePlannedContainer } from './planned-container.ts'
import { rowsOf } from './query-of.ts'

const documents = Array.from({ length: 60 }, (_, index) => ({
  id: `i${index}`,
  _rid: `AAAAAYAAAA${String(index).padStart(2, '0')}`,
  pk: `p${index % 7}`,
  n: (index * 37) % 60,
  kind: index % 4,
  tags: Array.from({ length: index % 3 }, (_none, tag) => tag + (index % 2)),
  ...(index % 3 === 0 ? { some: index } : {})
}))

// the last range is empty, a case in which aggregates can be wrong
const ranges = [0, 1, 2, 3].map((range) => documents.filter((_, index) => index % 3 === range))

describe('the JavaScript client, which queries each range as the plan says', () => {
  let server: PlannedContainer
  let container: Container

  beforeAll(async () => {
    server = await servePlannedContainer(ranges)
    container = new CosmosClient({ endpoint: server.endpoint, key: 'a2V5' }).database('d').container('c')
  })

  afterAll(() => server.close())

  const ask = async (query: string, parameters: { name: string; value: JSONValue }[] = []): Promise<unknown[]> => {
    const answer = await container.items
      .query({ query, parameters }, { forceQueryPlan: true, maxItemCount: 10 })
      .fetchAll()
    return answer.resources
  }

  it.each([
    'SELECT * FROM c ORDER BY c.n',
    'SELECT * FROM c ORDER BY c.n DESC',
    'SELECT c.id, c.n FROM c WHERE c.kind = 1 ORDER BY c.n',
    'SELECT VALUE c.n FROM c ORDER BY c.kind, c.n DESC',
    'SELECT TOP 7 VALUE c.n FROM c ORDER BY c.n DESC',
    'SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 12',
    'SELECT VALUE c.some FROM c ORDER BY c.n',
    'SELECT VALUE COUNT(1) FROM c',
    'SELECT VALUE COUNT(c.some) FROM c',
    'SELECT VALUE SUM(c.n) FROM c',
    'SELECT VALUE AVG(c.n) FROM c',
    'SELECT VALUE AVG(c.some) FROM c',
    'SELECT VALUE MIN(c.some) FROM c',
    'SELECT VALUE MAX(c.id) FROM c',
    'SELECT VALUE COUNT(1) FROM c ORDER BY c.n',
    'SELECT VALUE AVG(c.n) FROM c WHERE c.n > 7 ORDER BY c.kind, c.n DESC',
    'SELECT VALUE COUNTIF(c.n > 20) FROM c',
    'SELECT COUNT(1) AS rows, MAX(c.n) AS most, AVG(c.n) AS mean FROM c',
    'SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags',
    'SELECT VALUE c.n FROM c JOIN t IN c.tags WHERE t = 1 ORDER BY c.n',
    'SELECT VALUE MAX(t) FROM t IN c.tags'
  ])('gets the same result as from a single range: %s', async (query) => {
    expect(await ask(query)).toEqual(rowsOf(query, documents))
  })

  it.each([
    'SELECT DISTINCT VALUE c.pk FROM c',
    'SELECT DISTINCT c.kind, c.pk FROM c',
    'SELECT c.id FROM c WHERE c.n < 20',
    'SELECT DISTINCT VALUE c.pk FROM c ORDER BY c.pk',
    'SELECT c.kind, COUNT(1) AS n, AVG(c.n) AS mean, MIN(c.some) AS least, MAX(c.n) FROM c GROUP BY c.kind',
    'SELECT c.kind, c.pk, SUM(c.n) AS total FROM c WHERE c.n > 10 GROUP BY c.kind, c.pk',
    'SELECT VALUE COUNT(1) FROM c GROUP BY c.kind',
    'SELECT VALUE AVG(c.n) FROM c GROUP BY c.pk',
    'SELECT VALUE c.kind FROM c GROUP BY c.kind',
    'SELECT UPPER(c.pk) AS name, COUNT(c.some) AS n FROM c GROUP BY UPPER(c.pk)',
    'SELECT c.some, COUNT(1) AS n FROM c GROUP BY c.some',
    'SELECT c.id, t FROM c JOIN t IN c.tags',
    'SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t',
    'SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags WHERE t > 1) FROM c',
    'SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = c.kind)'
  ])('gets the same rows as from a single range, in any order: %s', async (query) => {
    expect(byText(await ask(query))).toEqual(byText(rowsOf(query, documents)))
  })

  it('combines the results of MAKELIST and MAKESET from all ranges', async () => {
    const [list] = (await ask('SELECT VALUE MAKELIST(c.n) FROM c')) as [number[]]
    const [set] = (await ask('SELECT VALUE MAKESET(c.pk) FROM c')) as [string[]]

    expect(list.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index))
    expect(set.toSorted()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
  })

  it('applies a limit to the rows of all ranges together', async () => {
    expect(await ask('SELECT TOP 5 * FROM c')).toHaveLength(5)
    expect(await ask('SELECT * FROM c OFFSET 50 LIMIT 20')).toHaveLength(10)
    expect(await ask('SELECT DISTINCT TOP 3 VALUE c.pk FROM c')).toHaveLength(3)
  })

  it('is told that it cannot count the different rows of all ranges', async () => {
    await expect(ask('SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.kind FROM c)')).rejects.toThrow(
      'Query contains the following features, which the calling client does not support: None DCount.'
    )
  })

  it('limits the groups of all ranges together', async () => {
    expect(await ask('SELECT TOP 3 c.pk FROM c GROUP BY c.pk')).toHaveLength(3)
    expect(await ask('SELECT c.pk FROM c GROUP BY c.pk OFFSET 5 LIMIT 10')).toHaveLength(2)
  })

  it('sends the parameters with the rewritten query', async () => {
    const rows = await ask('SELECT TOP @top VALUE c.n FROM c WHERE c.kind = @kind ORDER BY c.n', [
      { name: '@top', value: 3 },
      { name: '@kind', value: 2 }
    ])

    expect(rows).toEqual(rowsOf('SELECT TOP 3 VALUE c.n FROM c WHERE c.kind = 2 ORDER BY c.n', documents))
    expect(server.asked.at(-1)).toContain('WHERE (((c.kind = @kind) AND (true)) AND IS_DEFINED(c.n))')
  })
})

const byText = (rows: unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()
