/**
 * Counts records and bytes by key, in a hash table over typed arrays. Keys are 64 bits of a hash. A table that would
 * get too large keeps a part of the keys: those whose hash ends in `level` zero bits. The counts of
 * these are complete, since a key that is kept now was kept from its first record on.
 */
export class KeyTable {
  /** Number of keys in the table. */
  size = 0
  /** One key in 2^level is kept. */
  level = 0
  #words: Int32Array
  #bytes: Float64Array
  #mask: number

  constructor(slots = 64) {
    const buffer = new ArrayBuffer(slots * SLOT_BYTES)
    this.#words = new Int32Array(buffer)
    this.#bytes = new Float64Array(buffer)
    this.#mask = slots - 1
  }

  /** Counts a record of a key. Returns the records of the key so far, or 0 for a key that is not kept. */
  add(high: number, low: number, head: number, bytes: number): number {
    if (this.level !== 0 && (low & ((1 << this.level) - 1)) !== 0) return 0
    return this.put(high, low, head, 1, bytes)
  }

  /** Calls back for each key: the two halves of its hash, the head of its position, records and bytes. */
  forEach(visit: (high: number, low: number, head: number, records: number, bytes: number) => void): void {
    const words = this.#words
    const slots = this.#mask + 1
    for (let slot = 0; slot < slots; slot++) {
      const at = slot * SLOT_WORDS
      if (words[at + COUNT] !== 0)
        visit(words[at], words[at + 1], words[at + HEAD] >>> 0, words[at + COUNT] >>> 0, this.#bytes[slot * 3 + 2])
    }
  }

  /** Counts the keys by their number of records, up to the length of `small`. Returns the numbers of the other keys. */
  tally(small: Uint32Array): readonly number[] {
    return tally(this.#words, small)
  }

  /** First halves of the hashes of all keys with this number of records. */
  highsOf(records: number): Int32Array {
    return highsOf(this.#words, records)
  }

  /** Keys with at least `least` records; of those with exactly `least`, only hashes up to `lastHigh`. */
  frequent(least: number, lastHigh: number): readonly TableKey[] {
    return frequentSlots(this.#words, least, lastHigh).map((slot) => this.#keyAt(slot))
  }

  #keyAt(slot: number): TableKey {
    const words = this.#words
    const at = slot * SLOT_WORDS
    const bytes = this.#bytes[slot * 3 + 2]
    return {
      high: words[at],
      low: words[at + 1],
      head: words[at + HEAD] >>> 0,
      records: words[at + COUNT] >>> 0,
      bytes,
      error: 0
    }
  }

  /** Adds the records and bytes of all keys to those of the equal parts of the hash space that contain them. */
  addTo(records: Float64Array, bytes: Float64Array, partBits: number): void {
    addToParts(this.#words, this.#bytes, records, bytes, 32 - partBits)
  }

  /** Positions and records of all keys, in the order of the table. Faster than `forEach`, since no number is an object. */
  positions(): { readonly positions: Uint32Array; readonly records: Uint32Array } {
    const positions = new Uint32Array(this.size)
    const records = new Uint32Array(this.size)
    copyPositions(this.#words, positions, records)
    return { positions, records }
  }

  /** Removes half of the keys. */
  raiseLevel(): void {
    this.level++
    const unwanted = 1 << (this.level - 1)
    this.#rebuild(this.#mask + 1, (low) => (low & unwanted) === 0)
  }

  /** Takes `less` from the count of each key, and removes the keys that have nothing left. */
  subtract(less: number): void {
    const counts = this.#words
    for (let at = COUNT; at < counts.length; at += SLOT_WORDS) counts[at] = Math.max(0, counts[at] - less)
    this.#rebuild(this.#mask + 1, () => true)
  }

  /** Adds to the count of a key, whether its hash is one that is kept or not. Returns its records so far. */
  put(high: number, low: number, head: number, records: number, bytes: number): number {
    const words = this.#words
    const mask = this.#mask
    let slot = slotOf(high, low) & mask
    for (;;) {
      const at = (slot * SLOT_WORDS) | 0
      const count = words[at + COUNT]
      if (count === 0) break
      if (words[at] === high && words[at + 1] === low) {
        this.#bytes[slot * 3 + 2] += bytes
        return (words[at + COUNT] = (count + records) | 0) >>> 0
      }
      slot = (slot + 1) & mask
    }
    if (this.size >= (mask + 1) * MAX_LOAD) {
      this.#rebuild((mask + 1) * (mask < QUICK_SLOTS ? 4 : 2), () => true)
      return this.put(high, low, head, records, bytes)
    }
    const at = slot * SLOT_WORDS
    words[at] = high
    words[at + 1] = low
    words[at + COUNT] = records
    words[at + HEAD] = head
    this.#bytes[slot * 3 + 2] = bytes
    this.size++
    return records
  }

  #rebuild(slots: number, keeps: (low: number) => boolean): void {
    const next = new KeyTable(slots)
    const words = this.#words
    for (let at = 0, slot = 0; at < words.length; at += SLOT_WORDS, slot++)
      if (words[at + COUNT] !== 0 && keeps(words[at + 1])) next.#copyNew(words, at, this.#bytes[slot * 3 + 2])
    this.#words = next.#words
    this.#bytes = next.#bytes
    this.#mask = next.#mask
    this.size = next.size
  }

  /** Copies a key that is not in this table, which has room for it. */
  #copyNew(from: Int32Array, at: number, bytes: number): void {
    const words = this.#words
    const mask = this.#mask
    let slot = slotOf(from[at], from[at + 1]) & mask
    while (words[slot * SLOT_WORDS + COUNT] !== 0) slot = (slot + 1) & mask
    const to = slot * SLOT_WORDS
    words[to] = from[at]
    words[to + 1] = from[at + 1]
    words[to + COUNT] = from[at + COUNT]
    words[to + HEAD] = from[at + HEAD]
    this.#bytes[slot * 3 + 2] = bytes
    this.size++
  }
}

/** A key, by the two halves of its hash and the head of its position, and its counts. */
export interface TableKey {
  readonly high: number
  readonly low: number
  readonly head: number
  readonly records: number
  readonly bytes: number
  /** Records that may be counted too many: none in a table. */
  readonly error: number
}

// Loops over all slots are functions of their own: the code that V8 compiles for a long loop is then used again, since
// nothing follows the loop that it has not seen.

function tally(words: Int32Array, small: Uint32Array): number[] {
  const large: number[] = []
  for (let at = COUNT; at < words.length; at += SLOT_WORDS) {
    const records = words[at] >>> 0
    // an empty slot has no records
    if (records < small.length) small[records]++
    else large.push(records)
  }
  return large
}

function copyPositions(words: Int32Array, positions: Uint32Array, records: Uint32Array): void {
  for (let at = 0, next = 0; at < words.length; at += SLOT_WORDS) {
    const count = words[at + COUNT]
    if (count === 0) continue
    positions[next] = words[at + HEAD]
    records[next++] = count
  }
}

function highsOf(words: Int32Array, records: number): Int32Array {
  const highs = new Int32Array(words.length / SLOT_WORDS)
  return highs.subarray(0, copyHighs(words, records, highs))
}

function copyHighs(words: Int32Array, records: number, highs: Int32Array): number {
  let found = 0
  for (let at = 0; at < words.length; at += SLOT_WORDS)
    if (words[at + COUNT] >>> 0 === records) highs[found++] = words[at]
  return found
}

function frequentSlots(words: Int32Array, least: number, lastHigh: number): number[] {
  const slots: number[] = []
  for (let at = 0, slot = 0; at < words.length; at += SLOT_WORDS, slot++) {
    const records = words[at + COUNT] >>> 0
    if (records > least || (records === least && records !== 0 && words[at] <= lastHigh)) slots.push(slot)
  }
  return slots
}

function addToParts(
  words: Int32Array,
  bytes: Float64Array,
  recordsOf: Float64Array,
  bytesOf: Float64Array,
  shift: number
): void {
  for (let at = 0, slot = 0; at < words.length; at += SLOT_WORDS, slot++) {
    const records = words[at + COUNT] >>> 0
    if (records === 0) continue
    const part = words[at + HEAD] >>> shift
    recordsOf[part] += records
    bytesOf[part] += bytes[slot * 3 + 2]
  }
}

function slotOf(high: number, low: number): number {
  return high ^ (low >>> 7)
}

// two words of the hash, the count, the head of the position, and the bytes as a double
const SLOT_WORDS = 6
const SLOT_BYTES = 24
const COUNT = 2
const HEAD = 3
const MAX_LOAD = 0.75
/** A smaller table grows in larger steps: copying the keys takes more time than the memory is worth. */
const QUICK_SLOTS = 1 << 15
