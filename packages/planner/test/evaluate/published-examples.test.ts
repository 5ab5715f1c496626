import { describe, expect, it } from 'vitest'
import { createRandom, parseWorkload } from '../../src/index.ts'
import type { PlanReport } from '../../src/index.ts'
import { reportOn } from './report-on.ts'

// The data are made here, in the published shape and with the published counts.

const START = Date.UTC(2026, 0, 1)

/** 200 requests a second: 40 % writes; of the reads 30 % by customer, 50 % by customer and cart, 20 % by a time. */
const CARTS = {
  items: '50M',
  itemSize: '1KB',
  ttl: 'never',
  changing: ['lastModifiedTimestamp'],
  writes: { rate: '80/s', operation: 'replace' },
  queries: ['customerId @ 36/s rows=1', 'customerId, cartId @ 60/s rows=1', 'lastModifiedTimestamp=hour @ 24/s']
}

describe('the report on the demo of the Partition Key Advisor', { timeout: 120_000 }, () => {
  it('recommends customerId, as the demo does, with two physical partitions for 50 GB', () => {
    const { verdict, partitions } = reportOnCarts()

    expect(verdict.candidate).toBe('/customerId')
    expect(partitions).toMatchObject({ count: 2, decidedBy: 'storage', gb: 50 })
    expect(verdict.sentence).toMatch(
      /^Use \/customerId as the partition key: no synthetic key is needed; the load can use \d+ %.* of 2 physical partitions\.$/
    )
  })

  it('ranks the other keys of the demo by the costs of their queries', () => {
    const { candidates } = reportOnCarts()

    const byName = new Map(candidates.map((each) => [each.name, each]))
    const kindsOf = (name: string) => byName.get(name)!.queries.map(({ kind }) => kind)
    expect(kindsOf('/customerId')).toEqual(['key', 'key', 'all'])
    expect(kindsOf('/cartId')).toEqual(['all', 'key', 'all'])
    expect(kindsOf('/id')).toEqual(['all', 'all', 'all'])
    expect(byName.get('/id')!.rank).toBeGreaterThan(byName.get('/customerId')!.rank)
  })

  it('has no candidate with the time of the last change, unlike the demo, since a key cannot change', () => {
    const { candidates, dropped } = reportOnCarts()

    expect(candidates.map(({ name }) => name)).not.toContain('/lastModifiedTimestamp')
    expect(dropped).toContainEqual({
      name: '/lastModifiedTimestamp',
      why: 'changes during the life of a document, but the value of a partition key cannot change'
    })
  })
})

/** Posts of 1,500 users: profile reads, and feeds of five users each, which are five reads. */
const POSTS = {
  timeField: 'date',
  changing: ['body'],
  ttl: '3d',
  writes: { rate: '0.035/s', operation: 'create' },
  queries: ['userId, firstName, lastName @ 0.07/s', 'userId, firstName, lastName, date=day @ 0.35/s']
}
const USERS = 1495
const MENTIONED = 9039
const SMITHS = 1013

describe('the report on the example of analyzeShardKey', { timeout: 120_000 }, () => {
  it('has the published figures: 30 last names, of which Smith has 1,013 of 9,039 documents, and 1,495 user ids', () => {
    const { candidates } = reportOnPosts()

    const byName = new Map(candidates.map((each) => [each.name, each]))
    const lastName = byName.get('/lastName')!
    expect(lastName.distinctKeys).toEqual({ low: 30, mid: 30, high: 30 })
    expect(lastName.largestKey!.share.mid).toBeCloseTo(SMITHS / MENTIONED, 12)
    expect(byName.get('/userId')!.distinctKeys).toMatchObject({ low: USERS, high: USERS })
  })

  it('recommends another key than the example, since 9,039 documents need only one physical partition', () => {
    const { verdict, partitions } = reportOnPosts()

    expect(verdict.kind).toBe('either')
    expect(verdict.sentence).toMatch(
      /^One physical partition is enough, so the key does not matter for the load, and no synthetic key is needed: /
    )
    expect(partitions).toMatchObject({ count: 1, decidedBy: 'one' })
  })

  it('recommends the user, as the example does, for a million times the load, since there are too few last names', () => {
    const { verdict, candidates } = reportOn(
      posts(),
      parseWorkload({
        ...POSTS,
        items: '9.039B',
        writes: { rate: '35000/s', operation: 'create' },
        queries: ['userId, firstName, lastName @ 7000/s']
      })
    )

    const lastName = candidates.find(({ name }) => name === '/lastName')!
    expect(lastName.hardLimits.length).toBeGreaterThan(0)
    expect(verdict.candidate).toContain('/userId')
  })
})

const reportOnCarts = once(() => reportOn(carts(), parseWorkload(CARTS)))
const reportOnPosts = once(() => reportOn(posts(), parseWorkload(POSTS)))

/** Several tests look at the same report. */
function once(create: () => PlanReport): () => PlanReport {
  let created: PlanReport | undefined
  return () => (created ??= create())
}

function carts(): readonly object[] {
  const random = createRandom(11)
  return Array.from({ length: 4000 }, (_, index) => {
    const cart = `cart-${index}-${Math.floor(random() * 1e9)}`
    return {
      id: cart,
      cartId: cart,
      customerId: `customer-${index}`,
      lastModifiedTimestamp: new Date(START + Math.floor(random() * 86_400_000)).toISOString(),
      products: [{ productId: String(Math.floor(random() * 5000)), qty: 1 + Math.floor(random() * 3) }]
    }
  })
}

/** Each user has one of 30 last names, some of which are more common than others. */
function posts(): readonly object[] {
  const random = createRandom(12)
  const users = Array.from({ length: USERS }, (_, user) => ({
    userId: `user-${user}`,
    firstName: `first-${Math.floor(45 * random() ** 1.5)}`,
    lastName: user < 168 ? 'Smith' : `last-${1 + (user % 29)}`
  }))
  const smiths = users.filter(({ lastName }) => lastName === 'Smith')
  const others = users.filter(({ lastName }) => lastName !== 'Smith')
  return Array.from({ length: MENTIONED }, (_, index) => {
    // each user has a post, and the other posts are by users at random
    const group = index < SMITHS ? smiths : others
    const ofGroup = index < SMITHS ? index : index - SMITHS
    const author = group[ofGroup < group.length ? ofGroup : Math.floor(random() * group.length)]
    const date = new Date(START + Math.floor(random() * 3 * 86_400_000)).toISOString()
    return { id: `post-${index}`, ...author, body: `text ${index}`, date }
  })
}
