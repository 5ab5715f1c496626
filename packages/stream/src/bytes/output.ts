import { spliceLengthBound, type StampedBytes, writeSplice } from '@keystamp/core'

const NEWLINE = 0x0a

/** Gives a buffer of at least so many bytes. */
export type Allocate = (size: number) => Buffer

/** A new buffer each time: for whoever hands them on and cannot know when they are done with. */
export function allocateFresh(size: number): Buffer {
  return Buffer.allocUnsafe(size)
}

/**
 * Gathers stamped records in one buffer. What stands side by side in the source and stays as it is is copied at once,
 * across records, because a copy costs more by the call than by the byte.
 */
export class Output {
  readonly #allocate: Allocate
  #bytes: Buffer
  #at = 0
  // bytes of the source that belong behind what is written, and have not been copied yet
  #source: Buffer | undefined
  #from = 0
  #until = 0

  constructor(allocate: Allocate) {
    this.#allocate = allocate
    this.#bytes = NOTHING
  }

  /** True when nothing has been added since the last take. */
  get isEmpty(): boolean {
    return this.#at === 0 && this.#source === undefined
  }

  /** Makes room for about so many bytes in one piece. */
  expect(size: number): void {
    if (this.#bytes.length - this.#at < size) this.#grow(size)
  }

  /** Adds a record. */
  add(source: Buffer, { start, end, splices }: StampedBytes): void {
    if (this.#source !== source || this.#until !== start) {
      this.settle()
      this.#source = source
      this.#from = start
    }
    for (const splice of splices) {
      this.#until = splice.at
      this.settle()
      this.#reserve(spliceLengthBound(splice))
      this.#at = writeSplice(splice, this.#bytes, this.#at)
      this.#source = source
      this.#from = splice.end
    }
    this.#until = end
  }

  /** Adds a line's end; where the source has it at `at`, right behind what was added last, it goes along with it. */
  addNewline(source: Buffer, at: number): void {
    if (this.#source === source && this.#until === at && at < source.length && source[at] === NEWLINE) this.#until++
    else this.addByte(NEWLINE)
  }

  addByte(byte: number): void {
    this.settle()
    this.#reserve(1)
    this.#bytes[this.#at++] = byte
  }

  /** Position of the next byte, and the bytes so far: for whoever has to go over what was just added. */
  get written(): { readonly bytes: Buffer; readonly at: number } {
    this.settle()
    return { bytes: this.#bytes, at: this.#at }
  }

  /** Forgets what stands at and behind `at`. */
  cutTo(at: number): void {
    this.#at = at
  }

  /** Copies what is still owed; needed before the source changes. */
  settle(): void {
    const source = this.#source
    if (source === undefined) return
    const length = this.#until - this.#from
    this.#reserve(length)
    // the subarray of a Buffer is a Buffer, which is several times as dear to make
    this.#bytes.set(new Uint8Array(source.buffer, source.byteOffset + this.#from, length), this.#at)
    this.#at += length
    this.#source = undefined
  }

  /** All bytes since the last take. They are the caller's from now on. */
  take(): Buffer {
    this.settle()
    const taken = this.#bytes.subarray(0, this.#at)
    this.#bytes = NOTHING
    this.#at = 0
    return taken
  }

  #reserve(length: number): void {
    if (this.#at + length > this.#bytes.length) this.#grow(length)
  }

  #grow(length: number): void {
    const bytes = this.#allocate(Math.max(this.#at + length, Math.ceil(this.#bytes.length * GROWTH)))
    this.#bytes.copy(bytes, 0, 0, this.#at)
    this.#bytes = bytes
  }
}

const NOTHING = Buffer.alloc(0)
const GROWTH = 1.5
