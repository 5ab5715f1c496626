/** A stretch of the input in one buffer, with zeros behind it that a scanner may run into. */
export class Window {
  #bytes: Buffer = Buffer.alloc(0)
  #end = 0
  /** Where the first byte stands in the input. */
  #offset = 0

  get bytes(): Buffer {
    return this.#bytes
  }

  get end(): number {
    return this.#end
  }

  /** Position in the input of a position in the buffer. */
  offsetOf(at: number): number {
    return this.#offset + at
  }

  /** Drops what stands before `keepFrom`, and adds a chunk; what was kept now begins at 0. */
  append(chunk: Buffer, keepFrom: number): void {
    const kept = this.#end - keepFrom
    const needed = kept + chunk.length + PADDING
    if (needed > this.#bytes.length || this.#bytes.length > Math.max(needed * 4, USUAL_BYTES)) this.#move(keepFrom, needed)
    else this.#bytes.copyWithin(0, keepFrom, this.#end)
    chunk.copy(this.#bytes, kept)
    this.#end = kept + chunk.length
    this.#offset += keepFrom
    this.#bytes.fill(0, this.#end, this.#end + PADDING)
  }

  /** Begins another input. */
  reset(): void {
    this.#end = 0
    this.#offset = 0
  }

  #move(keepFrom: number, needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.ceil(needed * HEADROOM))
    this.#bytes.copy(bytes, 0, keepFrom, this.#end)
    this.#bytes = bytes
  }
}

const PADDING = 16
// doubled, so that a long record that comes in small pieces is copied a constant number of times
const HEADROOM = 2
const USUAL_BYTES = 4 << 20
