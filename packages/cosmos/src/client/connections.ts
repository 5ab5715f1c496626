import type { ClientRequest } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions, type RequestOptions } from 'node:https'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Answer, Request } from './transport.ts'

/** TCP connection of each TLS connection of a `ResettingAgent`. */
const underTls = new WeakMap<Duplex, Socket>()
const reasons = new WeakMap<ClientRequest, Error>()

/**
 * An agent whose TLS connections can be reset. Node can only reset TCP sockets, so the agent creates the TCP socket
 * itself. It starts TLS only after TCP is connected, because Node replaces the handle of a socket that tries several
 * addresses.
 */
export class ResettingAgent extends HttpsAgent {
  readonly #connecting: Set<Socket> = new Set()
  readonly #connectTimeoutMs: number

  constructor(options: AgentOptions, connectTimeoutMs: number) {
    super(options)
    this.#connectTimeoutMs = connectTimeoutMs
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void
  ): undefined {
    const tcp = connect(options as NetConnectOpts)
    const fail = (error: Error): void => {
      this.#connecting.delete(tcp)
      // Node checks the error first
      callback?.(error, tcp)
    }
    this.#connecting.add(tcp)
    tcp.setTimeout(this.#connectTimeoutMs, () =>
      tcp.destroy(new Error(`No connection in ${this.#connectTimeoutMs} ms.`))
    )
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
 * Ends a request and resets its connection. After an ordinary end, the operating system could deliver the remaining
 * bytes for minutes, even after a retry of the request. A reset discards these bytes.
 */
export function cutOff(call: ClientRequest, error: Error): void {
  reasons.set(call, error)
  const tcp = tcpUnder(call.socket)
  if (tcp !== undefined && !tcp.connecting && !tcp.destroyed) tcp.resetAndDestroy()
  call.destroy(error)
}

/** Returns the error with which `cutOff` ended the request, otherwise `error`. */
export function reasonOf(call: ClientRequest, error: Error): Error {
  return reasons.get(call) ?? error
}

/** Returns the TCP connection of a socket; undefined for a TLS connection that another agent has made. */
function tcpUnder(socket: Socket | null): Socket | undefined {
  if (socket === null) return undefined
  const tcp = underTls.get(socket)
  if (tcp !== undefined && !tcp.connecting && !tcp.destroyed) tcp.resetAndDestroy()
  return socket instanceof TLSSocket ? undefined : socket
}

/**
 * Requests in flight, at most a few dozen. Not a Set: each time that a Set grows, it leaves an old table, and the
 * garbage collector keeps the requests and answers alive that the old table references.
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
    // iterates over a copy, because each request that ends is removed from the list
    for (const call of [...this.#calls]) cutOff(call, error)
  }
}

/**
 * Writes the body of one request, unless its permission to send has ended. Writes the last byte of a large body only
 * after the operating system has accepted the other bytes. Without this byte Cosmos DB applies nothing, and a single
 * byte is sent sooner than a body that has to be encrypted.
 */
export class BodyWriter {
  /** True after the last byte was written: Cosmos DB may apply the request. */
  hasLeft = false
  readonly #call: ClientRequest
  readonly #request: Request
  readonly #activityId: string
  readonly #onWithheld: () => void
  #isEnded = false

  constructor(call: ClientRequest, request: Request, activityId: string, onWithheld: () => void) {
    this.#call = call
    this.#request = request
    this.#activityId = activityId
    this.#onWithheld = onWithheld
  }

  /** Called when the connection accepts bytes. */
  begin(): void {
    const { body } = this.#request
    if (!this.#request.maySend()) return this.#onWithheld()
    if (body.length < MIN_DIVIDED_BYTES) return this.#writeLast(body)
    // the last byte must not wait until the other bytes are acknowledged
    this.#call.setNoDelay(true)
    this.#call.write(body.subarray(0, -1), (error) => {
      if (this.#isEnded || error) return
      if (this.#request.maySend()) this.#writeLast(body.subarray(-1))
      else this.#onWithheld()
    })
  }

  /**
   * Called with the answer, or when the writer stops waiting for one. `mayBeApplied`: Cosmos DB may have applied the
   * request, or may still apply it.
   */
  end(answer: Answer, mayBeApplied: boolean): void {
    if (this.#isEnded) return
    this.#isEnded = true
    // the connection contains an incomplete request, so it cannot be reused
    if (!this.hasLeft) this.#call.destroy()
    else if (mayBeApplied) this.#request.wasAnswered?.(this.#activityId, answer)
  }

  #writeLast(bytes: Uint8Array): void {
    this.hasLeft = true
    this.#call.once('finish', this.#observe)
    this.#call.end(bytes)
    this.#observe()
  }

  // An arrow function, because it is also a listener. After the answer it reports nothing, because the operations may
  // then have another body and another fence.
  readonly #observe = (): void => {
    if (!this.#isEnded) this.#request.wasWritten?.(this.#activityId)
  }
}

// The operating system accepts a smaller body at once, and encrypting it takes little time.
const MIN_DIVIDED_BYTES = 16 * 1024
