import { describe, expect, it } from 'vitest'
import { createTokenSource } from '../../src/account/token-source.ts'

const HOUR = 3_600_000

describe('createTokenSource', () => {
  it('asks for the scope of the account, once for all who wait', async () => {
    const { source, scopes } = start({ lifetimeMs: HOUR })

    const [one, two] = await Promise.all([source.headers(), source.headers()])

    expect(one).toEqual({ authorization: 'type=aad&ver=1.0&sig=token1' })
    expect(two).toBe(one)
    expect(scopes).toEqual(['https://account.example/.default'])
  })

  it('answers without a promise while the token is good', async () => {
    const { source } = start({ lifetimeMs: HOUR })
    const first = await source.headers()

    expect(source.headers()).toBe(first)
  })

  it('fetches the next token before the last one expires, and nobody waits for it', async () => {
    const { source, clock, scopes } = start({ lifetimeMs: HOUR })
    const first = await source.headers()

    clock.ms = HOUR - 4 * 60_000
    expect(source.headers()).toBe(first)
    await settle()

    expect(source.headers()).toEqual({ authorization: 'type=aad&ver=1.0&sig=token2' })
    expect(scopes).toHaveLength(2)
  })

  it('waits for another token once the last one has expired', async () => {
    const { source, clock } = start({ lifetimeMs: HOUR })
    await source.headers()

    clock.ms = HOUR

    expect(await source.headers()).toEqual({ authorization: 'type=aad&ver=1.0&sig=token2' })
  })

  it('goes on with the token at hand when renewing fails', async () => {
    const { source, clock } = start({ lifetimeMs: HOUR, failFrom: 2 })
    const first = await source.headers()

    clock.ms = HOUR - 60_000
    void source.headers()
    await settle()

    expect(source.headers()).toBe(first)
    clock.ms = HOUR
    await expect(source.headers()).rejects.toMatchObject({ code: 'COSMOS_UNAUTHORIZED' })
  })

  it('falls back to the scope of all accounts where Entra does not know this one', async () => {
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

  it('says that the credential failed, with its error as the cause', async () => {
    const { source } = start({ lifetimeMs: HOUR, failFrom: 1 })

    await expect(source.headers()).rejects.toMatchObject({ code: 'COSMOS_UNAUTHORIZED', cause: new Error('no network') })
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
  return { source: createTokenSource({ credential, endpoint: 'https://account.example/', now: () => clock.ms }), clock, scopes }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
