import { type Splice, spliceLengthBound, type StampedBytes, writeSplice } from '@keystamp/core'
import type { Counts } from '../counts.ts'

const NEWLINE = 0x0a

/** Gives a buffer of at least so many bytes. */
export type Allocate = (size: number) => Buffer

/** A new buffer each time: for whoever hands them on and cannot know when they are done with. */
export function allocateFresh(size: number): Buffer {
  return Buffer.allocUnsafe(size)
}

/**
 * One buffer for source and output: the source lies at its end, the output grows at its beginning, and never reaches what is still needed of the source.
 * So bytes are moved within one buffer, which is twice as cheap as between two; and what stands side by side is moved at once, across records.
 */
export class Workbench {
  readonly #allocate: Allocate
  readonly #size = new OutputSize()
  readonly #parts: Buffer[] = []
  #bytes: Buffer = NOTHING
  #end = 0
  // behind the output; and the bytes of the source that belong there next and have not been moved yet
  #at = 0
  #from = 0
  #until = 0

  constructor(allocate: Allocate) {
    this.#allocate = allocate
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** Behind the source; zeros follow. */
  get end(): number {
    return this.#end
  }

  /** Lays out a source in place of the one before, and gives where it begins. */
  load(head: Buffer, headLength: number, chunk: Buffer): number {
    const length = headLength + chunk.length
    const needed = this.#size.expectedFor(length) + PADDING
    this.#settle()
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

  /** Adds a record of the source; records come in their order. */
  add({ start, end, splices }: StampedBytes): void {
    if (this.#until !== start) {
      this.#settle()
      this.#from = start
    }
    for (const splice of splices) {
      this.#until = splice.at
      this.#settle()
      this.#addSplice(splice)
      this.#from = splice.end
    }
    this.#until = end
  }

  /** Adds a line's end; where the source has one right behind what was added last, it goes along with it. */
  addNewline(): void {
    if (this.#until > this.#from && this.#bytes[this.#until] === NEWLINE) this.#until++
    else this.addBytes(LINE_END, 1)
  }

  /** Adds bytes that do not lie in the source. */
  addBytes(bytes: Buffer, length: number): void {
    this.#settle()
    if (!this.#hasRoom(length, this.#until)) return this.#putAside(Buffer.from(bytes.subarray(0, length)))
    bytes.copy(this.#bytes, this.#at, 0, length)
    this.#at += length
  }

  /** All that was added since the last take. It is the caller's from now on, and the source is gone. */
  take(): Buffer {
    this.#settle()
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

  /** Told of all that went in and came out, to make the right room the next time. */
  learn(counts: Counts): void {
    this.#size.learn(counts)
  }

  #settle(): void {
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

  /** True where so many bytes fit in front of what is still needed; what is finished is put aside for that. */
  #hasRoom(length: number, needed: number): boolean {
    if (this.#at + length <= needed) return true
    if (this.#at > 0) this.#putAside(NOTHING)
    return length <= needed
  }

  /** Ends the part that has been written, and sets `next` behind it. */
  #putAside(next: Buffer): void {
    if (this.#at > 0) this.#parts.push(Buffer.from(this.#bytes.subarray(0, this.#at)))
    this.#at = 0
    if (next.length > 0) this.#parts.push(next)
  }
}

const NOTHING = Buffer.alloc(0)
const LINE_END = Buffer.from('\n')
const PADDING = 16

/** Foretells how much room a source and its output need, so that they fit into one buffer that is not too large. */
class OutputSize {
  #growth = 1.3

  expectedFor(bytes: number): number {
    return Math.ceil(bytes * this.#growth) + SLACK_BYTES
  }

  learn({ bytesIn, bytesOut }: Pick<Counts, 'bytesIn' | 'bytesOut'>): void {
    if (bytesIn > ENOUGH_BYTES) this.#growth = Math.max(1, (bytesOut / bytesIn) * 1.02)
  }
}

// before a splice is written, room is made for the longest that it could be
const SLACK_BYTES = 4096
const ENOUGH_BYTES = 64 * 1024
