import type { TokenCredential } from './account-options.ts'
import { CosmosError } from './cosmos-error.ts'

/** Tokens of a credential as headers. */
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

/** Fetches a token when there is none, and another some minutes before it expires; one fetch at a time, shared. */
export function createTokenSource({ credential, endpoint, now }: TokenSourceOptions): TokenSource {
  let scope = `${new URL(endpoint).origin}/.default`
  let kept: KeptToken | undefined
  let fetching: Promise<KeptToken> | undefined

  function headers(): ReturnType<TokenSource['headers']> {
    const atMs = now()
    if (kept !== undefined && atMs < kept.expiresMs) {
      // renewed behind the scenes: the one at hand is good until it expires
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
      // an account that Entra does not know by its own name
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
    if (token === null) throw new Error('The credential gave no token.')
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
  // asked again by the next request; once the token has expired the failure reaches the caller
}

function unauthorized(cause: unknown): CosmosError {
  return new CosmosError('COSMOS_UNAUTHORIZED', 'The Entra credential gave no token for Cosmos DB. Its own message is the cause.', {
    cause
  })
}
