import { WELL_KNOWN_KEY } from '@keystamp/emulator'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../../src/account/signer.ts'

const KEY_1 = 'dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw=='
const AT_MS = Date.parse('Thu, 27 Apr 2017 00:51:12 GMT')
const CONTAINER = { endpoint: 'https://localhost/', database: 'd', container: 'c' }

describe('createSigner with a key', () => {
  it.each([
    [KEY_1, 'GET', 'dbs', 'dbs/ToDoList', 'c09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu%2Bc%2Bc%3D'],
    [WELL_KNOWN_KEY, 'GET', '', '', 'gFB1bRB%2FPLJTG3bCgMuoVgNzOyFvZAamzEtLuSITjRc%3D'],
    [WELL_KNOWN_KEY, 'POST', 'docs', 'dbs/d/colls/c', 'BxpCFKtAFFoil4E60WnvfMCGa5YdI7RxUGBsMIi5%2Bik%3D'],
    [WELL_KNOWN_KEY, 'GET', 'docs', 'dbs/d/colls/c/docs/1', 'MftCZKcAuV1ArYR4ohFMgj68Md3DbYIxBNpStFwXE3M%3D'],
    [WELL_KNOWN_KEY, 'GET', 'pkranges', 'dbs/d/colls/c', 'eYzyUWpuY3MaTXvwYksgUuV%2FZ4FOPfMKjPwSYmeEBcI%3D']
  ])('signs as the service expects: %s %s %s %s', async (key, verb, type, link, signature) => {
    const { sign } = createSigner({ ...CONTAINER, key }, () => AT_MS)

    expect(await sign(verb, type, link)).toEqual({
      authorization: `type%3Dmaster%26ver%3D1.0%26sig%3D${signature}`,
      'x-ms-date': 'Thu, 27 Apr 2017 00:51:12 GMT'
    })
  })

  it('asks for the key again when signatures are renewed', async () => {
    let key = WELL_KNOWN_KEY
    const { sign, renew } = createSigner({ ...CONTAINER, key: () => key }, () => AT_MS)
    const before = await sign('GET', 'dbs', 'dbs/ToDoList')
    key = KEY_1
    expect(await sign('GET', 'dbs', 'dbs/ToDoList')).toEqual(before)

    renew()

    expect(await sign('GET', 'dbs', 'dbs/ToDoList')).toMatchObject({
      authorization: 'type%3Dmaster%26ver%3D1.0%26sig%3Dc09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu%2Bc%2Bc%3D'
    })
  })

  it('uses a signature for minutes, and makes another before its date is too old', async () => {
    const clock = { ms: AT_MS }
    const { sign } = createSigner({ ...CONTAINER, key: KEY_1 }, () => clock.ms)
    const first = await sign('POST', 'docs', 'dbs/d/colls/c')

    clock.ms += 4 * 60_000
    expect(await sign('POST', 'docs', 'dbs/d/colls/c')).toBe(first)
    clock.ms += 2 * 60_000
    expect((await sign('POST', 'docs', 'dbs/d/colls/c'))['x-ms-date']).toBe('Thu, 27 Apr 2017 00:57:12 GMT')
  })

  it('signs again when the clock was set back', async () => {
    const clock = { ms: AT_MS }
    const { sign } = createSigner({ ...CONTAINER, key: KEY_1 }, () => clock.ms)
    await sign('POST', 'docs', 'dbs/d/colls/c')

    clock.ms -= 3_600_000

    expect((await sign('POST', 'docs', 'dbs/d/colls/c'))['x-ms-date']).toBe('Wed, 26 Apr 2017 23:51:12 GMT')
  })

  it('signs again after the service refused', async () => {
    const { sign, renew } = createSigner({ ...CONTAINER, key: KEY_1 }, () => AT_MS)
    const first = await sign('POST', 'docs', 'dbs/d/colls/c')

    renew()

    expect(await sign('POST', 'docs', 'dbs/d/colls/c')).not.toBe(first)
  })
})
