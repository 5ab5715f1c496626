import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https'

/** A request for an item, a page of items, or metadata. Writes have their own transport. */
export interface HttpRequest {
  /** Protocol, host, port and path. */
  readonly target: Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'>
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Default: no limit except `signal`. */
  readonly timeoutMs?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The bytes as a string, decoded at each access. */
  readonly text: string
}

/** Sends requests over connections that are kept alive, without retries. */
export interface HttpClient {
  /** Rejects if no complete answer arrives, or if `signal` aborts. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>
  readonly close: () => void
}

export function createHttpClient(agent: HttpsAgent | undefined): HttpClient {
  const settings = { keepAlive: true }
  const http = new HttpAgent(settings)
  const https = agent ?? new HttpsAgent(settings)

  function send({ target, method, headers, body, signal, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const isTls = target.protocol === 'https:'
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const options = { ...target, method, agent: isTls ? https : http, headers: { ...headers, ...length } }
      const call = (isTls ? requestHttps : requestHttp)(signal === undefined ? options : { ...options, signal })
      if (timeoutMs !== undefined) {
        const late = setTimeout(() => call.destroy(new NoAnswer(`no answer in ${timeoutMs} ms`)), timeoutMs)
        call.once('close', () => clearTimeout(late))
      }
      call.once('response', (response) => void readAnswer(response).then(resolve, reject))
      call.once('error', reject)
      call.end(body)
    })
  }

  return {
    send,
    close: () => {
      http.destroy()
      // the owner of a given agent closes it
      if (agent === undefined) https.destroy()
    }
  }
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { statusCode: status = 0, headers } = response
  const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  return {
    status,
    headers,
    bytes,
    get text() {
      return bytes.toString()
    }
  }
}

class NoAnswer extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Returns a header as a string; undefined if it is absent, empty or repeated. */
export function stringIn(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}

/** Converts JSON for use in a header: escapes all characters that are not ASCII. */
export function headerText(json: string): string {
  return json.replaceAll(/[\u007F-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
