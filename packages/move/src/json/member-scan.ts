import type { Splice } from '@keystamp/core'
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET } from '@keystamp/core/internal'
import { decodeUtf8, type Pointer, QUOTE, SPACE } from '@keystamp/core/internal'
import { INVALID, ScalarReader } from './json-scalars.ts'

/** Position of a member or of a comma that does not exist. */
export const ABSENT = -1

interface Watch {
  readonly name: Uint8Array
  /** Index of the pointer that ends here, or ABSENT. */
  index: number
  /** Members by the length of their names. */
  readonly children: (Watch[] | undefined)[]
}

/**
 * Finds the members at given pointers in valid JSON, one document after the other. All results are by the index of the
 * pointer, and valid until the next scan.
 */
export class MemberScan {
  readonly #root: Watch = { name: new Uint8Array(0), index: ABSENT, children: [] }
  readonly #scalars: ScalarReader = new ScalarReader()
  readonly #parents: Int32Array
  /** Position of the value; ABSENT if there is no such member. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Number of members of the value; ABSENT if it is no object. */
  readonly sizes: Int32Array
  readonly #names: Int32Array
  /** Number of members of its object before it. */
  readonly #ordinals: Int32Array
  readonly #commasBefore: Int32Array
  readonly #commasAfter: Int32Array
  readonly #found: number[] = []
  /** Number of removed members by the index of their object, which is 0 for the document itself. */
  readonly #removed: Int32Array
  #bytes: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(this.#bytes.buffer)
  #limit = 0

  constructor(pointers: readonly Pointer[]) {
    const results = (): Int32Array => new Int32Array(pointers.length).fill(ABSENT)
    this.starts = results()
    this.ends = results()
    this.sizes = results()
    this.#names = results()
    this.#ordinals = results()
    this.#commasBefore = results()
    this.#commasAfter = results()
    this.#removed = new Int32Array(pointers.length + 1)
    this.#parents = Int32Array.from(pointers, (pointer) =>
      pointers.findIndex(
        (other) => other.length === pointer.length - 1 && other.every((name, at) => name === pointer[at])
      )
    )
    for (const [index, pointer] of pointers.entries()) this.#watch(pointer, index)
  }

  #watch(pointer: Pointer, index: number): void {
    let watch = this.#root
    for (const name of pointer) {
      const bytes = new TextEncoder().encode(name)
      const { length } = bytes
      const sameLength = (watch.children[length] ??= [])
      let child = sameLength.find((each) => isEqual(each.name, bytes, 0))
      if (child === undefined) sameLength.push((child = { name: bytes, index: ABSENT, children: [] }))
      watch = child
    }
    watch.index = index
  }

  /** Scans the object in `bytes[start, end)`. False if it is no object, or has a watched member twice. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#bytes !== bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.#limit = end
    this.starts.fill(ABSENT)
    this.sizes.fill(ABSENT)
    return bytes[start] === OPEN_BRACE && this.#object(this.#root, start) === end
  }

  /** Text of the value of a member; undefined if there is none. */
  textOf(index: number): string | undefined {
    const start = this.starts[index]
    return start === ABSENT ? undefined : decodeUtf8(this.#bytes.subarray(start, this.ends[index]))
  }

  /** Splices that remove members, each with one comma, in order and without overlap. */
  cutsOf(indexes: readonly number[]): readonly Splice[] {
    const names = this.#names
    const cuts: Splice[] = []
    let end = 0
    for (const index of this.#inOrder(indexes)) {
      if (names[index] < end) continue
      end = this.ends[index]
      const parent = this.#parents[index]
      // number of members that were removed from the object before this one
      const before = this.#removed[parent + 1]++
      const comma = this.#commasAfter[index]
      const hasBefore = this.#ordinals[index] > before
      const at = hasBefore ? this.#commasBefore[index] : names[index]
      const cutEnd = hasBefore || comma === ABSENT ? end : comma + 1
      const last = cuts.length - 1
      const isNext = last >= 0 && cuts[last].end === at
      const cut = { at: isNext ? cuts[last].at : at, end: cutEnd, before: '', value: undefined }
      if (isNext) cuts[last] = cut
      else cuts.push(cut)
    }
    return cuts
  }

  /** The indexes of members that exist, in the order of the document. The array is valid until the next call. */
  #inOrder(indexes: readonly number[]): readonly number[] {
    const [names, found] = [this.#names, this.#found]
    found.length = 0
    this.#removed.fill(0)
    for (const index of indexes) {
      if (this.starts[index] === ABSENT) continue
      // nearly always the members are in this order already, which `sort` would have to find out with a function
      let at = found.length
      for (; at > 0 && names[found[at - 1]] > names[index]; at--) found[at] = found[at - 1]
      found[at] = index
    }
    return found
  }

  /** Position after the object at `start`, or INVALID. */
  #object(watch: Watch, start: number): number {
    const bytes = this.#bytes
    let comma = ABSENT
    let ordinal = 0
    let at = this.#skipSpace(start + 1)
    if (bytes[at] === CLOSE_BRACE) return this.#endObject(watch, at, 0)
    for (;;) {
      const name = at
      const nameEnd = this.#scalars.endOfString(bytes, this.#view, at + 1, this.#limit)
      if (bytes[at] !== QUOTE || nameEnd < 0) return INVALID
      const child = this.#find(watch, at + 1, nameEnd)
      at = this.#skipSpace(nameEnd + 1)
      if (bytes[at] !== COLON) return INVALID
      const value = this.#skipSpace(at + 1)
      const isInside = child !== undefined && child.children.length > 0 && bytes[value] === OPEN_BRACE
      at = isInside ? this.#object(child, value) : this.#skipValue(value)
      if (at < 0 || at > this.#limit) return INVALID
      const index = child === undefined ? ABSENT : child.index
      if (index !== ABSENT) {
        if (this.starts[index] !== ABSENT) return INVALID
        this.starts[index] = value
        this.ends[index] = at
        this.#names[index] = name
        this.#ordinals[index] = ordinal
        this.#commasBefore[index] = comma
      }
      ordinal++
      comma = this.#skipSpace(at)
      const isLast = bytes[comma] === CLOSE_BRACE
      if (index !== ABSENT) this.#commasAfter[index] = isLast ? ABSENT : comma
      if (isLast) return this.#endObject(watch, comma, ordinal)
      if (bytes[comma] !== COMMA) return INVALID
      at = this.#skipSpace(comma + 1)
    }
  }

  #endObject({ index }: Watch, at: number, size: number): number {
    if (index !== ABSENT) this.sizes[index] = size
    return at + 1
  }

  #find({ children }: Watch, start: number, end: number): Watch | undefined {
    const scalars = this.#scalars
    if (scalars.hasEscapes) {
      scalars.decode(this.#bytes, start, end)
      const decoded = new Uint8Array(scalars.decoded.buffer, 0, scalars.decodedLength)
      return children[decoded.length]?.find(({ name }) => isEqual(name, decoded, 0))
    }
    const sameLength = children[end - start]
    if (sameLength === undefined) return undefined
    for (const child of sameLength) if (isEqual(child.name, this.#bytes, start)) return child
    return undefined
  }

  #skipValue(start: number): number {
    const bytes = this.#bytes
    const first = bytes[start]
    if (first === QUOTE) return this.#scalars.endOfString(bytes, this.#view, start + 1, this.#limit) + 1
    let at = start
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
      while (at < this.#limit && isScalarByte(bytes[at])) at++
      return at === start ? INVALID : at
    }
    let depth = 0
    for (; at < this.#limit; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        at = this.#scalars.endOfString(bytes, this.#view, at + 1, this.#limit)
        if (at < 0) return INVALID
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1
    }
    return INVALID
  }

  #skipSpace(start: number): number {
    const bytes = this.#bytes
    let at = start
    while (bytes[at] <= SPACE && at < this.#limit) at++
    return at
  }
}

function isScalarByte(byte: number): boolean {
  return byte > SPACE && byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET && byte !== BACKSLASH
}

/** Whether a name is in the bytes, which have its length. */
function isEqual(name: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false
  return true
}
