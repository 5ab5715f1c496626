import { DecodeFailure } from '../decode-failure.ts'

/**
 * Reads Avro's binary encoding from the front. Positions are offsets in the underlying buffer, which many records
 * share.
 */
export class AvroSource {
  bytes: Uint8Array = new Uint8Array(0)
  view: DataView = new DataView(this.bytes.buffer)
  at = 0
  end = 0
  /** The last integer that a double does not hold exactly; `readLong` sets it before it returns NaN. */
  big = 0n

  /** Starts reading after the first `skip` of these bytes. */
  open(record: Uint8Array, skip: number): void {
    const { buffer, byteOffset, length } = record
    if (buffer !== this.bytes.buffer) {
      this.bytes = new Uint8Array(buffer)
      this.view = new DataView(buffer)
    }
    this.at = byteOffset + skip
    this.end = byteOffset + length
  }

  /** Skips `count` bytes and returns where they begin. */
  take(count: number): number {
    const { at } = this
    // not `at + count > end`: a count near 2^53 would be rounded
    if (!(count >= 0 && count <= this.end - at)) throw cutOff()
    this.at = at + count
    return at
  }

  readByte(): number {
    if (this.at >= this.end) throw cutOff()
    return this.bytes[this.at++]
  }

  /** Reads the length of a string or of bytes, or the branch of a union. */
  readLength(): number {
    const { at, bytes } = this
    const byte = at < this.end ? bytes[at] : 0xff
    if (byte >= 0x80) return this.readLong()
    this.at = at + 1
    return (byte >> 1) ^ -(byte & 1)
  }

  /** Reads an integer of 32 bits. Fails if it has more. */
  readInt(): number {
    const value = this.readLong()
    if (value !== (value | 0)) throw new DecodeFailure('an integer in it has more than 32 bits')
    return value
  }

  /** Reads an integer of 64 bits. If a double does not hold it exactly, returns NaN and sets `big` to it. */
  readLong(): number {
    const { bytes, end } = this
    let { at } = this
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      if (at >= end) throw cutOff()
      const byte = bytes[at++]
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.at = at
        return (low >>> 1) ^ -(low & 1)
      }
    }
    return this.#readHigh(at, low)
  }

  #readHigh(start: number, low: number): number {
    const { bytes, end } = this
    let at = start
    let high = 0
    let isOpen = true
    for (let shift = 0; isOpen && shift < 28; shift += 7) {
      if (at >= end) throw cutOff()
      const byte = bytes[at++]
      high |= (byte & 0x7f) << shift
      isOpen = byte >= 0x80
    }
    let top = 0
    for (let shift = 0; isOpen; shift += 7) {
      if (at >= end) throw cutOff()
      const byte = bytes[at++]
      if (shift === 7 && byte > 1) throw new DecodeFailure('an integer in it has more than 64 bits')
      top |= (byte & 0x7f) << shift
      isOpen = byte >= 0x80
    }
    this.at = at
    return this.#fold(low, high, top)
  }

  /** Decodes a zigzag integer from its lowest 28, middle 28 and highest 8 bits. */
  #fold(low: number, high: number, top: number): number {
    const half = (low >>> 1) + high * 2 ** 27 + top * 2 ** 55
    const value = (low & 1) === 0 ? half : -half - 1
    if (Number.isSafeInteger(value)) return value
    const exact = (BigInt(top) << 55n) + (BigInt(high) << 27n) + BigInt(low >>> 1)
    this.big = (low & 1) === 0 ? exact : -exact - 1n
    return NaN
  }
}

function cutOff(): DecodeFailure {
  return new DecodeFailure('the bytes end inside of a value')
}
