import { describe, expect, it } from 'vitest'
import { createRandom, parseWorkload } from '../../src/index.ts'
import { reportOn } from './report-on.ts'

const SHOP = {
  writes: { rate: '100/s', operation: 'create' },
  items: '2B',
  itemSize: '1KB',
  ttl: 'never',
  queries: ['customerId @ 2000/s', 'email @ 300/s rows=1']
}

describe('an index container', { timeout: 120_000 }, () => {
  it('is recommended if a lookup would otherwise read all physical partitions', () => {
    const { verdict, candidates, recipe } = reportOn(orders(), parseWorkload({ ...SHOP, presentKey: '/customerId' }))

    expect(verdict.kind).toBe('index')
    expect(verdict.sentence).toMatch(
      /^Keep the present key, and add an index container by \/email: "email @ 300\/s rows=1" would otherwise go to all 50 physical partitions, and the price is \d+ % lower\.$/
    )
    const [best] = candidates
    expect(best.name).toBe(verdict.candidate)
    expect(best.queries.map(({ kind, ranges }) => [kind, ranges])).toEqual([
      ['key', 1],
      ['ranges', 2]
    ])
    expect(recipe!.steps.at(-1)).toMatch(/^Create an index container with the partition key \/email and [\d,]+ RU\/s\./)
    expect(best.warnings.join()).toContain('two writes, and not one transaction')
  })

  it('adds its price to the price of the first container', () => {
    const { candidates } = reportOn(orders(), parseWorkload({ ...SHOP, presentKey: '/customerId' }))

    const [best] = candidates
    const [index] = best.indexContainers
    const { manual, autoscale, serverless, storage } = best.price!
    const own = Math.min(...[manual, autoscale, serverless].filter((each) => each !== null)) + storage!
    expect(best.monthlyPrice).toBeCloseTo(own + index.monthlyPrice, 6)
    // 300 bytes for each KB, and the list price of a GB with its index
    expect(index.gb).toBeCloseTo(2000 * 0.3, 6)
    expect(index.monthlyPrice).toBeGreaterThan(600 * 0.25)
    // a query of the entry, and a point read of the document
    const { ruPerSecond } = best.queries[1]
    expect(ruPerSecond! / 300).toBeCloseTo(2.81 + 0.0152 * (300 / 1024) + 1, 2)
  })

  it('is recommended together with the key of a container that does not exist yet', () => {
    const { verdict } = reportOn(orders(), parseWorkload(SHOP))

    expect(verdict.kind).toBe('index')
    expect(verdict.sentence).toMatch(/^Use \/customerId as the partition key, and add an index container by \/email:/)
  })

  it.each([
    ['writes are frequent and lookups rare', { writes: '20000/s', queries: ['customerId @ 2000/s', 'email @ 1/s'] }],
    ['one physical partition is enough', { items: '1M', queries: ['customerId @ 20/s', 'email @ 3/s'] }],
    ['the lookup filters by a range only', { queries: ['customerId @ 2000/s', 'total=* @ 300/s'] }]
  ])('is not recommended if %s', (_title, change) => {
    const { verdict } = reportOn(orders(), parseWorkload({ ...SHOP, ...change }))

    expect(verdict.kind).not.toBe('index')
  })

  it.each<[string, (index: number) => object, object, number]>([
    ['is missing in many records', (index) => (index % 10 === 0 ? { promo: `p-${index}` } : {}), {}, 0.1],
    ['changes', (index) => ({ promo: `p-${index}` }), { changing: ['promo'] }, 1],
    ['has fractions', (index) => ({ promo: index + 0.5 }), {}, 1]
  ])('is recommended for a field that cannot be the key of the container: it %s', (_title, more, changes, part) => {
    const records = orders().map((order, index) => ({ ...order, ...more(index) }))
    const queries = ['customerId @ 2000/s', 'promo @ 300/s rows=1']

    const workload = parseWorkload({ ...SHOP, presentKey: '/customerId', queries, ...changes })
    const { verdict, candidates, dropped, hygiene } = reportOn(records, workload)

    expect(verdict.sentence).toContain('Keep the present key, and add an index container by /promo:')
    const [index] = candidates[0].indexContainers
    expect(index).toMatchObject({ name: '/promo', plan: null, partitionKeyPaths: ['/promo'] })
    expect(index.gb).toBeCloseTo(2000 * 0.3 * part, 6)
    expect(dropped.map(({ name }) => name)).toContain('/promo')
    expect(candidates.map(({ name }) => name)).not.toContain('/promo')
    expect(hygiene.map(({ path }) => path)).not.toContain('/promo')
  })

  it('costs two writes for an update of a field that changes, and says so', () => {
    const records = orders().map((order, index) => ({ ...order, promo: `p-${index}` }))
    const queries = ['customerId @ 2000/s', 'promo @ 300/s rows=1']
    const writes = { rate: '100/s', operation: 'replace' }
    const best = (changes: object) =>
      reportOn(records, parseWorkload({ ...SHOP, writes, presentKey: '/customerId', queries, ...changes }))
        .candidates[0]

    const [fixed, changing] = [best({}), best({ changing: ['promo'] })]
    expect(changing.indexContainers[0].name).toBe('/promo')
    // two writes of a small entry
    expect(
      changing.indexContainers[0].neededRuPerSecond - fixed.indexContainers[0].neededRuPerSecond
    ).toBeGreaterThanOrEqual(2 * 100 * 5)
    expect(changing.warnings.join()).toContain('/promo changes during the life of a document: ')
    expect(fixed.warnings.join()).not.toContain('/promo changes')
  })

  it('gets no writes for updated documents, since an update does not change their fields', () => {
    const updates = { ...SHOP, writes: { rate: '20000/s', operation: 'replace' } }
    const { candidates } = reportOn(orders(), parseWorkload(updates))

    const found = candidates.find(({ indexContainers }) => indexContainers.some(({ name }) => name === '/email'))!
    expect(found.indexContainers[0].neededRuPerSecond).toBeLessThan(2000)
  })
})

function orders(): readonly object[] {
  const random = createRandom(3)
  return Array.from({ length: 3000 }, (_, index) => {
    const customer = Math.floor(random() * 15_000)
    return { id: `o-${index}`, customerId: `c-${customer}`, email: `m-${customer}-${index}`, total: random() * 100 }
  })
}
