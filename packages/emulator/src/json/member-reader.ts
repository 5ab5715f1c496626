const BACKSLASH = 0x5c
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const DOT = 0x2e
const MINUS = 0x2d
const NINE = 0x39
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22
const ZERO = 0x30

/**
 * Reads some properties of an object from its bytes, without parsing the others. The object must have each name at
 * most once. Absent properties become undefined. The names must not be names that every object inherits.
 */
export class MemberReader {
  readonly #names: readonly string[]
  readonly #encoded: readonly Buffer[]
  readonly #values: unknown[]

  constructor(names: readonly string[]) {
    this.#names = names
    // a name is compared with its escaped form, which canonical JSON writes in one way only
    this.#encoded = names.map((name) => Buffer.from(JSON.stringify(name).slice(1, -1)))
    this.#values = names.map(() => undefined)
  }

  /**
   * Adds the properties of the object at `start` to a record; all records of a reader get them in the same order. The
   * bytes must be as JSON.stringify writes them.
   */
  read(bytes: Buffer, start: number, isAscii: boolean, record: Record<string, unknown>): void {
    const names = this.#names
    const values = this.#values
    this.#readValues(bytes, start, isAscii)
    for (let index = 0; index < names.length; index++) {
      record[names[index]] = values[index]
      values[index] = undefined
    }
  }

  #readValues(bytes: Buffer, start: number, isAscii: boolean): void {
    let missing = this.#names.length
    let p = start + 1
    if (bytes[p] === CLOSE_BRACE) return
    while (missing > 0) {
      const nameStart = p + 1
      const nameEnd = textEnd(bytes, nameStart)
      const valueStart = nameEnd + 2
      const valueEnd = skipValue(bytes, valueStart)
      const index = this.#indexOf(bytes, nameStart, nameEnd - nameStart)
      if (index >= 0) {
        this.#values[index] = parseValue(bytes, valueStart, valueEnd, isAscii)
        missing -= 1
      }
      if (bytes[valueEnd] === CLOSE_BRACE) return
      p = valueEnd + 1
    }
  }

  #indexOf(bytes: Buffer, start: number, length: number): number {
    const encoded = this.#encoded
    for (let index = 0; index < encoded.length; index++) {
      const name = encoded[index]
      if (name.length === length && isSame(bytes, start, name)) return index
    }
    return -1
  }
}

function isSame(bytes: Buffer, start: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false
  return true
}

// above this length the search of the runtime is faster than a loop, in spite of the call
const LOOPED_BYTES = 32

/** The position of the closing quote of a string whose first character is at `at`. */
function textEnd(bytes: Buffer, at: number): number {
  let p = at
  const looped = at + LOOPED_BYTES
  while (p < looped) {
    const c = bytes[p]
    if (c === QUOTE) return p
    p += c === BACKSLASH ? 2 : 1
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, p)
    let escapes = quote
    while (escapes > p && bytes[escapes - 1] === BACKSLASH) escapes -= 1
    if (((quote - escapes) & 1) === 0) return quote
    p = quote + 1
  }
}

/** The position after the value at `at`. */
function skipValue(bytes: Buffer, at: number): number {
  const c = bytes[at]
  if (c === QUOTE) return textEnd(bytes, at + 1) + 1
  return c === OPEN_BRACE || c === OPEN_BRACKET ? skipNested(bytes, at) : skipBare(bytes, at)
}

function skipNested(bytes: Buffer, at: number): number {
  let depth = 0
  let p = at
  for (;;) {
    const c = bytes[p]
    if (c === QUOTE) p = textEnd(bytes, p + 1)
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth += 1
    else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth -= 1
      if (depth === 0) return p + 1
    }
    p += 1
  }
}

function skipBare(bytes: Buffer, at: number): number {
  let p = at + 1
  for (;;) {
    const c = bytes[p]
    if (c === COMMA || c === CLOSE_BRACE || c === CLOSE_BRACKET) return p
    p += 1
  }
}

function parseValue(bytes: Buffer, start: number, end: number, isAscii: boolean): unknown {
  const c = bytes[start]
  if (c === QUOTE) return parseText(bytes, start, end, isAscii)
  if (c === MINUS || (c >= ZERO && c <= NINE)) return parseNumber(bytes, start, end)
  return JSON.parse(textOf(bytes, start, end, isAscii))
}

function parseText(bytes: Buffer, start: number, end: number, isAscii: boolean): string {
  for (let p = start + 1; p < end - 1; p++) {
    if (bytes[p] === BACKSLASH) return JSON.parse(textOf(bytes, start, end, isAscii)) as string
  }
  return textOf(bytes, start + 1, end - 1, isAscii)
}

function textOf(bytes: Buffer, start: number, end: number, isAscii: boolean): string {
  return isAscii ? bytes.toString('latin1', start, end) : bytes.toString('utf8', start, end)
}

// such numbers and such powers of ten are exact, so that one division rounds as JSON.parse does
const MAX_EXACT_DIGITS = 15
const POWERS: readonly number[] = Array.from({ length: MAX_EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

function parseNumber(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let digits = 0
  let decimals = -1
  if (end - first > MAX_EXACT_DIGITS) return Number(bytes.toString('latin1', start, end))
  for (let p = first; p < end; p++) {
    const c = bytes[p]
    if (c === DOT) decimals = 0
    else if (c >= ZERO && c <= NINE) {
      digits = digits * 10 + (c - ZERO)
      if (decimals >= 0) decimals += 1
    } else return Number(bytes.toString('latin1', start, end))
  }
  const value = decimals > 0 ? digits / POWERS[decimals] : digits
  return isNegative ? -value : value
}
