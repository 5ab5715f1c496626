import { NumberList } from './number-list.ts'

/** A list of byte strings outside the JavaScript heap. No step copies many of them. */
export class ByteList {
  readonly #blocks: Buffer[] = []
  // the block and the offset in it, as one number, for each entry
  readonly #starts: NumberList = new NumberList()
  readonly #lengths: NumberList = new NumberList()
  #used = 0

  /** The number of entries. */
  get length(): number {
    return this.#starts.length
  }

  /** Adds an entry of this length; the caller writes its bytes to `blockOf` from `offsetOf` on. */
  open(length: number): number {
    const last = this.#blocks.at(-1)
    if (last === undefined || this.#used + length > last.length) {
      const size = last === undefined ? FIRST_BYTES : Math.min(BLOCK_BYTES, last.length * 4)
      this.#blocks.push(Buffer.allocUnsafeSlow(Math.max(size, length)))
      this.#used = 0
    }
    this.#starts.push((this.#blocks.length - 1) * BLOCK_SPAN + this.#used)
    this.#lengths.push(length)
    this.#used += length
    return this.#starts.length - 1
  }

  /** The memory that holds an entry. */
  blockOf(index: number): Buffer {
    return this.#blocks[Math.floor(this.#starts.at(index) / BLOCK_SPAN)]
  }

  /** The position of an entry in its memory. */
  offsetOf(index: number): number {
    return this.#starts.at(index) % BLOCK_SPAN
  }

  lengthOf(index: number): number {
    return this.#lengths.at(index)
  }
}

const FIRST_BYTES = 1024
const BLOCK_BYTES = 256 << 10
// longer than any entry
const BLOCK_SPAN: number = 2 ** 31
