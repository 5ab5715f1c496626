import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

const OTHER = { 'if-match': '"another"' }

async function offerPath(container: string): Promise<string> {
  const { body } = await wire.call('GET', container)
  const { body: feed } = await wire.call('GET', '/offers')
  const offer = feed.Offers.find((candidate: { offerResourceId: string }) => candidate.offerResourceId === body['_rid'])
  return `/offers/${encodeURIComponent(offer['_rid'])}`
}

describe('the ETag of a container', () => {
  it('is compared with If-Match in a replace and a delete: another ETag is refused with 412 and changes nothing', async () => {
    const path = await wire.container()
    const { body } = await wire.call('GET', path)

    expect((await wire.call('PUT', path, { body: { ...body, defaultTtl: 5 }, headers: OTHER })).status).toBe(412)
    expect((await wire.call('DELETE', path, { headers: OTHER })).status).toBe(412)
    expect((await wire.call('GET', path)).body).toEqual(body)
  })

  it('changes with a replace whose If-Match has the current ETag', async () => {
    const path = await wire.container()
    const { body } = await wire.call('GET', path)
    const replaced = await wire.call('PUT', path, {
      body: { ...body, defaultTtl: 5 },
      headers: { 'if-match': body['_etag'] }
    })

    expect(replaced.status).toBe(200)
    expect(replaced.body['_etag']).not.toBe(body['_etag'])
  })

  it('leads to 304 for a client that sends it in If-None-Match', async () => {
    const path = await wire.container()
    const { body } = await wire.call('GET', path)
    const again = await wire.call('GET', path, { headers: { 'if-none-match': body['_etag'] } })

    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.get('etag')).toBe(body['_etag'])
  })
})

describe('the ETag of an offer', () => {
  it('is compared with If-Match in a replace: another ETag is refused with 412', async () => {
    const path = await offerPath(await wire.container())
    const { body } = await wire.call('GET', path)
    const raised = { ...body, content: { offerThroughput: 500 } }

    expect((await wire.call('PUT', path, { body: raised, headers: OTHER })).status).toBe(412)
    expect((await wire.call('PUT', path, { body: raised, headers: { 'if-match': body['_etag'] } })).status).toBe(200)
  })
})

describe('an autoscale offer', () => {
  it('keeps the upgrade policy that it was created with', async () => {
    const settings = { maxThroughput: 4000, autoUpgradePolicy: { throughputPolicy: { incrementPercent: 10 } } }
    const path = await offerPath(
      await wire.container({}, { 'x-ms-cosmos-offer-autopilot-settings': JSON.stringify(settings) })
    )

    expect((await wire.call('GET', path)).body.content.offerAutopilotSettings).toEqual(settings)
  })
})

describe('the unique keys of a container', () => {
  it.each([
    ['other unique keys', { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/b'] }] } }],
    ['no unique keys', { uniqueKeyPolicy: undefined }]
  ])('cannot be replaced by %s: the answer is 403', async (_, change) => {
    const path = await wire.container({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/a'] }] } })
    const { body } = await wire.call('GET', path)

    expect((await wire.call('PUT', path, { body: { ...body, ...change } })).status).toBe(403)
    expect((await wire.call('PUT', path, { body })).status).toBe(200)
  })
})
