import { joinedLength, joinInto, type StampedBytes } from '@keystamp/core'
import { type Allocate, Workbench } from '../bytes/workbench.ts'

/** Writes stamped elements as lines of JSON, or as an array with one element on each line. */
export class ElementOutput extends Workbench {
  readonly #isArray: boolean
  #hasElements = false

  constructor(to: 'lines' | 'array', allocate: Allocate) {
    super(allocate)
    this.#isArray = to === 'array'
  }

  /** Adds an element whose bytes are in the source. */
  addElement(stamped: StampedBytes): void {
    this.#separate()
    this.add(stamped)
    if (!this.#isArray) this.addNewline()
  }

  /** Adds an element without the whitespace outside of its strings. Its bytes need not be in the source. */
  addOnOneLine(stamped: StampedBytes): void {
    this.#separate()
    const joined = Buffer.allocUnsafe(joinedLength(stamped))
    joinInto(stamped, joined, 0)
    this.addBytes(joined, toOneLine(joined, 0, joined.length))
    if (!this.#isArray) this.addNewline()
  }

  finish(): void {
    if (!this.#isArray) return
    const end = this.#hasElements ? ARRAY_END : EMPTY_ARRAY
    this.addBytes(end, end.length)
  }

  #separate(): void {
    if (!this.#isArray) return
    const separator = this.#hasElements ? SEPARATOR : ARRAY_START
    this.addBytes(separator, separator.length)
    this.#hasElements = true
  }
}

const ARRAY_START = Buffer.from('[\n')
const SEPARATOR = Buffer.from(',\n')
const ARRAY_END = Buffer.from('\n]\n')
const EMPTY_ARRAY = Buffer.from('[\n]\n')

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/**
 * Removes the whitespace outside of strings from valid JSON, in place. Returns the position after the remaining bytes.
 */
export function toOneLine(bytes: Buffer, start: number, end: number): number {
  let to = start
  let isInString = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (!isInString && byte <= SPACE) continue
    if (byte === QUOTE) isInString = !isInString
    bytes[to++] = byte
    if (isInString && byte === BACKSLASH) bytes[to++] = bytes[++at]
  }
  return to
}
