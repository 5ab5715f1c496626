import { once } from 'node:events'
import { createServer, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KeystampError } from '@keystamp/core'
import { type SinkWait, type WaitReason, waitText } from '../lifecycle/waits.ts'
import type { Sink } from '../sink.ts'

/** Answer to a probe: the status, and a reason for each sink. */
interface Health {
  readonly isOk: boolean
  readonly sinks: readonly SinkHealth[]
}

interface SinkHealth {
  readonly name: string
  readonly state: string
  readonly reason: string
  /** Everything that the sink waits for; empty while it waits for nothing. */
  readonly waits: readonly { readonly reason: WaitReason; readonly detail: string; readonly seconds: number }[]
}

type Observed = Pick<Sink, 'name' | 'state' | 'stats'>

/**
 * Liveness: 503 only when every sink has failed. One failed sink must not make a probe restart its healthy neighbors; a
 * waiting sink is alive.
 */
export function liveness(sinks: readonly Observed[]): Health {
  return healthOf(sinks, !sinks.every(({ state }) => state === 'failed'))
}

/**
 * Readiness: every sink is running. Not ready while one starts or drains, after one has failed, and while credentials
 * are refused.
 */
export function readiness(sinks: readonly Observed[]): Health {
  return healthOf(
    sinks,
    sinks.every(({ state, stats }) => state === 'running' && !stats().waits.some(({ reason }) => reason === 'auth'))
  )
}

function healthOf(sinks: readonly Observed[], isOk: boolean): Health {
  return {
    isOk,
    sinks: sinks.map(({ name, state, stats }) => {
      const { waits } = stats()
      return { name, state, reason: reasonOf(state, waits), waits: waits.map(toWait) }
    })
  }
}

function toWait({ reason, detail, durationMs }: SinkWait): SinkHealth['waits'][number] {
  return { reason, detail, seconds: Math.round(durationMs / 1000) }
}

function reasonOf(state: Sink['state'], waits: readonly SinkWait[]): string {
  const waitingFor = waits.length === 0 ? undefined : waits.map(waitText).join('; and for ')
  switch (state) {
    case 'starting':
      return waitingFor === undefined ? 'connecting' : `connecting, waiting for ${waitingFor}`
    case 'running':
      return waitingFor === undefined ? 'running' : `waiting for ${waitingFor}`
    case 'draining':
      return waitingFor === undefined ? 'draining' : `draining, waiting for ${waitingFor}`
    case 'stopped':
      return 'stopped'
    case 'failed':
      return 'failed; see the log for the reason'
  }
}

interface ObservabilityServerOptions {
  readonly host: string
  /** Port; 0 for any free one. */
  readonly port: number
  readonly live: () => Health
  readonly ready: () => Health
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> }
}

/** HTTP server for probes and Prometheus. */
export interface ObservabilityServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Time limits for clients that send slowly or not at all. */
const LIMITS: ServerOptions = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000
}

/** Enough for the probes and scrapers of one process; a further connection is closed at once. */
const MAX_CONNECTIONS = 100

/** Serves `/livez`, `/readyz` and `/metrics`. */
export async function openObservabilityServer({
  host,
  port,
  live,
  ready,
  metrics
}: ObservabilityServerOptions): Promise<ObservabilityServer> {
  const server = createServer(LIMITS, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response)
    switch (request.url?.split('?')[0]) {
      case '/livez':
        return answerHealth(response, live())
      case '/readyz':
        return answerHealth(response, ready())
      case '/metrics':
        return void answerMetrics(response)
      default:
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Paths: /livez, /readyz, /metrics.\n')
    }
  })

  async function answerMetrics(response: ServerResponse): Promise<void> {
    try {
      const text = await metrics.text()
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
    } catch (error) {
      response
        .writeHead(500, { 'content-type': 'text/plain' })
        .end(`Failed to collect metrics: ${(error as Error).message}\n`)
    }
  }

  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new KeystampError(
      'OPTION_INVALID',
      `\`http\`: cannot listen on ${host}:${port} (${(cause as NodeJS.ErrnoException).code}).`,
      {
        cause
      }
    )
  }
  const { port: opened } = server.address() as AddressInfo
  return {
    url: `http://${host}:${opened}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

function refuseMethod(response: ServerResponse): void {
  response
    .writeHead(405, { allow: 'GET, HEAD', connection: 'close', 'content-type': 'text/plain' })
    .end('Only GET and HEAD are allowed.\n')
}

function answerHealth(response: ServerResponse, { isOk, sinks }: Health): void {
  response
    .writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' })
    .end(`${JSON.stringify({ ok: isOk, sinks })}\n`)
}
