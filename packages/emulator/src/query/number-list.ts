/**
 * A list of numbers outside the JavaScript heap. It grows by blocks of the same size, so that no step copies many
 * numbers, and the garbage collector has nothing to move.
 */
export class NumberList {
  readonly #blocks: Float64Array[] = []
  #length = 0

  /** The number of numbers. */
  get length(): number {
    return this.#length
  }

  /** Adds a number at the end. */
  push(value: number): void {
    const at = this.#length++
    const block = at >>> BLOCK_BITS
    if (block > 0) {
      if (block === this.#blocks.length) this.#blocks.push(new Float64Array(BLOCK))
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

const FIRST = 16
const BLOCK_BITS = 13
const BLOCK: number = 2 ** BLOCK_BITS
const BLOCK_MASK: number = BLOCK - 1
