import { describe, expect, it } from 'vitest'
import type { FeedDocument } from '../../src/index.ts'
import { END, pageOf, useServices, WHOLE } from './start-service.ts'

const start = useServices()
const latest = { range: WHOLE, mode: 'latest', from: 'beginning' } as const
const throttled = (retryAfterMs: number) => ({
  status: 429,
  headers: { 'x-ms-substatus': '3200', 'x-ms-retry-after-ms': String(retryAfterMs), 'x-ms-request-charge': '0.5' },
  body: '{}'
})
const DOCUMENT = { body: '{"id":"a","pk":"k","_etag":"\\"e\\"","_ts":5,"_lsn":9}' }
const identity = { key: ['k'], id: 'a' }

function idsOf(documents: readonly FeedDocument[]): readonly string[] {
  return documents.map(({ identity: { id } }) => id)
}

describe('the requests of a change feed', () => {
  it('have the headers of the official client, with low priority', async () => {
    const { feed, received } = await start([pageOf('a'), END])
    await feed.readChanges(latest)
    await feed.readChanges({ ...latest, from: '"7"', maxItems: 5 })
    await feed.readChanges({ ...latest, from: 'now' })
    const [first, second, third] = received.map(({ request: { headers } }) => headers)

    expect(first).toMatchObject({
      'a-im': 'Incremental feed',
      'x-ms-documentdb-partitionkeyrangeid': '0',
      'x-ms-cosmos-priority-level': 'Low',
      'x-ms-cosmos-sdk-supportedcapabilities': '1',
      'x-ms-cosmos-intended-collection-rid': 'container-1'
    })
    expect(first).not.toHaveProperty('if-none-match')
    expect(first).not.toHaveProperty('x-ms-start-epk')
    expect(first).not.toHaveProperty('x-ms-cosmos-changefeed-wire-format-version')
    expect(second).toMatchObject({ 'if-none-match': '"7"', 'x-ms-max-item-count': '5' })
    expect(third).toMatchObject({ 'if-none-match': '*' })
  })

  it('ask for 300 documents, or for up to 1,000 if the caller asks for them', async () => {
    const pages = Array.from({ length: 12 }, () => pageOf('a'))
    const { feed, received } = await start(pages)
    for (let page = 0; page < 6; page++) await feed.readChanges(latest)
    for (let page = 0; page < 6; page++) await feed.readChanges({ ...latest, maxItems: 5000 })
    const sizes = received.map(({ request: { headers } }) => Number(headers['x-ms-max-item-count']))

    expect([sizes[0], sizes[5], sizes[11]]).toEqual([10, 300, 1000])
  })

  it('read many documents through 100 connections at most, which are kept alive', async () => {
    const { feed, received } = await start([DOCUMENT])
    await Promise.all(Array.from({ length: 600 }, () => feed.readDocument(identity)))

    expect(received).toHaveLength(600)
    expect(new Set(received.map(({ request: { socket } }) => socket)).size).toBeLessThanOrEqual(100)
  })

  it('ask for all versions and deletes, and for a part of a physical partition', async () => {
    const { feed, received } = await start([END], { priorityLevel: 'High', throughputBucket: 3 })
    await feed.readChanges({ range: { min: '10', max: '20' }, mode: 'versions', from: 'now', sessionToken: '0:-1#5' })

    expect(received[0].request.headers).toMatchObject({
      'a-im': 'Full-Fidelity Feed',
      'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15',
      'if-none-match': '*',
      'x-ms-start-epk': '10',
      'x-ms-end-epk': '20',
      'x-ms-read-key-type': 'EffectivePartitionKeyRange',
      'x-ms-cosmos-priority-level': 'High',
      'x-ms-cosmos-throughput-bucket': '3',
      'x-ms-session-token': '0:-1#5'
    })
  })

  it('return position, session token and charge, and know the end', async () => {
    const { feed } = await start([pageOf('a', 'b'), END])

    expect(await feed.readChanges(latest)).toMatchObject({
      kind: 'page',
      position: '"7"',
      sessionToken: '0:-1#7',
      chargeRu: 2.5,
      isEnd: false,
      versions: []
    })
    expect(await feed.readChanges(latest)).toMatchObject({ position: '"7"', isEnd: true, documents: [], chargeRu: 1 })
    expect(feed.stats()).toMatchObject({ requests: 2, chargeRu: 3.5, throttled: 0, failed: 0 })
  })

  it('wait as long as the service asks when they are throttled, and count it', async () => {
    const { feed, received } = await start([throttled(400), throttled(0), pageOf('a')], { retryForMs: 50 })
    const before = performance.now()
    const page = await feed.readChanges(latest)

    expect(performance.now() - before).toBeGreaterThan(395)
    expect(page).toMatchObject({ kind: 'page', chargeRu: 3.5 })
    expect(received).toHaveLength(3)
    expect(feed.stats()).toMatchObject({ requests: 3, throttled: 2, failed: 0 })
  })

  it('end at once while they wait, if the signal aborts', async () => {
    const { feed } = await start([throttled(60_000)])
    const stop = new AbortController()
    const reading = feed.readChanges({ ...latest, signal: stop.signal })
    setTimeout(() => stop.abort(new Error('stopped by the test')), 20)

    await expect(reading).rejects.toThrow('stopped by the test')
  })

  it('end when the feed is closed', async () => {
    const { feed } = await start([throttled(60_000)])
    const reading = feed.readChanges(latest)
    setTimeout(() => feed.close(), 20)

    await expect(reading).rejects.toMatchObject({ code: 'READER_CLOSED' })
    await expect(feed.readChanges(latest)).rejects.toMatchObject({ code: 'READER_CLOSED' })
  })

  it('are repeated after a failure, a lost answer, and a page that is not whole', async () => {
    const html = { body: '<html>Bad gateway</html>' }
    const short = { body: pageOf('a').body!.slice(0, 40), headers: { etag: '"7"' } }
    const cut = { body: '{"Documents":[', isCut: true }
    const without = { body: pageOf('a').body! }
    const answers = [{ status: 503, body: '' }, { isCut: true }, cut, html, short, without, pageOf('a')]
    const { feed, received } = await start(answers)
    const page = await feed.readChanges(latest)

    expect(page.kind === 'page' && idsOf(page.documents)).toEqual(['a'])
    expect(received).toHaveLength(answers.length)
    expect(feed.stats()).toMatchObject({ requests: answers.length, failed: 3 })
  })

  it('fail after the time for retries, with the last status', async () => {
    const { feed } = await start([{ status: 503, body: '{}' }], { retryForMs: 60 })

    await expect(feed.readChanges(latest)).rejects.toMatchObject({ code: 'COSMOS_UNAVAILABLE', statusCode: 503 })
  })

  it('fail with what the service says about a position that it no longer has', async () => {
    const refused = { status: 400, body: JSON.stringify({ message: 'The changes are outside of the retention.' }) }
    const { feed, received } = await start([refused])
    const reading = feed.readChanges({ ...latest, mode: 'versions', from: '"3"' })

    await expect(reading).rejects.toMatchObject({
      code: 'COSMOS_REFUSED',
      message: expect.stringContaining('The changes are outside of the retention.')
    })
    expect(received).toHaveLength(1)
  })

  it('are refused before they are sent if they are invalid', async () => {
    const { feed, received } = await start([END])

    for (const wrong of [{ mode: 'versions' }, { from: '' }, { from: 'ü' }, { maxItems: 0 }, { mode: 'other' }])
      await expect(feed.readChanges({ ...latest, ...wrong } as typeof latest)).rejects.toMatchObject({
        code: 'OPTION_INVALID'
      })
    expect(received).toHaveLength(0)
  })
})

describe('a point read', () => {
  it('returns the document as bytes, without an LSN', async () => {
    const { feed, received } = await start([DOCUMENT])
    const found = await feed.readDocument({ key: ['ü'], id: 'a?b' }, { sessionToken: '0:-1#5' })

    expect(found).toMatchObject({ identity, etag: '"e"', timestamp: 5, lsn: undefined })
    expect(received[0].request).toMatchObject({
      url: '/dbs/d/colls/c/docs/a%3Fb',
      headers: { 'x-ms-documentdb-partitionkey': '["\\u00fc"]', 'x-ms-session-token': '0:-1#5' }
    })
  })

  it('can be sent many times at once, without a warning of Node', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error): unknown => warnings.push(warning)
    process.on('warning', warn)
    const { feed } = await start([DOCUMENT])
    await Promise.all(Array.from({ length: 50 }, () => feed.readDocument(identity)))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', warn)

    expect(warnings).toEqual([])
  })

  it('returns undefined only for a document that does not exist', async () => {
    const missing = { status: 404, headers: { 'x-ms-substatus': '0' }, body: '{}' }
    const { feed } = await start([missing])

    expect(await feed.readDocument(identity)).toBeUndefined()
  })

  it('is repeated while the replica does not have the session yet', async () => {
    const behind = { status: 404, headers: { 'x-ms-substatus': '1002' }, body: '{}' }
    const { feed, received } = await start([behind, behind, DOCUMENT])

    expect(await feed.readDocument(identity, { sessionToken: '0:-1#5' })).toMatchObject({ identity })
    expect(received).toHaveLength(3)
  })

  it('does not believe a replica that ignores the session token', async () => {
    const headers = { 'x-ms-session-token': '0:-1#4', 'x-ms-substatus': '0' }
    const stale = [
      { status: 404, headers, body: '{}' },
      { ...DOCUMENT, headers }
    ]
    const { feed, received } = await start([...stale, { ...DOCUMENT, headers: { 'x-ms-session-token': '0:-1#5' } }])

    expect(await feed.readDocument(identity, { sessionToken: '0:-1#5' })).toMatchObject({ identity })
    expect(received).toHaveLength(3)
  })

  it('fails if no replica has the session in time', async () => {
    const { feed } = await start([{ status: 404, headers: { 'x-ms-substatus': '1002' }, body: '{}' }], {
      retryForMs: 60
    })
    const reading = feed.readDocument(identity, { sessionToken: '0:-1#5' })

    await expect(reading).rejects.toMatchObject({ code: 'COSMOS_UNAVAILABLE', subStatus: 1002 })
  })

  it('fails if the container was deleted', async () => {
    const { feed } = await start([{ status: 404, headers: { 'x-ms-substatus': '1003' }, body: '{}' }])

    await expect(feed.readDocument(identity)).rejects.toMatchObject({ code: 'CONTAINER_MISSING' })
  })
})

describe('a container that was deleted and created again', () => {
  it.each([
    [
      'by the resource id of a missing document',
      { status: 404, headers: { 'x-ms-content-path': 'container-2' }, body: '{}' }
    ],
    ['by the refusal of its resource id', { status: 400, headers: { 'x-ms-substatus': '1024' }, body: '{}' }]
  ])('is noticed %s', async (_name, answer) => {
    const { feed, container } = await start([answer])
    container.rid = 'container-2'
    const reading = feed.readDocument(identity)

    await expect(reading).rejects.toMatchObject({
      code: 'CONTAINER_RECREATED',
      message: expect.stringMatching(/was deleted and created again .* Nothing more is read\.$/)
    })
  })

  it('is not assumed if only its resource id is written in another way', async () => {
    const { feed } = await start([{ ...DOCUMENT, headers: { 'x-ms-content-path': 'CONTAINER-1' } }])

    expect(await feed.readDocument(identity)).toMatchObject({ identity })
  })

  it('is not assumed if the service has a stale name', async () => {
    const { feed, received } = await start([
      { status: 400, headers: { 'x-ms-substatus': '1024' }, body: '{}' },
      { status: 410, headers: { 'x-ms-substatus': '1000' }, body: '{}' },
      DOCUMENT
    ])

    expect(await feed.readDocument(identity)).toMatchObject({ identity })
    expect(received).toHaveLength(3)
  })
})
