import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received request. */
export interface Received {
  readonly request: IncomingMessage
  readonly body: string
  readonly response: ServerResponse
}

export interface TestServer {
  readonly endpoint: string
  readonly received: Received[]
  /** Number of connections opened so far. */
  readonly connections: () => number
  /** Closes idle connections, and waits until the client must have noticed it. */
  readonly closeIdle: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a server that answers as the test says. */
export async function startServer(answer: (received: Received, index: number) => void): Promise<TestServer> {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { request, response, body: Buffer.concat(chunks).toString() }
      received.push(one)
      answer(one, received.length - 1)
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    connections: () => connections,
    closeIdle: async () => {
      server.closeIdleConnections()
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
