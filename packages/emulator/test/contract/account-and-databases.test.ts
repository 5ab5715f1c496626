import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

describe('the account', () => {
  it('returns locations with the scheme and port of the request, and is not named localhost', async () => {
    const { status, body } = await wire.call('GET', '/')

    expect(status).toBe(200)
    expect(body.id).not.toBe('localhost')
    expect(body.writableLocations[0].databaseAccountEndpoint).toBe(wire.endpoint)
    expect(body.readableLocations[0].databaseAccountEndpoint).toBe(wire.endpoint)
    expect(body.userConsistencyPolicy.defaultConsistencyLevel).toBe('Session')
  })

  it('is returned with a charge and an activity id, like every answer', async () => {
    const { headers } = await wire.call('GET', '/')

    expect(headers.get('x-ms-request-charge')).toMatch(/^\d+(\.\d+)?$/)
    expect(headers.get('x-ms-activity-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('a database', () => {
  it('is created with 201; a second create with the same id is refused with 409', async () => {
    const first = await wire.call('POST', '/dbs', { body: { id: 'once' } })
    const second = await wire.call('POST', '/dbs', { body: { id: 'once' } })
    await wire.call('DELETE', '/dbs/once')

    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ id: 'once', _colls: 'colls/', _users: 'users/' })
    expect(first.headers.get('etag')).toBe(first.body['_etag'])
    expect(second.status).toBe(409)
    expect(second.body.code).toBe('Conflict')
  })

  it('is read by its name and by its resource id', async () => {
    const byName = await wire.call('GET', `/dbs/${wire.database}`)
    const byRid = await wire.call('GET', `/dbs/${encodeURIComponent(byName.body['_rid'])}`)

    expect(byName.status).toBe(200)
    expect(byRid.body).toEqual(byName.body)
  })

  it('that does not exist is answered with 404 for reads and deletes', async () => {
    expect((await wire.call('GET', '/dbs/absent')).status).toBe(404)
    expect((await wire.call('DELETE', '/dbs/absent')).status).toBe(404)
  })

  it('is deleted with all its content, and answered with 204', async () => {
    await wire.call('POST', '/dbs', { body: { id: 'gone' } })
    await wire.call('POST', '/dbs/gone/colls', { body: { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } } })
    const deleted = await wire.call('DELETE', '/dbs/gone')

    expect(deleted).toMatchObject({ status: 204, text: '' })
    expect((await wire.call('GET', '/dbs/gone/colls/c')).status).toBe(404)
  })

  it.each([
    ['no id', {}, /'id; '/],
    ['an empty id', { id: '' }, /'id'/],
    ['a slash in its id', { id: 'a/b' }, /'id'/],
    ['a number as id', { id: 5 }, /'id'/],
    ['half a surrogate pair in its id', { id: 'a\ud800' }, /surrogate/],
    ['an id of 256 characters', { id: 'x'.repeat(256) }, /'id'/]
  ])('with %s is refused with 400 and the name of the property', async (_, body, message) => {
    const { status, body: error } = await wire.call('POST', '/dbs', { body })

    expect(status).toBe(400)
    expect(error.code).toBe('BadRequest')
    expect(error.message).toMatch(message)
  })

  it('is listed in the feed of databases, and found by a query', async () => {
    const feed = await wire.call('GET', '/dbs')
    const query = {
      query: 'SELECT * FROM root r WHERE r.id = @id',
      parameters: [{ name: '@id', value: wire.database }]
    }
    const found = await wire.call('POST', '/dbs', { headers: QUERY, body: query })

    expect(feed.body.Databases.map((database: { id: string }) => database.id)).toContain(wire.database)
    expect(found.body.Databases).toHaveLength(1)
  })
})

describe('a request', () => {
  it('gets 404 for an unknown path, 501 for an unsupported type of resource, and 405 for a wrong method', async () => {
    expect((await wire.call('GET', '/nothing')).status).toBe(404)
    const sprocs = await wire.call('GET', `/dbs/${wire.database}/colls/c/sprocs`)
    expect(sprocs.status).toBe(501)
    expect(sprocs.body.message).toMatch(/Stored procedures/)
    expect((await wire.call('PUT', `/dbs/${wire.database}`, { body: {} })).status).toBe(405)
  })
})
