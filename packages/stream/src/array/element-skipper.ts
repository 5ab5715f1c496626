/** Finds the end of an oversized element, chunk by chunk, by brackets and strings only. */
export class ElementSkipper {
  #depth = 0
  #isText = false
  #isEscaped = false
  #hasBegun = false

  /** Position after the element in `bytes[start, end)`; negative where the element continues after them. */
  skip(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      const byte = bytes[at]
      if (this.#isText) {
        if (this.#endsText(byte) && this.#depth === 0) return at + 1
      } else if (byte === QUOTE) this.#isText = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++
      else if (this.#depth === 0 && this.#hasBegun && isBehindScalar(byte)) return at
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --this.#depth === 0) return at + 1
      this.#hasBegun = true
    }
    return -1
  }

  #endsText(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else this.#isText = byte !== QUOTE
    return !this.#isText
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20

function isBehindScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACKET || byte <= SPACE
}
