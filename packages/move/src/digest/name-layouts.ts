import type { Words128 } from './hash-state.ts'
import type { LeftOutPath } from './left-out-paths.ts'

/** Stands for no place in a layout. */
export const NO_LAYOUT = -1
/** The place at the beginning of a document. */
export const DOCUMENT = 0

// The words of a place: length of its name, with the quote; the place that was learned last after it; another place
// after the same one; first place in an object that is the value of the name; facts about it; hash of the name; its bytes.
const LENGTH = 0
const LIKELY = 1
const SIBLING = 2
const INSIDE = 3
const FACTS = 4
const HASH = 5
const BYTES = 9
export const MAX_NAME_BYTES = 64
const STRIDE = BYTES + MAX_NAME_BYTES / 4
// facts: the names up to the place are different; its value is left out; something inside of the value is left out
const IS_KNOWN = 1
const IS_LEFT_OUT = 2
const HAS_INSIDE = 4
// the bits from here on: number of the member whose position is asked for
const WATCHED_SHIFT = 3
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
  readonly table: Int32Array = new Int32Array(MAX_PLACES * STRIDE)
  #used = 1
  #refused = 0

  /** Forgets all layouts if there were too many; to be called between documents. */
  resetIfFull(): void {
    if (this.#refused < REFUSED_BEFORE_RESET) return
    this.table.fill(0)
    this.#used = 1
    this.#refused = 0
  }

  /**
   * Adds a place after `before` for the name in `bytes[start, end)`, with the quote after it, unless there is one.
   * NO_LAYOUT if it cannot be remembered.
   */
  learn(view: DataView, start: number, end: number, before: number, hash: Words128): number {
    const { table } = this
    const first = table[before * STRIDE + LIKELY]
    let tried = 0
    for (let place = first; place !== 0; place = table[place * STRIDE + SIBLING]) {
      if (isSameName(table, view, start, end + 1, place)) return place
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

  /**
   * Notes that all names up to this place are different. `path`: for a member of the document, what is left out and
   * watched there.
   */
  confirm(place: number, path: LeftOutPath | undefined): void {
    let facts = IS_KNOWN
    if (path?.isLeftOut === true) facts |= IS_LEFT_OUT
    if (path?.hasChildren === true) facts |= HAS_INSIDE
    this.table[place * STRIDE + FACTS] = facts | ((path?.watched ?? 0) << WATCHED_SHIFT)
  }

  /** The beginning of an object that is the value at a place, or an element of it. */
  inside(place: number): number {
    const at = place * STRIDE + INSIDE
    if (this.table[at] === 0) {
      const added = this.#addPlace(0)
      if (added === NO_LAYOUT) return NO_LAYOUT
      this.table[at] = added
    }
    return this.table[at]
  }

  #addPlace(length: number): number {
    if (length > MAX_NAME_BYTES || this.#used === MAX_PLACES) return this.#refuse()
    const place = this.#used++
    this.table[place * STRIDE + LENGTH] = length
    return place
  }

  #refuse(): number {
    this.#refused++
    return NO_LAYOUT
  }
}

const QUOTE = 0x22

/**
 * The place after `before` for the name whose quote is at `at`; NO_LAYOUT if it is not known that the names up to it are
 * different. Needs the bytes of the longest name after `at`. These are functions instead of methods, because the loop
 * that calls them keeps the table in a local variable.
 */
export function followName(table: Int32Array, view: DataView, at: number, before: number): number {
  if (view.getUint8(at) !== QUOTE) return NO_LAYOUT
  let place = table[before * STRIDE + LIKELY]
  for (let tried = 0; tried < MAX_TRIED && place !== 0; tried++) {
    if ((table[place * STRIDE + FACTS] & IS_KNOWN) !== 0 && hasName(table, view, at + 1, place)) return place
    place = table[place * STRIDE + SIBLING]
  }
  return NO_LAYOUT
}

/** The beginning of an object that is the value at a place; NO_LAYOUT if there was none. */
export function insideOf(table: Int32Array, place: number): number {
  const inside = table[place * STRIDE + INSIDE]
  return inside === 0 ? NO_LAYOUT : inside
}

/** Length of the name of a place with the quote after it. */
export function lengthOf(table: Int32Array, place: number): number {
  return table[place * STRIDE + LENGTH]
}

/** Whether the value of a member of the document is left out. */
export function isLeftOutAt(table: Int32Array, place: number): boolean {
  return (table[place * STRIDE + FACTS] & IS_LEFT_OUT) !== 0
}

/** Whether something inside of the value of a member of the document is left out. */
export function hasPlacesInside(table: Int32Array, place: number): boolean {
  return (table[place * STRIDE + FACTS] & HAS_INSIDE) !== 0
}

/** Number of a member whose position is asked for; 0 for any other. */
export function watchedAt(table: Int32Array, place: number): number {
  return table[place * STRIDE + FACTS] >> WATCHED_SHIFT
}

/** A word of the hash of the name of a place. */
export function nameWord(table: Int32Array, place: number, word: number): number {
  return table[place * STRIDE + HASH + word]
}

function isSameName(table: Int32Array, view: DataView, start: number, limit: number, place: number): boolean {
  const length = lengthOf(table, place)
  return start + length <= limit && start + length + 3 <= view.byteLength && hasName(table, view, start, place)
}

/** Whether the bytes from `start` on are the name of a place, and the quote after it. */
function hasName(table: Int32Array, view: DataView, start: number, place: number): boolean {
  const at = place * STRIDE
  const length = table[at + LENGTH]
  const end = length & ~3
  const words = at + BYTES
  for (let byte = 0; byte < end; byte += 4)
    if (view.getInt32(start + byte, true) !== table[words + (byte >> 2)]) return false
  const left = length & 3
  // a value and the end of its object follow, so four bytes can be read
  return left === 0 || (view.getInt32(start + end, true) & (-1 >>> (32 - 8 * left))) === table[words + (length >> 2)]
}
