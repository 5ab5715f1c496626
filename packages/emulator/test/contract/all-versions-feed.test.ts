import { describe, expect, it } from 'vitest'
import { type Change, KEPT, useVersionsWire } from './versions-wire.ts'
import { BATCH, bulkHeaders } from './wire.ts'

const { wire, feed, now, changes, upsert, remove, read } = useVersionsWire()

const kinds = (list: readonly Change[]): string[] => list.map(({ metadata }) => metadata.operationType)
const nameOf = (path: string): string => path.split('/').at(-1)!

describe('the change feed of all versions and deletes', () => {
  it('returns each version and each delete, with its kind and the LSN of the change before it', async () => {
    const path = await wire.container(KEPT)
    const start = await now(path)
    await upsert(path, { id: '1', pk: 'a', n: 1 })
    const first = await read(path, '1', 'a')
    await upsert(path, { id: '1', pk: 'a', n: 2 })
    const second = await read(path, '1', 'a')
    await wire.call('PATCH', `${path}/docs/1`, { key: ['a'], body: [{ op: 'incr', path: '/n', value: 1 }] })
    const third = await read(path, '1', 'a')
    await remove(path, '1', 'a')
    const [create, replace, patch, deletion, ...more] = await changes(path, start)

    expect(more).toEqual([])
    const { lsn } = create.metadata
    const crts = first['_ts']
    expect(create).toEqual({ current: first, metadata: { operationType: 'create', lsn, crts } })
    expect(replace).toEqual({
      current: second,
      metadata: { operationType: 'replace', lsn: lsn + 1, crts: second['_ts'], previousImageLSN: lsn }
    })
    expect(patch).toEqual({
      current: third,
      metadata: { operationType: 'replace', lsn: lsn + 2, crts: third['_ts'], previousImageLSN: lsn + 1 }
    })
    expect(deletion).toEqual({
      current: {},
      metadata: {
        operationType: 'delete',
        lsn: lsn + 3,
        crts: expect.any(Number),
        previousImageLSN: lsn + 2,
        timeToLiveExpired: false,
        id: '1',
        partitionKey: { pk: 'a' }
      }
    })
  })

  it('begins now or at an ETag, and answers 304 if there is no change', async () => {
    const path = await wire.container(KEPT)
    await upsert(path, { id: 'before', pk: 'a' })
    const start = await feed(path, { 'If-None-Match': '*' })
    expect([start.status, start.headers.get('etag')]).toEqual([304, '"1"'])
    await upsert(path, { id: 'é', pk: 'ü' })
    await upsert(path, { id: 'b', pk: 'b' })
    const page = await feed(path, { 'If-None-Match': '"1"', 'x-ms-max-item-count': '1' })
    const rest = await feed(path, { 'If-None-Match': page.headers.get('etag')! })

    expect([page, rest].map(({ body }) => body.Documents[0].current.id)).toEqual(['é', 'b'])
    expect(page.body).toMatchObject({ _count: 1 })
    expect(Number(page.headers.get('x-ms-request-charge'))).toBeGreaterThan(0)
    expect((await feed(path, { 'If-None-Match': rest.headers.get('etag')! })).status).toBe(304)
  })

  it('is refused from the beginning, from a time, from a position of the other feed, and without the format', async () => {
    const path = await wire.container(KEPT)
    const since = { 'If-Modified-Since': new Date().toUTCString() }
    const refused = [
      await feed(path, {}),
      await feed(path, since),
      await feed(path, { ...since, 'If-None-Match': '*' }),
      await feed(path, { 'If-None-Match': '"v1"' }),
      await wire.call('GET', `${path}/docs`, { headers: { 'A-IM': 'Full-Fidelity Feed', 'If-None-Match': '*' } })
    ]

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    expect(refused[0].body.message).toContain("Start from beginning is not supported with 'All Versions and Deletes'")
  })

  it('is refused for a container without a retention', async () => {
    const none = await wire.container()
    const zero = await wire.container({ changeFeedPolicy: { retentionDuration: 0 } })

    for (const path of [none, zero]) {
      const answer = await feed(path, { 'If-None-Match': '*' })
      expect([answer.status, answer.subStatus]).toEqual([400, 0])
      expect(answer.body.message).toContain("'All Versions and Deletes' mode must be enabled")
    }
  })

  it('contains only the changes of a partition key or of effective keys, if the request names them', async () => {
    const path = await wire.container(KEPT)
    const [all, ofKey] = [await now(path), await now(path, ['b'])]
    for (const pk of ['a', 'b', 'c', 'd']) await upsert(path, { id: '1', pk })
    await remove(path, '1', 'b')
    expect(kinds(await changes(path, ofKey, ['b']))).toEqual(['create', 'delete'])

    const middle = '20000000000000000000000000000000'
    const halves = await Promise.all(
      [
        ['', middle],
        [middle, 'FF']
      ].map(([min, max]) =>
        feed(path, { 'If-None-Match': all, 'x-ms-start-epk': min, 'x-ms-end-epk': max }).then(
          ({ body }) => body?.Documents.length ?? 0
        )
      )
    )
    expect(halves[0] + halves[1]).toBe(5)
    expect(Math.max(...halves)).toBeLessThan(5)
  })

  it('names a deleted item by the values of its key, by their paths', async () => {
    const partitionKey = { paths: ['/tenant', '/user/id'], kind: 'MultiHash', version: 2 }
    const path = await wire.container({ ...KEPT, partitionKey })
    const start = await now(path)
    for (const [id, key, body] of [
      ['1', ['t', 7], { tenant: 't', user: { id: 7 } }],
      ['2', [null, {}], { tenant: null }]
    ] as const) {
      await wire.call('POST', `${path}/docs`, { key, body: { id, ...body } })
      await wire.call('DELETE', `${path}/docs/${id}`, { key })
    }
    const deletes = (await changes(path, start)).filter(({ metadata }) => metadata.operationType === 'delete')

    expect(deletes.map(({ metadata }) => metadata['partitionKey'])).toEqual([
      { tenant: 't', 'user/id': 7 },
      { tenant: null }
    ])
  })

  it('has the changes of one bulk request or batch under one LSN, on one page, in any order', async () => {
    const path = await wire.container(KEPT)
    const orders = new Set<string>()
    for (let request = 0; request < 12; request++) {
      const start = await now(path)
      const ids = ['0', '1', '2'].map((n) => `${request}-${n}`)
      const operations = ids.map((id) => ({
        operationType: 'Create',
        partitionKey: '["a"]',
        resourceBody: { id, pk: 'a' }
      }))
      const how = request % 2 === 0 ? { headers: bulkHeaders('0') } : { key: ['a'], headers: BATCH }
      await wire.call('POST', `${path}/docs`, { ...how, body: operations })
      const page = await feed(path, { 'If-None-Match': start, 'x-ms-max-item-count': '1' })
      const documents: Change[] = page.body.Documents
      expect(documents.map(({ current }) => String(current['id'])).toSorted()).toEqual(ids)
      expect(new Set(documents.map(({ metadata }) => metadata.lsn)).size).toBe(1)
      orders.add(documents.map(({ current }) => String(current['id']).split('-')[1]).join(''))
    }

    expect(orders.size).toBeGreaterThan(2)
  })
})

describe('ranges of a container that keeps all versions', () => {
  it('can be split: an ETag resumes in both children, and in the whole container', async () => {
    const path = await wire.container(KEPT)
    const start = await now(path)
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    for (const pk of keys) await upsert(path, { id: '1', pk })
    const page = await feed(path, { 'If-None-Match': start, 'x-ms-max-item-count': '3' })
    const children = await wire.emulator!.split(wire.database, nameOf(path), '0')
    for (const pk of keys) await remove(path, '1', pk)
    const seen = page.body.Documents as Change[]
    const etag = page.headers.get('etag')!
    const parts: Change[][] = []
    for (const id of children) {
      const part = await feed(path, { 'If-None-Match': etag, 'x-ms-documentdb-partitionkeyrangeid': id })
      parts.push(part.body.Documents)
    }
    const expected = [...keys.map(() => 'create'), ...keys.map(() => 'delete')]

    expect(kinds([...seen, ...parts.flat()]).toSorted()).toEqual(expected)
    expect(Math.min(...parts.map((part) => part.length))).toBeGreaterThan(0)
    const whole: Change[] = []
    let at = etag
    for (;;) {
      const next = await feed(path, { 'If-None-Match': at, 'x-ms-max-item-count': '2' })
      if (next.status === 304) break
      whole.push(...next.body.Documents)
      at = next.headers.get('etag')!
    }
    expect(kinds([...seen, ...whole]).toSorted()).toEqual(expected)
  })

  it('cannot be merged, and a container with merged ranges cannot keep all versions', async () => {
    const kept = await wire.container(KEPT)
    const merged = await wire.container()
    for (const path of [kept, merged]) await wire.emulator!.split(wire.database, nameOf(path), '0')
    await expect(wire.emulator!.merge(wire.database, nameOf(kept), '1')).rejects.toThrow('cannot be merged')
    await wire.emulator!.merge(wire.database, nameOf(merged), '1')
    const definition = (await wire.call('GET', merged)).body

    expect((await wire.call('PUT', merged, { body: { ...definition, ...KEPT } })).status).toBe(400)
    expect((await feed(merged, { 'If-None-Match': '*' })).status).toBe(400)
    expect((await wire.call('GET', kept)).body.changeFeedPolicy).toEqual({ retentionDuration: 10 })
  })
})
