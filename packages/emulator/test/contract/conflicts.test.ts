import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire } from './wire.ts'

let wire: Wire
let conflicts: string
beforeAll(async () => {
  wire = await openWire()
  conflicts = `${await wire.container()}/conflicts`
})
afterAll(() => wire.stop())

// an account with one region has no conflicts
describe('the conflicts of a container', () => {
  it('are returned as an empty feed', async () => {
    const { status, body, headers } = await wire.call('GET', conflicts)

    expect(status).toBe(200)
    expect(body).toMatchObject({ Conflicts: [], _count: 0 })
    expect(headers.get('x-ms-item-count')).toBe('0')
    expect(headers.get('x-ms-continuation')).toBeNull()
  })

  it('can be queried: the result is empty, or 400 for an invalid query', async () => {
    const good = await wire.call('POST', conflicts, {
      headers: QUERY,
      body: { query: "SELECT * FROM r WHERE r.resourceType = 'document'" }
    })

    expect(good).toMatchObject({ status: 200, body: { Conflicts: [], _count: 0 } })
    expect((await wire.call('POST', conflicts, { headers: QUERY, body: { query: 'SELECT FROM' } })).status).toBe(400)
  })

  it('are not found by id: the answer is 404', async () => {
    expect((await wire.call('GET', `${conflicts}/new`, { key: ['a'] })).status).toBe(404)
    expect((await wire.call('DELETE', `${conflicts}/new`, { key: ['a'] })).status).toBe(404)
  })

  it('are answered with 404/1003 if the container does not exist', async () => {
    const answer = await wire.call('GET', `/dbs/${wire.database}/colls/absent/conflicts`)

    expect(answer).toMatchObject({ status: 404, subStatus: 1003 })
  })
})
