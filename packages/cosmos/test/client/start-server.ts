import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
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
      // a connection is idle only after the server has finished its response
      while ((await countConnections(server)) > 0) server.closeIdleConnections()
      // not a timer, which may fire before the client has read the end of its connection
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
