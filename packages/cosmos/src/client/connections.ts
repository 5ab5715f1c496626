import type { ClientRequest } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions, type RequestOptions } from 'node:https'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Answer, Request } from './transport.ts'

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

/**
 * Writes the body of one request, unless its permission to send has ended. Writes the last byte of a large body only
 * after the operating system has taken the others: without this byte Cosmos DB applies nothing, and one byte leaves
 * sooner than a body that has to be encrypted.
 */
export class BodyWriter {
  /** The last byte was written: Cosmos DB may apply the request. */
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
    // the last byte must not wait until the others are acknowledged
    this.#call.setNoDelay(true)
    this.#call.write(body.subarray(0, -1), (error) => {
      if (this.#isEnded || error) return
      if (this.#request.maySend()) this.#writeLast(body.subarray(-1))
      else this.#onWithheld()
    })
  }

  /**
   * Called with the answer, or when none is awaited any more; `mayBeApplied` where Cosmos DB may have applied the
   * request, or will.
   */
  end(answer: Answer, mayBeApplied: boolean): void {
    if (this.#isEnded) return
    this.#isEnded = true
    // a connection with half a request is useless
    if (!this.hasLeft) this.#call.destroy()
    else if (mayBeApplied) this.#request.wasAnswered?.(this.#activityId, answer)
  }

  #writeLast(bytes: Uint8Array): void {
    this.hasLeft = true
    this.#call.once('finish', this.#observe)
    this.#call.end(bytes)
    this.#observe()
  }

  // An arrow function, since it is the listener as well. After the answer, operations may have another body and another
  // fence.
  readonly #observe = (): void => {
    if (!this.#isEnded) this.#request.wasWritten?.(this.#activityId)
  }
}

// The operating system takes less than this at once, and encrypting it takes little time.
const MIN_DIVIDED_BYTES = 16 * 1024
