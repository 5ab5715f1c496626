import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OpenMoveStatus } from '@keystamp/move'
import { metricsText } from './metrics-text.ts'

export interface StatusServer {
  readonly address: string
  readonly close: () => Promise<void>
}

/** Serves the status of a move on the loopback: `/status` as JSON, `/metrics` for Prometheus, `/health`. Read-only. */
export async function serveStatus(port: number, status: () => OpenMoveStatus): Promise<StatusServer> {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5000, maxHeaderSize: 8192 },
    (request, response) => {
      request.resume()
      if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Only GET is possible.\n')
      switch (request.url) {
        case '/status':
          return send(response, 200, 'application/json', `${JSON.stringify(status())}\n`)
        case '/metrics':
          return send(response, 200, 'text/plain; version=0.0.4', metricsText(status()))
        case '/health':
          return send(response, 200, 'text/plain', healthText(status()))
        default:
          return send(response, 404, 'text/plain', 'There is /status, /metrics and /health.\n')
      }
    }
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${actual}/status`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** A process that waits is healthy. */
function healthText({ waits, warnings }: OpenMoveStatus): string {
  const lines = [...waits.map(({ since, detail }) => `waiting since ${since}: ${detail}`), ...warnings]
  return ['ok', ...lines, ''].join('\n')
}

function send(response: ServerResponse, code: number, type: string, body: string): void {
  response.writeHead(code, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}
