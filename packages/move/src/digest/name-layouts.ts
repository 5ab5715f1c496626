import type { Words128 } from './hash-state.ts'

/** Stands for no place in a layout. */
export const NO_LAYOUT = -1
/** The place at the beginning of a document. */
export const DOCUMENT = 0

// The words of a place: length of its name, with the quote; the place that was learned last after it; another place
// after the same one; first place in an object that is the value of the name; whether the names up to it are different;
// hash of the name; its bytes.
const LENGTH = 0
const LIKELY = 1
const SIBLING = 2
const INSIDE = 3
const IS_KNOWN = 4
const HASH = 5
const BYTES = 9
const MAX_BYTES = 64
const STRIDE = BYTES + MAX_BYTES / 4
const MAX_PLACES = 1024
/** Places that are tried after one another. */
const MAX_TRIED = 8
const REFUSED_BEFORE_RESET = 10_000

/**
 * Remembers the names of members in the order in which objects have them: most documents have the order of an earlier
 * one. Then their names need not be hashed again, and it is known that no name occurs twice. A place in a layout stands
 * for all names of an object from its beginning.
 */
export class NameLayouts {
  readonly #table = new Int32Array(MAX_PLACES * STRIDE)
  #used = 1
  #refused = 0

  /** Forgets all layouts if there were too many; to be called between documents. */
  resetIfFull(): void {
    if (this.#refused < REFUSED_BEFORE_RESET) return
    this.#table.fill(0)
    this.#used = 1
    this.#refused = 0
  }

  /**
   * The place after `before` for the name whose first byte, after its quote, is at `start`; NO_LAYOUT if it is not known
   * that the names up to it are different.
   */
  follow(view: DataView, start: number, limit: number, before: number): number {
    const table = this.#table
    const likely = table[before * STRIDE + LIKELY]
    if (likely === 0) return NO_LAYOUT
    let place = likely
    for (let tried = 0; tried < MAX_TRIED && place !== 0; tried++) {
      if (table[place * STRIDE + IS_KNOWN] === 1 && this.#isNameAt(view, start, limit, place)) return place
      place = table[place * STRIDE + SIBLING]
    }
    return NO_LAYOUT
  }

  /**
   * Adds a place after `before` for the name in `bytes[start, end)`, with the quote after it, unless there is one.
   * NO_LAYOUT if it cannot be remembered.
   */
  learn(view: DataView, start: number, end: number, before: number, hash: Words128): number {
    const table = this.#table
    const first = table[before * STRIDE + LIKELY]
    let tried = 0
    for (let place = first; place !== 0; place = table[place * STRIDE + SIBLING]) {
      if (this.#isNameAt(view, start, end + 1, place)) return place
      if (++tried === MAX_TRIED) return this.#refuse()
    }
    const place = this.#addPlace(end + 1 - start)
    if (place === NO_LAYOUT) return place
    const at = place * STRIDE
    for (let word = 0; word < 4; word++) table[at + HASH + word] = hash[word]
    for (let byte = 0; byte <= end - start; byte++)
      table[at + BYTES + (byte >> 2)] |= view.getUint8(start + byte) << (8 * (byte & 3))
    table[at + SIBLING] = first
    table[before * STRIDE + LIKELY] = place
    return place
  }

  /** Notes that all names up to this place are different. */
  confirm(place: number): void {
    this.#table[place * STRIDE + IS_KNOWN] = 1
  }

  /** The beginning of an object that is the value at a place, or an element of it. */
  inside(place: number): number {
    const at = place * STRIDE + INSIDE
    if (this.#table[at] === 0) {
      const added = this.#addPlace(0)
      if (added === NO_LAYOUT) return NO_LAYOUT
      this.#table[at] = added
    }
    return this.#table[at]
  }

  /** Length of the name of a place, without quotes. */
  lengthOf(place: number): number {
    return this.#table[place * STRIDE + LENGTH] - 1
  }

  /** Copies the hash of the name of a place. */
  writeHash(place: number, to: Words128, at: number): void {
    const table = this.#table
    const from = place * STRIDE + HASH
    to[at] = table[from]
    to[at + 1] = table[from + 1]
    to[at + 2] = table[from + 2]
    to[at + 3] = table[from + 3]
  }

  #isNameAt(view: DataView, start: number, limit: number, place: number): boolean {
    const table = this.#table
    const at = place * STRIDE
    const length = table[at + LENGTH]
    if (start + length > limit || start + length + 3 > view.byteLength) return false
    const end = length & ~3
    const words = at + BYTES
    for (let byte = 0; byte < end; byte += 4)
      if (view.getInt32(start + byte, true) !== table[words + (byte >> 2)]) return false
    const left = length & 3
    // a value and the end of its object follow, so four bytes can be read
    return left === 0 || (view.getInt32(start + end, true) & (-1 >>> (32 - 8 * left))) === table[words + (length >> 2)]
  }

  #addPlace(length: number): number {
    if (length > MAX_BYTES || this.#used === MAX_PLACES) return this.#refuse()
    const place = this.#used++
    this.#table[place * STRIDE + LENGTH] = length
    return place
  }

  #refuse(): number {
    this.#refused++
    return NO_LAYOUT
  }
}
