import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https'

/** A request for an item, a page of items, or metadata. Writes of documents have their own transport. */
export interface HttpRequest {
  /** Protocol, host, port and path. */
  readonly target: Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'>
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Default: no limit except `signal`. */
  readonly timeoutMs?: number
  /** Takes the body of the answer. Default: new memory. */
  readonly buffer?: AnswerBuffer | undefined
}

/**
 * Memory for the bodies of large answers, one after the other: each overwrites the last one. New memory for each of many
 * large bodies makes the garbage collector run so often that it costs more than their transport.
 */
export interface AnswerBuffer {
  /** Returns memory for this number of bytes, which may be longer. */
  readonly room: (bytes: number) => Buffer
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

  function send({ target, method, headers, body, signal, timeoutMs, buffer }: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const isTls = target.protocol === 'https:'
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const options = { ...target, method, agent: isTls ? https : http, headers: { ...headers, ...length } }
      const call = (isTls ? requestHttps : requestHttp)(signal === undefined ? options : { ...options, signal })
      if (timeoutMs !== undefined) {
        const late = setTimeout(() => call.destroy(new NoAnswer(`no answer in ${timeoutMs} ms`)), timeoutMs)
        call.once('close', () => clearTimeout(late))
      }
      call.once('response', (response) => void readAnswer(response, buffer).then(resolve, reject))
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

/** Reads the whole body. Rejects if the connection ends before its end. */
function readAnswer(response: IncomingMessage, buffer: AnswerBuffer | undefined): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response
  const body = bodyOf(headers, buffer)
  return new Promise((resolve, reject) => {
    response.on('data', body.add)
    response.once('end', () => {
      const bytes = body.bytes()
      resolve({
        status,
        headers,
        bytes,
        get text() {
          return bytes.toString()
        }
      })
    })
    response.once('error', reject)
    response.once('close', () => reject(new NoAnswer('an incomplete answer')))
  })
}

/** A body that is being received. */
interface Body {
  readonly add: (chunk: Buffer) => void
  /** All bytes so far. */
  readonly bytes: () => Buffer
}

function bodyOf(headers: IncomingHttpHeaders, buffer: AnswerBuffer | undefined): Body {
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (buffer !== undefined && length > 0) return bodyIn(buffer.room(length))
  const chunks: Buffer[] = []
  return {
    add: (chunk) => chunks.push(chunk),
    bytes: () => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  }
}

/** Node ends an answer that is longer than its header says, so the bytes fit. */
function bodyIn(room: Buffer): Body {
  let end = 0
  return {
    add: (chunk) => {
      chunk.copy(room, end)
      end += chunk.length
    },
    bytes: () => room.subarray(0, end)
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
