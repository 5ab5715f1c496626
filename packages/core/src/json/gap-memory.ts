import { decodeString } from './decode-string.ts'
import { findChild, type Place } from './watch.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const BACKSLASH = 0x5c
const QUOTE = 0x22

// No gap, and what stands before the first gap of a record.
const NO_GAP = 0
const MAX_LENGTH = 96
const MAX_GAPS = 512
const MEAN_WORDS = 10
const SLOTS = 2048
const MAX_PROBES = 8
const TURNED_AWAY_BEFORE_REFRESH = 10_000

// What stands in an entry of the table, counted from its beginning: the two gaps expected behind it, and what is known of it.
// Then come its bytes, four in a word, the last word ending with the last byte, and then the place of its name inside each watched place.
const LIKELY = 0
const SECOND = 1
const LAST_WORD = 2
const STEP = 3
const NAME_AT = 4
const PLACES_AT = 5
const BYTES = 6

/** The gap that begins at `at`, if it is one of those expected behind the gap `before`; else NO_GAP. `limit` ends what may be read. */
export function expectGap(table: Int32Array, view: DataView, at: number, limit: number, before: number): number {
  for (let candidate = LIKELY; candidate <= SECOND; candidate++) {
    const gap = table[before + candidate]
    if (gap === NO_GAP) return NO_GAP
    if (isGapAt(table, view, at, limit, gap)) return gap
  }
  return NO_GAP
}

/** How far the next value lies behind the beginning of a gap, but for whitespace. */
export function stepOf(table: Int32Array, gap: number): number {
  return table[gap + STEP]
}

/** How far the quote of a gap's name lies behind its beginning. */
export function nameAt(table: Int32Array, gap: number): number {
  return table[gap + NAME_AT]
}

/** The place of a gap's name inside a watched place. */
export function placeOf(table: Int32Array, gap: number, inside: number): number {
  return table[gap + table[gap + PLACES_AT] + inside]
}

/**
 * Gaps met before, and which of them tend to follow each other. A gap is all that stands before a member's value: the comma or brace,
 * the name and the colon, whitespace between them, and the quote where the value is a text. Records of one stream mostly have the same
 * gaps in the same order: comparing with the expected one, four bytes at a time, takes the place of reading it byte by byte and looking
 * the name up. It only ever speeds up: a gap is kept once it was read in full, and one that is not expected is read in full again.
 * A gap is the index of its entry in one table, because reading one array is faster than reading five; and functions read it, not methods,
 * because the loop that asks keeps the table at hand.
 */
export class GapMemory {
  readonly table: Int32Array
  readonly #places: readonly Place[]
  readonly #slots = new Int32Array(SLOTS)
  #used = BYTES
  #turnedAway = 0

  constructor(places: readonly Place[]) {
    this.#places = places
    this.table = new Int32Array(MAX_GAPS * (BYTES + MEAN_WORDS + places.length))
  }

  /** The gap at `bytes[start, end)`, which was read in full; from now on it is expected behind `before`. Gives `before` where it cannot be kept. */
  learn(bytes: Uint8Array, view: DataView, start: number, end: number, before: number): number {
    const length = end - start
    if (length > MAX_LENGTH) return before
    const gap = this.#find(bytes, view, start, length)
    if (gap === NO_GAP) return before
    const { table } = this
    if (gap === table[before + LIKELY] || gap === table[before + SECOND]) return gap
    table[before + SECOND] = table[before + LIKELY]
    table[before + LIKELY] = gap
    return gap
  }

  /** To be called between two records: forgets everything once too many gaps came that found no room. */
  refresh(): void {
    if (this.#turnedAway < TURNED_AWAY_BEFORE_REFRESH) return
    this.table.fill(0)
    this.#slots.fill(NO_GAP)
    this.#used = BYTES
    this.#turnedAway = 0
  }

  #find(bytes: Uint8Array, view: DataView, start: number, length: number): number {
    const hash = hashOf(bytes, start, length)
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (hash + probe) & (SLOTS - 1)
      const gap = this.#slots[slot]
      if (gap === NO_GAP) return this.#add(bytes, view, start, length, slot)
      if (this.table[gap + LAST_WORD] === length - 4 && isGapAt(this.table, view, start, start + length, gap)) return gap
    }
    this.#turnedAway++
    return NO_GAP
  }

  #add(bytes: Uint8Array, view: DataView, start: number, length: number, slot: number): number {
    const { table } = this
    const entry = this.#used
    const size = BYTES + Math.ceil(length / 4) + this.#places.length
    if (entry + size > table.length || bytes.subarray(start, start + length).includes(BACKSLASH)) {
      this.#turnedAway++
      return NO_GAP
    }
    this.#used += size
    this.#slots[slot] = entry
    const nameStart = bytes.indexOf(QUOTE, start)
    const name = decodeString(bytes, nameStart + 1, bytes.indexOf(QUOTE, nameStart + 1))
    table[entry + LAST_WORD] = length - 4
    table[entry + STEP] = bytes[start + length - 1] === QUOTE ? length - 1 : length
    table[entry + NAME_AT] = nameStart - start
    const last = start + length - 4
    let word = entry + BYTES
    for (let p = start; p < last; p += 4) table[word++] = view.getInt32(p, true)
    table[word++] = view.getInt32(last, true)
    table[entry + PLACES_AT] = word - entry
    for (let inside = 0; inside < this.#places.length; inside++) {
      table[word++] = findChild(this.#places, inside, name)
    }
    return entry
  }
}

function isGapAt(table: Int32Array, view: DataView, at: number, limit: number, gap: number): boolean {
  const last = (at + table[gap + LAST_WORD]) | 0
  if (last > ((limit - 4) | 0)) return false
  let word = (gap + BYTES) | 0
  for (let p = at | 0; p < last; p = (p + 4) | 0) {
    if (view.getInt32(p, true) !== table[word]) return false
    word = (word + 1) | 0
  }
  return view.getInt32(last, true) === table[word]
}

function hashOf(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0
  for (let p = start; p < start + length; p++) hash = Math.imul(hash ^ bytes[p], 0x01000193)
  return hash ^ (hash >>> 15)
}
