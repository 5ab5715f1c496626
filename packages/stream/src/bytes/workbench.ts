import { type Splice, spliceLengthBound, type StampedBytes, writeSplice } from '@keystamp/core'
import { NEWLINE } from '@keystamp/core/internal'
import type { Counts } from '../counts.ts'

/** Returns a buffer of at least `size` bytes. */
export type Allocate = (size: number) => Buffer

/**
 * Allocates a new buffer each time. For output that leaves the package: the package does not know when its use ends.
 */
export function allocateFresh(size: number): Buffer {
  return Buffer.allocUnsafe(size)
}

/**
 * One buffer for source and output. The source is at the end of the buffer. The output grows from the beginning of the
 * buffer, and never overwrites source bytes that are still needed. Moving bytes within one buffer costs half as much as
 * copying between two buffers, and adjacent records are moved in one call.
 */
export class Workbench {
  readonly #allocate: Allocate
  readonly #size = new OutputSize()
  readonly #parts: Buffer[] = []
  #bytes: Buffer = NOTHING
  #end = 0
  // `#at`: position after the output; `#from` to `#until`: source bytes that belong next in the output and are not
  // moved yet
  #at = 0
  #from = 0
  #until = 0

  constructor(allocate: Allocate) {
    this.#allocate = allocate
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** Position after the source; zeros follow. */
  get end(): number {
    return this.#end
  }

  /** Replaces the source by `head` and `chunk`. Returns the position at which the new source begins. */
  load(head: Buffer, headLength: number, chunk: Buffer): number {
    const length = headLength + chunk.length
    const needed = this.#size.expectedFor(length) + PADDING
    this.#movePending()
    this.#putAside(NOTHING)
    if (this.#bytes.length < needed) this.#bytes = this.#allocate(needed)
    this.#end = this.#bytes.length - PADDING
    const start = this.#end - length
    head.copy(this.#bytes, start, 0, headLength)
    chunk.copy(this.#bytes, start + headLength)
    this.#bytes.fill(0, this.#end)
    this.#from = start
    this.#until = start
    return start
  }

  /** Adds a record of the source to the output. Records must be added in the order of the source. */
  add({ start, end, splices }: StampedBytes): void {
    if (this.#until !== start) {
      this.#movePending()
      this.#from = start
    }
    for (const splice of splices) {
      this.#until = splice.at
      this.#movePending()
      this.#addSplice(splice)
      this.#from = splice.end
    }
    this.#until = end
  }

  /** Adds a line end. If a line end follows the last record in the source, both are moved together. */
  addNewline(): void {
    if (this.#until > this.#from && this.#bytes[this.#until] === NEWLINE) this.#until++
    else this.addBytes(LINE_END, 1)
  }

  /** Adds bytes that are not in the source. */
  addBytes(bytes: Buffer, length: number): void {
    this.#movePending()
    if (!this.#hasRoom(length, this.#until)) return this.#putAside(Buffer.from(bytes.subarray(0, length)))
    bytes.copy(this.#bytes, this.#at, 0, length)
    this.#at += length
  }

  /** Returns the output since the last call, and drops the source. The returned buffer belongs to the caller. */
  take(): Buffer {
    this.#movePending()
    if (this.#at === 0 && this.#parts.length === 0) return NOTHING
    const last = this.#bytes.subarray(0, this.#at)
    const taken = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last])
    this.#parts.length = 0
    this.#bytes = NOTHING
    this.#at = 0
    this.#end = 0
    this.#from = 0
    this.#until = 0
    return taken
  }

  /** Adapts the predicted size of the next buffer to the bytes read and written so far. */
  learn(counts: Counts): void {
    this.#size.learn(counts)
  }

  #movePending(): void {
    const length = this.#until - this.#from
    if (length === 0) return
    this.#bytes.copyWithin(this.#at, this.#from, this.#until)
    this.#at += length
    this.#from = this.#until
  }

  #addSplice(splice: Splice): void {
    const bound = spliceLengthBound(splice)
    if (this.#hasRoom(bound, splice.end)) {
      this.#at = writeSplice(splice, this.#bytes, this.#at)
      return
    }
    const part = Buffer.allocUnsafeSlow(bound)
    this.#putAside(part.subarray(0, writeSplice(splice, part, 0)))
  }

  /**
   * True if `length` bytes fit before `needed`, the position at which source bytes begin that are still needed. Puts
   * finished output aside to make room.
   */
  #hasRoom(length: number, needed: number): boolean {
    if (this.#at + length <= needed) return true
    if (this.#at > 0) this.#putAside(NOTHING)
    return length <= needed
  }

  /** Copies the output in the buffer to the finished parts, and adds `next` after it. */
  #putAside(next: Buffer): void {
    if (this.#at > 0) this.#parts.push(Buffer.from(this.#bytes.subarray(0, this.#at)))
    this.#at = 0
    if (next.length > 0) this.#parts.push(next)
  }
}

const NOTHING = Buffer.alloc(0)
const LINE_END = Buffer.from('\n')
const PADDING = 16

/** Predicts the size of a buffer for a source and its output. */
class OutputSize {
  #growth = 1.3

  expectedFor(bytes: number): number {
    return Math.ceil(bytes * this.#growth) + SLACK_BYTES
  }

  learn({ bytesIn, bytesOut }: Pick<Counts, 'bytesIn' | 'bytesOut'>): void {
    if (bytesIn > ENOUGH_BYTES) this.#growth = Math.max(1, (bytesOut / bytesIn) * 1.02)
  }
}

// writing a splice needs room for its maximum length
const SLACK_BYTES = 4096
const ENOUGH_BYTES = 64 * 1024
