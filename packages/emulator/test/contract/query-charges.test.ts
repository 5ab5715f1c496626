import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire } from './wire.ts'

const COUNT = 400
let wire: Wire
let path: string
beforeAll(async () => {
  wire = await openWire({ ranges: 3, crossPartition: 'serve' })
  const compositeIndexes = [[{ path: '/kind', order: 'descending' }, { path: '/n' }]]
  path = await wire.container({ indexingPolicy: { compositeIndexes } })
  for (let n = 0; n < COUNT; n++) {
    const pk = `k${n % 7}`
    const body = { id: `i${n}`, pk, n, kind: n % 5, text: 'x'.repeat(300), place: { city: `city ${n % 3}` } }
    await wire.call('POST', `${path}/docs`, { key: [pk], body })
  }
})
afterAll(() => wire.stop())

/** The charges of all pages of a query, and the number of its rows. */
async function chargesOf(query: string, headers: Record<string, string>): Promise<{ charges: number[]; rows: number }> {
  const charges: number[] = []
  let rows = 0
  let continuation: string | undefined
  do {
    const more: Record<string, string> = continuation === undefined ? {} : { 'x-ms-continuation': continuation }
    const answer = await wire.call('POST', `${path}/docs`, {
      body: { query },
      headers: { ...QUERY, ...headers, ...more }
    })
    expect(answer.status).toBe(200)
    charges.push(answer.charge)
    rows += answer.body.Documents.length
    continuation = answer.headers.get('x-ms-continuation') ?? undefined
  } while (continuation !== undefined)
  return { charges, rows }
}

const RANGE = { 'x-ms-documentdb-partitionkeyrangeid': '1' }
const LARGE = { 'x-ms-max-item-count': '-1' }

describe('the charge of a query', () => {
  it.each<[string, Record<string, string>, number[], number]>([
    ['SELECT * FROM c', {}, [3.66, 3.66, 3.66, 3.66], 400],
    ['SELECT * FROM c', LARGE, [6.25], 400],
    ['SELECT * FROM c', RANGE, [3.29], 57],
    ['SELECT * FROM c WHERE c.pk = "k3"', {}, [3.29], 57],
    ['SELECT * FROM c WHERE c.pk IN ("k1", "k3")', LARGE, [3.78], 114],
    ['SELECT * FROM c WHERE c.pk = "k1" OR c.pk = "k5" AND c.n > 200', LARGE, [3.54], 86],
    ['SELECT c.id, c.place.city FROM c WHERE c.n % 2 = 0', {}, [2.84, 2.85], 200],
    ['SELECT TOP 150 c.id, c._ts > 0 AS written FROM c WHERE c.kind < 3', {}, [2.84, 2.82], 150],
    ['SELECT VALUE COUNT(1) FROM c', {}, [2.8], 1],
    ['SELECT VALUE COUNT(1) FROM c WHERE c.pk IN ("k1", "k2")', {}, [2.8], 1],
    ['SELECT COUNT(1) AS n, SUM(c.n) AS s, MAX(c.place.city) AS m FROM c', RANGE, [2.8], 1],
    ['SELECT DISTINCT VALUE c.kind FROM c', {}, [2.8], 5],
    ['SELECT c.id FROM c ORDER BY c.kind DESC, c.n', {}, [2.82, 2.82, 2.82, 2.82], 400],
    ['SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 100 LIMIT 50', LARGE, [2.8], 50]
  ])('%s %j', async (query, headers, charges, rows) => {
    expect(await chargesOf(query, headers)).toEqual({ charges, rows })
  })
})
