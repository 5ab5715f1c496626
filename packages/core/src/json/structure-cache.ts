import { BACKSLASH, QUOTE } from '../text/characters.ts'
import { decodeString } from './read-value.ts'
import { findChild, type WatchedPath } from './watch-list.ts'

// Stands for no prefix; also the predecessor of the first prefix of a record.
const NO_PREFIX = 0
const MAX_LENGTH = 96
const MAX_PREFIXES = 512
const MEAN_WORDS = 10
const SLOTS = 2048
const MAX_PROBES = 8
const REFUSED_BEFORE_RESET = 10_000

// Layout of an entry of the table: the two prefixes that are predicted after it; its facts in one number; its last four
// bytes; its bytes in words of four, without an incomplete last word; the path of its name below each watched path.
const LIKELY = 0
const SECOND = 1
const FACTS = 2
const LAST_WORD = 3
const BYTES = 4

/**
 * Finds the prefix at `at` if it is one of the two that are predicted after the prefix `before`; otherwise NO_PREFIX.
 * Reads no byte from `limit` on.
 */
export function matchPredicted(table: Int32Array, view: DataView, at: number, limit: number, before: number): number {
  const likely = table[before]
  return isPrefixAt(table, view, at, limit, likely) ? likely : matchSecond(table, view, at, limit, before)
}

/** Facts of a prefix in one number, because reading one number is faster than reading each fact. */
export function factsOf(table: Int32Array, prefix: number): number {
  return table[(prefix + FACTS) | 0]
}

/** Distance from the beginning of a prefix to its value, without whitespace before the value. */
export function valueOffsetOf(facts: number): number {
  return (facts >> 8) & 0xff
}

/** Distance from the beginning of a prefix to the quote of its name. */
export function nameOffsetOf(facts: number): number {
  return (facts >> 16) & 0xff
}

/** Whether the value is a string that begins directly after the prefix. */
export function isStringNext(facts: number): boolean {
  return facts >> 24 !== 0
}

/** Path of the name of a prefix below a watched path. */
export function pathOf(table: Int32Array, prefix: number, facts: number, inside: number): number {
  return table[(prefix + BYTES + ((facts & 0xff) >> 2) + 1 + inside) | 0]
}

/**
 * Remembers the prefixes of values and their usual order. The prefix of a value is all bytes before it in an object:
 * comma or brace, name, colon, whitespace between them, and the quote of a string. Records of one stream mostly have
 * the same prefixes in the same order, so the scanner compares with the predicted prefix, four bytes at a time, instead
 * of reading it byte by byte and looking up its name. The cache never changes a result: it stores a prefix after the
 * scanner has read it in full, and the scanner reads any other prefix in full. A prefix is represented by the index of
 * its entry in one table, because one array is faster to read than five. Functions instead of methods read the table,
 * because the loop of the scanner keeps the table in a local variable.
 */
export class StructureCache {
  readonly table: Int32Array
  readonly #paths: readonly WatchedPath[]
  readonly #slots = new Int32Array(SLOTS)
  #used = BYTES
  #refused = 0

  constructor(paths: readonly WatchedPath[]) {
    this.#paths = paths
    this.table = new Int32Array(MAX_PREFIXES * (BYTES + MEAN_WORDS + paths.length))
  }

  /**
   * Stores the prefix at `bytes[start, end)`, and predicts it after `before` from now on. Returns `before` if the
   * prefix is too long or the cache is full.
   */
  learn(bytes: Uint8Array, view: DataView, start: number, end: number, before: number): number {
    const length = end - start
    if (length > MAX_LENGTH) return before
    const prefix = this.#find(bytes, view, start, length)
    if (prefix === NO_PREFIX) return before
    const { table } = this
    if (prefix === table[before + LIKELY] || prefix === table[before + SECOND]) return prefix
    table[before + SECOND] = table[before + LIKELY]
    table[before + LIKELY] = prefix
    return prefix
  }

  /** Clears the cache if it had to refuse many prefixes. Must be called between two records. */
  resetIfFull(): void {
    if (this.#refused < REFUSED_BEFORE_RESET) return
    this.table.fill(0)
    this.#slots.fill(NO_PREFIX)
    this.#used = BYTES
    this.#refused = 0
  }

  #find(bytes: Uint8Array, view: DataView, start: number, length: number): number {
    const hash = hashOf(bytes, start, length)
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (hash + probe) & (SLOTS - 1)
      const prefix = this.#slots[slot]
      if (prefix === NO_PREFIX) return this.#add(bytes, view, start, length, slot)
      if (
        (this.table[prefix + FACTS] & 0xff) === length - 4 &&
        isPrefixAt(this.table, view, start, start + length, prefix)
      )
        return prefix
    }
    this.#refused++
    return NO_PREFIX
  }

  #add(bytes: Uint8Array, view: DataView, start: number, length: number, slot: number): number {
    const { table } = this
    const entry = this.#used
    const size = BYTES + Math.floor(length / 4) + this.#paths.length
    if (entry + size > table.length || bytes.subarray(start, start + length).includes(BACKSLASH)) {
      this.#refused++
      return NO_PREFIX
    }
    this.#used += size
    this.#slots[slot] = entry
    const nameStart = bytes.indexOf(QUOTE, start)
    const name = decodeString(bytes, nameStart + 1, bytes.indexOf(QUOTE, nameStart + 1))
    const isString = bytes[start + length - 1] === QUOTE
    const last = length - 4
    table[entry + FACTS] =
      last | ((isString ? length - 1 : length) << 8) | ((nameStart - start) << 16) | (isString ? 1 << 24 : 0)
    table[entry + LAST_WORD] = view.getInt32(start + last, true)
    let word = entry + BYTES
    for (let offset = 0; offset <= last; offset += 4) table[word++] = view.getInt32(start + offset, true)
    for (let inside = 0; inside < this.#paths.length; inside++) {
      table[word++] = findChild(this.#paths, inside, name)
    }
    return entry
  }
}

function matchSecond(table: Int32Array, view: DataView, at: number, limit: number, before: number): number {
  const second = table[before + SECOND]
  return isPrefixAt(table, view, at, limit, second) ? second : NO_PREFIX
}

function isPrefixAt(table: Int32Array, view: DataView, at: number, limit: number, prefix: number): boolean {
  const last = (table[(prefix + FACTS) | 0] & 0xff) | 0
  const lastAt = (at + last) | 0
  if (prefix === NO_PREFIX || lastAt > ((limit - 4) | 0)) return false
  // no loop for the usual lengths, because V8 checks both arrays for each word of a loop
  if (
    view.getInt32(lastAt, true) !== table[(prefix + LAST_WORD) | 0] ||
    view.getInt32(at, true) !== table[(prefix + BYTES) | 0]
  )
    return false
  if (last <= 4) return true
  if (view.getInt32((at + 4) | 0, true) !== table[(prefix + BYTES + 1) | 0]) return false
  if (last <= 8) return true
  if (view.getInt32((at + 8) | 0, true) !== table[(prefix + BYTES + 2) | 0]) return false
  return last <= 12 || isRestAt(table, view, at, last, prefix)
}

function isRestAt(table: Int32Array, view: DataView, at: number, last: number, prefix: number): boolean {
  for (let offset = 12; offset < last; offset += 4) {
    if (view.getInt32(at + offset, true) !== table[prefix + BYTES + (offset >> 2)]) return false
  }
  return true
}

function hashOf(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0
  for (let p = start; p < start + length; p++) hash = Math.imul(hash ^ bytes[p], 0x01000193)
  return hash ^ (hash >>> 15)
}
