import { describe, expect, it } from 'vitest'
import { type Change, KEPT, useVersionsWire, withImages } from './versions-wire.ts'
import { type WireAnswer } from './wire.ts'

const { wire, feed, now, changes, upsert, remove } = useVersionsWire()

/** The changes of an item that is created, replaced and deleted. */
async function history(definition: Record<string, unknown>): Promise<Change[]> {
  const path = await wire.container(definition)
  const start = await now(path)
  await upsert(path, { id: '1', pk: 'a', n: 1 })
  await upsert(path, { id: '1', pk: 'a', n: 2 })
  await remove(path, '1', 'a')
  return changes(path, start)
}

/** The status of the create of a container. */
async function statusOf(definition: Record<string, unknown>): Promise<number> {
  const body = { id: 'refused', partitionKey: { paths: ['/pk'] }, ...definition }
  return (await wire.call('POST', `/dbs/${wire.database}/colls`, { body })).status
}

describe('a previous image', () => {
  it.each([
    [KEPT, [false, false, false]],
    [withImages(0), [false, false, false]],
    [withImages(1), [false, true, false]],
    [withImages(2), [false, false, true]],
    [withImages(3), [false, true, true]],
    [{ ...KEPT, previousImageRetentionPolicy: { mode: 3 } }, [false, true, true]]
  ])('is in the changes that the container names: %j', async (definition, expected) => {
    const list = await history(definition)

    expect(list.map(({ previous }) => previous)).toEqual(
      expected.map((isKept, at) => (isKept ? list[at - 1].current : undefined))
    )
  })

  it('is a setting that create, read and replace of the container return', async () => {
    const path = await wire.container(withImages(2))
    const created = (await wire.call('GET', path)).body
    expect(created).toMatchObject(withImages(2))
    const policy = { supportedFeatures: { allVersionsAndDeletes: { mode: 3 }, containerCopy: { mode: 1 } } }
    const replaced = await wire.call('PUT', path, { body: { ...created, previousImageRetentionPolicy: policy } })

    expect(replaced.body.previousImageRetentionPolicy).toEqual(policy)
    expect((await wire.call('GET', path)).body.previousImageRetentionPolicy).toEqual(policy)
  })

  it.each([
    [400, { supportedFeatures: { allVersionsAndDeletes: { mode: 4 } } }],
    [400, { supportedFeatures: { allVersionsAndDeletes: { mode: '3' } } }],
    [400, { supportedFeatures: { allVersionsAndDeletes: 3 } }],
    [400, { supportedFeatures: 3 }],
    [400, { mode: 7 }],
    [400, 'all'],
    [501, { supportedFeatures: { allVersionsAndDeletes: { mode: 1, includedPaths: ['/n'] } } }]
  ])('is refused with %i for the policy %j', async (status, previousImageRetentionPolicy) => {
    expect(await statusOf({ ...KEPT, previousImageRetentionPolicy })).toBe(status)
  })
})

describe('the retention of a container', () => {
  it.each([-1, 1.5, '5', 43_201])('must be a whole number of minutes up to 30 days, and not %j', async (minutes) => {
    expect(await statusOf({ changeFeedPolicy: { retentionDuration: minutes } })).toBe(400)
  })

  it('refuses a continuation before a change that is older than the retention', async () => {
    const path = await wire.container(KEPT)
    const start = await now(path)
    await upsert(path, { id: 'old', pk: 'a' })
    const afterOld = await now(path)
    wire.emulator!.clock.advance(9 * 60_000)
    expect(await changes(path, start)).toHaveLength(1)
    await upsert(path, { id: 'new', pk: 'a' })
    wire.emulator!.clock.advance(2 * 60_000)
    const lost = await feed(path, { 'If-None-Match': start })

    expect([lost.status, lost.subStatus]).toEqual([400, 0])
    expect(lost.body.message).toContain('outside of the retention')
    expect((await changes(path, afterOld)).map(({ current }) => current['id'])).toEqual(['new'])
    wire.emulator!.clock.advance(60 * 60_000)
    expect((await feed(path, { 'If-None-Match': afterOld })).status).toBe(400)
    expect((await feed(path, { 'If-None-Match': '*' })).status).toBe(304)
  })

  it('begins with the replace of the container that sets it, and ends with one that removes it', async () => {
    const path = await wire.container()
    await upsert(path, { id: 'before', pk: 'a' })
    const definition = (await wire.call('GET', path)).body
    const set = (more: object): Promise<WireAnswer> => wire.call('PUT', path, { body: { ...definition, ...more } })
    await set(KEPT)
    const start = await now(path)
    await upsert(path, { id: 'before', pk: 'a', n: 2 })
    expect((await changes(path, start)).map(({ metadata }) => metadata.operationType)).toEqual(['replace'])
    expect((await feed(path, { 'If-None-Match': '"0"' })).status).toBe(400)
    await set({})
    expect((await feed(path, { 'If-None-Match': start })).status).toBe(400)
    await upsert(path, { id: 'unseen', pk: 'a' })
    await set(KEPT)

    expect((await feed(path, { 'If-None-Match': start })).status).toBe(400)
    expect((await feed(path, { 'If-None-Match': await now(path) })).status).toBe(304)
  })

  it('refuses the ETag of several ranges after the retention was removed and set again', async () => {
    const path = await wire.container(KEPT)
    await wire.emulator!.split(wire.database, path.split('/').at(-1)!, '0')
    const definition = (await wire.call('GET', path)).body
    const start = await now(path)
    for (const changeFeedPolicy of [undefined, KEPT['changeFeedPolicy']]) {
      await wire.call('PUT', path, { body: { ...definition, changeFeedPolicy } })
      await upsert(path, { id: '1', pk: 'a' })
    }

    expect((await feed(path, { 'If-None-Match': start })).status).toBe(400)
  })
})

describe('the end of a TTL', () => {
  it('is a delete, once, at the latest when the feed is read', async () => {
    const path = await wire.container({ ...withImages(3), defaultTtl: 50 })
    const start = await now(path)
    await upsert(path, { id: 'short', pk: 'a' })
    await upsert(path, { id: 'long', pk: 'a', ttl: 200 })
    await upsert(path, { id: 'never', pk: 'a', ttl: -1 })
    wire.emulator!.clock.advance(60_000)
    const expired = Math.floor(wire.emulator!.clock.now() / 1000)
    const list = await changes(path, start)

    expect(list).toHaveLength(4)
    expect(list[3]).toEqual({
      current: {},
      metadata: {
        operationType: 'delete',
        lsn: list[2].metadata.lsn + 1,
        crts: expect.toSatisfy((seconds: number) => seconds >= expired && seconds < expired + 20),
        previousImageLSN: list[0].metadata.lsn,
        timeToLiveExpired: true,
        id: 'short',
        partitionKey: { pk: 'a' }
      },
      previous: list[0].current
    })
    wire.emulator!.clock.advance(300_000)
    const later = await changes(path, start)
    expect(later.slice(4).map(({ metadata }) => metadata['id'])).toEqual(['long'])
  })

  it('does not come at the former end of an item that was written again', async () => {
    const path = await wire.container({ ...KEPT, defaultTtl: 50 })
    const start = await now(path)
    await upsert(path, { id: '1', pk: 'a' })
    wire.emulator!.clock.advance(30_000)
    await upsert(path, { id: '1', pk: 'a' })
    wire.emulator!.clock.advance(30_000)
    expect(await changes(path, start)).toHaveLength(2)
    wire.emulator!.clock.advance(30_000)

    expect(await changes(path, start)).toHaveLength(3)
  })

  it('comes before the create of a new item with the same id', async () => {
    const path = await wire.container({ ...KEPT, defaultTtl: -1 })
    const start = await now(path)
    await upsert(path, { id: '1', pk: 'a', ttl: 100 })
    wire.emulator!.clock.advance(101_000)
    expect((await upsert(path, { id: '1', pk: 'a', ttl: 100 })).status).toBe(201)
    const kinds = (await changes(path, start)).map(({ metadata }) => [
      metadata.operationType,
      metadata['timeToLiveExpired']
    ])

    expect(kinds).toEqual([
      ['create', undefined],
      ['delete', true],
      ['create', undefined]
    ])
  })

  it('follows a changed TTL of the container', async () => {
    const path = await wire.container({ ...KEPT, defaultTtl: 100 })
    const start = await now(path)
    await upsert(path, { id: '1', pk: 'a' })
    const definition = (await wire.call('GET', path)).body
    await wire.call('PUT', path, { body: { ...definition, defaultTtl: 5 } })
    wire.emulator!.clock.advance(6000)

    expect((await changes(path, start)).at(-1)?.metadata['timeToLiveExpired']).toBe(true)
  })
})
