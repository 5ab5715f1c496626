import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../service-error.ts'
import { type Answer, errorAnswer } from './answer.ts'
import type { Certificate } from './certificate.ts'
import type { Dispatch } from './dispatch.ts'
import { isHttp2, refuseHttp2 } from './http2-refusal.ts'
import { readBody } from './request-body.ts'
import { parseAddress, type WireRequest } from './wire-request.ts'

/** An HTTP server, or with a certificate an HTTPS server, that reads whole requests and sends answers. */
export function createWireServer(certificate: Certificate | undefined, dispatch: Dispatch, log: Log): Server {
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 60_000,
    requestTimeout: 120_000,
    maxHeaderSize: 64 * 1024,
    noDelay: true
  }
  const scheme = certificate === undefined ? 'http' : 'https'
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    void serve({ scheme, dispatch, log }, message, response)
  }
  const server =
    certificate === undefined
      ? createServer(options, listener)
      : createTlsServer(
          { ...options, key: certificate.privateKey, cert: certificate.pem, ALPNCallback: chooseProtocol },
          listener
        )
  server.on('clientError', refuseMalformed)
  return server
}

// clients keep idle connections for minutes and would see resets if the server closed them first
const KEEP_ALIVE_MS = 5 * 60_000

/** Receives a line for each answer. */
type Log = ((line: string) => void) | undefined

interface Serving {
  readonly scheme: string
  readonly dispatch: Dispatch
  readonly log: Log
}

async function serve(
  { scheme, dispatch, log }: Serving,
  message: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const startedMs = performance.now()
  const activityId = activityOf(message)
  try {
    const body = await readBody(message)
    const request: WireRequest = {
      method: message.method ?? 'GET',
      address: parseAddress(message.url ?? '/'),
      headers: message.headers,
      body,
      activityId,
      origin: `${scheme}://${message.headers.host ?? 'localhost'}`
    }
    const answer = await dispatch(request)
    log?.(
      `${message.method} ${message.url} ${answer === undefined ? 'reset' : `${answer.status} ${answer.chargeRu} RU`}`
    )
    if (answer === undefined) reset(message)
    else send(response, { ...answer, headers: [...answer.headers, ...durationSince(startedMs)] }, activityId)
  } catch (error) {
    if (response.headersSent || message.socket.destroyed) return
    const answer = answerOf(error, activityId)
    log?.(`${message.method} ${message.url} ${answer.status}`)
    send(response, answer, activityId)
  }
}

function reset(message: IncomingMessage): void {
  // over TLS there is no reset to send
  if ('encrypted' in message.socket) message.socket.destroy()
  else message.socket.resetAndDestroy()
}

function answerOf(error: unknown, activityId: string): Answer {
  if (error instanceof ServiceError) return errorAnswer(error, 0, activityId)
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return errorAnswer(
    new ServiceError(500, `The emulator failed to serve this request; this is a defect of the emulator (${cause}).`),
    0,
    activityId
  )
}

// clients report this header as the duration of the request
function durationSince(startedMs: number): string[] {
  return ['x-ms-request-duration-ms', (performance.now() - startedMs).toFixed(3)]
}

function activityOf(message: IncomingMessage): string {
  const sent = message.headers['x-ms-activity-id']
  return typeof sent === 'string' && /^[\w-]{1,64}$/.test(sent) ? sent : randomUUID()
}

function send(response: ServerResponse, answer: Answer, activityId: string): void {
  const headers = [
    ...FIXED,
    'x-ms-activity-id',
    activityId,
    'x-ms-request-charge',
    String(answer.chargeRu),
    ...answer.headers
  ]
  const { body } = answer
  if (body === undefined) {
    if (answer.status !== 204 && answer.status !== 304) headers.push('content-length', '0')
    response.writeHead(answer.status, headers)
    response.end()
    return
  }
  if (!answer.headers.includes('content-type')) headers.push('content-type', 'application/json')
  const blocks = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body
  headers.push('content-length', String(blocks.reduce((sum, block) => sum + Buffer.byteLength(block), 0)))
  if (answer.status === 413 && !response.req.complete) headers.push('connection', 'close')
  response.writeHead(answer.status, headers)
  sendBlocks(response, blocks, 0)
}

// sent in one step, which takes a few hundredths of a millisecond; a longer block is a step of its own
const STEP_BYTES = 65_536

function sendBlocks(response: ServerResponse, blocks: readonly (string | Buffer)[], first: number): void {
  let bytes = 0
  for (let at = first; at < blocks.length - 1; at++) {
    bytes += blocks[at].length
    if (bytes > STEP_BYTES && at > first) {
      setImmediate(sendBlocks, response, blocks, at)
      return
    }
    response.write(blocks[at])
  }
  response.end(blocks.at(-1))
}

const FIXED: readonly string[] = [
  'cache-control',
  'no-store, no-cache',
  'x-ms-version',
  '2020-07-15',
  'x-ms-gatewayversion',
  '2.0.0',
  'x-ms-serviceversion',
  'version=2.14.0',
  'x-ms-schemaversion',
  '1.18'
]

// accepts a client that offers only HTTP/2, in order to tell it in HTTP/2 that it has to use HTTP/1.1
function chooseProtocol({ protocols }: { protocols: string[] }): string | undefined {
  return protocols.includes('http/1.1') ? 'http/1.1' : protocols[0]
}

function refuseMalformed(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (isHttp2(error.rawPacket)) {
    refuseHttp2(socket, error.rawPacket)
    return
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const message = status === 431 ? 'The headers of the request are too large.' : 'The request is not valid HTTP.'
  const { body } = errorAnswer(new ServiceError(status, message), 0, randomUUID())
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(String(body))}\r\nconnection: close\r\n\r\n`
  socket.end(head + String(body))
}
