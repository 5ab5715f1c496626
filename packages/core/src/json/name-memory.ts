import { decodeString } from './decode-string.ts'
import { findChild, type Place } from './watch.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const BACKSLASH = 0x5c
const COLON = 0x3a

// No name, and what stands before the first name of a record.
const NO_NAME = 0
const MAX_LENGTH = 64
const MAX_NAMES = 512
const SLOTS = 2048
const MAX_PROBES = 8
const TURNED_AWAY_BEFORE_REFRESH = 10_000

// What stands in an entry of the table, counted from its beginning: the two names expected behind it, its length, and its
// place inside each of the watched places; the bytes follow, four in a word, the last word ending with the last byte.
const LIKELY = 0
const SECOND = 1
const LENGTH = 2
const PLACES = 3

/**
 * Names met before, each with the comma or brace before it, its quotes and its colon, and which of them tend to follow each other.
 * Records of one stream mostly have the same names in the same order: comparing with the expected one, four bytes at a time,
 * takes the place of reading a name byte by byte and looking it up. It only ever speeds up: a name that is not expected is read in full.
 * A name is the index of its entry in one table, because reading one array is faster than reading five.
 */
export class NameMemory {
  readonly #table: Int32Array
  readonly #places: readonly Place[]
  readonly #bytesAt: number
  readonly #slots = new Int32Array(SLOTS)
  #used: number
  #turnedAway = 0

  constructor(places: readonly Place[]) {
    this.#places = places
    this.#bytesAt = PLACES + places.length
    this.#table = new Int32Array(MAX_NAMES * (this.#bytesAt + MAX_LENGTH / 8))
    this.#used = this.#bytesAt
  }

  /** The name whose comma or brace stands at `at`, if it is one of the two expected behind the name `before`; else NO_NAME. `limit` ends what may be read. */
  expect(view: DataView, at: number, limit: number, before: number): number {
    const likely = this.#table[before + LIKELY]
    if (likely !== NO_NAME && this.#isAt(view, at, limit, likely)) return likely
    const second = this.#table[before + SECOND]
    return second !== NO_NAME && this.#isAt(view, at, limit, second) ? second : NO_NAME
  }

  /** Length of a name with all that is kept of it, in bytes. */
  lengthOf(name: number): number {
    return this.#table[name + LENGTH]
  }

  /** The place of a name inside a watched place. */
  placeOf(name: number, inside: number): number {
    return this.#table[name + PLACES + inside]
  }

  /** The name at `bytes[start, end)`, quotes included, from now on expected behind `before`; NO_NAME where it cannot be kept. Something stands before it. */
  learn(bytes: Uint8Array, view: DataView, start: number, end: number, before: number): number {
    const length = end - start + 2
    if (length > MAX_LENGTH || bytes[end] !== COLON) return NO_NAME
    const name = this.#find(bytes, view, start - 1, length)
    if (name === NO_NAME || name === this.#table[before + LIKELY] || name === this.#table[before + SECOND]) return name
    this.#table[before + SECOND] = this.#table[before + LIKELY]
    this.#table[before + LIKELY] = name
    return name
  }

  /** To be called between two records: forgets everything once too many names came that found no room. */
  refresh(): void {
    if (this.#turnedAway < TURNED_AWAY_BEFORE_REFRESH) return
    this.#table.fill(0)
    this.#slots.fill(NO_NAME)
    this.#used = this.#bytesAt
    this.#turnedAway = 0
  }

  #isAt(view: DataView, at: number, limit: number, name: number): boolean {
    const table = this.#table
    const last = (at + table[name + LENGTH] - 4) | 0
    if (last > limit - 4) return false
    let word = (name + this.#bytesAt) | 0
    for (let p = at | 0; p < last; p = (p + 4) | 0) {
      if (view.getInt32(p, true) !== table[word]) return false
      word = (word + 1) | 0
    }
    return view.getInt32(last, true) === table[word]
  }

  #find(bytes: Uint8Array, view: DataView, start: number, length: number): number {
    const hash = hashOf(bytes, start, length)
    const at = start + bytes.byteOffset
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (hash + probe) & (SLOTS - 1)
      const name = this.#slots[slot]
      if (name === NO_NAME) return this.#add(bytes, view, start, length, slot)
      if (this.#table[name + LENGTH] === length && this.#isAt(view, at, at + length, name)) return name
    }
    this.#turnedAway++
    return NO_NAME
  }

  #add(bytes: Uint8Array, view: DataView, start: number, length: number, slot: number): number {
    const name = this.#used
    const words = Math.ceil(length / 4)
    if (name + this.#bytesAt + words > this.#table.length || hasEscape(bytes, start, length)) {
      this.#turnedAway++
      return NO_NAME
    }
    this.#used += this.#bytesAt + words
    this.#slots[slot] = name
    this.#table[name + LENGTH] = length
    const text = decodeString(bytes, start + 2, start + length - 2)
    for (let inside = 0; inside < this.#places.length; inside++) {
      this.#table[name + PLACES + inside] = findChild(this.#places, inside, text)
    }
    const at = start + bytes.byteOffset
    const last = at + length - 4
    let word = name + this.#bytesAt
    for (let p = at; p < last; p += 4) this.#table[word++] = view.getInt32(p, true)
    this.#table[word] = view.getInt32(last, true)
    return name
  }
}

function hasEscape(bytes: Uint8Array, start: number, length: number): boolean {
  for (let p = start; p < start + length; p++) if (bytes[p] === BACKSLASH) return true
  return false
}

function hashOf(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0
  for (let p = start; p < start + length; p++) hash = Math.imul(hash ^ bytes[p], 0x01000193)
  return hash ^ (hash >>> 15)
}
