import { WELL_KNOWN_KEY } from '@keystamp/emulator'
import { describe, expect, it } from 'vitest'
import { createSigner, createTokenSource } from '../../src/client/signer.ts'

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

  it('reads the key again when signatures are renewed', async () => {
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

  it('reuses a signature for minutes, and creates a new one before the date of the old one expires', async () => {
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

  it('signs again after the service has refused a signature', async () => {
    const { sign, renew } = createSigner({ ...CONTAINER, key: KEY_1 }, () => AT_MS)
    const first = await sign('POST', 'docs', 'dbs/d/colls/c')

    renew()

    expect(await sign('POST', 'docs', 'dbs/d/colls/c')).not.toBe(first)
  })
})

const HOUR = 3_600_000

describe('createTokenSource', () => {
  it('requests a token for the scope of the account, once for all waiting callers', async () => {
    const { source, scopes } = start({ lifetimeMs: HOUR })

    const [one, two] = await Promise.all([source.headers(), source.headers()])

    expect(one).toEqual({ authorization: 'type=aad&ver=1.0&sig=token1' })
    expect(two).toBe(one)
    expect(scopes).toEqual(['https://account.example/.default'])
  })

  it('returns a value instead of a promise while the token is valid', async () => {
    const { source } = start({ lifetimeMs: HOUR })
    const first = await source.headers()

    expect(source.headers()).toBe(first)
  })

  it('fetches the next token in the background before the last one expires', async () => {
    const { source, clock, scopes } = start({ lifetimeMs: HOUR })
    const first = await source.headers()

    clock.ms = HOUR - 4 * 60_000
    expect(source.headers()).toBe(first)
    await settle()

    expect(source.headers()).toEqual({ authorization: 'type=aad&ver=1.0&sig=token2' })
    expect(scopes).toHaveLength(2)
  })

  it('waits for a new token after the last one has expired', async () => {
    const { source, clock } = start({ lifetimeMs: HOUR })
    await source.headers()

    clock.ms = HOUR

    expect(await source.headers()).toEqual({ authorization: 'type=aad&ver=1.0&sig=token2' })
  })

  it('continues with the current token when renewing fails', async () => {
    const { source, clock } = start({ lifetimeMs: HOUR, failFrom: 2 })
    const first = await source.headers()

    clock.ms = HOUR - 60_000
    void source.headers()
    await settle()

    expect(source.headers()).toBe(first)
    clock.ms = HOUR
    await expect(source.headers()).rejects.toMatchObject({ code: 'COSMOS_UNAUTHORIZED' })
  })

  it('falls back to the scope of all accounts if Entra does not know the scope of this account', async () => {
    const scopes: string[] = []
    const credential = {
      getToken: async (scope: string | string[]) => {
        scopes.push(String(scope))
        if (scopes.length === 1) throw new Error('AADSTS500011: The resource principal was not found.')
        return { token: 'general', expiresOnTimestamp: HOUR }
      }
    }
    const source = createTokenSource({ credential, endpoint: 'https://account.example:443/', now: () => 0 })

    expect(await source.headers()).toEqual({ authorization: 'type=aad&ver=1.0&sig=general' })
    expect(scopes).toEqual(['https://account.example/.default', 'https://cosmos.azure.com/.default'])
  })

  it('reports that the credential failed, with its error as the cause', async () => {
    const { source } = start({ lifetimeMs: HOUR, failFrom: 1 })

    await expect(source.headers()).rejects.toMatchObject({
      code: 'COSMOS_UNAUTHORIZED',
      cause: new Error('no network')
    })
  })
})

function start({ lifetimeMs, failFrom = Number.POSITIVE_INFINITY }: { lifetimeMs: number; failFrom?: number }) {
  const clock = { ms: 0 }
  const scopes: string[] = []
  const credential = {
    getToken: async (scope: string | string[]) => {
      scopes.push(String(scope))
      if (scopes.length >= failFrom) throw new Error('no network')
      return { token: `token${scopes.length}`, expiresOnTimestamp: clock.ms + lifetimeMs }
    }
  }
  return {
    source: createTokenSource({ credential, endpoint: 'https://account.example/', now: () => clock.ms }),
    clock,
    scopes
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
