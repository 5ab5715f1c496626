import { Agent } from 'undici'
import { bulkHeaders } from './bulk-headers.ts'
import { OpenCalls } from './open-calls.ts'
import { PooledCall } from './pooled-call.ts'
import type { TransportOptions } from './transport-options.ts'
import type { Answer, Request, Transport } from './transport.ts'

/** Sends the bulk format of Cosmos DB over connections that are kept open. */
export function createPooledTransport(options: TransportOptions): Transport {
  const { database, container, sign, timeoutMs } = options
  const path = `/dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}/docs`
  const resourceLink = `dbs/${database}/colls/${container}`
  const connections = new Agent(CONNECTIONS)
  const open = new OpenCalls<PooledCall>()

  return { send, close }

  async function send(request: Request): Promise<Answer> {
    const signature = sign('POST', 'docs', resourceLink)
    const headers = bulkHeaders(signature instanceof Promise ? await signature : signature, request)
    let target: Target
    try {
      target = targetOf(await options.endpoint())
    } catch {
      return { kind: 'unanswered', reason: 'The account did not say where to write.', isSent: false }
    }
    return new Promise((resolve) => {
      const call = new PooledCall(request, timeoutMs, (answer) => {
        open.remove(call)
        resolve(answer)
      })
      open.add(call)
      connections.dispatch({ origin: target.origin, path: target.path + path, method: 'POST', headers, body: request.body }, call)
    })
  }

  function close(): void {
    for (const call of open.all()) call.giveUp('The writer was closed.')
    void connections.destroy()
  }
}

// One request a connection, as many connections as there are requests; how long an answer may take is watched over the whole of it.
const CONNECTIONS = { pipelining: 1, keepAliveTimeout: 60_000, headersTimeout: 0, bodyTimeout: 0 }

interface Target {
  readonly origin: string
  /** What the endpoint has before all paths. */
  readonly path: string
}

const targets = new Map<string, Target>()

function targetOf(endpoint: string): Target {
  let target = targets.get(endpoint)
  if (target === undefined) {
    const { origin, pathname } = new URL(endpoint)
    targets.set(endpoint, (target = { origin, path: pathname.replace(/\/+$/, '') }))
  }
  return target
}
