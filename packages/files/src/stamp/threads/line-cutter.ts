import { NEWLINE } from '@keystamp/core/internal'

/** A part of an input: complete lines, or one line that is too long. */
export type LineBlock =
  | { readonly kind: 'lines'; readonly memory: ArrayBuffer; readonly bytes: number; readonly isFirst: boolean }
  | { readonly kind: 'long'; readonly bytes: number }

/**
 * Cuts an input into blocks of complete lines, each in memory of its own, which can be given to a thread. A line that is
 * longer than a block makes the block larger, up to the length that is allowed for lines.
 */
export class LineCutter {
  readonly #blockBytes: number
  readonly #maxLineBytes: number
  readonly #free: ArrayBuffer[] = []
  #block: Buffer
  #length = 0
  /** Bytes so far of a line that is too long; undefined if the current line is not. */
  #skipped: number | undefined
  #isFirst = true

  constructor(blockBytes: number, maxLineBytes: number) {
    this.#blockBytes = blockBytes
    this.#maxLineBytes = maxLineBytes
    this.#block = this.#newBlock(blockBytes)
  }

  /** Adds bytes of the input. Returns the blocks that are complete. */
  *add(chunk: Buffer): Generator<LineBlock> {
    let at = 0
    while (at < chunk.length) {
      if (this.#skipped !== undefined) {
        const end = chunk.indexOf(NEWLINE, at) + 1
        this.#skipped += (end === 0 ? chunk.length : end) - at
        at = end === 0 ? chunk.length : end
        if (end !== 0) yield this.#endLongLine()
        continue
      }
      const end = Math.min(chunk.length, at + this.#block.length - this.#length)
      chunk.copy(this.#block, this.#length, at, end)
      this.#length += end - at
      at = end
      if (this.#length === this.#block.length) yield* this.#cutFull()
    }
  }

  /** Ends an input; another one may follow. Returns its last block. */
  *end(): Generator<LineBlock> {
    if (this.#skipped !== undefined) yield this.#endLongLine()
    else if (this.#length > 0) yield this.#cut(this.#length)
    this.#isFirst = true
  }

  /** Takes back the memory of a block. */
  giveBack(memory: ArrayBuffer): void {
    if (memory.byteLength === this.#blockBytes) this.#free.push(memory)
  }

  *#cutFull(): Generator<LineBlock> {
    const end = this.#block.lastIndexOf(NEWLINE) + 1
    if (end > 0) yield this.#cut(end)
    else if (this.#length <= this.#maxLineBytes) {
      const larger = this.#newBlock(this.#length * 2)
      this.#block.copy(larger, 0, 0, this.#length)
      this.#block = larger
    } else {
      this.#skipped = this.#length
      this.#length = 0
    }
  }

  #cut(end: number): LineBlock {
    const { buffer } = this.#block
    const rest = this.#newBlock(Math.max(this.#blockBytes, this.#length - end))
    this.#block.copy(rest, 0, end, this.#length)
    this.#block = rest
    this.#length -= end
    const isFirst = this.#isFirst
    this.#isFirst = false
    return { kind: 'lines', memory: buffer as ArrayBuffer, bytes: end, isFirst }
  }

  #endLongLine(): LineBlock {
    const bytes = this.#skipped!
    this.#skipped = undefined
    this.#isFirst = false
    return { kind: 'long', bytes }
  }

  #newBlock(bytes: number): Buffer {
    const free = bytes <= this.#blockBytes ? this.#free.pop() : undefined
    return free === undefined ? Buffer.allocUnsafeSlow(bytes) : Buffer.from(free)
  }
}
