import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
let container = ''
let other = ''
let made = 0
beforeAll(async () => {
  wire = await openWire({ crossPartition: 'serve' })
  container = await wire.container()
  other = await wire.container()
  await wire.call('POST', `/dbs/${wire.database}/users`, { body: { id: 'ada' } })
  for (const pk of ['a', 'b']) await wire.call('POST', `${container}/docs`, { key: [pk], body: { id: '1', pk } })
})
afterAll(() => wire.stop())

type Call = (method: string, path: string, asked?: Parameters<Wire['call']>[2]) => Promise<WireAnswer>

/** A function that sends requests with the token of a new permission of a new user. */
async function withPermission(
  permissionMode: string,
  resource: string,
  resourcePartitionKey?: readonly unknown[],
  headers: Record<string, string> = {}
): Promise<Call> {
  const permissions = `/dbs/${wire.database}/users/user${++made}/permissions`
  await wire.call('POST', `/dbs/${wire.database}/users`, { body: { id: `user${made}` } })
  const body = { id: 'p', permissionMode, resource, resourcePartitionKey }
  const answer = await wire.call('POST', permissions, { headers, body })
  return withToken(answer.body['_token'])
}

function withToken(token: string): Call {
  return (method, path, asked = {}) =>
    wire.call(method, path, { ...asked, headers: { ...asked.headers, authorization: encodeURIComponent(token) } })
}

const statusOf = async (answer: Promise<WireAnswer>): Promise<number> => (await answer).status
const all = { query: 'SELECT * FROM c' }
const PLAN = { 'x-ms-cosmos-is-query-plan-request': 'true' }

describe('a token with the mode Read', () => {
  it('permits reads, feeds, queries and plans of the container, and nothing that writes', async () => {
    const call = await withPermission('Read', container.slice(1))
    const docs = `${container}/docs`
    const item = { key: ['a'], body: { id: '1', pk: 'a' } }

    expect(await statusOf(call('GET', '/'))).toBe(200)
    expect(await statusOf(call('GET', container))).toBe(200)
    expect(await statusOf(call('GET', `${container}/pkranges`))).toBe(200)
    expect(await statusOf(call('GET', `${docs}/1`, { key: ['a'] }))).toBe(200)
    expect(await statusOf(call('GET', docs))).toBe(200)
    expect(await statusOf(call('POST', docs, { headers: QUERY, body: all }))).toBe(200)
    expect(await statusOf(call('POST', docs, { headers: { ...QUERY, ...PLAN }, body: all }))).toBe(200)
    const changes = { 'a-im': 'Incremental feed', 'x-ms-documentdb-partitionkeyrangeid': '0' }
    expect(await statusOf(call('GET', docs, { headers: changes }))).toBe(200)
    expect(await statusOf(call('POST', docs, item))).toBe(403)
    expect(await statusOf(call('PUT', `${docs}/1`, item))).toBe(403)
    expect(await statusOf(call('DELETE', `${docs}/1`, { key: ['a'] }))).toBe(403)
    expect(await statusOf(call('PATCH', `${docs}/1`, { key: ['a'], body: { operations: [] } }))).toBe(403)
    expect(await statusOf(call('POST', docs, { headers: BATCH, key: ['a'], body: [] }))).toBe(403)
    expect(await statusOf(call('POST', docs, { headers: bulkHeaders('0'), body: [] }))).toBe(403)
    expect(await statusOf(call('DELETE', container))).toBe(403)
  })

  it('does not permit to delete the items of a key with the header of a query or of a plan', async () => {
    const call = await withPermission('Read', container.slice(1))
    const path = `${container}/operations/partitionkeydelete`

    for (const headers of [QUERY, PLAN]) expect(await statusOf(call('POST', path, { key: ['a'], headers }))).toBe(403)
  })

  it('does not permit requests outside the container', async () => {
    const call = await withPermission('Read', container.slice(1))

    expect(await statusOf(call('GET', other))).toBe(403)
    expect(await statusOf(call('GET', `${other}/docs`))).toBe(403)
    expect(await statusOf(call('GET', `/dbs/${wire.database}`))).toBe(403)
    expect(await statusOf(call('GET', `/dbs/${wire.database}/colls`))).toBe(403)
    expect(await statusOf(call('GET', '/dbs'))).toBe(403)
    expect(await statusOf(call('GET', '/offers'))).toBe(403)
    expect(await statusOf(call('GET', `/dbs/${wire.database}/users/ada`))).toBe(403)
    expect((await call('GET', other)).body.message).toContain('Insufficient permissions')
  })
})

describe('a token with the mode All', () => {
  it('permits writes, bulk and batch requests in the container', async () => {
    const call = await withPermission('All', container.slice(1))
    const docs = `${container}/docs`
    const item = { key: ['a'], body: { id: 'all', pk: 'a' } }
    const operations = [{ operationType: 'Read', id: 'all', partitionKey: '["a"]' }]

    expect(await statusOf(call('POST', docs, item))).toBe(201)
    expect(await statusOf(call('PUT', `${docs}/all`, item))).toBe(200)
    expect(await statusOf(call('POST', docs, { headers: bulkHeaders('0'), body: operations }))).toBe(200)
    expect(await statusOf(call('POST', docs, { headers: BATCH, key: ['a'], body: operations }))).toBe(200)
    expect(await statusOf(call('DELETE', `${docs}/all`, { key: ['a'] }))).toBe(204)
    expect(await statusOf(call('POST', `${other}/docs`, item))).toBe(403)
  })

  it('permits to delete the container, as the test of the .NET SDK does', async () => {
    const doomed = await wire.container()

    expect(await statusOf((await withPermission('All', doomed.slice(1)))('DELETE', doomed))).toBe(204)
  })
})

describe('a token for a partition key', () => {
  it('permits requests that name this key, and the reads of metadata that clients need', async () => {
    const call = await withPermission('All', container.slice(1), ['a'])
    const docs = `${container}/docs`
    const query = (key: readonly unknown[] | undefined): Promise<number> =>
      statusOf(call('POST', docs, { headers: QUERY, body: all, ...(key === undefined ? {} : { key }) }))

    expect(await statusOf(call('GET', container))).toBe(200)
    expect(await statusOf(call('GET', `${container}/pkranges`))).toBe(200)
    expect(await statusOf(call('GET', `${docs}/1`, { key: ['a'] }))).toBe(200)
    expect(await statusOf(call('POST', docs, { key: ['a'], body: { id: 'mine', pk: 'a' } }))).toBe(201)
    expect(await query(['a'])).toBe(200)
    expect(await statusOf(call('GET', `${docs}/1`, { key: ['b'] }))).toBe(403)
    expect(await statusOf(call('POST', docs, { key: ['b'], body: { id: 'mine', pk: 'b' } }))).toBe(403)
    expect(await query(['b'])).toBe(403)
    expect(await query(undefined)).toBe(403)
    expect(await statusOf(call('POST', docs, { headers: bulkHeaders('0'), body: [] }))).toBe(403)
    // each operation of a bulk request has its own key, whatever the header of the request says
    const foreign = [{ operationType: 'Read', partitionKey: '["b"]', id: '1' }]
    expect(await statusOf(call('POST', docs, { key: ['a'], headers: bulkHeaders('0'), body: foreign }))).toBe(403)
    expect(await statusOf(call('DELETE', container))).toBe(403)
  })

  it('does not permit requests for another key that have the header of a query plan', async () => {
    const call = await withPermission('All', container.slice(1), ['a'])
    const docs = `${container}/docs`
    const foreign = { key: ['b'], headers: PLAN }
    const ask = (method: string, path: string, more = {}): Promise<number> =>
      statusOf(call(method, path, { ...foreign, ...more }))

    expect(await statusOf(call('POST', docs, { headers: PLAN, body: all }))).toBe(200)
    expect(await statusOf(call('GET', docs, { headers: PLAN }))).toBe(403)
    expect(await statusOf(call('GET', docs, { headers: { ...PLAN, 'a-im': 'Incremental feed' } }))).toBe(403)
    expect(await ask('GET', `${docs}/1`)).toBe(403)
    expect(await ask('PUT', `${docs}/1`, { body: { id: '1', pk: 'b', isForeign: true } })).toBe(403)
    expect(await ask('PATCH', `${docs}/1`, { body: [{ op: 'set', path: '/isForeign', value: true }] })).toBe(403)
    expect(await ask('DELETE', `${docs}/1`)).toBe(403)
    expect(await ask('POST', `${container}/operations/partitionkeydelete`)).toBe(403)
    expect((await wire.call('GET', `${docs}/1`, { key: ['b'] })).body).not.toHaveProperty('isForeign')
  })

  it('reads a key in UTF-8 as the handlers of requests do', async () => {
    const docs = `${container}/docs`
    // an HTTP client sends each of these characters as one byte, which together are the é of UTF-8
    const inBytes = { 'x-ms-documentdb-partitionkey': JSON.stringify(['\u00c3\u00a9']) }
    await wire.call('POST', docs, { key: ['é'], body: { id: '1', pk: 'é' } })
    const [own, foreign] = [
      await withPermission('Read', container.slice(1), ['é']),
      await withPermission('Read', container.slice(1), ['\u00c3\u00a9'])
    ]

    expect(await statusOf(own('GET', `${docs}/1`, { headers: inBytes }))).toBe(200)
    expect(await statusOf(foreign('GET', `${docs}/1`, { headers: inBytes }))).toBe(403)
  })

  it('does not permit to store an item under another key than the one in the header', async () => {
    const call = await withPermission('All', container.slice(1), ['a'])

    expect(await statusOf(call('POST', `${container}/docs`, { key: ['a'], body: { id: 'x', pk: 'b' } }))).toBe(400)
  })

  it('permits items of a prefix of a hierarchical key, but no query of the prefix', async () => {
    const tenants = await wire.container({
      partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 }
    })
    await wire.call('POST', `${tenants}/docs`, { key: ['t', 'u'], body: { id: '1', tenant: 't', user: 'u' } })
    const call = await withPermission('Read', tenants.slice(1), ['t'])
    const read = (key: readonly unknown[]): Promise<number> => statusOf(call('GET', `${tenants}/docs/1`, { key }))
    const query = (key: readonly unknown[]): Promise<number> =>
      statusOf(call('POST', `${tenants}/docs`, { headers: QUERY, body: all, key }))

    expect([await read(['t', 'u']), await read(['tu', 'u']), await read(['x', 'u'])]).toEqual([200, 403, 403])
    expect([await query(['t', 'u']), await query(['t']), await query(['x', 'u'])]).toEqual([200, 403, 403])
  })
})

describe('a token for an item', () => {
  it('permits requests for this item, by name and by resource id', async () => {
    const { body } = await wire.call('GET', `${container}/docs/1`, { key: ['a'] })
    const self = body['_self'].replace(/\/$/, '')
    const byName = await withPermission('Read', `${container.slice(1)}/docs/1`, ['a'])
    const byRid = await withPermission('Read', self)
    for (const call of [byName, byRid]) {
      expect(await statusOf(call('GET', container))).toBe(200)
      expect(await statusOf(call('GET', `${container}/docs/1`, { key: ['a'] }))).toBe(200)
      expect(await statusOf(call('GET', `/${self}`, { key: ['a'] }))).toBe(200)
      expect(await statusOf(call('GET', `${container}/docs/2`, { key: ['a'] }))).toBe(403)
      expect(await statusOf(call('GET', `${container}/docs`, { key: ['a'] }))).toBe(403)
      expect(await statusOf(call('DELETE', `${container}/docs/1`, { key: ['a'] }))).toBe(403)
    }
    expect(await statusOf(byRid('GET', `${container}/docs/1`, { key: ['b'] }))).toBe(403)
  })
})

describe('a container in a permission', () => {
  it('can be named by its resource ids', async () => {
    const { body } = await wire.call('GET', container)
    const call = await withPermission('Read', body['_self'])

    expect(await statusOf(call('GET', `${container}/docs`))).toBe(200)
    expect(await statusOf(call('GET', `${other}/docs`))).toBe(403)
  })
})

describe('a link in a permission', () => {
  it.each(['With space', '100%', '%41', 'ä+b'])('can contain the name %s as it is, or encoded', async (id) => {
    const named = await wire.container({ id })
    const path = `/dbs/${wire.database}/colls/${encodeURIComponent(id)}`
    for (const link of [named, path]) {
      const call = await withPermission('Read', link.slice(1))
      expect(await statusOf(call('GET', `${path}/docs`))).toBe(200)
      expect(await statusOf(call('GET', `${container}/docs`))).toBe(403)
    }
  })
})

describe('a resource token', () => {
  it('is valid for an hour, or for the time in `x-ms-documentdb-expiry-seconds`', async () => {
    const short = await withPermission('Read', container.slice(1), undefined, {
      'x-ms-documentdb-expiry-seconds': '10'
    })
    const usual = await withPermission('Read', container.slice(1))
    wire.emulator!.clock.advance(9000)
    const before = await statusOf(short('GET', container))
    wire.emulator!.clock.advance(1000)
    const after = await short('GET', container)
    const still = await statusOf(usual('GET', container))
    wire.emulator!.clock.advance(3_600_000)

    expect([before, after.status, still, await statusOf(usual('GET', container))]).toEqual([200, 403, 200, 403])
    expect(after.body.message).toContain('has expired')
  })

  it('is refused with 401 if the account did not create it', async () => {
    const body = { id: 'forged', permissionMode: 'Read', resource: container.slice(1) }
    const answer = await wire.call('POST', `/dbs/${wire.database}/users/ada/permissions`, { body })
    const [signature, grant] = answer.body['_token'].slice('type=resource&ver=1&sig='.length).split(';')
    const raised = JSON.parse(Buffer.from(grant, 'base64').toString())
    const forged = Buffer.from(JSON.stringify({ ...raised, permissionMode: 'All' })).toString('base64')

    for (const sig of [`${signature};${forged};`, 'AAAA;AAAA;', 'nothing', `${signature};`])
      expect(await statusOf(withToken(`type=resource&ver=1&sig=${sig}`)('GET', container))).toBe(401)
    expect(await statusOf(withToken(answer.body['_token'])('GET', container))).toBe(200)
  })
})
