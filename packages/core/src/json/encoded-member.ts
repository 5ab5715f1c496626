import { decodeAscii16 } from './read-value.ts'
import { writeJson, writeUtf8 } from './write-json.ts'

/** A longer text goes the long way. */
export const MAX_MEMBER_BYTES = 512

/** A member as it is put into a record, `,"name":"value"`, written into a buffer of its own; the next record's is written over it. */
export class EncodedMember {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Where the text begins, behind its quote. */
  readonly valueStart: number
  /** Position behind the closing quote. */
  end = 0
  /** The text itself. */
  value = ''
  /** Which of all the texts that were written here this is: tells whether it still stands here. */
  generation = 0
  readonly #written: (Uint8Array | undefined)[] = []

  constructor(name: string) {
    // a UTF-16 unit takes at most six bytes as JSON
    this.bytes = new Uint8Array(name.length * 6 + MAX_MEMBER_BYTES + PADDING)
    this.view = new DataView(this.bytes.buffer)
    const colon = writeJson(name, this.bytes, writeUtf8(',', this.bytes, 0))
    this.valueStart = writeUtf8(':"', this.bytes, colon)
  }

  /** Begins another text, and gives where it is to be written. What stood here stands here no more, even if nothing comes of the new one. */
  open(): number {
    this.generation++
    return this.valueStart
  }

  /** Ends the text at a position; it need not be read where it is known. */
  close(at: number, value?: string): void {
    this.value = value ?? this.#read(at)
    this.bytes[at] = QUOTE
    this.end = at + 1
  }

  /** All that is written, as an array: made once for each length, because making one costs more than copying what it shows. */
  get written(): Uint8Array {
    const { end } = this
    return (this.#written[end] ??= this.bytes.subarray(0, end))
  }

  #read(end: number): string {
    let value = ''
    let at = this.valueStart
    for (; at + 16 < end; at += 16) value += decodeAscii16(this.bytes, at)
    const last = decodeAscii16(this.bytes, at)
    return value + (at + 16 === end ? last : last.slice(0, end - at))
  }
}

const QUOTE = 0x22
// quotes, comma and colon, and what is read behind the end
const PADDING = 32
