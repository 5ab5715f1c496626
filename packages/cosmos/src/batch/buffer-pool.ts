/** Buffers for requests, used again and again: allocating some hundred kilobytes for each costs more than filling them. */
export class BufferPool {
  readonly #free: Buffer[] = []

  take(bytes: number): Buffer {
    if (bytes > POOLED_BYTES) return Buffer.allocUnsafeSlow(bytes)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES)
  }

  /** Only for a buffer that nobody reads any more. */
  giveBack(buffer: Buffer): void {
    if (buffer.length === POOLED_BYTES && this.#free.length < MOST_FREE) this.#free.push(buffer)
  }
}

const POOLED_BYTES = 256 * 1024
const MOST_FREE = 32
