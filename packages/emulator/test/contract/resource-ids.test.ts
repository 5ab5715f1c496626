import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
let path: string
let byRid: string
beforeAll(async () => {
  wire = await openWire()
  path = await wire.container({}, { 'x-ms-offer-throughput': '20000' })
  byRid = toPath((await wire.call('GET', path)).body['_self'])
})
afterAll(() => wire.stop())

async function create(id: string, more: object = {}): Promise<string> {
  const { body } = await wire.call('POST', `${path}/docs`, { key: ['a'], body: { id, pk: 'a', ...more } })
  return toPath(body['_self'])
}

describe('an item by its _self', () => {
  it('is read, replaced, patched and deleted', async () => {
    const self = await create('by-rid', { n: 1 })

    expect((await wire.call('GET', self, { key: ['a'] })).body).toMatchObject({ id: 'by-rid', n: 1 })
    const replaced = await wire.call('PUT', self, { key: ['a'], body: { id: 'by-rid', pk: 'a', n: 2 } })
    expect(replaced).toMatchObject({ status: 200, body: { n: 2 } })
    const patched = await wire.call('PATCH', self, { key: ['a'], body: [{ op: 'incr', path: '/n', value: 5 }] })
    expect(patched).toMatchObject({ status: 200, body: { n: 7 } })
    expect(toPath(patched.body['_self'])).toBe(self)
    expect((await wire.call('DELETE', self, { key: ['a'] })).status).toBe(204)
    expect((await wire.call('GET', `${path}/docs/by-rid`, { key: ['a'] })).status).toBe(404)
    expect((await wire.call('GET', self, { key: ['a'] })).status).toBe(404)
  })

  it('is read by a path that ends in a slash, and is signed as its resource id in lower case', async () => {
    const self = await create('slash')
    const answer = await callSigned('GET', `${self}/`, self.split('/').at(-1)!.toLowerCase())

    expect(answer.status).toBe(200)
  })

  it('is found after its range was split', async () => {
    const self = await create('split')
    await wire.emulator?.split(wire.database, path.split('/')[4], '0')

    expect((await wire.call('GET', self, { key: ['a'] })).status).toBe(200)
  })

  it('is not found under another partition key, below another container, or after a new item has got its id', async () => {
    const self = await create('again')
    expect((await wire.call('GET', self, { key: ['b'] })).status).toBe(404)
    await wire.call('DELETE', self, { key: ['a'] })
    const second = await create('again')

    expect(second).not.toBe(self)
    expect((await wire.call('GET', self, { key: ['a'] })).status).toBe(404)
    const other = toPath((await wire.call('GET', await wire.container())).body['_self'])
    expect((await wire.call('GET', `${other}/docs/${second.split('/').at(-1)}`, { key: ['a'] })).status).toBe(404)
  })

  it('checks If-Match', async () => {
    const self = await create('match')

    expect((await wire.call('DELETE', self, { key: ['a'], headers: { 'if-match': '"wrong"' } })).status).toBe(412)
  })
})

describe('requests with names and resource ids in one path', () => {
  it('are refused with 400 where a name follows resource ids, as the service does', async () => {
    await create('named')
    const item = await wire.call('GET', `${byRid}/docs/named`, { key: ['a'] })
    const container = await wire.call('GET', `/dbs/${byRid.split('/')[2]}/colls/${path.split('/')[4]}`)

    expect(item.status).toBe(400)
    expect(item.body.message).toContain("Failed to parse the value 'named' as ResourceId.")
    expect(container.status).toBe(400)
  })

  it('are answered with 404 where a resource id follows names', async () => {
    const self = await create('mixed')

    expect((await wire.call('GET', `${path}/docs/${self.split('/').at(-1)}`, { key: ['a'] })).status).toBe(404)
    expect((await wire.call('GET', `/dbs/${wire.database}/colls/${byRid.split('/')[4]}`)).status).toBe(404)
  })

  it('are refused with 401 if a request by name is signed as a resource id', async () => {
    const self = await create('signed')
    const rid = self.split('/').at(-1)!

    expect((await callSigned('GET', `${path}/docs/${rid}`, rid.toLowerCase())).status).toBe(401)
    expect((await callSigned('GET', `${path}/docs/signed`, 'signed')).status).toBe(401)
  })
})

function toPath(self: string): string {
  return `/${self.replace(/\/$/, '')}`
}

async function callSigned(method: string, target: string, link: string): Promise<WireAnswer> {
  const date = new Date().toUTCString()
  const text = `${method.toLowerCase()}\ndocs\n${link}\n${date.toLowerCase()}\n\n`
  const signature = createHmac('sha256', Buffer.from(wire.key, 'base64')).update(text).digest('base64')
  const authorization = encodeURIComponent(`type=master&ver=1.0&sig=${signature}`)
  return wire.call(method, target, { key: ['a'], headers: { 'x-ms-date': date, authorization } })
}
