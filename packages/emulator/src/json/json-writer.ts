/**
 * Writes values of JSON in UTF-8, in memory that is used again. The bytes are those of JSON.stringify, which takes
 * several times as long for short values since it makes a string that has to be encoded.
 */
export class JsonWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(1024)
  /** Length of the JSON. */
  length = 0
  /** Whether the JSON is ASCII only. */
  isAscii = true

  /** Replaces the JSON by that of a value other than undefined. */
  write(value: unknown): void {
    this.length = 0
    this.isAscii = true
    this.#add(value, 0)
  }

  /** Adds a comma. */
  addComma(): void {
    this.#reserve(1)
    this.bytes[this.length++] = COMMA
  }

  #add(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#addString(value)
    else if (typeof value === 'number') this.#addNumber(value)
    else if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) this.#addText(JSON.stringify(value))
    else if (Array.isArray(value)) this.#addArray(value, depth)
    else this.#addObject(value as Record<string, unknown>, depth)
  }

  #addArray(values: readonly unknown[], depth: number): void {
    this.#addByte(OPEN_BRACKET)
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.#addByte(COMMA)
      this.#add(values[index] ?? null, depth + 1)
    }
    this.#addByte(CLOSE_BRACKET)
  }

  #addObject(record: Record<string, unknown>, depth: number): void {
    let isFirst = true
    this.#addByte(OPEN_BRACE)
    // plain objects inherit no property that is listed
    for (const name in record) {
      const value = record[name]
      if (value === undefined) continue
      if (!isFirst) this.#addByte(COMMA)
      isFirst = false
      this.#addString(name)
      this.#addByte(COLON)
      this.#add(value, depth + 1)
    }
    this.#addByte(CLOSE_BRACE)
  }

  #addNumber(value: number): void {
    // true for -0, too, which JSON writes as 0
    if (value === (value | 0)) this.#addInteger(value | 0)
    else this.#addText(Number.isFinite(value) ? String(value) : 'null')
  }

  #addInteger(value: number): void {
    this.#reserve(MAX_DIGITS + 1)
    const { bytes } = this
    let rest = value
    if (value < 0) {
      bytes[this.length++] = MINUS
      rest = -value
    }
    let digits = 1
    for (let power = 10; digits < MAX_DIGITS && rest >= power; power *= 10) digits += 1
    const end = this.length + digits
    this.length = end
    for (let at = end - 1; at >= end - digits; at--) {
      const tenth = Math.floor(rest / 10)
      bytes[at] = ZERO + rest - tenth * 10
      rest = tenth
    }
  }

  #addString(text: string): void {
    const { length } = text
    if (length > LOOPED_CHARACTERS) {
      this.#addText(JSON.stringify(text))
      return
    }
    this.#reserve(length + 2)
    const { bytes } = this
    let end = this.length
    bytes[end++] = QUOTE
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code < SPACE || code >= BEYOND_ASCII || code === QUOTE || code === BACKSLASH) {
        this.#addText(JSON.stringify(text))
        return
      }
      bytes[end++] = code
    }
    bytes[end++] = QUOTE
    this.length = end
  }

  #addText(text: string): void {
    const { length } = text
    this.#reserve(3 * length)
    const written = this.bytes.write(text, this.length, 3 * length, 'utf8')
    if (written !== length) this.isAscii = false
    this.length += written
  }

  #addByte(byte: number): void {
    this.#reserve(1)
    this.bytes[this.length++] = byte
  }

  #reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + size))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

const COMMA = 0x2c
const COLON = 0x3a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const BEYOND_ASCII = 0x80
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const MINUS = 0x2d
const ZERO = 0x30
// of an integer of 32 bits
const MAX_DIGITS = 10
// above these, the functions of the runtime take less time
const LOOPED_CHARACTERS = 100
const MAX_DEPTH = 32
