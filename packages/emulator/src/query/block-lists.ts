/** Gives blocks of memory to lists. */
export interface BlockMemory {
  /** Returns 64 KB, of any content. */
  readonly take: () => ArrayBufferLike
}

/** Memory that the garbage collector frees. */
export const COLLECTED: BlockMemory = { take: () => new ArrayBuffer(BLOCK_BYTES) }

/**
 * Memory of a query, which later queries use again. The garbage collector does not count shared memory: each time that
 * new memory outside of its heap exceeds a limit, it marks all items, which takes longer than the query needs for them
 * and delays other requests.
 */
export class QueryMemory implements BlockMemory {
  static readonly #free: SharedArrayBuffer[] = []
  static #made = 0
  readonly #taken: SharedArrayBuffer[] = []

  take(): ArrayBufferLike {
    let block = QueryMemory.#free.pop()
    if (block === undefined) {
      if (QueryMemory.#made === MAX_KEPT_BLOCKS) return COLLECTED.take()
      QueryMemory.#made += 1
      block = new SharedArrayBuffer(BLOCK_BYTES)
    }
    this.#taken.push(block)
    return block
  }

  /** Lets other queries use the memory. The lists of this query must not be used any more. */
  release(): void {
    for (const block of this.#taken.splice(0)) QueryMemory.#free.push(block)
  }
}

/**
 * A list of numbers outside the JavaScript heap. It grows by blocks of the same size, so that no step copies many
 * numbers, and the garbage collector has nothing to move.
 */
export class NumberList {
  readonly #memory: BlockMemory
  readonly #blocks: Float64Array[] = []
  #length = 0

  constructor(memory: BlockMemory) {
    this.#memory = memory
  }

  /** The number of numbers. */
  get length(): number {
    return this.#length
  }

  /** Adds a number at the end. */
  push(value: number): void {
    const at = this.#length++
    const block = at >>> BLOCK_BITS
    if (block > 0) {
      if (block === this.#blocks.length) this.#blocks.push(new Float64Array(this.#memory.take()))
    } else if (this.#blocks.length === 0 || at === this.#blocks[0].length) this.#growFirst()
    this.#blocks[block][at & BLOCK_MASK] = value
  }

  /** The number at an index of the list. */
  at(index: number): number {
    return this.#blocks[index >>> BLOCK_BITS][index & BLOCK_MASK]
  }

  set(index: number, value: number): void {
    this.#blocks[index >>> BLOCK_BITS][index & BLOCK_MASK] = value
  }

  /** Adds to the number at an index of the list. */
  add(index: number, value: number): void {
    this.#blocks[index >>> BLOCK_BITS][index & BLOCK_MASK] += value
  }

  // most lists are short
  #growFirst(): void {
    const [first] = this.#blocks
    const grown = new Float64Array(first === undefined ? FIRST : first.length * 2)
    if (first !== undefined) grown.set(first)
    this.#blocks[0] = grown
  }
}

/** Values at whole numbers from 0, in blocks, so that no step copies many of them. Absent values are undefined. */
export class ValueList {
  readonly #blocks: (unknown[] | undefined)[] = []

  at(index: number): unknown {
    return this.#blocks[index >>> BLOCK_BITS]?.[index & BLOCK_MASK]
  }

  set(index: number, value: unknown): void {
    const block = index >>> BLOCK_BITS
    while (this.#blocks.length <= block) this.#blocks.push(undefined)
    const values = (this.#blocks[block] ??= [])
    values[index & BLOCK_MASK] = value
  }
}

/**
 * A list of byte strings outside the JavaScript heap, one after another in blocks. No step copies many of them, except
 * for a long one.
 */
export class ByteList {
  readonly #blocks: Buffer[] = []
  // the block and the offset in it, as one number, for each entry
  readonly #starts: NumberList
  // where the entries of each block end, except for the last block
  readonly #ends: number[] = []
  readonly #memory: BlockMemory
  #used = 0

  constructor(memory: BlockMemory) {
    this.#memory = memory
    this.#starts = new NumberList(memory)
  }

  /** The number of entries. */
  get length(): number {
    return this.#starts.length
  }

  /** Adds the first bytes of a buffer as an entry; returns its index. */
  push(bytes: Buffer, length: number): number {
    let block = this.#blocks.at(-1)
    if (block === undefined || this.#used + length > block.length) block = this.#addBlock(block, length)
    const start = this.#used
    copyBytes(bytes, length, block, start)
    this.#used = start + length
    this.#starts.push((this.#blocks.length - 1) * BLOCK_SPAN + start)
    return this.#starts.length - 1
  }

  /** The memory that holds an entry, and entries before and after it. */
  blockOf(index: number): Buffer {
    return this.#blocks[Math.floor(this.#starts.at(index) / BLOCK_SPAN)]
  }

  /** The position of an entry in its memory. */
  offsetOf(index: number): number {
    return offsetIn(this.#starts.at(index))
  }

  /** The position after an entry in its memory, where the next entry begins if it is in the same memory. */
  endOf(index: number): number {
    const next = index + 1
    const block = Math.floor(this.#starts.at(index) / BLOCK_SPAN)
    if (next < this.length && Math.floor(this.#starts.at(next) / BLOCK_SPAN) === block) return this.offsetOf(next)
    return this.#ends[block] ?? this.#used
  }

  #addBlock(last: Buffer | undefined, length: number): Buffer {
    if (last !== undefined) this.#ends.push(this.#used)
    const size = Math.max(last === undefined ? FIRST_BYTES : last.length * 4, length)
    // a long entry has a block of its own
    const isShared = size >= BLOCK_BYTES && length <= BLOCK_BYTES
    const block = isShared ? Buffer.from(this.#memory.take()) : Buffer.allocUnsafeSlow(size)
    this.#blocks.push(block)
    this.#used = 0
    return block
  }
}

const FIRST = 16
const BLOCK_BYTES = 65_536
// numbers of 8 bytes
const BLOCK_BITS = 13
const BLOCK: number = 2 ** BLOCK_BITS
const BLOCK_MASK: number = BLOCK - 1
// 64 MB
const MAX_KEPT_BLOCKS = 1024
const FIRST_BYTES = 1024
// longer than any entry
const BLOCK_SPAN: number = 2 ** 31
// a call of the runtime takes longer than a short loop
const LOOPED_BYTES = 128

// the remainder of a division takes longer
function offsetIn(start: number): number {
  return start - Math.floor(start / BLOCK_SPAN) * BLOCK_SPAN
}

function copyBytes(from: Buffer, length: number, to: Buffer, start: number): void {
  if (length > LOOPED_BYTES) from.copy(to, start, 0, length)
  else for (let at = 0; at < length; at++) to[start + at] = from[at]
}
