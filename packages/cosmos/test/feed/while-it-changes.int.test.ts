import { ChangeFeedMode, ChangeFeedStartFrom, CosmosClient } from '@azure/cosmos'
import { describe, expect, it } from 'vitest'
import { type Cursor, cursorsFrom, drain, parsed, type StartedFeed, useFeeds } from './start-feed.ts'

const start = useFeeds()
const NAMES = Array.from({ length: 60 }, (_, index) => `d${index}`)

const VERSIONS = {
  changeFeedPolicy: { retentionDuration: 10 },
  previousImageRetentionPolicy: { supportedFeatures: { allVersionsAndDeletes: { mode: 3 } } },
  defaultTtl: -1
}

async function fill({ upsert }: StartedFeed, n = 0): Promise<void> {
  for (const id of NAMES) await upsert({ id, pk: `k-${id}`, n })
}

describe('the feed of latest versions, while its container changes', () => {
  it.each([
    ['throttling', { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 3 }],
    ['connections that are reset', { kind: 'reset' }],
    ['lost answers', { kind: 'applyThenDrop' }],
    ['answers of a proxy', { kind: 'htmlBody' }],
    ['a replica that has moved', { kind: 'status', status: 410, subStatus: 0 }],
    ['a name that may be stale', { kind: 'status', status: 410, subStatus: 1000 }],
    ['a region that has moved', { kind: 'status', status: 403, subStatus: 3 }]
  ] as const)('has every document once in spite of %s', async (name, action) => {
    const started = await start()
    const { feed, emulator } = started
    await fill(started)
    // the last one has another limit, because the ranges are read at most once a second
    const count = action.kind === 'status' && action.subStatus === 1000 ? 2 : 6
    emulator.faults.inject({ on: 'changeFeed', probability: 0.5, count, action })
    const { documents } = await drain(feed, await cursorsFrom(feed, 'beginning'), { maxItems: 3 })

    expect([name, documents.map(({ identity }) => identity.id).toSorted()]).toEqual([name, NAMES.toSorted()])
    expect(emulator.faults.list()[0].applied).toBeGreaterThan(0)
  })

  it('waits until the list of ranges can be read again', async () => {
    const started = await start({ emulator: { ranges: 1 }, feed: { metadataTimeoutMs: 300 } })
    const { feed, emulator } = started
    await fill(started)
    await emulator.split('d', 'c', '0')
    emulator.faults.inject({ on: 'ranges', count: 4, action: { kind: 'applyThenDelay', ms: 1000 } })
    const { documents, splits } = await drain(feed, [{ range: { min: '', max: 'FF' }, from: 'beginning' }])

    expect(documents.map(({ identity }) => identity.id).toSorted()).toEqual(NAMES.toSorted())
    expect(splits).toBe(1)
    emulator.faults.inject({ on: 'ranges', count: 2, action: { kind: 'applyThenDelay', ms: 1000 } })
    expect(await feed.feedRanges()).toHaveLength(2)
  })

  it('gives up an answer that does not come in time, and asks again', async () => {
    const started = await start({ feed: { requestTimeoutMs: 300 } })
    const { feed, emulator } = started
    await fill(started)
    emulator.faults.inject({ on: 'changeFeed', count: 1, action: { kind: 'applyThenDelay', ms: 3000 } })
    const { documents } = await drain(feed, await cursorsFrom(feed, 'beginning'))

    expect(documents).toHaveLength(NAMES.length)
    expect(feed.stats().failed).toBe(1)
  })

  it('waits while a range is being split, and goes on in its children', async () => {
    const started = await start({ emulator: { ranges: 1 } })
    const { feed, emulator } = started
    await fill(started)
    const splitting = emulator.split('d', 'c', '0', { hold: true })
    setTimeout(() => emulator.completeMoves('d', 'c'), 1500)
    const { documents, splits } = await drain(feed, [{ range: { min: '', max: 'FF' }, from: 'beginning' }])
    await splitting

    expect(documents.map(({ identity }) => identity.id).toSorted()).toEqual(NAMES.toSorted())
    expect(splits).toBe(1)
  })

  it('has the last version of every document after splits and merges under writes', async () => {
    const started = await start({ emulator: { ranges: 2 } })
    const { feed, emulator, upsert } = started
    await fill(started)
    const { documents, cursors } = await drain(feed, await cursorsFrom(feed, 'beginning'), {
      maxItems: 3,
      onPage: async (pages) => {
        if (pages <= 30) await upsert({ id: NAMES[pages], pk: `k-${NAMES[pages]}`, n: pages })
        if (pages === 4) await emulator.split('d', 'c', '0')
        if (pages === 8) await emulator.merge('d', 'c', '2')
        if (pages === 12) await emulator.split('d', 'c', '1')
      }
    })
    const rest = await drain(feed, cursors)
    const last = new Map([...documents, ...rest.documents].map((each) => [each.identity.id, parsed(each)['n']]))

    for (const [index, id] of NAMES.entries())
      expect([id, last.get(id)]).toEqual([id, index >= 1 && index <= 30 ? index : 0])
  })

  it('refuses a container that was created again, at any position', async () => {
    const started = await start()
    const { feed, call, create } = started
    await fill(started)
    const { cursors } = await drain(feed, await cursorsFrom(feed, 'beginning'))
    await call('DELETE', 'dbs/d/colls/c')
    await create()

    for (let again = 0; again < 2; again++)
      await expect(feed.readChanges({ ...cursors[0], mode: 'latest' })).rejects.toMatchObject({
        code: 'CONTAINER_RECREATED',
        message: expect.stringMatching(/resource id was \S+, now it is \S+/)
      })
    await expect(feed.readDocument({ key: ['k-d1'], id: 'd1' })).rejects.toMatchObject({ code: 'CONTAINER_RECREATED' })
  })
})

describe('the feed of all versions and deletes, while its container changes', () => {
  it('has every change once, in the order of each document, through a split', async () => {
    const started = await start({ definition: VERSIONS, emulator: { ranges: 1 } })
    const { feed, emulator, remove } = started
    const { cursors } = await drain(feed, await cursorsFrom(feed, 'now'), { mode: 'versions' })
    await fill(started, 1)
    await fill(started, 2)
    const first = await drain(feed, cursors, {
      mode: 'versions',
      onPage: async (pages) => {
        if (pages === 2) await emulator.split('d', 'c', '0')
      }
    })
    for (const id of NAMES) await remove({ id, pk: `k-${id}` })
    const second = await drain(feed, first.cursors, { mode: 'versions' })
    const all = [...first.versions, ...second.versions]

    expect(first.splits).toBe(1)
    for (const id of NAMES) {
      const own = all.filter(({ identity }) => identity.id === id)
      expect(own.map(({ operation }) => operation)).toEqual(['create', 'replace', 'delete'])
      expect(own.map(({ current }) => current && parsed(current)['n'])).toEqual([1, 2, undefined])
      expect(own.map(({ previous }) => previous && parsed(previous)['n'])).toEqual([undefined, 1, 2])
    }
    expect(all).toHaveLength(3 * NAMES.length)
  })

  it('has the end of a TTL as a delete', async () => {
    const { feed, emulator, upsert } = await start({ definition: VERSIONS })
    const { cursors } = await drain(feed, await cursorsFrom(feed, 'now'), { mode: 'versions' })
    await upsert({ id: 'short', pk: 'a', ttl: 1 })
    emulator.clock.advance(2000)
    const { versions } = await drain(feed, cursors, { mode: 'versions' })

    expect(versions.map(({ operation, isExpiry }) => [operation, isExpiry])).toEqual([
      ['create', false],
      ['delete', true]
    ])
    expect(versions[1].identity).toEqual({ key: ['a'], id: 'short' })
  })

  it('refuses a position after its retention, and a container that does not keep versions', async () => {
    const { feed, emulator, upsert } = await start({ definition: VERSIONS })
    const { cursors } = await drain(feed, await cursorsFrom(feed, 'now'), { mode: 'versions' })
    await upsert({ id: 'x', pk: 'a' })
    emulator.clock.advance(11 * 60_000)
    const reading = Promise.all(cursors.map((cursor) => feed.readChanges({ ...cursor, mode: 'versions' })))
    await expect(reading).rejects.toMatchObject({
      code: 'COSMOS_REFUSED',
      statusCode: 400,
      message: expect.stringContaining('outside of the retention')
    })

    const other = await start()
    const [cursor] = await cursorsFrom(other.feed, 'now')
    await expect(other.feed.readChanges({ ...cursor, mode: 'versions' })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('must be enabled')
    })
  })
})

describe('a page of the feed, and the official client', () => {
  it.each([
    ['latest', ChangeFeedMode.LatestVersion],
    ['versions', ChangeFeedMode.AllVersionsAndDeletes]
  ] as const)('have the same changes in the same order: %s', async (mode, changeFeedMode) => {
    const started = await start({ definition: VERSIONS, emulator: { ranges: 3 } })
    const { feed, emulator, remove } = started
    const client = new CosmosClient({
      endpoint: emulator.endpoint,
      key: emulator.key,
      connectionPolicy: { enableBackgroundEndpointRefreshing: false }
    })
    const { items } = client.database('d').container('c')
    const from = mode === 'latest' ? ChangeFeedStartFrom.Beginning() : ChangeFeedStartFrom.Now()
    const starting = items.getChangeFeedIterator({ changeFeedMode, changeFeedStartFrom: from, maxItemCount: 5 })
    const cursors =
      mode === 'latest'
        ? await cursorsFrom(feed, 'beginning')
        : (await drain(feed, await cursorsFrom(feed, 'now'), { mode })).cursors
    if (mode === 'versions') await starting.readNext()
    await fill(started, 1)
    await fill(started, 2)
    for (const id of NAMES.slice(0, 9)) await remove({ id, pk: `k-${id}` })
    const sdk: unknown[] = []
    for (;;) {
      const page = await starting.readNext()
      if (page.statusCode === 304) break
      sdk.push(...(page.result as unknown[]))
    }
    client.dispose()
    const read = await drain(feed, cursors, { mode, maxItems: 5 })
    const ours =
      mode === 'latest'
        ? read.documents.map(parsed)
        : read.versions.map(({ lsn, identity }) => ({ lsn, id: identity.id }))
    const theirs = mode === 'latest' ? sdk : sdk.map((change) => nameOf(change as Change))

    expect(theirs.length).toBeGreaterThan(50)
    expect(ours).toEqual(theirs)
  })
})

interface Change {
  readonly current: { readonly id?: string }
  readonly metadata: { readonly lsn: number; readonly id?: string }
}

function nameOf({ current, metadata }: Change): { readonly lsn: number; readonly id: string } {
  return { lsn: metadata.lsn, id: metadata.id ?? current.id! }
}

describe('a share of the throughput', () => {
  it('that is a percentage of an unknown throughput limits nothing, and says so', async () => {
    const { emulator, open } = await start()
    emulator.faults.inject({ on: 'offers', action: { kind: 'status', status: 403 } })
    const feed = await open({ share: '10%' })

    expect(feed.stats().ruPerSecond).toBeUndefined()
    expect(feed.warnings).toEqual([expect.stringContaining('only throttling limits the reads')])
    expect((await open({ share: 500 })).warnings).toEqual([])
  })

  it('limits the RU of a second, and leaves the rest to others', async () => {
    const started = await start({ emulator: { ranges: 2, ruPerSecond: 2000, throttle: true } })
    const { open } = started
    const text = 'x'.repeat(2000)
    for (const id of NAMES) await started.upsert({ id, pk: `k-${id}`, text })
    const feed = await open({ share: '10%' })
    const cursors: readonly Cursor[] = await cursorsFrom(feed, 'beginning')
    const before = performance.now()
    for (let again = 0; again < 12; again++) await Promise.all(cursors.map((cursor) => drain(feed, [cursor])))
    const seconds = (performance.now() - before) / 1000
    const { chargeRu, ruPerSecond, throttled } = feed.stats()

    expect(ruPerSecond).toBe(200)
    expect(chargeRu).toBeGreaterThan(300)
    // a page may cost more than was expected
    expect(chargeRu / Math.max(seconds, 1)).toBeLessThan(260)
    expect(throttled).toBe(0)
  })
})
