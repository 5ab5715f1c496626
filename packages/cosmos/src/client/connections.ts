import type { ClientRequest } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions, type RequestOptions } from 'node:https'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

/** The TCP connections under the TLS connections of `ResettingAgent`. */
const underTls = new WeakMap<Duplex, Socket>()
const reasons = new WeakMap<ClientRequest, Error>()

/**
 * An agent whose TLS connections can be reset: Node resets only TCP sockets. TLS begins after TCP is connected, because
 * Node replaces the handle of a socket that tries several addresses.
 */
export class ResettingAgent extends HttpsAgent {
  readonly #connecting: Set<Socket> = new Set()
  readonly #connectTimeoutMs: number

  constructor(options: AgentOptions, connectTimeoutMs: number) {
    super(options)
    this.#connectTimeoutMs = connectTimeoutMs
  }

  override createConnection(options: RequestOptions, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    const tcp = connect(options as NetConnectOpts)
    const fail = (error: Error): void => {
      this.#connecting.delete(tcp)
      // Node checks the error first
      callback?.(error, tcp)
    }
    this.#connecting.add(tcp)
    tcp.setTimeout(this.#connectTimeoutMs, () => tcp.destroy(new Error(`No connection in ${this.#connectTimeoutMs} ms.`)))
    tcp.once('error', fail)
    tcp.once('connect', () => {
      this.#connecting.delete(tcp)
      tcp.setTimeout(0)
      tcp.off('error', fail)
      const stream = super.createConnection({ ...options, socket: tcp } as RequestOptions)!
      underTls.set(stream, tcp)
      callback?.(null, stream)
    })
  }

  override destroy(): void {
    for (const tcp of this.#connecting) tcp.destroy()
    this.#connecting.clear()
    super.destroy()
  }
}

/**
 * Ends a request and resets its connection. An ordinary end would let the operating system deliver the remaining bytes
 * for minutes, also after the retry of the request; a reset discards them.
 */
export function cutOff(call: ClientRequest, error: Error): void {
  reasons.set(call, error)
  const tcp = tcpUnder(call.socket)
  if (tcp !== undefined && !tcp.connecting && !tcp.destroyed) tcp.resetAndDestroy()
  call.destroy(error)
}

/** The error with which a request was cut off; otherwise its own error. */
export function reasonOf(call: ClientRequest, error: Error): Error {
  return reasons.get(call) ?? error
}

/** Undefined where a given agent made the connection and it is not TCP itself. */
function tcpUnder(socket: Socket | null): Socket | undefined {
  if (socket === null) return undefined
  const tcp = underTls.get(socket)
  if (tcp !== undefined && !tcp.connecting && !tcp.destroyed) tcp.resetAndDestroy()
  return socket instanceof TLSSocket ? undefined : socket
}

/**
 * Requests in flight, a few dozen. Not a Set: each time that a Set grows it leaves an old table, and the garbage
 * collector keeps alive what that references: requests, and their answers.
 */
export class OpenCalls {
  readonly #calls: ClientRequest[] = []

  add(call: ClientRequest): void {
    this.#calls.push(call)
  }

  /** Removes a request. No effect if already removed. */
  remove(call: ClientRequest): void {
    const at = this.#calls.indexOf(call)
    const last = this.#calls.length - 1
    if (at < 0) return
    this.#calls[at] = this.#calls[last]
    this.#calls.pop()
  }

  /** Ends all requests. */
  destroy(error: Error): void {
    // a copy, since each request that ends is removed from the list
    for (const call of [...this.#calls]) cutOff(call, error)
  }
}
