import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, sign, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

const OTHER_KEY = Buffer.from('another key').toString('base64')

describe('authorization by key', () => {
  it.each([
    ['no header', {}],
    ['another key', { authorization: sign(OTHER_KEY, 'GET', '/dbs', new Date().toUTCString()) }],
    ['the signature of another resource', { authorization: 'sign-other' }],
    ['another scheme', { authorization: 'Bearer abc' }],
    ['an invalid encoding', { authorization: 'type%3Dmaster%26ver%3D1.0%26sig%3D%ZZ' }],
    ['an unknown type', { authorization: encodeURIComponent('type=resource&ver=1&sig=abc') }]
  ])('with %s is refused with 401 and a JSON body', async (name, headers) => {
    const date = new Date().toUTCString()
    const given: Record<string, string> = { 'x-ms-date': date, ...headers }
    if (given['authorization'] === 'sign-other') given['authorization'] = sign(wire.key, 'GET', '/dbs/other', date)
    const response = await fetch(`${wire.endpoint}dbs`, { headers: given })

    expect(name).toBeDefined()
    expect(response.status).toBe(401)
    expect(((await response.json()) as { code: string }).code).toBe('Unauthorized')
  })

  it('is refused if the date of the request is missing, or differs from the clock by more than 15 minutes', async () => {
    for (const date of [
      new Date(Date.now() - 16 * 60_000).toUTCString(),
      new Date(Date.now() + 16 * 60_000).toUTCString(),
      'today'
    ]) {
      const headers = { 'x-ms-date': date, authorization: sign(wire.key, 'GET', '/dbs', date) }
      expect((await fetch(`${wire.endpoint}dbs`, { headers })).status).toBe(401)
    }
    const headers = { authorization: sign(wire.key, 'GET', '/dbs', '') }
    expect((await fetch(`${wire.endpoint}dbs`, { headers })).status).toBe(401)
  })

  it('accepts a signature of the decoded names, however the path encodes them', async () => {
    const path = await wire.container({ id: 'With space+ä' })
    const { status } = await wire.call('GET', path.replace('With space+ä', encodeURIComponent('With space+ä')))

    expect(status).toBe(200)
  })

  it('accepts a path that ends in a slash, and resource ids that are signed in lower case', async () => {
    const path = await wire.container()
    expect((await wire.call('GET', `${path}/pkranges/`)).status).toBe(200)

    const { body } = await wire.call('GET', path)
    const [, database, , container] = body['_self'].split('/')
    const date = new Date().toUTCString()
    const text = `get\npkranges\n${container.toLowerCase()}\n${date.toLowerCase()}\n\n`
    const signature = createHmac('sha256', Buffer.from(wire.key, 'base64')).update(text).digest('base64')
    const headers = { 'x-ms-date': date, authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`) }
    expect((await fetch(`${wire.endpoint}dbs/${database}/colls/${container}/pkranges`, { headers })).status).toBe(200)
  })
})
