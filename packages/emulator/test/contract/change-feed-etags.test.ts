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
})
