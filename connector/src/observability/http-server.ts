import { once } from 'node:events'
import { createServer, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KeystampError } from '@keystamp/core'
import type { Health } from './health.ts'

export interface ObservabilityServerOptions {
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
const LIMITS: ServerOptions = { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 5000, connectionsCheckingInterval: 1000 }

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
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`Failed to collect metrics: ${(error as Error).message}\n`)
    }
  }

  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new KeystampError('OPTION_INVALID', `\`http\`: cannot listen on ${host}:${port} (${(cause as NodeJS.ErrnoException).code}).`, {
      cause
    })
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
  response.writeHead(405, { allow: 'GET, HEAD', connection: 'close', 'content-type': 'text/plain' }).end('Only GET and HEAD are allowed.\n')
}

function answerHealth(response: ServerResponse, { isOk, sinks }: Health): void {
  response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' }).end(`${JSON.stringify({ ok: isOk, sinks })}\n`)
}
