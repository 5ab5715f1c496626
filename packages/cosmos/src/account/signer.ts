import { createHmac } from 'node:crypto'
import type { CompleteAccountOptions } from './account-options.ts'
import { createTokenSource } from './token-source.ts'

/** The headers that prove who asks; a promise only where a token has to be fetched first. */
export type Sign = (
  verb: string,
  resourceType: string,
  resourceLink: string
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/** Signs requests. */
export interface Signer {
  readonly sign: Sign
  /** Forgets what was signed and fetched, for when the service refused it. */
  readonly renew: () => void
}

/** Signs by the account key, or by tokens of the credential. */
export function createSigner({ endpoint, key, credential }: CompleteAccountOptions, now: () => number): Signer {
  if (key !== undefined) return createKeySigner(key, now)
  const tokens = createTokenSource({ credential: credential!, endpoint, now })
  return { sign: () => tokens.headers(), renew: tokens.renew }
}

// The service takes a date that is up to 15 minutes old, and the signature covers neither body nor other headers.
const KEEP_MS = 5 * 60_000

// Items have links of their own, so what is kept must not grow with them.
const KEEP_MOST = 100

function createKeySigner(key: string | (() => string), now: () => number): Signer {
  // read when it is next needed: a new key may be there only some time after the old one was refused
  let secret: Buffer | undefined
  const kept = new Map<string, { readonly headers: Readonly<Record<string, string>>; readonly atMs: number }>()

  function sign(verb: string, resourceType: string, resourceLink: string): Readonly<Record<string, string>> {
    const name = `${verb.toLowerCase()}\n${resourceType.toLowerCase()}\n${resourceLink}`
    const atMs = now()
    const known = kept.get(name)
    // a clock that was set back counts as well
    if (known !== undefined && Math.abs(atMs - known.atMs) < KEEP_MS) return known.headers
    secret ??= readSecret()
    const date = new Date(atMs).toUTCString()
    const signature = createHmac('sha256', secret).update(`${name}\n${date.toLowerCase()}\n\n`).digest('base64')
    const headers = { authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`), 'x-ms-date': date }
    if (kept.size >= KEEP_MOST) kept.clear()
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
