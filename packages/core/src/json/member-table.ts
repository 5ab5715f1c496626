import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../text/characters.ts'
import { decodeUtf8 } from '../text/utf8.ts'
import type { StampedBytes } from './join.ts'
import { decodeString, isWhitespace } from './read-value.ts'

/** A valid record in JSON bytes, without whitespace around it. */
type ScannedRecord = Pick<StampedBytes, 'bytes' | 'start' | 'end'>

/**
 * Value of a top-level property of a record before any change; if a name occurs more than once, the last value, as with
 * JSON.parse. Undefined if there is none.
 */
export function readProperty(record: ScannedRecord, name: string): unknown {
  const members = new MemberTable(record)
  const member = members.find(name)
  if (member < 0) return undefined
  const { bytes } = record
  const start = members.valueStart(member)
  const end = members.valueEnd(member)
  if (bytes[start] === QUOTE) return decodeString(bytes, start + 1, end - 1)
  return JSON.parse(decodeUtf8(bytes.subarray(start, end)) ?? '')
}

/** Positions of the top-level members of a record before any change, in order and with duplicates. */
export class MemberTable {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #starts: readonly number[]

  constructor({ bytes, start, end }: ScannedRecord) {
    this.#bytes = bytes
    this.#end = end
    this.#starts = findNames(bytes, start, end)
  }

  get size(): number {
    return this.#starts.length
  }

  /** Position of the name's opening quote. */
  nameStart(member: number): number {
    const start = this.#starts[member]
    if (start === undefined) throw new RangeError(`There is no member ${member}: the record has ${this.size}.`)
    return start
  }

  /** Position after the name's closing quote. */
  nameEnd(member: number): number {
    return endOfString(this.#bytes, this.nameStart(member))
  }

  valueStart(member: number): number {
    const colon = skipForward(this.#bytes, this.nameEnd(member))
    return skipForward(this.#bytes, colon + 1)
  }

  /** Position after the value. */
  valueEnd(member: number): number {
    const isLast = member === this.size - 1
    const closing = isLast ? this.#end - 1 : skipBack(this.#bytes, this.nameStart(member + 1)) - 1
    return skipBack(this.#bytes, closing)
  }

  /** The name, decoded as by JSON.parse. */
  name(member: number): string {
    return decodeString(this.#bytes, this.nameStart(member) + 1, this.nameEnd(member) - 1)
  }

  /** Number of the member with this name; of several, the last one, as with JSON.parse; -1 if there is none. */
  find(name: string): number {
    for (let member = this.size - 1; member >= 0; member--) if (this.name(member) === name) return member
    return -1
  }
}

function skipForward(bytes: Uint8Array, from: number): number {
  let p = from
  while (isWhitespace(bytes[p])) p++
  return p
}

function skipBack(bytes: Uint8Array, from: number): number {
  let p = from
  while (isWhitespace(bytes[p - 1])) p--
  return p
}

/** Positions of the top-level names. Checks only brackets, strings and commas. */
function findNames(bytes: Uint8Array, start: number, end: number): readonly number[] {
  const starts: number[] = []
  let depth = 0
  let isNameNext = false
  for (let p = start; p < end; p++) {
    const byte = bytes[p]
    if (byte === QUOTE) {
      if (isNameNext) starts.push(p)
      isNameNext = false
      p = endOfString(bytes, p) - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) isNameNext = ++depth === 1
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    else if (byte === COMMA) isNameNext = depth === 1
  }
  return starts
}

/** Position after the closing quote of the string that begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let p = start + 1
  while (bytes[p] !== QUOTE) p += bytes[p] === BACKSLASH ? 2 : 1
  return p + 1
}
