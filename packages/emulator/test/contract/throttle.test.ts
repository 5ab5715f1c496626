/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, type Wire, type WireAnswer } from './wire.ts'

// Real time is too coarse for budgets: the clock of these tests only advances when a test advances it.
describe.skipIf(process.env['KEYSTAMP_TEST_COSMOS_ENDPOINT'] !== undefined)('throttling', () => {
  let wire: Wire
  let docs: string
  let made = 0
  let frozen = Date.now() - (Date.now() % 1000)
  beforeAll(async () => {
    wire = await openWire({ throttle: { metadataRuPerSecond: 0 }, now: () => frozen })
  })
  afterAll(() => wire.stop())
  beforeEach(async () => {
    frozen += 10_000 - (frozen % 1000)
    wire.emulator!.throttle({ metadataRuPerSecond: 0 })
    docs = `${await wire.container()}/docs`
  })

  // 5.35 RU each: two indexed values, 1 KB at most
  const create = (): Promise<WireAnswer> => wire.call('POST', docs, { key: ['a'], body: { id: `t${made++}`, pk: 'a' } })
  const operations = (count: number): object[] =>
    Array.from({ length: count }, () => ({
      operationType: 'Create',
      partitionKey: '["a"]',
      resourceBody: { id: `t${made++}`, pk: 'a' }
    }))
  const bulk = (count: number): Promise<WireAnswer> =>
    wire.call('POST', docs, { headers: bulkHeaders('0'), body: operations(count) })
  const statuses = (answer: WireAnswer): number[] =>
    answer.body.map((element: { statusCode: number }) => element.statusCode)
  const passed = (answer: WireAnswer): number => statuses(answer).filter((status) => status === 201).length

  it('answers a bulk request beyond the budget of the second with 207, and each refused operation with 429/3200 and a retry-after', async () => {
    const answer = await bulk(100)

    expect(answer.status).toBe(207)
    // 74 x 5.35 = 395.9 is below 400, so a 75th operation is admitted
    expect(passed(answer)).toBe(75)
    const refused = answer.body.at(-1)
    expect(refused).toMatchObject({ statusCode: 429, subStatusCode: 3200, requestCharge: 0.38 })
    expect(refused.retryAfterMilliseconds).toBe(1000)
  })

  it('leaves the container unchanged by a refused operation', async () => {
    const { body } = await bulk(100)
    const { body: feed } = await wire
      .call('GET', docs, { headers: { 'x-ms-max-item-count': '-1' } })
      .then(async (answer) => {
        if (answer.status !== 429) return answer
        frozen += 1000
        return wire.call('GET', docs, { headers: { 'x-ms-max-item-count': '-1' } })
      })

    expect(feed['_count']).toBe(body.filter((element: { statusCode: number }) => element.statusCode === 201).length)
  })

  it('refuses point operations with 429, a sub-status and a retry-after, until the next second', async () => {
    await bulk(100)
    const refused = await create()

    expect(refused).toMatchObject({ status: 429, subStatus: 3200, charge: 0.38 })
    expect(Number(refused.headers.get('x-ms-retry-after-ms'))).toBe(1000)
    expect(refused.body.message).toMatch(/^Request rate is large/)
    frozen += 400
    expect(Number((await create()).headers.get('x-ms-retry-after-ms'))).toBe(600)
    frozen += 600
    expect((await create()).status).toBe(201)
  })

  it('refuses an atomic batch only as a whole, and refuses reads, too', async () => {
    await bulk(100)

    expect((await wire.call('POST', docs, { key: ['a'], headers: BATCH, body: operations(2) })).status).toBe(429)
    expect((await wire.call('GET', `${docs}/x`, { key: ['a'] })).status).toBe(429)
  })

  it('limits each range to its share, independent of other ranges', async () => {
    const path = await wire.container({}, { 'x-ms-offer-throughput': '12000' })
    const report = wire.emulator!.report().containers.find((container) => path.endsWith(`/${container.container}`))

    expect(report?.ranges.map((range) => range.provisionedRuPerSecond)).toEqual([6000, 6000])
  })

  it('can refuse a bulk request as a whole', async () => {
    wire.emulator!.throttle({ bulk: 'request', metadataRuPerSecond: 0 })
    const first = await bulk(100)
    const second = await bulk(100)

    expect([first.status, second.status, second.subStatus]).toEqual([200, 429, 3200])
  })

  it('can refuse an operation that costs more than the rest of the budget', async () => {
    wire.emulator!.throttle({ overdraw: false, metadataRuPerSecond: 0 })

    expect(passed(await bulk(100))).toBe(74)
  })

  it('can carry a deficit into the next second', async () => {
    const large = (id: string): Promise<WireAnswer> =>
      wire.call('POST', docs, { key: ['a'], body: { id, pk: 'a', text: 'x'.repeat(1_000_000) } })
    const next = async (): Promise<number> => {
      frozen += 1000
      return (await create()).status
    }

    wire.emulator!.throttle({ debt: 'carried', metadataRuPerSecond: 0 })
    await large('debt')
    expect([await next(), await next()]).toEqual([201, 201])
    wire.emulator!.throttle({ debt: 'carried', metadataRuPerSecond: 0 })
    await bulk(74)
    await large('debt2')
    expect([await next(), await next()]).toEqual([429, 201])
  })

  it('can refill the budget evenly', async () => {
    wire.emulator!.throttle({ window: 'token-bucket', metadataRuPerSecond: 0 })
    await bulk(100)
    frozen += 100
    const answer = await bulk(100)

    // 40 RU were refilled, minus the overdraft
    expect(passed(answer)).toBeGreaterThanOrEqual(7)
    expect(passed(answer)).toBeLessThanOrEqual(8)
  })

  it.each([
    ['a fixed time', { fixedMs: 7 }, 7],
    ['the rest of the second, capped', { cappedMs: 20 }, 20],
    ['the rest of the second', 'window', 1000],
    ['the time in which the range earns the overdraft', 'overdraft', 4]
  ] as const)('can return a retry-after of %s', async (_, retryAfter, expected) => {
    wire.emulator!.throttle({ retryAfter, metadataRuPerSecond: 0 })
    await bulk(100)

    expect(Number((await create()).headers.get('x-ms-retry-after-ms'))).toBe(expected)
  })

  it('can let idle ranges save RU for a burst of 3,000 RU/s', async () => {
    wire.emulator!.throttle({ burst: true, metadataRuPerSecond: 0 })
    frozen += 60_000
    let count = 0
    for (let i = 0; i < 7; i++) count += passed(await bulk(100))

    expect(count * 5.35).toBeGreaterThan(2900)
    expect(count * 5.35).toBeLessThan(3100)
  })

  it('can refuse requests beyond the percentage of their throughput bucket with 429/3212', async () => {
    wire.emulator!.throttle({ buckets: { 2: 10 }, metadataRuPerSecond: 0 })
    const ask = (bucket: string): Promise<WireAnswer> =>
      wire.call('POST', docs, {
        headers: bulkHeaders('0', { 'x-ms-cosmos-throughput-bucket': bucket }),
        body: operations(30)
      })
    const limited = await ask('2')

    expect(passed(limited)).toBe(8)
    expect(limited.body.at(-1).subStatusCode).toBe(3212)
    expect(passed(await ask('3'))).toBe(30)
    expect((await ask('6')).status).toBe(400)
  })

  it('can refuse requests of low priority first', async () => {
    wire.emulator!.throttle({ priority: true, metadataRuPerSecond: 0 })
    await bulk(55)
    const low = await wire.call('POST', docs, {
      headers: bulkHeaders('0', { 'x-ms-cosmos-priority-level': 'Low' }),
      body: operations(1)
    })

    expect(statuses(low)).toEqual([429])
    expect((await create()).status).toBe(201)
  })

  it('refuses metadata requests of the account with 429/3210, without an effect on data requests', async () => {
    wire.emulator!.throttle({ metadataRuPerSecond: 5 })
    const answers: WireAnswer[] = []
    for (let i = 0; i < 6; i++) answers.push(await wire.call('GET', docs.replace('/docs', '/pkranges')))

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers[5].subStatus).toBe(3210)
    expect((await create()).status).toBe(201)
  })

  it('applies a changed offer at once', async () => {
    const path = docs.replace('/docs', '')
    const { body } = await wire.call('GET', path)
    const { body: found } = await wire.call('GET', '/offers')
    const offer = found.Offers.find((one: { offerResourceId: string }) => one.offerResourceId === body['_rid'])
    await wire.call('PUT', `/offers/${offer['_rid']}`, { body: { ...offer, content: { offerThroughput: 1000 } } })

    expect(passed(await bulk(100))).toBe(100)
  })

  it('shares the throughput of a database among its containers', async () => {
    await wire.call('POST', '/dbs', { headers: { 'x-ms-offer-throughput': '400' }, body: { id: 'budget' } })
    for (const id of ['c1', 'c2'])
      await wire.call('POST', '/dbs/budget/colls', { body: { id, partitionKey: { paths: ['/pk'], version: 2 } } })
    const first = await wire.call('POST', '/dbs/budget/colls/c1/docs', {
      headers: bulkHeaders('0'),
      body: operations(100)
    })
    const second = await wire.call('POST', '/dbs/budget/colls/c2/docs', {
      headers: bulkHeaders('0'),
      body: operations(1)
    })
    await wire.call('DELETE', '/dbs/budget')

    expect(passed(first)).toBe(75)
    expect(passed(second)).toBe(0)
  })

  it('reports budget, usage and refusals of each range, and its hottest keys', async () => {
    await bulk(100)
    const report = wire.emulator!.report().containers.find((container) => docs.includes(`/${container.container}/`))!

    expect(report.ranges[0]).toMatchObject({
      provisionedRuPerSecond: 400,
      usedRu: 401.25,
      operations: 75,
      throttledOperations: 25,
      throttledRequests: 1
    })
    expect(report.ranges[0].seconds.at(-1)).toMatchObject({ usedRu: 401.25, refusedRu: 133.75, usedShare: 1 })
    expect(report.hottestKeys).toEqual([{ partitionKey: '["a"]', chargedRu: 401.25 }])
  })

  it('lets an autoscale container use its maximum at once, and reports the RU/s that it has scaled to', async () => {
    const path = await wire.container({}, { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":1000}' })
    const scaled = (): number =>
      wire.emulator!.report().containers.find(({ container }) => path.endsWith(`/${container}`))!.throughput
        .scaledToRuPerSecond
    expect(scaled()).toBe(100)
    const answer = await wire.call('POST', `${path}/docs`, { headers: bulkHeaders('0'), body: operations(100) })

    expect(passed(answer)).toBe(100)
    expect(scaled()).toBe(535)
  })

  it('is off by default, but charges are returned even then', async () => {
    wire.emulator!.throttle(false)
    const answer = await bulk(100)

    expect(passed(answer)).toBe(100)
    expect(answer.charge).toBeCloseTo(535, 1)
  })

  it('refuses unknown options by name', () => {
    expect(() => wire.emulator!.throttle({ windw: 'tumbling' } as object)).toThrow(/'windw'/)
    expect(() => wire.emulator!.throttle({ window: 'wide' } as object)).toThrow(/'window'/)
  })
})
