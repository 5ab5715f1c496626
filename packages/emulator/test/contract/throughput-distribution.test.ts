import type { ThroughputRedistribution } from '@keystamp/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkHeaders, openWire, QUERY, type Wire } from './wire.ts'

let wire: Wire
let path = ''
let name = ''
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

async function fresh(ruPerSecond: number): Promise<void> {
  path = await wire.container({}, { 'x-ms-offer-throughput': String(ruPerSecond) })
  name = path.slice(path.lastIndexOf('/') + 1)
}

interface RangeJson {
  id: string
  throughputFraction: number
}

async function ranges(): Promise<[string, number][]> {
  const { body } = await wire.call('GET', `${path}/pkranges`)
  return body.PartitionKeyRanges.map(({ id, throughputFraction }: RangeJson) => [id, throughputFraction])
}

/** Status and body of a redistribution over HTTP. */
async function redistribute(resource: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const url = `${wire.endpoint}_control/databases/${wire.database}/containers/${name}/throughput`
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(resource) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const targets = (...info: [string, number][]): Record<string, unknown> => ({
  throughputPolicy: 'custom',
  targetPhysicalPartitionThroughputInfo: info.map(([id, throughput]) => ({ id, throughput }))
})

async function offerThroughput(): Promise<number> {
  return (await offer()).content.offerThroughput
}

async function offer(): Promise<{ _rid: string; content: { offerThroughput: number } }> {
  const { body } = await wire.call('GET', path)
  const query = { query: `SELECT * FROM root WHERE root.resource = "${body['_self']}"` }
  return (await wire.call('POST', '/offers', { headers: QUERY, body: query })).body.Offers[0]
}

describe('the throughput fraction of a range', () => {
  it('is the same for all ranges, also after splits, which make some ranges wider than others', async () => {
    await fresh(12_000)
    expect(await ranges()).toEqual([
      ['0', 0.5],
      ['1', 0.5]
    ])
    await wire.emulator!.split(wire.database, name, '0')

    expect(await ranges()).toEqual([
      ['2', 1 / 3],
      ['3', 1 / 3],
      ['1', 1 / 3]
    ])
  })

  it('follows a redistribution of throughput', async () => {
    await fresh(18_000)
    await redistribute(targets(['0', 3000], ['1', 9000]))

    expect(await ranges()).toEqual([
      ['0', 1 / 6],
      ['1', 0.5],
      ['2', 1 / 3]
    ])
  })
})

describe('a redistribution of throughput', () => {
  it('gives the ranges the requested RU/s, and the container their sum', async () => {
    await fresh(18_000)
    const { status, body } = await redistribute(targets(['0', 2000], ['1', 10_000]))

    expect([status, body]).toEqual([
      200,
      {
        throughputPolicy: 'custom',
        throughput: 18_000,
        physicalPartitionThroughputInfo: [
          { id: '0', throughput: 2000 },
          { id: '1', throughput: 10_000 },
          { id: '2', throughput: 6000 }
        ]
      }
    ])
    await redistribute(targets(['2', 5050]))
    expect(await offerThroughput()).toBe(17_100)
  })

  it('takes equal parts of what the targets gain from sources without a number', async () => {
    await fresh(18_000)
    const { body } = await redistribute({
      ...targets(['0', 8000]),
      sourcePhysicalPartitionThroughputInfo: [{ id: '1' }, { id: '2', throughput: 0 }]
    })

    expect(body).toMatchObject({
      throughput: 18_000,
      physicalPartitionThroughputInfo: [{ throughput: 8000 }, { throughput: 5000 }, { throughput: 5000 }]
    })
  })

  it('also takes the body of the call of Azure Resource Manager', async () => {
    await fresh(12_000)
    const { body } = await redistribute({ properties: { resource: targets(['0', 8000]) } })

    expect(body).toMatchObject({ throughput: 14_000 })
  })

  it('limits each range to its own RU/s', async () => {
    const other = await openWire({ throttle: true, now: () => 1_700_000_000_000, auth: 'off' })
    const otherPath = await other.container({}, { 'x-ms-offer-throughput': '12000' })
    const container = otherPath.slice(otherPath.lastIndexOf('/') + 1)
    const resource = targets(['0', 300], ['1', 700]) as unknown as ThroughputRedistribution
    await other.emulator!.redistributeThroughput(other.database, container, resource)
    const body = Array.from({ length: 100 }, (_, n) => ({
      operationType: 'Upsert',
      partitionKey: `["k${n}"]`,
      resourceBody: { id: '1', pk: `k${n}` }
    }))
    for (const range of ['0', '1', '0', '1', '0', '1', '0', '1'])
      await other.call('POST', `${otherPath}/docs`, { headers: bulkHeaders(range), body })
    const used = other.emulator!.report().containers[0].ranges.map(({ usedRu }) => usedRu)
    await other.stop()

    // an operation is admitted while any RU are left
    expect(used[0]).toBeGreaterThanOrEqual(300)
    expect(used[0]).toBeLessThan(315)
    expect(used[1]).toBeGreaterThanOrEqual(700)
    expect(used[1]).toBeLessThan(715)
  })

  it('splits a range with more than 10,000 RU/s, and each child gets half of them', async () => {
    await fresh(12_000)
    const { body } = await redistribute(targets(['0', 15_000]))

    expect(body).toMatchObject({
      throughput: 21_000,
      physicalPartitionThroughputInfo: [
        { id: '2', throughput: 7500 },
        { id: '3', throughput: 7500 },
        { id: '1', throughput: 6000 }
      ]
    })
    expect(await offerThroughput()).toBe(21_000)
  })

  it('gives a range 10,000 RU/s until its split is completed', async () => {
    const slow = await openWire({ moveMs: 50 })
    const slowPath = await slow.container({}, { 'x-ms-offer-throughput': '12000' })
    const container = slowPath.slice(slowPath.lastIndexOf('/') + 1)
    const done = slow.emulator!.redistributeThroughput(slow.database, container, {
      throughputPolicy: 'custom',
      targetPhysicalPartitionThroughputInfo: [{ id: '0', throughput: 15_000 }]
    })
    const during = slow.emulator!.throughputDistribution(slow.database, container)
    const after = await done
    await slow.stop()

    expect(during.physicalPartitionThroughputInfo[0]).toEqual({ id: '0', throughput: 10_000 })
    expect(after.physicalPartitionThroughputInfo[0]).toEqual({ id: '2', throughput: 7500 })
  })

  it('keeps its sum in splits and merges', async () => {
    await fresh(12_000)
    await redistribute(targets(['0', 3000], ['1', 8000]))
    await wire.emulator!.split(wire.database, name, '1')
    const split = wire.emulator!.throughputDistribution(wire.database, name).physicalPartitionThroughputInfo
    await wire.emulator!.merge(wire.database, name, '0')
    const merged = wire.emulator!.throughputDistribution(wire.database, name).physicalPartitionThroughputInfo

    expect(split.map(({ throughput }) => throughput)).toEqual([3000, 4000, 4000])
    expect(merged.map(({ throughput }) => throughput)).toEqual([7000, 4000])
  })

  it('blocks changes of the offer until the policy is equal again', async () => {
    await fresh(12_000)
    await redistribute(targets(['0', 7000], ['1', 5000]))
    const before = await offer()
    const body = { ...before, content: { offerThroughput: 10_000 } }
    const blocked = await wire.call('PUT', `/offers/${before['_rid']}`, { body })
    const { body: equal } = await redistribute({ throughputPolicy: 'equal' })
    const allowed = await wire.call('PUT', `/offers/${before['_rid']}`, { body })

    expect([blocked.status, allowed.status]).toEqual([400, 200])
    expect(blocked.body.message).toContain("policy to 'equal'")
    expect(equal).toMatchObject({
      throughputPolicy: 'equal',
      physicalPartitionThroughputInfo: [{ throughput: 6000 }, { throughput: 6000 }]
    })
    expect(await ranges()).toEqual([
      ['0', 0.5],
      ['1', 0.5]
    ])
  })

  it('makes clients that know the list of ranges read it again', async () => {
    await fresh(12_000)
    const { headers } = await wire.call('GET', `${path}/pkranges`)
    await redistribute(targets(['0', 7000]))
    const again = await wire.call('GET', `${path}/pkranges`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' }
    })

    expect(again.status).toBe(200)
  })

  it.each([
    ['an unknown policy', { throughputPolicy: 'fair' }, 400, /'equal' or 'custom'/],
    ['no target', { throughputPolicy: 'custom' }, 400, /must name a physical partition/],
    ['an unknown range', targets(['9', 500]), 404, /no physical partition with the id "9"/],
    ['a range twice', targets(['0', 500], ['0', 600]), 400, /'0' is named twice/],
    ['too many RU/s', targets(['0', 20_001]), 400, /from 1 to 20000/],
    ['no number', targets(['0', '5' as never]), 400, /from 1 to 20000/],
    [
      'a source that has too little',
      { ...targets(['0', 20_000]), sourcePhysicalPartitionThroughputInfo: [{ id: '1' }] },
      400,
      /'1' has too few RU\/s/
    ],
    ['no object', 5, 400, /must be an object/]
  ])('is refused if it has %s', async (_, resource, wanted, message) => {
    await fresh(12_000)
    const { status, body } = await redistribute(resource)

    expect(status).toBe(wanted)
    expect(body['message']).toMatch(message)
    expect(await ranges()).toEqual([
      ['0', 0.5],
      ['1', 0.5]
    ])
  })

  it('is refused below the minimum throughput of the container', async () => {
    await fresh(1000)
    const { status, body } = await redistribute(targets(['0', 300]))

    expect(status).toBe(400)
    expect(body['message']).toMatch(/must have 400 to 1000000/)
  })

  it('is refused for a container that shares the throughput of its database', async () => {
    await wire.call('POST', '/dbs', { headers: { 'x-ms-offer-throughput': '400' }, body: { id: 'sharing' } })
    await wire.call('POST', '/dbs/sharing/colls', { body: { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } } })
    expect(() => wire.emulator!.throughputDistribution('sharing', 'c')).toThrow(/shares the throughput of its database/)
    await wire.call('DELETE', '/dbs/sharing')
  })
})
