/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

interface OfferJson {
  id: string
  _rid: string
  content: Record<string, unknown>
}

async function offerOf(path: string): Promise<OfferJson | undefined> {
  const { body } = await wire.call('GET', path)
  const query = { query: `SELECT * from root where root.resource = "${body['_self']}"` }
  const { body: found } = await wire.call('POST', '/offers', { headers: QUERY, body: query })
  return found.Offers[0] as OfferJson | undefined
}

describe('the offer of a container', () => {
  it('is found by the _self and by the _rid of the container', async () => {
    const path = await wire.container({}, { 'x-ms-offer-throughput': '1100' })
    const offer = await offerOf(path)
    const { body } = await wire.call('GET', path)
    const query = {
      query: 'SELECT * FROM c WHERE c.offerResourceId = @rid',
      parameters: [{ name: '@rid', value: body['_rid'] }]
    }
    const byRid = await wire.call('POST', '/offers', { headers: QUERY, body: query })

    expect(offer?.content).toEqual({ offerThroughput: 1100 })
    expect(byRid.body.Offers[0].id).toBe(offer?.id)
    expect((await wire.call('GET', `/offers/${offer?.['_rid']}`)).body).toEqual(offer)
  })

  it('has 400 RU/s if the request names no throughput', async () => {
    expect((await offerOf(await wire.container()))?.content).toEqual({ offerThroughput: 400 })
  })

  it('can be replaced; the answer has the minimum, and says whether the change is pending', async () => {
    const offer = await offerOf(await wire.container({}, { 'x-ms-offer-throughput': '1000' }))
    const body = { ...offer, content: { offerThroughput: 2000 } }
    const { status, headers, body: replaced } = await wire.call('PUT', `/offers/${offer?.['_rid']}`, { body })

    expect(status).toBe(200)
    expect(replaced.content.offerThroughput).toBe(2000)
    expect(headers.get('x-ms-offer-replace-pending')).toBe('false')
    expect(headers.get('x-ms-cosmos-min-throughput')).toBe('400')
  })

  it('below the minimum is refused, and the message names the minimum', async () => {
    const headers = { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":-200}' }

    await expect(wire.container({}, headers)).rejects.toThrow(
      'Requested throughput -200 is less than required minimum throughput 1000'
    )
    await expect(wire.container({}, { 'x-ms-offer-throughput': '300' })).rejects.toThrow(
      'less than required minimum throughput 400'
    )
  })

  it('splits ranges if its throughput rises beyond their maximum', async () => {
    const path = await wire.container({}, { 'x-ms-offer-throughput': '400' })
    const offer = await offerOf(path)
    await wire.call('PUT', `/offers/${offer?.['_rid']}`, { body: { ...offer, content: { offerThroughput: 25_000 } } })
    await expect.poll(async () => (await wire.call('GET', `${path}/pkranges`)).body['_count']).toBe(3)
    const { body } = await wire.call('GET', `${path}/pkranges`)

    expect(body.PartitionKeyRanges.every((range: { parents: string[] }) => range.parents.length === 1)).toBe(true)
  })

  it.each([399, 450, 1_000_100, 0, -400, '500'])('refuses %s RU/s with 400', async (ru) => {
    const offer = await offerOf(await wire.container())
    const { status, body } = await wire.call('PUT', `/offers/${offer?.['_rid']}`, {
      body: { ...offer, content: { offerThroughput: ru } }
    })

    expect(status).toBe(400)
    expect(body.message).toMatch(/throughput/)
  })

  it('can have autoscale throughput, and change to manual throughput', async () => {
    const path = await wire.container({}, { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":4000}' })
    const offer = await offerOf(path)
    expect(offer?.content).toEqual({ offerThroughput: 400, offerAutopilotSettings: { maxThroughput: 4000 } })

    const migrated = await wire.call('PUT', `/offers/${offer?.['_rid']}`, {
      headers: { 'x-ms-cosmos-migrate-offer-to-manual-throughput': 'true' },
      body: { ...offer, content: { offerThroughput: -1 } }
    })
    expect(migrated.body.content).toEqual({ offerThroughput: 4000 })
  })

  it('in a create request is refused if it names both manual and autoscale throughput, or an invalid number', async () => {
    const attempt = (headers: Record<string, string>): Promise<string> => wire.container({ id: 'never' }, headers)
    const autoscale = { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":4000}' }

    await expect(attempt({ 'x-ms-offer-throughput': '400', ...autoscale })).rejects.toThrow(/not both/)
    await expect(attempt({ 'x-ms-offer-throughput': 'many' })).rejects.toThrow(/throughput/)
    await expect(attempt({ 'x-ms-cosmos-offer-autopilot-settings': '{' })).rejects.toThrow(/autopilot/)
    await expect(attempt({ 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":900}' })).rejects.toThrow(/1000/)
  })

  it('is deleted with its container', async () => {
    const path = await wire.container()
    const offer = await offerOf(path)
    await wire.call('DELETE', path)

    expect((await wire.call('GET', `/offers/${offer?.['_rid']}`)).status).toBe(404)
  })
})

describe('the offer of a database', () => {
  it('is shared by its containers, which have no offer of their own', async () => {
    await wire.call('POST', '/dbs', { headers: { 'x-ms-offer-throughput': '1000' }, body: { id: 'shared' } })
    await wire.call('POST', '/dbs/shared/colls', { body: { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } } })
    const [ofDatabase, ofContainer] = [await offerOf('/dbs/shared'), await offerOf('/dbs/shared/colls/c')]
    await wire.call('DELETE', '/dbs/shared')

    expect(ofDatabase?.content).toEqual({ offerThroughput: 1000 })
    expect(ofContainer).toBeUndefined()
  })
})
