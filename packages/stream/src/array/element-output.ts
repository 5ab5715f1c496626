import type { StampedBytes } from '@keystamp/core'
import { type Allocate, Output } from '../bytes/output.ts'
import { toOneLine } from './one-line.ts'

const NEWLINE = 0x0a
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Puts stamped elements out as lines of JSON, or as an array with an element a line. */
export class ElementOutput extends Output {
  readonly #isArray: boolean
  #hasElements = false

  constructor(to: 'lines' | 'array', allocate: Allocate) {
    super(allocate)
    this.#isArray = to === 'array'
  }

  /** `isSpread` tells that the element holds line ends. */
  addElement(source: Buffer, stamped: StampedBytes, isSpread: boolean): void {
    if (this.#isArray) this.#addSeparator()
    if (isSpread) this.#addOnOneLine(source, stamped)
    else this.add(source, stamped)
    if (!this.#isArray) this.addNewline(source, stamped.end)
  }

  finish(): void {
    if (!this.#isArray) return
    if (!this.#hasElements) this.addByte(OPEN_BRACKET)
    this.addByte(NEWLINE)
    this.addByte(CLOSE_BRACKET)
    this.addByte(NEWLINE)
  }

  #addSeparator(): void {
    this.addByte(this.#hasElements ? COMMA : OPEN_BRACKET)
    this.addByte(NEWLINE)
    this.#hasElements = true
  }

  #addOnOneLine(source: Buffer, stamped: StampedBytes): void {
    const start = this.written.at
    this.add(source, stamped)
    const { bytes, at } = this.written
    this.cutTo(toOneLine(bytes, start, at))
  }
}
