/** Limits what the ranges of a copy may read: nothing while it is paused, and no more than memory has room for. */
export class CopyGate {
  readonly #maxBytes: number
  readonly #maxRequests: number
  #bytes = 0
  #requests = 0
  #pausedFor: string | undefined
  #waiting: (() => void)[] = []

  constructor({ maxBytes, maxRequests }: { readonly maxBytes: number; readonly maxRequests: number }) {
    this.#maxBytes = maxBytes
    this.#maxRequests = maxRequests
  }

  /** Reason for the pause; undefined if the copy is not paused. */
  get pausedFor(): string | undefined {
    return this.#pausedFor
  }

  /** Bytes of the pages that are not settled. */
  get bytes(): number {
    return this.#bytes
  }

  /** Resolves when a request may be sent, or the signal is aborted. The caller must call `leave` after the answer. */
  async enter(signal?: { readonly aborted: boolean }): Promise<void> {
    while (this.#isClosed()) {
      if (signal?.aborted === true) break
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#requests++
  }

  /** The request has ended; its page occupies memory until `release`. */
  leave(bytes: number): void {
    this.#requests--
    this.#bytes += bytes
    this.wake()
  }

  release(bytes: number): void {
    this.#bytes -= bytes
    this.wake()
  }

  pause(reason: string): void {
    this.#pausedFor = reason
  }

  resume(): void {
    this.#pausedFor = undefined
    this.wake()
  }

  /** Lets all waiting callers check again. */
  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #isClosed(): boolean {
    return this.#pausedFor !== undefined || this.#bytes >= this.#maxBytes || this.#requests >= this.#maxRequests
  }
}

/** The use of a gate by one copy: at its end, the bytes of pages that were never settled are released. */
export class GatePart {
  readonly #gate: CopyGate
  #bytes = 0
  #isClosed = false

  constructor(gate: CopyGate) {
    this.#gate = gate
  }

  enter(signal: { readonly aborted: boolean }): Promise<void> {
    return this.#gate.enter(signal)
  }

  leave(bytes: number): void {
    this.#bytes += bytes
    this.#gate.leave(bytes)
  }

  release(bytes: number): void {
    if (this.#isClosed) return
    this.#bytes -= bytes
    this.#gate.release(bytes)
  }

  close(): void {
    this.release(this.#bytes)
    this.#isClosed = true
  }
}
