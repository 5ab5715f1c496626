/**
 * Keeps the beginning of a record until its end arrives. Grows as needed, and shrinks again after an unusually large
 * record.
 */
export class Carry {
  #bytes: Buffer = Buffer.alloc(0)
  #length = 0

  get bytes(): Buffer {
    return this.#bytes
  }

  get length(): number {
    return this.#length
  }

  append(chunk: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start
    if (needed > this.#bytes.length) this.#grow(needed)
    chunk.copy(this.#bytes, this.#length, start, end)
    this.#length = needed
  }

  clear(): void {
    this.#length = 0
    if (this.#bytes.length > USUAL_BYTES) this.#bytes = Buffer.alloc(0)
  }

  #grow(needed: number): void {
    // doubled, so that each byte of a long record in small chunks is copied a constant number of times
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2, MIN_BYTES))
    this.#bytes.copy(bytes, 0, 0, this.#length)
    this.#bytes = bytes
  }
}

const MIN_BYTES = 4096
const USUAL_BYTES = 1 << 20
