import { DecodeFailure } from '../decode-failure.ts'

/** Reads the wire format of Protobuf. Positions are offsets in the underlying buffer, which many records share. */
export class ProtoSource {
  bytes: Uint8Array = new Uint8Array(0)
  view: DataView = new DataView(this.bytes.buffer)
  at = 0
  end = 0
  /** Both halves of the varint that was read last, each with 32 bits and a sign. */
  low = 0
  high = 0

  /** Starts reading after the first `skip` of these bytes. */
  open({ buffer, byteOffset, length }: Uint8Array, skip: number): void {
    if (buffer !== this.bytes.buffer) {
      this.bytes = new Uint8Array(buffer)
      this.view = new DataView(buffer)
    }
    this.at = byteOffset + skip
    this.end = byteOffset + length
  }

  /** Moves to a part of the bytes that a scan has found. */
  move(at: number, end: number): void {
    this.at = at
    this.end = end
  }

  /** Reads a varint of up to 64 bits into `low` and `high`. Returns `low`. */
  readVarint(): number {
    const { bytes, end } = this
    let { at } = this
    let low = 0
    let high = 0
    for (let shift = 0; ; shift += 7) {
      if (at >= end) throw cutOff()
      const byte = bytes[at++]
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >> 4
      } else if (shift < 63) high |= bits << (shift - 32)
      else if (byte > 1) throw new DecodeFailure('an integer in it has more than 64 bits')
      else high |= bits << 31
      if (byte < 0x80) break
    }
    this.at = at
    this.low = low
    this.high = high
    return low
  }

  /** Skips `count` bytes and returns where they begin. */
  take(count: number): number {
    const { at } = this
    if (!(count >= 0 && count <= this.end - at)) throw cutOff()
    this.at = at + count
    return at
  }

  /** Reads a length, and skips as many bytes. Returns where they begin; `at` is where they end. */
  takeDelimited(): number {
    const length = this.readVarint() >>> 0
    if (this.high !== 0) throw cutOff()
    return this.take(length)
  }

  /** Skips the value after a tag with this wire type. */
  skip(wire: number): void {
    if (wire === VARINT) this.readVarint()
    else if (wire === DELIMITED) this.takeDelimited()
    else if (wire === FIXED64) this.take(8)
    else if (wire === FIXED32) this.take(4)
    else if (wire === GROUP) this.#skipGroup()
    else throw new DecodeFailure('a field in it has no valid wire type')
  }

  #skipGroup(): void {
    for (let depth = 1; depth > 0;) {
      const wire = this.readVarint() & 7
      if (wire === GROUP) depth++
      else if (wire === END_OF_GROUP) depth--
      else this.skip(wire)
    }
  }
}

/** Wire types of fields. */
export const VARINT = 0
export const FIXED64 = 1
export const DELIMITED = 2
const GROUP = 3
export const END_OF_GROUP = 4
export const FIXED32 = 5

function cutOff(): DecodeFailure {
  return new DecodeFailure('the bytes end inside of a value')
}
