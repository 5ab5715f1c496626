import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire } from './wire.ts'

let wire: Wire
let users = ''
let container = ''
beforeAll(async () => {
  wire = await openWire()
  users = `/dbs/${wire.database}/users`
  container = (await wire.container()).slice(1)
})
afterAll(() => wire.stop())

const UPSERT = { 'x-ms-documentdb-is-upsert': 'true' }
let made = 0

/** Creates a user and returns its path. */
async function user(): Promise<string> {
  made += 1
  await wire.call('POST', users, { body: { id: `user${made}` } })
  return `${users}/user${made}`
}

describe('a user', () => {
  it('is created, read, listed, queried, replaced and deleted', async () => {
    const created = await wire.call('POST', users, { body: { id: 'ada' } })
    const listed = await wire.call('GET', users)
    const queried = await wire.call('POST', users, {
      headers: QUERY,
      body: { query: 'SELECT * FROM u WHERE u.id = @id', parameters: [{ name: '@id', value: 'ada' }] }
    })
    const replaced = await wire.call('PUT', `${users}/ada`, { body: { id: 'eve' } })
    const missing = await wire.call('GET', `${users}/ada`)
    const found = await wire.call('GET', `${users}/eve`)
    const deleted = await wire.call('DELETE', `${users}/eve`)

    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ id: 'ada', _permissions: 'permissions/' })
    expect(created.body['_self']).toBe(`dbs/${created.body['_self'].split('/')[1]}/users/${created.body['_rid']}/`)
    expect(created.headers.get('etag')).toBe(created.body['_etag'])
    expect(listed.body.Users.map(({ id }: { id: string }) => id)).toContain('ada')
    expect(queried.body.Users).toEqual([created.body])
    expect([replaced.status, missing.status, found.status, deleted.status]).toEqual([200, 404, 200, 204])
    expect(found.body['_rid']).toBe(created.body['_rid'])
    expect((await wire.call('GET', `${users}/eve`)).status).toBe(404)
  })

  it('is refused with 409 if its id is taken, and replaced by an upsert', async () => {
    const path = await user()
    const id = path.slice(users.length + 1)
    const again = await wire.call('POST', users, { body: { id } })
    const upserted = await wire.call('POST', users, { headers: UPSERT, body: { id } })
    const fresh = await wire.call('POST', users, { headers: UPSERT, body: { id: 'from-upsert' } })
    const taken = await wire.call('PUT', path, { body: { id: 'from-upsert' } })

    expect([again.status, upserted.status, fresh.status, taken.status]).toEqual([409, 200, 201, 409])
  })

  it('is found by resource ids, and honors preconditions', async () => {
    const { body } = await wire.call('GET', await user())
    const path = `/${body['_self'].slice(0, -1)}`
    const known = await wire.call('GET', path, { headers: { 'if-none-match': body['_etag'] } })
    const unmatched = await wire.call('DELETE', path, { headers: { 'if-match': '"other"' } })
    const matched = await wire.call('DELETE', path, { headers: { 'if-match': body['_etag'] } })

    expect([known.status, unmatched.status, matched.status]).toEqual([304, 412, 204])
  })

  it('is refused without an id, and in a database that does not exist', async () => {
    expect((await wire.call('POST', users, { body: {} })).status).toBe(400)
    expect((await wire.call('POST', users, { body: [] })).status).toBe(400)
    expect(await wire.call('GET', '/dbs/absent/users')).toMatchObject({ status: 404, subStatus: 1003 })
  })
})

describe('users and permissions', () => {
  it('are refused to Entra tokens, which have no role for them', async () => {
    const other = await openWire({ acceptAad: true })
    const claims = Buffer.from(JSON.stringify({ exp: Date.now() / 1000 + 600 })).toString('base64url')
    const headers = { authorization: `type=aad&ver=1.0&sig=e30.${claims}.x` }
    const answers = [
      await other.call('GET', `/dbs/${other.database}`, { headers }),
      await other.call('GET', `/dbs/${other.database}/users`, { headers }),
      await other.call('GET', `/dbs/${other.database}/users/ada/permissions`, { headers })
    ]
    await other.stop()

    expect(answers.map(({ status, subStatus }) => [status, subStatus])).toEqual([
      [200, 0],
      [403, 5300],
      [403, 5300]
    ])
  })
})

describe('a permission', () => {
  it('is created, read, listed, queried, replaced and deleted, and each answer but the last has a token', async () => {
    const path = `${await user()}/permissions`
    const body = { id: 'p', permissionMode: 'Read', resource: container }
    const created = await wire.call('POST', path, { body })
    wire.emulator?.clock.advance(1000)
    const found = await wire.call('GET', `${path}/p`)
    const listed = await wire.call('GET', path)
    const queried = await wire.call('POST', path, { headers: QUERY, body: { query: 'SELECT VALUE p.id FROM p' } })
    const replaced = await wire.call('PUT', `${path}/p`, { body: { ...body, permissionMode: 'All' } })
    const deleted = await wire.call('DELETE', `${path}/p`)

    expect(created.status).toBe(201)
    expect(created.body).toMatchObject(body)
    expect(created.body['_token']).toMatch(/^type=resource&ver=1&sig=[\w+/]+=*;[\w+/]+=*;$/)
    expect(found.body['_token']).not.toBe(created.body['_token'])
    expect(listed.body.Permissions).toMatchObject([{ id: 'p', _token: expect.stringContaining('type=resource') }])
    expect(queried.body.Permissions).toEqual(['p'])
    expect(replaced.body).toMatchObject({ permissionMode: 'All', _rid: created.body['_rid'] })
    expect(replaced.body['_etag']).not.toBe(created.body['_etag'])
    expect([replaced.status, deleted.status, (await wire.call('GET', `${path}/p`)).status]).toEqual([200, 204, 404])
  })

  it('is refused with 409 if the user has one with its id, or one for its resource and partition key', async () => {
    const path = `${await user()}/permissions`
    const create = async (id: string, resourcePartitionKey?: unknown[]): Promise<number> => {
      const body = { id, permissionMode: 'Read', resource: container, resourcePartitionKey }
      return (await wire.call('POST', path, { body })).status
    }

    expect(await create('p')).toBe(201)
    expect(await create('p', ['other'])).toBe(409)
    expect(await create('q')).toBe(409)
    expect(await create('q', ['a'])).toBe(201)
    expect(await create('r', ['a'])).toBe(409)
    expect(await create('r', ['b'])).toBe(201)
  })

  it('is replaced by an upsert', async () => {
    const path = `${await user()}/permissions`
    const body = { id: 'p', permissionMode: 'Read', resource: container }
    const first = await wire.call('POST', path, { headers: UPSERT, body })
    const second = await wire.call('POST', path, { headers: UPSERT, body: { ...body, permissionMode: 'All' } })

    expect([first.status, second.status, second.body.permissionMode]).toEqual([201, 200, 'All'])
  })

  it.each([
    ['another mode', { permissionMode: 'Write' }, /'All' or 'Read'/],
    ['no resource', { resource: undefined }, /'resource'/],
    ['a database as its resource', { resource: 'dbs/shop' }, /'resource'/],
    ['a partition key that is no array', { resourcePartitionKey: 'a' }, /Partition key supplied is not valid/],
    ['no id', { id: undefined }, /'id; '/]
  ])('is refused if it has %s', async (_, change, message) => {
    const path = `${await user()}/permissions`
    const body = { id: 'p', permissionMode: 'Read', resource: container, ...change }
    const answer = await wire.call('POST', path, { body })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
  })

  it.each([9, 86_401, 'soon'])('is not answered with a token that is valid for %s seconds', async (seconds) => {
    const path = `${await user()}/permissions`
    const body = { id: 'p', permissionMode: 'Read', resource: container }
    const headers = { 'x-ms-documentdb-expiry-seconds': String(seconds) }
    const answer = await wire.call('POST', path, { headers, body })

    expect(answer.status).toBe(400)
    expect((await wire.call('GET', path)).body['_count']).toBe(0)
  })

  it('is deleted with its user', async () => {
    const path = await user()
    const body = { id: 'p', permissionMode: 'Read', resource: container }
    await wire.call('POST', `${path}/permissions`, { body })
    await wire.call('DELETE', path)

    expect(await wire.call('GET', `${path}/permissions/p`)).toMatchObject({ status: 404, subStatus: 1003 })
  })
})

describe('server-side JavaScript', () => {
  it.each([
    ['sprocs', /Stored procedures/],
    ['triggers', /Triggers/],
    ['udfs', /User-defined functions/]
  ])('in %s is refused by name', async (feed, name) => {
    const answer = await wire.call('POST', `/${container}/${feed}`, { body: { id: 'f', body: 'function f() {}' } })

    expect(answer.status).toBe(501)
    expect(answer.body.message).toMatch(name)
    expect(answer.body.message).toContain('no server-side JavaScript')
  })

  it('in triggers of a write is refused, and the write is not applied', async () => {
    const headers = { 'x-ms-documentdb-pre-trigger-include': 'check' }
    const body = { id: 'triggered', pk: 'a' }
    const answer = await wire.call('POST', `/${container}/docs`, { key: ['a'], headers, body })

    expect(answer.status).toBe(501)
    expect(answer.body.message).toContain('x-ms-documentdb-pre-trigger-include')
    expect((await wire.call('GET', `/${container}/docs/triggered`, { key: ['a'] })).status).toBe(404)
  })
})
