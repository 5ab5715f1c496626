/** A buffer that grows, and the position after the last written byte. */
export class ByteWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  length = 0

  /** Makes room for more bytes; the other methods need it. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
  }

  byte(value: number): void {
    this.bytes[this.length++] = value
  }

  /** A whole number below 2^53, seven bits a byte, lowest first; the top bit marks that another byte follows. */
  varint(value: number): void {
    const { bytes } = this
    let at = this.length
    let rest = value
    for (; rest >= 0x80000000; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128
    for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128
    bytes[at++] = rest
    this.length = at
  }

  /** A string after twice the number of its bytes; one more when the bytes are UTF-16 instead of UTF-8. */
  text(value: string): void {
    const most = value.length * 3
    this.reserve(most + MAX_VARINT)
    // UTF-8 cannot express half of a surrogate pair, which an id may contain
    if (!value.isWellFormed()) {
      this.varint(value.length * 4 + 1)
      this.length += this.bytes.write(value, this.length, 'utf16le')
    } else if (most < 64) {
      const written = this.bytes.write(value, this.length + 1)
      this.bytes[this.length] = written * 2
      this.length += 1 + written
    } else {
      this.varint(Buffer.byteLength(value) * 2)
      this.length += this.bytes.write(value, this.length)
    }
  }

  /** Copies bytes of another buffer, without their number. */
  copy(source: Buffer, start: number, end: number): void {
    this.reserve(end - start)
    this.length += source.copy(this.bytes, this.length, start, end)
  }
}

/** Bytes that the longest number takes. */
export const MAX_VARINT = 8

const FIRST_BYTES = 64 << 10
