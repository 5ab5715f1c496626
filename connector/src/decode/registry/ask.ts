import { KeystampError } from '@keystamp/core'

import type { RegistrySettings } from '../../config/settings.ts'
import type { HttpGet } from './http-get.ts'

/** What came of asking a registry once. */
export type Answer =
  | { readonly kind: 'known'; readonly body: unknown }
  /** The registry knows that it has no such thing. */
  | { readonly kind: 'unknown' }
  /** No answer to rely on: why, as the end of a sentence about waiting. */
  | { readonly kind: 'silent'; readonly reason: string }

/** Makes what asks a registry once. Throws only where it refuses our credentials, which no patience mends. */
export function createAsk(settings: RegistrySettings, get: HttpGet): (path: string, signal: AbortSignal) => Promise<Answer> {
  const { url, timeoutMs } = settings
  const address = url.replace(/\/+$/, '')
  const headers = { accept: 'application/vnd.schemaregistry.v1+json, application/json', ...authorization(settings) }
  return async (path, signal) => {
    try {
      const timeout = AbortSignal.timeout(timeoutMs)
      const { status, body } = await get(address + path, { headers, signal: AbortSignal.any([signal, timeout]) })
      return toAnswer(status, body, address)
    } catch (error) {
      if (error instanceof KeystampError) throw error
      return { kind: 'silent', reason: `the schema registry at ${address} ${whyUnreachable(error, timeoutMs)}` }
    }
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
  if (status === 401 || status === 403) {
    throw new KeystampError(
      'CONFIG_INVALID',
      `The schema registry at ${address} refuses our credentials (${status}): see \`registry.username\`, \`registry.password\` and \`registry.token\`.`
    )
  }
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
