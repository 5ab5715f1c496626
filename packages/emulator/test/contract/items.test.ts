/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, sign, type Wire } from './wire.ts'

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
})
afterAll(() => wire.stop())

const UPSERT = { 'x-ms-documentdb-is-upsert': 'true' }

describe('the create operation', () => {
  it('answers 201 with the document, its system properties and its ETag as a header', async () => {
    const { status, body, headers, charge } = await wire.call('POST', docs, {
      key: ['a'],
      body: { id: 'create', pk: 'a', n: 1 }
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({ id: 'create', pk: 'a', n: 1, _attachments: 'attachments/' })
    expect(body['_etag']).toMatch(/^"[^"]+"$/)
    expect(headers.get('etag')).toBe(body['_etag'])
    expect(Buffer.from(body['_rid'], 'base64')).toHaveLength(16)
    expect(Math.abs(body['_ts'] - Date.now() / 1000)).toBeLessThan(300)
    expect(charge).toBeGreaterThan(4.9)
    expect(headers.get('x-ms-session-token')).toMatch(/^0:/)
    expect(headers.get('x-ms-content-path')).not.toBeNull()
    expect(headers.get('x-ms-documentdb-partitionkeyrangeid')).toBe('0')
  })

  it('refuses an item with the key and the id of an existing item with 409, and accepts this id under another key', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'same', pk: 'a' } })

    expect(await wire.call('POST', docs, { key: ['a'], body: { id: 'same', pk: 'a' } })).toMatchObject({
      status: 409,
      subStatus: 0
    })
    expect((await wire.call('POST', docs, { key: ['b'], body: { id: 'same', pk: 'b' } })).status).toBe(201)
  })

  it('replaces system properties that the client sent', async () => {
    const { body } = await wire.call('POST', docs, {
      key: ['a'],
      body: { id: 'system', pk: 'a', _etag: 'mine', _ts: 5, _rid: 'x', _self: 'y' }
    })

    expect(body['_etag']).not.toBe('mine')
    expect(body['_ts']).not.toBe(5)
  })

  it.each([
    ['a missing id', ['a'], { pk: 'a' }, 0, /'id; '/],
    ['a number as id', ['a'], { id: 1, pk: 'a' }, 0, /'id'/],
    ['an empty id', ['a'], { id: '', pk: 'a' }, 0, /'id'/],
    ['a slash in its id', ['a'], { id: 'a/b', pk: 'a' }, 0, /'id'/],
    ['a backslash in its id', ['a'], { id: 'a\\b', pk: 'a' }, 0, /'id'/],
    ['an id of 1,024 bytes', ['a'], { id: 'x'.repeat(1024), pk: 'a' }, 0, /'id'/],
    ['another key than in the header', ['a'], { id: '1', pk: 'b' }, 1001, /PartitionKey/],
    ['a missing key, although the header has one', ['a'], { id: '1' }, 1001, /PartitionKey/],
    ['an object as key', ['a'], { id: '1', pk: {} }, 1001, /PartitionKey/],
    ['a key of 2,049 bytes', ['x'.repeat(2049)], { id: '1', pk: 'x'.repeat(2049) }, 0, /partition key/],
    ['too many components in the header', ['a', 'b'], { id: '1', pk: 'a' }, 1001, /components/],
    ['a time to live of 0', ['a'], { id: '1', pk: 'a', ttl: 0 }, 0, /'ttl'/],
    ['null as time to live', ['a'], { id: '1', pk: 'a', ttl: null }, 0, /'ttl'/]
  ])('refuses %s with 400', async (_, key, body, subStatus, message) => {
    const answer = await wire.call('POST', docs, { key, body })

    expect(answer).toMatchObject({ status: 400, subStatus })
    expect(answer.body.message).toMatch(message)
  })

  it('refuses a body that is not a JSON object', async () => {
    for (const body of ['[]', '5', 'null', '"text"', '{', '', '{"id":"1","pk":"a"} trailing']) {
      expect((await wire.call('POST', docs, { key: ['a'], body })).status).toBe(400)
    }
  })

  it('accepts a document of 128 levels, and refuses more levels', async () => {
    const nested = (levels: number): string =>
      `{"id":"deep${levels}","pk":"a","d":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

    expect((await wire.call('POST', docs, { key: ['a'], body: nested(128) })).status).toBe(201)
    expect((await wire.call('POST', docs, { key: ['a'], body: nested(129) })).status).toBe(400)
    expect((await wire.call('POST', docs, { key: ['a'], body: nested(100_000) })).status).toBe(400)
  })

  it('refuses a document of more than 2 MB with 413, and accepts one slightly below', async () => {
    const sized = (bytes: number): Record<string, string> => ({ id: `size${bytes}`, pk: 'a', text: 'x'.repeat(bytes) })

    expect((await wire.call('POST', docs, { key: ['a'], body: sized(2 * 1024 * 1024 - 100) })).status).toBe(201)
    expect((await wire.call('POST', docs, { key: ['a'], body: sized(2 * 1024 * 1024) })).status).toBe(413)
    expect((await wire.call('POST', docs, { key: ['a'], body: sized(3 * 1024 * 1024) })).status).toBe(413)
  })

  it('accepts all special characters except slash and backslash in ids, and the items are found by these ids', async () => {
    for (const id of [
      'a b',
      'a?b',
      'a#b',
      'a%b',
      'a%20b',
      'ä€😀',
      '"',
      "'",
      '+',
      '&=;,$@:',
      ' lead',
      'x'.repeat(1023)
    ]) {
      const created = await wire.call('POST', docs, { key: ['odd'], body: { id, pk: 'odd' } })
      const read = await wire.call('GET', `${docs}/${encodeURIComponent(id)}`, { key: ['odd'] })

      expect([created.status, read.status, read.body?.id]).toEqual([201, 200, id])
    }
  })

  it('answers without the document if the request has the header that asks for a minimal answer', async () => {
    const prefer = await wire.call('POST', docs, {
      key: ['a'],
      body: { id: 'min1', pk: 'a' },
      headers: { prefer: 'return=minimal' }
    })
    const header = { 'x-ms-cosmos-populate-content-response-on-write': 'false' }
    const populate = await wire.call('POST', docs, { key: ['a'], body: { id: 'min2', pk: 'a' }, headers: header })

    expect(prefer).toMatchObject({ status: 201, text: '' })
    expect(populate).toMatchObject({ status: 201, text: '' })
    expect(prefer.headers.get('etag')).not.toBeNull()
  })
})

describe('the upsert operation', () => {
  it('answers 201 for a new item and 200 for a replaced one, which keeps its resource id', async () => {
    const first = await wire.call('POST', docs, { key: ['a'], headers: UPSERT, body: { id: 'upsert', pk: 'a', n: 1 } })
    const second = await wire.call('POST', docs, { key: ['a'], headers: UPSERT, body: { id: 'upsert', pk: 'a', n: 2 } })

    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.n).toBe(2)
    expect(second.body['_rid']).toBe(first.body['_rid'])
    expect(second.body['_etag']).not.toBe(first.body['_etag'])
  })

  it('checks If-Match on an existing item only', async () => {
    const headers = { ...UPSERT, 'if-match': '"wrong"' }

    expect((await wire.call('POST', docs, { key: ['a'], headers, body: { id: 'upsert-match', pk: 'a' } })).status).toBe(
      201
    )
    expect((await wire.call('POST', docs, { key: ['a'], headers, body: { id: 'upsert-match', pk: 'a' } })).status).toBe(
      412
    )
  })
})

describe('the read operation', () => {
  it('returns all numbers as they were stored', async () => {
    const body = {
      id: 'values',
      pk: 'a',
      half: 0.5,
      big: 1e300,
      text: 'ä€😀\u0000\n',
      list: [1, [2, { three: null }]],
      empty: {},
      yes: true
    }
    await wire.call('POST', docs, { key: ['a'], body })

    expect((await wire.call('GET', `${docs}/values`, { key: ['a'] })).body).toMatchObject(body)
  })

  it('rounds integers beyond 2^53, as doubles do', async () => {
    await wire.call('POST', docs, { key: ['a'], body: '{"id":"int64","pk":"a","n":9007199254740993}' })

    expect((await wire.call('GET', `${docs}/int64`, { key: ['a'] })).text).toContain('"n":9007199254740992')
  })

  it('reads an unescaped question mark as a part of the id if the signature covers that id', async () => {
    for (const id of ['raw', 'raw?chars', 'raw?a b'])
      await wire.call('POST', docs, { key: ['a'], body: { id, pk: 'a' } })
    const date = new Date().toUTCString()
    const read = async (sent: string, signed: string): Promise<unknown> => {
      const headers = { 'x-ms-date': date, authorization: sign(wire.key, 'GET', `${docs}/${signed}`, date) }
      const { status, body } = await wire.call('GET', `${docs}/${sent}`, { key: ['a'], headers })
      return status === 200 ? body.id : status
    }

    expect(await read('raw?chars', 'raw%3Fchars')).toBe('raw?chars')
    expect(await read('raw?chars', 'raw%3Fchars')).toBe('raw?chars')
    expect(await read('raw?chars', 'raw')).toBe('raw')
    expect(await read('raw?a%20b', 'raw%3Fa%20b')).toBe('raw?a b')
    expect(await read('raw?other', 'raw%3Fother')).toBe(404)
    expect(await read('raw?chars', 'other')).toBe(401)
  })

  it('answers 404 for another id and for another key', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'mine', pk: 'a' } })

    expect(await wire.call('GET', `${docs}/other`, { key: ['a'] })).toMatchObject({ status: 404, subStatus: 0 })
    expect((await wire.call('GET', `${docs}/mine`, { key: ['b'] })).status).toBe(404)
  })

  it('answers 304 without a body to a client that has the current version', async () => {
    const { body } = await wire.call('POST', docs, { key: ['a'], body: { id: 'known', pk: 'a' } })
    const same = await wire.call('GET', `${docs}/known`, { key: ['a'], headers: { 'if-none-match': body['_etag'] } })
    const other = await wire.call('GET', `${docs}/known`, { key: ['a'], headers: { 'if-none-match': '"other"' } })

    expect(same).toMatchObject({ status: 304, text: '' })
    expect(other.status).toBe(200)
  })
})

describe('the replace operation', () => {
  it('answers 200, and 404 if the item does not exist', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'replace', pk: 'a', old: 1 } })
    const replaced = await wire.call('PUT', `${docs}/replace`, {
      key: ['a'],
      body: { id: 'replace', pk: 'a', fresh: 1 }
    })

    expect(replaced.status).toBe(200)
    expect(replaced.body).not.toHaveProperty('old')
    expect((await wire.call('PUT', `${docs}/absent`, { key: ['a'], body: { id: 'absent', pk: 'a' } })).status).toBe(404)
  })

  it('changes the id if the body has another id, and keeps the resource id', async () => {
    const created = await wire.call('POST', docs, { key: ['rename'], body: { id: 'old', pk: 'rename', n: 1 } })
    for (const id of ['second', 'third']) await wire.call('POST', docs, { key: ['rename'], body: { id, pk: 'rename' } })
    const renamed = await wire.call('PUT', `${docs}/old`, { key: ['rename'], body: { id: 'new', pk: 'rename', n: 2 } })
    const feed = await wire.call('GET', docs, { key: ['rename'] })

    expect(renamed).toMatchObject({ status: 200, body: { id: 'new', n: 2 } })
    expect(renamed.body['_rid']).toBe(created.body['_rid'])
    expect((await wire.call('GET', `${docs}/old`, { key: ['rename'] })).status).toBe(404)
    expect((await wire.call('GET', `${docs}/new`, { key: ['rename'] })).body.n).toBe(2)
    expect(feed.body.Documents.map((document: { id: string }) => document.id)).toEqual(['new', 'second', 'third'])
    expect((await wire.call('POST', docs, { key: ['rename'], body: { id: 'old', pk: 'rename' } })).status).toBe(201)
  })

  it('answers 409 if the new id belongs to another item, and changes nothing', async () => {
    for (const id of ['one', 'two']) await wire.call('POST', docs, { key: ['taken'], body: { id, pk: 'taken', n: id } })

    expect((await wire.call('PUT', `${docs}/one`, { key: ['taken'], body: { id: 'two', pk: 'taken' } })).status).toBe(
      409
    )
    expect((await wire.call('GET', `${docs}/one`, { key: ['taken'] })).body.n).toBe('one')
    expect((await wire.call('GET', `${docs}/two`, { key: ['taken'] })).body.n).toBe('two')
  })

  it('requires the same key in the header and in the body', async () => {
    const moved = await wire.call('PUT', `${docs}/replace`, { key: ['a'], body: { id: 'replace', pk: 'b' } })
    expect(moved).toMatchObject({ status: 400, subStatus: 1001 })
  })

  it('checks If-Match, including the quotes', async () => {
    const { body } = await wire.call('POST', docs, { key: ['a'], body: { id: 'match', pk: 'a' } })
    const put = (etag: string): ReturnType<Wire['call']> =>
      wire.call('PUT', `${docs}/match`, { key: ['a'], body: { id: 'match', pk: 'a' }, headers: { 'if-match': etag } })

    expect((await put(body['_etag'].slice(1, -1))).status).toBe(412)
    expect((await put(body['_etag'])).status).toBe(200)
    expect(await put(body['_etag'])).toMatchObject({ status: 412, subStatus: 0 })
    expect((await put('*')).status).toBe(200)
  })
})

describe('the delete operation', () => {
  it('answers 204 without a body, and 404 when it is repeated', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'delete', pk: 'a' } })

    expect(await wire.call('DELETE', `${docs}/delete`, { key: ['a'] })).toMatchObject({ status: 204, text: '' })
    expect((await wire.call('DELETE', `${docs}/delete`, { key: ['a'] })).status).toBe(404)
  })

  it('checks If-Match', async () => {
    await wire.call('POST', docs, { key: ['a'], body: { id: 'kept', pk: 'a' } })

    expect((await wire.call('DELETE', `${docs}/kept`, { key: ['a'], headers: { 'if-match': '"wrong"' } })).status).toBe(
      412
    )
    expect((await wire.call('GET', `${docs}/kept`, { key: ['a'] })).status).toBe(200)
  })
})
