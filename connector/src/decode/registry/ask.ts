import { KeystampError } from '@keystamp/core'

import type { RegistrySettings } from '../../config/settings.ts'
import type { AuthGrace } from '../../lifecycle/auth-grace.ts'
import type { HttpGet } from './http-get.ts'

/** What came of asking a registry once. */
export type Answer =
  | { readonly kind: 'known'; readonly body: unknown }
  /** The registry knows that it has no such thing. */
  | { readonly kind: 'unknown' }
  /** No answer to rely on: why, as the end of a sentence about waiting. */
  | { readonly kind: 'silent'; readonly reason: string }

/** Makes what asks a registry once. Throws only where it refuses the credentials, and `auth` does not wait for that to end. */
export function createAsk(
  settings: RegistrySettings,
  get: HttpGet,
  auth?: AuthGrace
): (path: string, signal: AbortSignal) => Promise<Answer> {
  const { url, timeoutMs } = settings
  const address = url.replace(/\/+$/, '')
  return async (path, signal) => {
    // made for each request: the credentials may have been read again
    const headers = { accept: 'application/vnd.schemaregistry.v1+json, application/json', ...authorization(settings) }
    try {
      const timeout = AbortSignal.timeout(timeoutMs)
      const { status, body } = await get(address + path, { headers, signal: AbortSignal.any([signal, timeout]) })
      if (status === 401 || status === 403) return refused(status)
      const answer = toAnswer(status, body, address)
      if (answer.kind !== 'silent') auth?.accepted('the schema registry')
      return answer
    } catch (error) {
      if (error instanceof KeystampError) throw error
      return { kind: 'silent', reason: `the schema registry at ${address} ${whyUnreachable(error, timeoutMs)}` }
    }
  }

  function refused(status: number): Answer {
    const what = `the schema registry at ${address} refuses the credentials (${status})`
    if (auth?.refused('the schema registry') === true) return { kind: 'silent', reason: what }
    throw new KeystampError(
      'CONFIG_INVALID',
      `${what.replace('the', 'The')}: see \`registry.username\`, \`registry.password\` and \`registry.token\`.`
    )
  }
}

function authorization({ username, password, token }: RegistrySettings): { readonly authorization?: string } {
  if (token !== undefined) return { authorization: `Bearer ${token.reveal()}` }
  if (username === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password?.reveal() ?? ''}`).toString('base64')}` }
}

function toAnswer(status: number, text: string, address: string): Answer {
  const body = parse(text)
  if (status === 200 && body !== undefined) return { kind: 'known', body }
  if (status === 404 && isRegistryCode((body as { readonly error_code?: unknown } | undefined)?.error_code)) return { kind: 'unknown' }
  const hint = status === 404 || status === 200 ? ', as no schema registry does: see `registry.url`' : ''
  return { kind: 'silent', reason: `the schema registry at ${address} answers with status ${status}${hint}` }
}

/** 40401 to 40499 are a registry's own; a plain 404 says that there is no registry at this address. */
function isRegistryCode(code: unknown): boolean {
  return typeof code === 'number' && code > 40_400 && code < 40_500
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function whyUnreachable(error: unknown, timeoutMs: number): string {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown }
  if (name === 'TimeoutError') return `does not answer within ${timeoutMs} ms`
  return typeof code === 'string' ? `cannot be reached (${code})` : 'cannot be reached'
}
