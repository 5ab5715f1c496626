import { randomUUID } from 'node:crypto'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import { type Address, toAddress } from './address.ts'
import { BodyWriter, cutOff, OpenCalls, reasonOf, ResettingAgent } from './connections.ts'
import { headerText } from './http-client.ts'
import { type Answer, isOutcomeUnknown, type OperationAnswer, type Request, type Transport } from './transport.ts'

/** Options of the transport to one container. */
export interface HttpTransportOptions {
  /** Endpoint of the region for writes. */
  readonly endpoint: () => Promise<string>
  readonly database: string
  readonly container: string
  readonly sign: (
    verb: string,
    resourceType: string,
    resourceLink: string
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Agent for https, for example for a proxy or your own certificates. */
  readonly agent?: HttpsAgent | undefined
  /** Timeout after which an answer counts as lost. */
  readonly timeoutMs: number
  /** Headers of each request in addition to those of the transport. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether answers have their session tokens. Default: false, because reading headers costs time. */
  readonly readsSessionTokens?: boolean
  /**
   * Returns whether an answer with this resource id comes from the expected container. Not called for an answer without
   * a resource id.
   */
  readonly confirmContainer?: (rid: string) => boolean | Promise<boolean>
}

/** Creates a transport that sends bulk and batch requests over connections that are kept alive. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { database, container, sign, timeoutMs } = options
  const path = `/dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}/docs`
  const resourceLink = `dbs/${database}/colls/${container}`
  const agents = createAgents(options)
  const open = new OpenCalls()
  const nextActivityId = createActivityIds()
  const fixed = [...FIXED_HEADERS, ...Object.entries(options.headers ?? {}).flat()]

  return { send, close }

  async function send(request: Request): Promise<Answer> {
    const signature = sign('POST', 'docs', resourceLink)
    const signed = signature instanceof Promise ? await signature : signature
    let address: Address
    try {
      address = toAddress(await options.endpoint(), path)
    } catch {
      return { kind: 'unanswered', reason: 'The endpoint for writes is not known.', isSent: false }
    }
    // checked before the request takes a connection, too, because withholding a request closes its connection
    if (!request.maySend()) return { kind: 'withheld' }
    const activityId = nextActivityId()
    return exchange(address, headersOf(address, fixed, signed, request, activityId), request, activityId)
  }

  function exchange(
    { isTls, target }: Address,
    headers: string[],
    request: Request,
    activityId: string
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const call = isTls
        ? requestHttps(requestOptions(target, headers, agents.https))
        : requestHttp(requestOptions(target, headers, agents.http))
      const writer = new BodyWriter(call, request, activityId, () => finish({ kind: 'withheld' }))
      const timer = setTimeout(() => cutOff(call, new Error(`No answer in ${timeoutMs} ms.`)), timeoutMs)
      open.add(call)
      const finish = (answer: Answer): void => {
        clearTimeout(timer)
        open.remove(call)
        writer.end(answer, mayBeApplied(answer))
        resolve(answer)
      }
      call.once('socket', (socket) => {
        if (isConnecting(socket)) socket.once(isTls ? 'secureConnect' : 'connect', () => writer.begin())
        else writer.begin()
      })
      call.once('response', (response) =>
        readAnswer(response, request, options.readsSessionTokens === true, (answer) =>
          confirm(response, answer, finish)
        )
      )
      call.on('error', (error) => finish(unanswered(reasonOf(call, error), writer.hasLeft)))
    })
  }

  /** Replaces the answer of another container with the same name, which says nothing about this container. */
  function confirm(response: IncomingMessage, answer: Answer, finish: (answer: Answer) => void): void {
    const rid = options.confirmContainer === undefined ? undefined : ridIn(response)
    const isOurs = rid === undefined || options.confirmContainer!(rid)
    if (isOurs === true) return finish(answer)
    void Promise.resolve(isOurs).then((is) => finish(is ? answer : OF_ANOTHER_CONTAINER))
  }

  function close(): void {
    open.destroy(new Error('The writer was closed.'))
    agents.http.destroy()
    // the owner of a given agent closes it
    if (options.agent === undefined) agents.https.destroy()
  }
}

// property by property: extending a spread object takes a slow path in V8
function requestOptions(
  { method, protocol, hostname, port, path }: RequestOptions,
  headers: string[],
  agent: HttpAgent
): RequestOptions {
  return { method, protocol, hostname, port, path, headers, agent }
}

function mayBeApplied(answer: Answer): boolean {
  // a request that was refused as a client error, or throttled, was not applied
  return answer.kind !== 'refused' || isOutcomeUnknown(answer.status)
}

/** True until the connection accepts bytes. An agent may start TLS over a connected socket. */
function isConnecting(socket: Socket): boolean {
  return socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true)
}

const OF_ANOTHER_CONTAINER: Answer = {
  kind: 'unanswered',
  reason: 'The answer came from another container with the same name.',
  isSent: true
}

// a list of names and values in turn: Node writes such a list unchanged, but would check each property of an object
// several times
const FIXED_HEADERS: readonly string[] = Object.entries({
  'x-ms-version': '2020-07-15',
  accept: 'application/json',
  'content-type': 'application/json',
  'x-ms-cosmos-sdk-supportedcapabilities': '1',
  'x-ms-cosmos-is-batch-request': 'true',
  prefer: 'return=minimal',
  'user-agent': 'keystamp'
}).flat()

const ATOMIC: readonly string[] = ['x-ms-cosmos-batch-atomic', 'true', 'x-ms-documentdb-partitionkey']
const BULK: readonly string[] = [
  'x-ms-cosmos-batch-atomic',
  'false',
  'x-ms-cosmos-batch-continue-on-error',
  'true',
  'x-ms-documentdb-partitionkeyrangeid'
]

function headersOf(
  { host }: Address,
  fixed: readonly string[],
  signed: Readonly<Record<string, string>>,
  { rangeId, atomicKey, body, sessionToken }: Request,
  activityId: string
): string[] {
  const headers = ['host', host, ...fixed, 'x-ms-activity-id', activityId]
  for (const name in signed) headers.push(name, signed[name])
  if (atomicKey === undefined) headers.push(...BULK, rangeId)
  else headers.push(...ATOMIC, headerText(atomicKey))
  if (sessionToken !== undefined) headers.push('x-ms-session-token', sessionToken)
  headers.push('content-length', String(body.length))
  return headers
}

function createAgents({ agent, timeoutMs }: HttpTransportOptions): {
  readonly http: HttpAgent
  readonly https: HttpsAgent
} {
  const settings = { keepAlive: true, keepAliveMsecs: 30_000, scheduling: 'lifo' } as const
  return { http: new HttpAgent(settings), https: agent ?? new ResettingAgent(settings, timeoutMs) }
}

function readAnswer(
  response: IncomingMessage,
  request: Request,
  readsToken: boolean,
  finish: (answer: Answer) => void
): void {
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.once('end', () => {
    if (!response.complete) return
    const { statusCode = 0 } = response
    const isTaken = statusCode === 200 || statusCode === 207
    const text = chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString()
    const answer = isTaken ? parseAnswer(text, request.operations) : refused(response, statusCode)
    finish(readsToken && answer.kind === 'answered' ? { ...answer, sessionToken: tokenIn(response) } : answer)
  })
  // an incomplete answer counts as no answer
  response.once('close', () => finish({ kind: 'unanswered', reason: 'The answer was incomplete.', isSent: true }))
  response.once('error', () => finish({ kind: 'unanswered', reason: 'The answer was incomplete.', isSent: true }))
}

// reads the raw headers: Node creates the object of headers on demand, which costs more than all other work here
function ridIn({ rawHeaders }: IncomingMessage): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name.length === RID_HEADER.length && name.toLowerCase() === RID_HEADER) return rawHeaders[index + 1]
  }
  return undefined
}

function tokenIn({ headers }: IncomingMessage): string | undefined {
  const token = headers['x-ms-session-token']
  return typeof token === 'string' ? token : undefined
}

const RID_HEADER = 'x-ms-content-path'

function refused({ headers }: IncomingMessage, status: number): Answer {
  const retryAfterMs = numberIn(headers['x-ms-retry-after-ms'])
  const activityId = headers['x-ms-activity-id']
  return {
    kind: 'refused',
    status,
    subStatus: numberIn(headers['x-ms-substatus']) ?? 0,
    retryAfterMs,
    chargeRu: numberIn(headers['x-ms-request-charge']) ?? 0,
    activityId: typeof activityId === 'string' ? activityId : undefined
  }
}

function numberIn(header: string | string[] | undefined): number | undefined {
  const number = typeof header === 'string' ? Number(header) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

function unanswered(error: Error, isSent: boolean): Answer {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { kind: 'unanswered', reason: code ?? error.message, isSent }
}

/**
 * Creates activity ids, which are GUIDs: the first part is random for each transport, and the last part counts the
 * requests. Cosmos DB returns the id, and logs the request with it.
 */
function createActivityIds(): () => string {
  const prefix = randomUUID().slice(0, -COUNT_DIGITS)
  let count = 0
  return () => prefix + (++count).toString(16).padStart(COUNT_DIGITS, '0')
}

const COUNT_DIGITS = 12

/**
 * Reads the body of an accepted bulk or batch request. A body that is unreadable, or does not have one answer for each
 * operation, counts as no answer.
 */
function parseAnswer(text: string, operations: number): Answer {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return unreadable('The answer is not JSON.')
  }
  if (!Array.isArray(parsed)) return unreadable('The answer is not an array.')
  // it is not known which answer is missing
  if (parsed.length !== operations)
    return unreadable(`The answer has ${parsed.length} elements for ${operations} operations.`)
  if (!parsed.every(isOperationAnswer)) return unreadable('An element of the answer has no status.')
  return { kind: 'answered', operations: parsed }
}

function unreadable(reason: string): Answer {
  return { kind: 'unanswered', reason, isSent: true }
}

function isOperationAnswer(element: unknown): element is OperationAnswer {
  return (
    typeof element === 'object' && element !== null && 'statusCode' in element && typeof element.statusCode === 'number'
  )
}
