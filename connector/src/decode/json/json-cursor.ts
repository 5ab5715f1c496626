import { DecodeFailure } from '../decode-failure.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Steps through JSON that was not validated. It looks only at brackets and strings, which is enough to find a property.
 * A skipped value may be invalid inside; its reader has to check that. Reads nothing after `end`.
 */
export class JsonCursor {
  readonly bytes: Buffer
  at: number
  end: number

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.at = at
    this.end = end
    this.#trim()
  }

  /** First byte of the next value or punctuation; undefined at the end. */
  peek(): number | undefined {
    while (this.at < this.end && isWhitespace(this.bytes[this.at])) this.at++
    return this.at < this.end ? this.bytes[this.at] : undefined
  }

  /** Calls back with each property name of the object that begins here. The callback has to read or skip the value. */
  eachMember(read: (name: string) => void): void {
    this.#expect(OPEN_BRACE)
    if (this.peek() === CLOSE_BRACE) return this.#step()
    for (;;) {
      const name = this.readText()
      this.#expect(COLON)
      this.peek()
      read(name)
      if (this.peek() === CLOSE_BRACE) return this.#step()
      this.#expect(COMMA)
    }
  }

  /** Calls back before each item of the array that begins here. The callback has to read or skip the item. */
  eachItem(read: (index: number) => void): void {
    this.#expect(OPEN_BRACKET)
    if (this.peek() === CLOSE_BRACKET) return this.#step()
    for (let index = 0; ; index++) {
      this.peek()
      read(index)
      if (this.peek() === CLOSE_BRACKET) return this.#step()
      this.#expect(COMMA)
    }
  }

  /** Reads the string that begins here. */
  readText(): string {
    if (this.peek() !== QUOTE) throw invalid()
    const start = this.at
    this.#skipString()
    const text = this.bytes.toString('utf8', start + 1, this.at - 1)
    return text.includes('\\') ? unescaped(text) : text
  }

  /** Reads the characters of the number or word that begins here. */
  readToken(): string {
    this.peek()
    const start = this.at
    this.skipValue()
    return this.bytes.toString('latin1', start, this.at)
  }

  skipValue(): void {
    const first = this.peek()
    if (first === undefined) throw invalid()
    if (first === QUOTE) this.#skipString()
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) this.#skipContainer()
    else this.#skipToken()
  }

  #trim(): void {
    while (this.end > this.at && isWhitespace(this.bytes[this.end - 1])) this.end--
  }

  #step(): void {
    this.at++
  }

  #expect(byte: number): void {
    if (this.peek() !== byte) throw invalid()
    this.at++
  }

  #skipString(): void {
    const { bytes, end } = this
    let at = this.at + 1
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    if (at >= end) throw invalid()
    this.at = at + 1
  }

  #skipContainer(): void {
    const { bytes, end } = this
    let depth = 0
    while (this.at < end) {
      const byte = bytes[this.at]
      if (byte === QUOTE) this.#skipString()
      else {
        this.at++
        if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
        else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return
      }
    }
    throw invalid()
  }

  #skipToken(): void {
    const { bytes, end, at } = this
    while (this.at < end && !isEndOfToken(bytes[this.at])) this.at++
    if (this.at === at) throw invalid()
  }
}

function invalid(): DecodeFailure {
  return new DecodeFailure('it is not valid JSON')
}

/** Whitespace of JSON. */
export function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isEndOfToken(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isWhitespace(byte)
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    throw invalid()
  }
}
