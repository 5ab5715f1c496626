import { KeystampError } from '@keystamp/core'
import { type Backoff, backoffMs } from '@keystamp/core/internal'
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text as readText } from 'node:stream/consumers'
import type { RegistrySettings } from '../config/settings.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'

/** Dependencies of a registry client. */
export interface RegistryDependencies {
  readonly httpGet: HttpGet
  /** Resolves after `ms`; never if the signal is aborted before that. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
  readonly auth: AuthGrace | undefined
}

/** Response of a registry for a schema. */
export interface SchemaBody {
  readonly schema: string
  readonly schemaType?: unknown
  readonly references?: unknown
}

/** Client that retries requests to a registry until they are answered. */
interface RegistryClient {
  /** Gets a schema; undefined if the registry does not know it. Never settles after `close`. */
  readonly get: (path: string) => Promise<SchemaBody | undefined>
  /** Why a request has no answer yet. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/** Creates a client that retries while the registry cannot be reached. */
export function createRegistryClient(
  settings: RegistrySettings,
  { httpGet, wait, auth }: Pick<RegistryDependencies, 'httpGet' | 'wait' | 'auth'>
): RegistryClient {
  const ask = createRegistryRequest(settings, httpGet, auth)
  const closed = new AbortController()
  const waiting = new Map<string, string>()
  return {
    get,
    get waitingFor() {
      return waiting.values().next().value
    },
    close() {
      closed.abort()
      waiting.clear()
    }
  }

  async function get(path: string): Promise<SchemaBody | undefined> {
    waiting.set(path, 'the schema registry has not answered yet')
    try {
      return await askUntilAnswered(path)
    } finally {
      waiting.delete(path)
    }
  }

  async function askUntilAnswered(path: string): Promise<SchemaBody | undefined> {
    let hasDenied = false
    for (let attempt = 0; ; attempt++) {
      const answer = await ask(path, closed.signal)
      if (closed.signal.aborted) return never()
      if (answer.kind === 'known' && isSchema(answer.body)) return answer.body
      if (answer.kind === 'unknown' && hasDenied) return undefined
      // asks twice: a replica of the registry may not have a schema yet that was registered a moment ago
      hasDenied = answer.kind === 'unknown'
      waiting.set(path, reasonOf(answer))
      await wait(hasDenied ? DENIED_MS : backoffMs(attempt, BACKOFF), closed.signal)
    }
  }
}

const DENIED_MS = 500
const BACKOFF: Backoff = { firstMs: 200, maxMs: 30_000 }

function isSchema(body: unknown): body is SchemaBody {
  return typeof (body as Partial<SchemaBody> | null)?.schema === 'string'
}

function reasonOf(answer: Answer): string {
  if (answer.kind === 'silent') return answer.reason
  return answer.kind === 'unknown'
    ? 'the schema registry does not know the schema, asking once more'
    : 'the schema registry answers without a schema'
}

function never(): Promise<never> {
  return new Promise(() => {})
}

/** Result of one request to a registry. */
type Answer =
  | { readonly kind: 'known'; readonly body: unknown }
  /** The registry confirms that it does not have the schema. */
  | { readonly kind: 'unknown' }
  /** No usable answer. `reason` is a clause without a final period: 'the schema registry at ... cannot be reached'. */
  | { readonly kind: 'silent'; readonly reason: string }

/**
 * Creates a function that sends one request to a registry. It throws only if the registry refuses the credentials and
 * `auth` does not retry.
 */
function createRegistryRequest(
  settings: RegistrySettings,
  get: HttpGet,
  auth?: AuthGrace
): (path: string, signal: AbortSignal) => Promise<Answer> {
  const { url, timeoutMs } = settings
  const address = url.replace(/\/+$/, '')
  return async (path, signal) => {
    // created for each request: the credentials may have been rotated
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
  const body = parseJson(text)
  if (status === 200 && body !== undefined) return { kind: 'known', body }
  if (status === 404 && isRegistryCode((body as { readonly error_code?: unknown } | undefined)?.error_code))
    return { kind: 'unknown' }
  const isOther = status === 404 || status === 200
  const server = isOther ? 'the server' : 'the schema registry'
  const hint = isOther ? ' and is probably not a schema registry: check `registry.url`' : ''
  return { kind: 'silent', reason: `${server} at ${address} answers with status ${status}${hint}` }
}

/** Registries answer with 40401 to 40499; a plain 404 means that there is no registry at this address. */
function isRegistryCode(code: unknown): boolean {
  return typeof code === 'number' && code > 40_400 && code < 40_500
}

function parseJson(text: string): unknown {
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

/** Checks the registry. Throws if its address is wrong, it does not answer, or it refuses the credentials. */
export async function checkRegistry(settings: RegistrySettings): Promise<void> {
  // no schema has the id 0: a registry answers that it does not know the schema; other servers answer differently
  const answer = await createRegistryRequest(settings, httpGet)('/schemas/ids/0', new AbortController().signal)
  if (answer.kind === 'silent') throw new KeystampError('CONFIG_INVALID', `No schema can be fetched: ${answer.reason}.`)
}

/**
 * Sends one GET request. Rejects if no complete response arrives; if the signal ended the request, with the signal's
 * reason.
 */
export type HttpGet = (url: string, options: GetOptions) => Promise<{ readonly status: number; readonly body: string }>

interface GetOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Avoids `fetch`, which detaches the buffers of a response. After the first detached buffer in a process, V8 checks at
 * every access to a typed array whether its buffer is detached, which makes the JSON scanner about 10 % slower from
 * then on.
 */
export const httpGet: HttpGet = async (url, { headers, signal }) => {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  try {
    // no agent: each request opens its own connection, which costs little because each schema is fetched only once
    const call = request(url, { headers, signal, agent: false }).end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return { status: response.statusCode!, body: await readText(response) }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}
