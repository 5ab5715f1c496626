import { BACKSLASH, QUOTE, isWhitespace } from './characters.ts'
import { decodeString } from './decode-string.ts'

/** What kind of value a member holds. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'

/**
 * The members at the top level of a record in their order, duplicates included: where they stand in the bytes.
 * Only the beginnings are kept for each record, since few ask for more; the rest is found again beside them, without reading values.
 */
export class MemberTable {
  readonly #bytes: Uint8Array
  readonly #nameStarts: readonly number[]
  readonly #end: number

  /** `nameStarts` are the positions of the names' opening quotes, `end` is the position behind the record. */
  constructor(bytes: Uint8Array, nameStarts: readonly number[], end: number) {
    this.#bytes = bytes
    this.#nameStarts = nameStarts
    this.#end = end
  }

  get size(): number {
    return this.#nameStarts.length
  }

  /** Position of the name's opening quote. */
  nameStart(member: number): number {
    const start = this.#nameStarts[member]
    if (start === undefined) throw new RangeError(`There is no member ${member}: the record has ${this.size}.`)
    return start
  }

  /** Position behind the name's closing quote. */
  nameEnd(member: number): number {
    let p = this.nameStart(member) + 1
    while (this.#bytes[p] !== QUOTE) p += this.#bytes[p] === BACKSLASH ? 2 : 1
    return p + 1
  }

  valueStart(member: number): number {
    const colon = this.#skipForward(this.nameEnd(member))
    return this.#skipForward(colon + 1)
  }

  /** Position behind the value. */
  valueEnd(member: number): number {
    const isLast = member === this.size - 1
    const closing = isLast ? this.#end - 1 : this.#skipBack(this.nameStart(member + 1)) - 1
    return this.#skipBack(closing)
  }

  /** The name as JSON.parse would give it. */
  name(member: number): string {
    return decodeString(this.#bytes, this.nameStart(member) + 1, this.nameEnd(member) - 1)
  }

  kind(member: number): ValueKind {
    return KIND_BY_FIRST_CHARACTER[String.fromCharCode(this.#bytes[this.valueStart(member)])] ?? 'number'
  }

  /** The member that JSON.parse would keep under this name, which is the last one; -1 where there is none. */
  find(name: string): number {
    for (let member = this.size - 1; member >= 0; member--) if (this.name(member) === name) return member
    return -1
  }

  #skipForward(from: number): number {
    let p = from
    while (isWhitespace(this.#bytes[p])) p++
    return p
  }

  #skipBack(from: number): number {
    let p = from
    while (isWhitespace(this.#bytes[p - 1])) p--
    return p
  }
}

const KIND_BY_FIRST_CHARACTER: Readonly<Record<string, ValueKind>> = {
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
  '{': 'object',
  '[': 'array'
}
