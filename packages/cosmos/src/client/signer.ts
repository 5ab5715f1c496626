import { createHmac } from 'node:crypto'
import type { CompleteAccountOptions, TokenCredential } from './account-options.ts'
import { CosmosError } from './cosmos-error.ts'

/** Returns the headers that authorize a request; a promise only if a token has to be fetched first. */
export type Sign = (
  verb: string,
  resourceType: string,
  resourceLink: string
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/** Signs requests. */
export interface Signer {
  readonly sign: Sign
  /** Forgets signatures and tokens. Must be called after the service has refused them. */
  readonly renew: () => void
}

/** Creates a signer that uses the account key, or tokens of the credential. */
export function createSigner({ endpoint, key, credential }: CompleteAccountOptions, now: () => number): Signer {
  if (key !== undefined) return createKeySigner(key, now)
  const tokens = createTokenSource({ credential: credential!, endpoint, now })
  return { sign: () => tokens.headers(), renew: tokens.renew }
}

// A signature can be reused: Cosmos DB accepts a date that is up to 15 minutes old, and the signature covers neither
// the body nor other headers.
const KEEP_MS = 5 * 60_000

// Each item has its own link, so the cache needs a limit.
const MAX_KEPT = 100

function createKeySigner(key: string | (() => string), now: () => number): Signer {
  // read at the next use, because a new key may be available only some time after the service refused the old one
  let secret: Buffer | undefined
  const kept = new Map<string, { readonly headers: Readonly<Record<string, string>>; readonly atMs: number }>()

  function sign(verb: string, resourceType: string, resourceLink: string): Readonly<Record<string, string>> {
    const name = `${verb.toLowerCase()}\n${resourceType.toLowerCase()}\n${resourceLink}`
    const atMs = now()
    const known = kept.get(name)
    // the absolute value, because the clock may have been set back
    if (known !== undefined && Math.abs(atMs - known.atMs) < KEEP_MS) return known.headers
    secret ??= readSecret()
    const date = new Date(atMs).toUTCString()
    const signature = createHmac('sha256', secret).update(`${name}\n${date.toLowerCase()}\n\n`).digest('base64')
    const headers = { authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`), 'x-ms-date': date }
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(name, { headers, atMs })
    return headers
  }

  function readSecret(): Buffer {
    return Buffer.from(typeof key === 'function' ? key() : key, 'base64')
  }

  function renew(): void {
    kept.clear()
    secret = undefined
  }

  return { sign, renew }
}

/** Headers with tokens of a credential. */
export interface TokenSource {
  readonly headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  readonly renew: () => void
}

export interface TokenSourceOptions {
  readonly credential: TokenCredential
  readonly endpoint: string
  readonly now: () => number
}

const EARLY_MS = 5 * 60_000
const FALLBACK_SCOPE = 'https://cosmos.azure.com/.default'

/**
 * Creates a token source. It fetches a token if there is none, and a new token a few minutes before the current one
 * expires. There is one fetch at a time, which all callers share.
 */
export function createTokenSource({ credential, endpoint, now }: TokenSourceOptions): TokenSource {
  let scope = `${new URL(endpoint).origin}/.default`
  let kept: KeptToken | undefined
  let fetching: Promise<KeptToken> | undefined

  function headers(): ReturnType<TokenSource['headers']> {
    const atMs = now()
    if (kept !== undefined && atMs < kept.expiresMs) {
      // renews in the background: the current token is still valid
      if (atMs >= kept.renewMs) fetchToken().catch(ignoreWhileValid)
      return kept.headers
    }
    return fetchToken().then((token) => token.headers)
  }

  function fetchToken(): Promise<KeptToken> {
    fetching ??= getToken()
      .then((token) => {
        kept = keep(token, now())
        return kept
      })
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }

  async function getToken(): Promise<AccessToken> {
    try {
      return await ask()
    } catch (error) {
      // Entra does not know the scope of this account
      const isUnknown = error instanceof Error && error.message.includes('AADSTS500011')
      if (!isUnknown || scope === FALLBACK_SCOPE) throw unauthorized(error)
      scope = FALLBACK_SCOPE
      return ask().catch((cause: unknown) => {
        throw unauthorized(cause)
      })
    }
  }

  async function ask(): Promise<AccessToken> {
    const token = await credential.getToken(scope)
    if (token === null) throw new Error('The credential returned no token.')
    return token
  }

  return {
    headers,
    renew: () => {
      kept = undefined
    }
  }
}

type AccessToken = NonNullable<Awaited<ReturnType<TokenCredential['getToken']>>>

interface KeptToken {
  readonly headers: Readonly<Record<string, string>>
  readonly renewMs: number
  readonly expiresMs: number
}

function keep({ token, expiresOnTimestamp, refreshAfterTimestamp }: AccessToken, atMs: number): KeptToken {
  const early = Math.min(EARLY_MS, (expiresOnTimestamp - atMs) / 2)
  return {
    headers: { authorization: `type=aad&ver=1.0&sig=${token}` },
    renewMs: Math.min(refreshAfterTimestamp ?? Number.POSITIVE_INFINITY, expiresOnTimestamp - early),
    expiresMs: expiresOnTimestamp
  }
}

function ignoreWhileValid(): void {
  // the next request tries again; after the token has expired, the caller gets the failure
}

function unauthorized(cause: unknown): CosmosError {
  return new CosmosError(
    'COSMOS_UNAUTHORIZED',
    'The Entra credential returned no token for Cosmos DB. Its error is in `cause`.',
    {
      cause
    }
  )
}
