import { afterEach, vi } from 'vitest'
import { createHttpTransport, type HttpTransportOptions } from '../../src/client/http-transport.ts'
import type { Request, Transport } from '../../src/client/transport.ts'
import { type Received, startServer, type TestServer } from './start-server.ts'

/** A server, and a transport that sends requests to it. */
export interface StartedTransport {
  readonly server: TestServer
  readonly transport: Transport
  /** Starts the server, which answers as the test says, and creates the transport. */
  readonly open: (
    answer: (received: Received, index: number) => unknown,
    options?: Partial<HttpTransportOptions>
  ) => Promise<void>
  /** Closes the transport, and creates one with other options for the same server. */
  readonly reopen: (options: Partial<HttpTransportOptions>) => void
}

/** Starts servers and transports for the tests of one file. Each pair ends with its test. */
export function useHttpTransport(): StartedTransport {
  let server: TestServer
  let transport: Transport

  afterEach(async () => {
    vi.useRealTimers()
    transport.close()
    await server.stop()
  })

  function create(options: Partial<HttpTransportOptions>): void {
    transport = createHttpTransport({
      endpoint: () => Promise.resolve(server.endpoint),
      database: 'my db',
      container: 'c',
      sign: (verb, type, link) => ({ authorization: `signed:${verb} ${type} ${link}` }),
      timeoutMs: 5000,
      ...options
    })
  }

  return {
    get server() {
      return server
    },
    get transport() {
      return transport
    },
    open: async (answer, options = {}) => {
      server = await startServer((received, index) => void answer(received, index))
      create(options)
    },
    reopen: (options) => {
      transport.close()
      create(options)
    }
  }
}

/** Makes timers wait until the returned function is called, for the rest of a test. */
export function fakeTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return (ms) => void vi.advanceTimersByTime(ms)
}

/** A bulk request for physical partition 7. */
export function requestOf(operations: number): Request {
  const body = Buffer.from(JSON.stringify(Array.from({ length: operations }, (_, n) => ({ n }))))
  return { rangeId: '7', atomicKey: undefined, body, operations, maySend: () => true }
}

/** The body of an answer in which every operation has created its document. */
export function answersOf(operations: number): string {
  return JSON.stringify(Array.from({ length: operations }, () => ({ statusCode: 201 })))
}
