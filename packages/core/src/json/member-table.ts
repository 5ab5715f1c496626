import { decodeString } from './decode-string.ts'

/** What kind of value a member holds. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'

/** Four positions a member: its name's opening quote, behind the closing quote, the value's first byte, behind its last. */
export const SPANS_PER_MEMBER = 4

/** The members at the top level of a record in their order, duplicates included: where they stand in the bytes. */
export class MemberTable {
  readonly #bytes: Uint8Array
  readonly #spans: readonly number[]

  constructor(bytes: Uint8Array, spans: readonly number[]) {
    this.#bytes = bytes
    this.#spans = spans
  }

  get size(): number {
    return this.#spans.length / SPANS_PER_MEMBER
  }

  /** Position of the name's opening quote. */
  nameStart(member: number): number {
    return this.#span(member, 0)
  }

  /** Position behind the name's closing quote. */
  nameEnd(member: number): number {
    return this.#span(member, 1)
  }

  valueStart(member: number): number {
    return this.#span(member, 2)
  }

  valueEnd(member: number): number {
    return this.#span(member, 3)
  }

  /** The name as JSON.parse would give it. */
  name(member: number): string {
    return decodeString(this.#bytes, this.nameStart(member) + 1, this.nameEnd(member) - 1)
  }

  kind(member: number): ValueKind {
    return KIND_BY_FIRST_CHARACTER[String.fromCharCode(this.#bytes[this.valueStart(member)] ?? 0)] ?? 'number'
  }

  /** The member that JSON.parse would keep under this name, which is the last one; -1 where there is none. */
  find(name: string): number {
    for (let member = this.size - 1; member >= 0; member--) if (this.name(member) === name) return member
    return -1
  }

  #span(member: number, which: number): number {
    const position = this.#spans[member * SPANS_PER_MEMBER + which]
    if (position === undefined) throw new RangeError(`There is no member ${member}: the record has ${this.size}.`)
    return position
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
