import { KeystampError } from '@keystamp/core'

/** A line, and its number from 1 on. */
export interface Line {
  readonly bytes: Uint8Array
  readonly line: number
}

/** Cuts bytes into lines; blank ones are left out, and counted. A line holds on to the bytes that it was cut from. Throws at one that is far too long. */
export class LineSplitter {
  #begun: Uint8Array[] = []
  #begunBytes = 0
  #line = 0

  /** The lines that end in these bytes. */
  split(bytes: Uint8Array): readonly Line[] {
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      const line = this.#complete(bytes.subarray(from, end))
      from = end + 1
      if (!isBlank(line.bytes)) lines.push(line)
    }
    if (from < bytes.length) this.#begin(bytes.subarray(from))
    return lines
  }

  /** The last line, when no line feed ended it. */
  rest(): readonly Line[] {
    const line = this.#complete(new Uint8Array())
    return isBlank(line.bytes) ? [] : [line]
  }

  #begin(bytes: Uint8Array): void {
    this.#begun.push(bytes)
    this.#begunBytes += bytes.length
    if (this.#begunBytes <= MAX_LINE_BYTES) return
    throw new KeystampError(
      'RECORD_REJECTED',
      `Line ${this.#line + 1} has no end within ${MAX_LINE_BYTES} bytes, and Cosmos DB stores documents of up to 2 MB: is this JSON in lines? ` +
        'An array becomes lines by stampArray of @keystamp/stream.'
    )
  }

  #complete(end: Uint8Array): Line {
    const whole = this.#begun.length === 0 ? end : Buffer.concat([...this.#begun, end])
    this.#begun = []
    this.#begunBytes = 0
    this.#line += 1
    return { bytes: this.#line === 1 ? withoutMark(whole) : whole, line: this.#line }
  }
}

const MAX_LINE_BYTES = 16 * 1024 * 1024
const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

// editors and exports put one at the beginning of a file, where JSON has none
function withoutMark(bytes: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
}
