import { JsonWriter } from '../json/json-writer.ts'
import { ByteList, COLLECTED } from './block-lists.ts'

/** Rows of a query, in the order in which they are added. */
export interface RowList {
  readonly length: number
  readonly push: (row: unknown) => unknown
}

/** Some rows that follow each other, as JSON in UTF-8 with commas between them. */
export interface RowRun {
  readonly bytes: Buffer
  readonly rows: number
  /** The length of the rows as JSON text, without the commas. */
  readonly length: number
}

/**
 * Rows as JSON outside the JavaScript heap: a query can have millions of rows, which the garbage collector would copy
 * while other requests wait.
 */
export class PackedRows implements RowList {
  readonly #writer: JsonWriter = new JsonWriter()
  // with a comma after each; answers use them until they are sent
  readonly #texts: ByteList = new ByteList(COLLECTED)
  #isAscii = true

  get length(): number {
    return this.#texts.length
  }

  push(row: unknown): void {
    const writer = this.#writer
    writer.write(row)
    writer.addComma()
    if (!writer.isAscii) this.#isAscii = false
    this.#texts.push(writer.bytes, writer.length)
  }

  /** Rows from an index on: at most `maxRows`, and no more than are needed for a length. */
  runFrom(first: number, maxRows: number, length: number): RowRun {
    const texts = this.#texts
    const block = texts.blockOf(first)
    const start = texts.offsetOf(first)
    // with two characters in a byte string of another length, the length of each row is counted
    const most = this.#isAscii ? Math.min(maxRows, texts.length - first) : 1
    const wanted = Math.min(length, RUN_BYTES)
    let end = texts.endOf(first)
    let rows = 1
    // a comma after each row but the last counts not
    while (rows < most && end - start - rows < wanted && texts.blockOf(first + rows) === block) {
      end = texts.endOf(first + rows)
      rows += 1
    }
    const bytes = block.subarray(start, end - 1)
    return { bytes, rows, length: this.#isAscii ? bytes.length - (rows - 1) : bytes.toString().length }
  }
}

// copied in one step, which takes a few hundredths of a millisecond
const RUN_BYTES = 32_768
