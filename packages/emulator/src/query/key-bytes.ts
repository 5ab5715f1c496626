import { canonicalText } from './values.ts'

/**
 * Values of JSON as bytes, in memory that is used again: equal values have equal bytes, in any order of properties. The
 * bytes that are compared begin with their length. After them are the texts of arrays and objects as they are.
 */
export class KeyBytes {
  bytes: Buffer = Buffer.allocUnsafeSlow(256)
  /** Length of the bytes that are compared. */
  compared = 0
  /** Length of all bytes. */
  length = 0

  /** Replaces the bytes by those of these values, of which undefined is one. */
  write(values: readonly unknown[]): void {
    this.length = LENGTH_BYTES
    for (const value of values) this.#add(value)
    this.compared = this.length
    this.bytes.writeUInt32LE(this.compared, 0)
    for (const value of values) if (isNested(value)) this.#addText(JSON.stringify(value))
  }

  #add(value: unknown): void {
    if (typeof value === 'string') this.#addString(value)
    else if (typeof value === 'number') this.#addNumber(value)
    else if (isNested(value)) {
      this.#addTag(NESTED)
      this.#addText(canonicalText(value))
    } else this.#addTag(SCALARS.indexOf(value))
  }

  #addTag(tag: number): void {
    this.#reserve(1)
    this.bytes[this.length++] = tag
  }

  #addNumber(value: number): void {
    this.#reserve(1 + 8)
    this.bytes[this.length] = NUMBER
    // 0 and -0 are equal; the sum of both is 0
    this.bytes.writeDoubleLE(value + 0, this.length + 1)
    this.length += 1 + 8
  }

  #addString(text: string): void {
    const start = this.length
    const { length } = text
    this.#reserve(1 + LENGTH_BYTES + 2 * length)
    const { bytes } = this
    bytes[start] = ASCII
    bytes.writeUInt32LE(length, start + 1)
    const first = start + 1 + LENGTH_BYTES
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code >= 128) {
        this.#addWide(text)
        return
      }
      bytes[first + at] = code
    }
    this.length = first + length
  }

  // with two bytes a character, also half of a pair of surrogates is kept
  #addWide(text: string): void {
    this.bytes[this.length] = WIDE
    const first = this.length + 1 + LENGTH_BYTES
    this.bytes.write(text, first, 2 * text.length, 'utf16le')
    this.length = first + 2 * text.length
  }

  #addText(text: string): void {
    const size = 3 * text.length
    this.#reserve(LENGTH_BYTES + size)
    const written = this.bytes.write(text, this.length + LENGTH_BYTES, size, 'utf8')
    this.bytes.writeUInt32LE(written, this.length)
    this.length += LENGTH_BYTES + written
  }

  #reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + size))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

/** Reads the values whose bytes are at a position. */
export function readKeyBytes(bytes: Buffer, start: number): unknown[] {
  const end = start + bytes.readUInt32LE(start)
  const values: unknown[] = []
  let text = end
  let at = start + LENGTH_BYTES
  while (at < end) {
    const tag = bytes[at++]
    if (tag < SCALARS.length) values.push(SCALARS[tag])
    else if (tag === NUMBER) {
      values.push(bytes.readDoubleLE(at))
      at += 8
    } else {
      const length = bytes.readUInt32LE(at)
      const first = at + LENGTH_BYTES
      at = first + (tag === WIDE ? 2 * length : length)
      if (tag === NESTED) {
        const textLength = bytes.readUInt32LE(text)
        values.push(JSON.parse(bytes.toString('utf8', text + LENGTH_BYTES, text + LENGTH_BYTES + textLength)))
        text += LENGTH_BYTES + textLength
      } else values.push(bytes.toString(tag === WIDE ? 'utf16le' : 'latin1', first, at))
    }
  }
  return values
}

const LENGTH_BYTES = 4
// the tag of such a value is its position here
const SCALARS: readonly unknown[] = [undefined, null, false, true]
const NUMBER = 4
const ASCII = 5
const WIDE = 6
const NESTED = 7

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
