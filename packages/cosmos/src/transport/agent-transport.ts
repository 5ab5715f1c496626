import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { bulkHeaders } from './bulk-headers.ts'
import { OpenCalls } from './open-calls.ts'
import { readAnswer, unanswered } from './read-answer.ts'
import type { TransportOptions } from './transport-options.ts'
import type { Answer, Request, Transport } from './transport.ts'

export interface AgentTransportOptions extends TransportOptions {
  readonly agent: HttpsAgent
}

/** Sends the bulk format of Cosmos DB through an agent of Node, which knows the way through a proxy, or has certificates of its own. */
export function createAgentTransport(options: AgentTransportOptions): Transport {
  const { database, container, sign, timeoutMs } = options
  const path = `/dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}/docs`
  const resourceLink = `dbs/${database}/colls/${container}`
  // the given one is for https, and its giver's to close
  const plain = new HttpAgent({ keepAlive: true, keepAliveMsecs: 30_000, scheduling: 'lifo' })
  const open = new OpenCalls<ClientRequest>()

  return { send, close }

  async function send(request: Request): Promise<Answer> {
    const signature = sign('POST', 'docs', resourceLink)
    const signed = signature instanceof Promise ? await signature : signature
    let address: Address
    try {
      address = toAddress(await options.endpoint(), path)
    } catch {
      return { kind: 'unanswered', reason: 'The account did not say where to write.', isSent: false }
    }
    const headers = ['host', address.host, ...bulkHeaders(signed, request), 'content-length', String(request.body.length)]
    return exchange(address, headers, request)
  }

  function exchange({ isTls, target }: Address, headers: string[], request: Request): Promise<Answer> {
    return new Promise((resolve) => {
      const call = isTls ? requestHttps({ ...target, headers, agent: options.agent }) : requestHttp({ ...target, headers, agent: plain })
      let isConnected = false
      const late = setTimeout(() => call.destroy(new Error(`No answer in ${timeoutMs} ms.`)), timeoutMs)
      open.add(call)
      const finish = (answer: Answer): void => {
        clearTimeout(late)
        open.remove(call)
        resolve(answer)
      }
      const write = (): void => {
        isConnected = true
        // a process can stand still between two lines of its code, for as long as it takes to lose what it would write
        if (request.maySend()) return void call.end(request.body)
        finish({ kind: 'unanswered', reason: 'it was not sent any more', isSent: false })
        call.destroy()
      }
      call.once('socket', (socket) => {
        if (!socket.connecting) write()
        else socket.once(isTls ? 'secureConnect' : 'connect', write)
      })
      call.once('response', (response) => listen(response, request, finish))
      call.on('error', (error) => finish(unanswered(error, isConnected)))
    })
  }

  function close(): void {
    for (const call of open.all()) call.destroy(new Error('The writer was closed.'))
    plain.destroy()
  }
}

/** Where requests go, as Node takes it. */
interface Address {
  readonly isTls: boolean
  readonly host: string
  readonly target: RequestOptions
}

const addresses = new Map<string, Address>()

function toAddress(endpoint: string, path: string): Address {
  let address = addresses.get(endpoint + path)
  if (address === undefined) addresses.set(endpoint + path, (address = createAddress(new URL(endpoint.replace(/\/+$/, '') + path))))
  return address
}

function createAddress(url: URL): Address {
  const { protocol, hostname, port, path } = urlToHttpOptions(url)
  return { isTls: protocol === 'https:', host: url.host, target: { method: 'POST', protocol, hostname, port, path } }
}

function listen(response: IncomingMessage, request: Request, finish: (answer: Answer) => void): void {
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.once('end', () => {
    const { complete, statusCode: status = 0, headers } = response
    if (complete) finish(readAnswer({ status, headers, chunks }, request))
  })
  // an answer that breaks off is no answer
  response.once('close', () => finish({ kind: 'unanswered', reason: 'The answer broke off.', isSent: true }))
  response.once('error', () => finish({ kind: 'unanswered', reason: 'The answer broke off.', isSent: true }))
}
