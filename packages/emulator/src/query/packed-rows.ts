import { ByteList } from './byte-list.ts'

/** Rows of a query, in the order in which they are added. */
export interface RowList {
  readonly length: number
  readonly push: (row: unknown) => unknown
}

/**
 * Rows as JSON outside the JavaScript heap: a query can have millions of rows, which the garbage collector would copy
 * while other requests wait.
 */
export class PackedRows implements RowList {
  readonly #texts: ByteList = new ByteList()

  get length(): number {
    return this.#texts.length
  }

  push(row: unknown): void {
    const text = JSON.stringify(row)
    const bytes = Buffer.byteLength(text)
    const index = this.#texts.open(bytes)
    this.#texts.blockOf(index).write(text, this.#texts.offsetOf(index), bytes, 'utf8')
  }

  /** The JSON of a row in UTF-8. */
  bytesAt(index: number): Buffer {
    const start = this.#texts.offsetOf(index)
    return this.#texts.blockOf(index).subarray(start, start + this.#texts.lengthOf(index))
  }
}
