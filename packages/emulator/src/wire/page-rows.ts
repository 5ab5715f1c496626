import { documentEnd, type StoredItem } from '../store/item.ts'
import type { RowRun } from '../query/index.ts'
import type { Container } from '../store/container.ts'

/**
 * Body of a page, as JSON in blocks of bytes. Rows are encoded one by one while the page is read: to join and to encode
 * them all at the end would take milliseconds, in which no other request runs.
 */
export class PageRows {
  /** The number of rows. */
  count = 0
  /** The length of all rows as JSON text, without the commas between them. */
  length = 0
  readonly #container: Container
  readonly #start: string
  readonly #blocks: Buffer[] = []
  #block: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  // the part of the block that is in no other block yet
  #first = 0
  #used = 0

  constructor(container: Container) {
    this.#container = container
    this.#start = `{"_rid":"${container.rid}","Documents":[`
    this.#write(this.#start, this.#start.length)
  }

  /** The length of the array of rows as JSON text. */
  get listLength(): number {
    return this.length + Math.max(this.count - 1, 0) + 2
  }

  /** The length of the body as JSON text. */
  get bodyLength(): number {
    return this.#start.length - 1 + this.listLength + this.#end().length - 1
  }

  /** Adds a row. */
  addText(text: string): void {
    const bytes = Buffer.byteLength(text)
    this.#open(bytes, text.length)
    this.#write(text, bytes)
  }

  /** Adds a row that is a document of the container. */
  addItem(item: StoredItem): void {
    const end = documentEnd(this.#container, item)
    // without the brace at the end
    const bytes = item.length - 1
    const length = item.isAscii ? bytes : item.json().length - 1
    this.#open(bytes + end.length, length + end.length)
    item.slab.bytes.copy(this.#block, this.#used, item.offset, item.offset + bytes)
    this.#used += bytes
    this.#write(end, end.length)
  }

  /** Adds rows whose bytes do not change any more. */
  addRun({ bytes, rows, length }: RowRun): void {
    this.#open(0, length)
    this.count += rows - 1
    this.#endBlock()
    this.#blocks.push(bytes)
  }

  /** Ends the body and returns its bytes. */
  toBody(): readonly Buffer[] {
    const end = this.#end()
    this.#reserve(end.length)
    this.#write(end, end.length)
    this.#endBlock()
    return this.#blocks
  }

  #end(): string {
    return `],"_count":${this.count}}`
  }

  #open(bytes: number, length: number): void {
    this.#reserve(bytes + 1)
    if (this.count > 0) this.#block[this.#used++] = COMMA
    this.count += 1
    this.length += length
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#block.length) return
    this.#endBlock()
    this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes))
    this.#first = 0
    this.#used = 0
  }

  #endBlock(): void {
    if (this.#used > this.#first) this.#blocks.push(this.#block.subarray(this.#first, this.#used))
    this.#first = this.#used
  }

  #write(text: string, bytes: number): void {
    this.#used += this.#block.write(text, this.#used, bytes, bytes === text.length ? 'latin1' : 'utf8')
  }
}

// most pages have few rows
const FIRST_BYTES = 2048
// sent in one step, which takes a few hundredths of a millisecond
const BLOCK_BYTES = 65_536
const COMMA = 0x2c
