/** Reads a part of a buffer that a `ByteWriter` wrote. Throws a RangeError when the bytes end early. */
export class ByteReader {
  readonly bytes: Buffer
  readonly #end: number
  #at: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.#at = start
    this.#end = end
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end
  }

  byte(): number {
    if (this.#at >= this.#end) throw new RangeError('The bytes end early.')
    return this.bytes[this.#at++]
  }

  varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  text(): string {
    const coded = this.varint()
    const start = this.skip(Math.floor(coded / 2))
    return this.bytes.toString(coded % 2 === 1 ? 'utf16le' : 'utf8', start, this.#at)
  }

  /** Passes over this many bytes, and returns where they begin. */
  skip(length: number): number {
    const start = this.#at
    if (start + length > this.#end) throw new RangeError('The bytes end early.')
    this.#at = start + length
    return start
  }
}
