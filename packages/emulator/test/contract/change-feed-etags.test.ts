import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire({ ranges: 2 })
})
afterAll(() => wire.stop())

const ALL = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

async function filled(): Promise<string> {
  const path = await wire.container()
  for (const pk of ALL) await wire.call('POST', `${path}/docs`, { body: { id: '1', pk }, key: [pk] })
  return path
}

function changes(path: string, headers: Record<string, string>): Promise<WireAnswer> {
  return wire.call('GET', `${path}/docs`, { headers: { 'a-im': 'Incremental feed', ...headers } })
}

function inRange(id: string, more: Record<string, string> = {}): Record<string, string> {
  return { 'x-ms-documentdb-partitionkeyrangeid': id, ...more }
}

function keysOf(answer: WireAnswer): string[] {
  return answer.status === 304 ? [] : answer.body.Documents.map(({ pk }: { pk: string }) => pk)
}

function lsnOf(sessionToken: string | null): string {
  return sessionToken?.split('#').at(-1) ?? ''
}

describe('the ETag of a page of changes', () => {
  it('is the LSN of the range, as in its session token', async () => {
    const path = await filled()
    const page = await changes(path, inRange('1'))
    const nothing = await changes(path, inRange('1', { 'if-none-match': page.headers.get('etag')! }))

    expect(page.headers.get('etag')).toBe(`"${lsnOf(page.headers.get('x-ms-session-token'))}"`)
    expect(nothing.status).toBe(304)
    expect(nothing.headers.get('etag')).toBe(page.headers.get('etag'))
  })

  it('is the LSN of the last item of the page, if more changes follow', async () => {
    const path = await filled()
    const page = await changes(path, inRange('1', { 'x-ms-max-item-count': '1' }))

    expect(page.headers.get('etag')).toBe(`"${page.body.Documents[0]['_lsn']}"`)
  })

  it('resumes the feed in the children of a split range', async () => {
    const path = await filled()
    const before = await changes(path, inRange('0'))
    const etag = before.headers.get('etag')!
    await wire.emulator?.split(wire.database, path.split('/').at(-1)!, '0')
    const written = keysOf(before)
    for (const pk of written) await wire.call('POST', `${path}/docs`, { body: { id: '2', pk }, key: [pk] })
    const after = await Promise.all(['2', '3'].map((id) => changes(path, inRange(id, { 'if-none-match': etag }))))

    expect(after.flatMap(keysOf).toSorted()).toEqual(written.toSorted())
  })

  it('resumes the feed in the child of a merge, for the keys of each parent', async () => {
    const path = await filled()
    const { body } = await wire.call('GET', `${path}/pkranges`)
    const middle = body.PartitionKeyRanges[0].maxExclusive
    const pages = await Promise.all(['0', '1'].map((id) => changes(path, inRange(id, { 'x-ms-max-item-count': '2' }))))
    await wire.emulator?.merge(wire.database, path.split('/').at(-1)!, '0')
    const keys = [
      { 'x-ms-start-epk': '', 'x-ms-end-epk': middle },
      { 'x-ms-start-epk': middle, 'x-ms-end-epk': 'FF' }
    ]
    const rest = await Promise.all(
      pages.map((page, at) => changes(path, inRange('2', { 'if-none-match': page.headers.get('etag')!, ...keys[at] })))
    )

    expect([...pages, ...rest].flatMap(keysOf).toSorted()).toEqual(ALL)
  })

  it('resumes the feed page by page through a whole container, including a merged range', async () => {
    const path = await filled()
    await wire.emulator?.merge(wire.database, path.split('/').at(-1)!, '0')
    await wire.emulator?.split(wire.database, path.split('/').at(-1)!, '2')
    const seen: string[] = []
    let etag = ''
    for (let page = await changes(path, { 'x-ms-max-item-count': '3' }); page.status === 200;) {
      seen.push(...keysOf(page))
      etag = page.headers.get('etag')!
      page = await changes(path, { 'x-ms-max-item-count': '3', 'if-none-match': etag })
    }

    expect(seen).toEqual(ALL)
  })

  it('resumes the feed of a whole container that was split since, and loses no change of either child', async () => {
    const path = await wire.container({}, { 'x-ms-offer-throughput': '400' })
    const name = path.split('/').at(-1)!
    for (let ranges = 2; ranges > 1; ranges--) await wire.emulator?.merge(wire.database, name, '0')
    const { headers } = await changes(path, { 'if-none-match': '*' })
    await wire.emulator?.split(wire.database, name, '2')
    const written = ['a', 'a', 'a', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((pk, n) => ({ id: String(n), pk }))
    for (const body of written) await wire.call('POST', `${path}/docs`, { body, key: [body.pk] })
    const seen: string[] = []
    let etag = headers.get('etag')!
    for (;;) {
      const page = await changes(path, { 'x-ms-max-item-count': '2', 'if-none-match': etag })
      if (page.status === 304) break
      seen.push(...page.body.Documents.map(({ id }: { id: string }) => id))
      etag = page.headers.get('etag')!
    }

    expect(seen.toSorted()).toEqual(written.map(({ id }) => id).toSorted())
  })
})

describe('a start at a time in a merged range', () => {
  const since = { 'if-modified-since': new Date(Date.now() - 60_000).toUTCString() }

  it('is refused, unless the client says that it supports it', async () => {
    const path = await filled()
    await wire.emulator?.merge(wire.database, path.split('/').at(-1)!, '0')

    expect((await changes(path, since)).status).toBe(400)
    expect((await changes(path, { ...since, 'x-ms-cosmos-sdk-supportedcapabilities': '1' })).status).toBe(400)
    expect((await changes(path, { ...since, 'x-ms-cosmos-sdk-supportedcapabilities': '3' })).status).toBe(200)
  })

  it('returns every change since the time, although the times in the range do not ascend', async () => {
    const path = await wire.container()
    const name = path.split('/').at(-1)!
    const [low, high] = await keysByRange(path)
    const put = (pk: string, id: string): Promise<WireAnswer> =>
      wire.call('POST', `${path}/docs`, { body: { id, pk }, key: [pk] })
    // the LSNs of the two ranges overlap, and so the merged range has the new change before the old ones
    for (let n = 0; n < 5; n++) await put(high, `old${n}`)
    wire.emulator!.clock.advance(60_000)
    const start = new Date(wire.emulator!.clock.now()).toUTCString()
    await put(low, 'new')
    await wire.emulator!.merge(wire.database, name, '0')
    const page = await changes(path, { 'if-modified-since': start, 'x-ms-cosmos-sdk-supportedcapabilities': '3' })

    expect(page.body.Documents.map(({ id }: { id: string }) => id)).toEqual(['new'])
  })
})

async function keysByRange(path: string): Promise<[string, string]> {
  const range = async (pk: string): Promise<string | null> =>
    (await wire.call('GET', `${path}/docs/none`, { key: [pk] })).headers.get('x-ms-documentdb-partitionkeyrangeid')
  const keys: Record<string, string> = {}
  for (const pk of ALL) keys[(await range(pk))!] = pk
  return [keys['0'], keys['1']]
}
