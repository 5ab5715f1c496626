/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire } from './wire.ts'

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
})
afterAll(() => wire.stop())

describe('session tokens', () => {
  it('advance by one with each write, and not with a read', async () => {
    const lsn = (token: string | null): number => Number(token?.split('#')[1])
    const first = await wire.call('POST', docs, { key: ['a'], body: { id: '1', pk: 'a' } })
    const read = await wire.call('GET', `${docs}/1`, { key: ['a'] })
    const second = await wire.call('POST', docs, { key: ['b'], body: { id: '1', pk: 'b' } })

    expect(lsn(read.headers.get('x-ms-session-token'))).toBe(lsn(first.headers.get('x-ms-session-token')))
    expect(lsn(second.headers.get('x-ms-session-token'))).toBe(lsn(first.headers.get('x-ms-session-token')) + 1)
  })

  it('of earlier writes are accepted by a read, and a token of a later LSN is refused with 404/1002', async () => {
    const { headers } = await wire.call('POST', docs, { key: ['c'], body: { id: '1', pk: 'c' } })
    const known = { 'x-ms-session-token': headers.get('x-ms-session-token')! }
    const ahead = { 'x-ms-session-token': '0:-1#1000000' }

    expect((await wire.call('GET', `${docs}/1`, { key: ['c'], headers: known })).status).toBe(200)
    const refused = await wire.call('GET', `${docs}/1`, { key: ['c'], headers: ahead })
    expect(refused).toMatchObject({ status: 404, subStatus: 1002 })
    expect(refused.body.code).toBe('ReadSessionNotAvailable')
  })
})

describe('consistency', () => {
  it('of a request may be weaker than that of the account, and not stronger', async () => {
    const ask = async (level: string): Promise<number> =>
      (await wire.call('GET', `${docs}/1`, { key: ['a'], headers: { 'x-ms-consistency-level': level } })).status

    expect([await ask('Eventual'), await ask('Session'), await ask('Strong'), await ask('Nonsense')]).toEqual([
      200, 200, 400, 400
    ])
  })
})
