import { describe, expect, it } from 'vitest'
import { type Changes, openXray } from '../../src/index.ts'
import { useXrayedContainers } from './start-xray.ts'

const startXrayed = useXrayedContainers()

const documentsOf = (count: number, keys = 50, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, key: `key-${index % keys}`, index, ...more }))

/** The only requests that docs/looking-at-a-container.md names. */
const READS: readonly RegExp[] = [
  /^GET \/ 200/,
  /^GET \/dbs\/d\/colls\/c \d/,
  /^GET \/dbs\/d\/colls\/c\/pkranges \d/,
  /^POST \/offers \d/,
  /^GET \/dbs\/d\/colls\/c\/docs \d/,
  /^POST \/dbs\/d\/colls\/c\/docs \d/
]

describe('openXray', () => {
  it('reads definition, ranges, statistics, size and throughput', async () => {
    const { write, open } = await startXrayed()
    await write([...documentsOf(200), { id: 'large', key: 'key-0', text: 'x'.repeat(400_000) }])

    const facts = await open().facts()

    expect(facts).toMatchObject({
      documents: 201,
      offer: { ruPerSecond: 40_000, of: 'container' },
      definition: { partitionKey: { paths: ['/key'], kind: 'Hash', version: 2 } },
      unseen: []
    })
    expect(facts.bytes).toBeGreaterThan(390_000)
    expect(facts.ranges).toHaveLength(4)
    expect(facts.ranges.reduce((sum, { throughputFraction }) => sum + throughputFraction, 0)).toBeCloseTo(1)
    const largest = facts.ranges
      .flatMap(({ statistics }) => statistics?.largestKeys ?? [])
      .toSorted((a, b) => b.bytes - a.bytes)[0]
    expect(largest.values).toEqual(['key-0'])
    expect(largest.bytes).toBeGreaterThan(390_000)
  })

  it('goes on without the statistics and the offer that a role may not read', async () => {
    const { emulator, write, open } = await startXrayed()
    await write(documentsOf(10))
    emulator.faults.inject({ on: 'readContainer', count: 1, action: { kind: 'status', status: 403 } })
    emulator.faults.inject({ on: 'offers', action: { kind: 'status', status: 403, subStatus: 5300 } })

    const facts = await open().facts()

    expect(facts.unseen.map(({ what }) => what)).toEqual(['offer', 'statistics'])
    expect(facts).toMatchObject({ offer: null, documents: 10 })
    expect(facts.ranges.every(({ statistics }) => statistics === null)).toBe(true)
  })

  it('reads the documents that were written in the period, by range and by window', async () => {
    const { write, open, now, advance } = await startXrayed()
    await write(documentsOf(100, 50, { old: true }).map((each) => ({ ...each, id: `old-${each.id}` })))
    advance(60_000)
    const from = Math.floor(now() / 1000)
    for (let minute = 0; minute < 15; minute++) {
      await write(documentsOf(20).map((each) => ({ ...each, id: `${minute}-${each.id}` })))
      advance(60_000)
    }
    const seen: Changes[] = []

    const read = await open().changes({ from, to: Math.floor(now() / 1000), onChanges: (each) => seen.push(each) })

    expect(read).toMatchObject({ documents: 300, seconds: 60 })
    expect(read.read).toEqual(Array.from({ length: 15 }, (_, window) => window))
    for (const { window, documents } of seen)
      for (const { id } of documents) expect(String(id).startsWith(`${window}-`)).toBe(true)
    expect(new Set(seen.map(({ rangeId }) => rangeId)).size).toBe(4)
  })

  it('draws a sample of documents without the properties of Cosmos DB', async () => {
    const { write, open, advance } = await startXrayed()
    for (let group = 0; group < 100; group++) {
      await write(documentsOf(10).map((each) => ({ ...each, id: `${group}-${each.id}` })))
      advance(20_000)
    }

    const { method, sample, documents } = await open().sample(200)

    expect({ method, documents }).toEqual({ method: 'uniform', documents: 1000 })
    expect(sample).toHaveLength(200)
    expect(Object.keys(sample[0])).toEqual(['id', 'key', 'index'])
  })

  it('draws pages from random seconds if too many documents were written in a second', async () => {
    const { write, open, advance } = await startXrayed()
    for (let second = 0; second < 5; second++) {
      await write(documentsOf(200).map((each) => ({ ...each, id: `${second}-${each.id}` })))
      advance(1000)
    }

    const { method, sample } = await open().sample(100)

    expect(method).toBe('moments')
    expect(sample).toHaveLength(100)
  })

  // checks L17
  it('sends only the reads of its list, and none that writes', async () => {
    const { emulator, log, write, open, now, advance } = await startXrayed()
    await write(documentsOf(300))
    advance(1000)
    const written = emulator.operations().length
    log.length = 0

    const xray = open()
    await xray.facts()
    await xray.changes({ from: Math.floor(now() / 1000) - 60, to: Math.floor(now() / 1000), onChanges: () => {} })
    await xray.sample(50)

    expect(log.filter(({ line }) => !READS.some((read) => read.test(line)))).toEqual([])
    expect(emulator.operations()).toHaveLength(written)
    expect(xray.requests()).toBe(log.length)
  })

  // checks L17
  it('keeps every sliding second at the limit plus one request', async () => {
    const { log, write, open, now, advance } = await startXrayed({ ranges: 2, ruPerSecond: 20_000 })
    await write(documentsOf(200, 50, { text: 'x'.repeat(3000) }))
    advance(1000)
    log.length = 0

    const xray = open({ maxRuPerSecond: 60 })
    await xray.changes({ from: Math.floor(now() / 1000) - 60, to: Math.floor(now() / 1000), onChanges: () => {} })
    await xray.sample(200)

    const charges = log.map(({ line, atMs }) => ({ atMs, ru: Number(/([\d.]+) RU$/.exec(line)?.[1] ?? 0) }))
    expect(charges.reduce((sum, { ru }) => sum + ru, 0)).toBeGreaterThan(60)
    for (const { atMs } of charges) {
      const inSecond = charges.filter((each) => each.atMs > atMs - 1000 && each.atMs <= atMs)
      const largest = Math.max(...inSecond.map(({ ru }) => ru))
      expect(inSecond.reduce((sum, { ru }) => sum + ru, 0)).toBeLessThanOrEqual(60 + largest)
    }
    // a page costs at most a tenth of the limit, or what a page of one document costs
    expect(Math.max(...charges.map(({ ru }) => ru))).toBeLessThan(6.5)
  })

  it('repeats throttled requests', async () => {
    const { emulator, write, open } = await startXrayed()
    await write(documentsOf(20))
    emulator.faults.inject({
      on: 'query',
      count: 3,
      action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 5 }
    })

    expect(await open().sample(20)).toMatchObject({ method: 'whole', documents: 20 })
  })

  it('refuses a limit below 20 RU/s', () => {
    const options = { endpoint: 'http://127.0.0.1:1/', key: 'AAAA', database: 'd', container: 'c', random: Math.random }

    expect(() => openXray({ ...options, maxRuPerSecond: 19 })).toThrow(/at least 20 RU\/s/)
  })
})
