import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET } from '@keystamp/core/internal'
import { QUOTE } from '@keystamp/core/internal'
import { avalanche, C1, C2, C3, C4, setWords } from './hash-state.ts'
import { bytesBeforeStop, endOfWhole, INVALID, MASKS, ScalarReader } from '../json/json-scalars.ts'
import { DOCUMENT, followName, hasPlacesInside, insideOf, isLeftOutAt, lengthOf } from './name-layouts.ts'
import { MAX_NAME_BYTES, type NameLayouts, nameWord, NO_LAYOUT, watchedAt } from './name-layouts.ts'
import { ARRAY, ARRAY_SEED, DOCUMENT_SEED, FALSE, NULL, NUMBER, OBJECT, STRING, TRUE } from './value-hash.ts'
import type { ValueHash } from './value-hash.ts'

const MINUS = 0x2d
const NINE = 0x39
const ZERO = 0x30
// the words in the order of their bytes
const TRUE_WORD = 0x65757274
const FALS_WORD = 0x736c6166
const NULL_WORD = 0x6c6c756e
const SMALL_E = 0x65

/** In the place of a kind: the hash of the value is complete. */
const HASHED = -1
const MAX_LEVELS = 64
/** Position of a watched member that the document does not have. */
const ABSENT = -1
/** Bytes that are read before their end is checked. */
const SLACK = MAX_NAME_BYTES + 32

/**
 * Computes the digests of documents whose names a layout has: nearly all. One loop with the whole state in local
 * variables takes a third of the time of the general scan. It gives up on whitespace, and near the end of the bytes.
 */
export class LayoutDigest {
  readonly #layouts: NameLayouts
  readonly #values: ValueHash
  readonly #scalars = new ScalarReader()
  readonly #double = new DataView(new ArrayBuffer(8))
  // of the open objects and arrays by level: the state before the value, and of the outer one its sum, count and place
  readonly #heads = new Int32Array(MAX_LEVELS * 4)
  readonly #sums = new Int32Array(MAX_LEVELS * 4)
  readonly #counts = new Int32Array(MAX_LEVELS)
  readonly #places = new Int32Array(MAX_LEVELS)
  readonly #areObjects = new Uint8Array(MAX_LEVELS)

  /** At 2n and 2n + 1: begin and end of the value of the watched member n of the last document, or ABSENT. */
  readonly found: Int32Array = new Int32Array(8)

  constructor(layouts: NameLayouts, values: ValueHash) {
    this.#layouts = layouts
    this.#values = values
  }

  /**
   * Position after the document at `start`, whose digest is then in the hash of the values; INVALID if the general scan
   * has to read it.
   */
  run(bytes: Uint8Array, view: DataView, start: number, limit: number): number {
    const { table } = this.#layouts
    const heads = this.#heads
    const sums = this.#sums
    const { words } = this.#values.hash
    const { found } = this
    found.fill(ABSENT)
    const last = (view.byteLength - SLACK) | 0
    let p = start | 0
    let level = -1
    let isObject = false
    let isNameNext = false
    let isLeftOut = false
    let watched = 0
    let place = NO_LAYOUT
    let count = 0
    // the hash so far, and the sum of the members of the innermost object
    let h1 = DOCUMENT_SEED
    let h2 = 0
    let h3 = 0
    let h4 = 0
    let s1 = 0
    let s2 = 0
    let s3 = 0
    let s4 = 0
    for (;;) {
      if (p > last) return INVALID
      if (isNameNext) {
        place = followName(table, view, p, place)
        if (place === NO_LAYOUT) return INVALID
        p = (p + 1 + lengthOf(table, place)) | 0
        if (bytes[p] !== COLON) return INVALID
        p = (p + 1) | 0
        isLeftOut = isLeftOutAt(table, place)
        watched = watchedAt(table, place)
        found[2 * watched] = p
        h1 = nameWord(table, place, 0)
        h2 = nameWord(table, place, 1)
        h3 = nameWord(table, place, 2)
        h4 = nameWord(table, place, 3)
        isNameNext = false
      }
      // a value begins at p, and its hash continues h
      let kind = 0
      let length = 0
      let k1 = 0
      let k2 = 0
      let k3 = 0
      let k4 = 0
      let hasBlock = false
      const first = bytes[p]
      if (first === QUOTE) {
        const from = (p + 1) | 0
        let rest = 0
        // a string with escapes is hashed from its beginning
        const b1 = h1
        const b2 = h2
        const b3 = h3
        const b4 = h4
        p = from
        kind = STRING
        for (;;) {
          if (p > last) return INVALID
          k1 = view.getInt32(p, true)
          k2 = view.getInt32(p + 4, true)
          k3 = view.getInt32(p + 8, true)
          k4 = view.getInt32(p + 12, true)
          // sets highest bits at control characters, quotes and backslashes, and at bytes that are not ASCII
          const marks =
            k1 |
            ((k1 ^ 0x02020202) - 0x21212121) |
            ((k1 ^ 0x5c5c5c5c) - 0x01010101) |
            (k2 | ((k2 ^ 0x02020202) - 0x21212121) | ((k2 ^ 0x5c5c5c5c) - 0x01010101)) |
            (k3 | ((k3 ^ 0x02020202) - 0x21212121) | ((k3 ^ 0x5c5c5c5c) - 0x01010101)) |
            (k4 | ((k4 ^ 0x02020202) - 0x21212121) | ((k4 ^ 0x5c5c5c5c) - 0x01010101))
          rest = (marks & 0x80808080) === 0 ? 16 : bytesBeforeStop(k1, k2, k3, k4) | 0
          if (rest < 16) break
          p = (p + 16) | 0
          if (isLeftOut) continue
          k1 = Math.imul(k1, C1)
          h1 ^= Math.imul((k1 << 15) | (k1 >>> 17), C2)
          h1 = (Math.imul((((h1 << 19) | (h1 >>> 13)) + h2) | 0, 5) + 0x561ccd1b) | 0
          k2 = Math.imul(k2, C2)
          h2 ^= Math.imul((k2 << 16) | (k2 >>> 16), C3)
          h2 = (Math.imul((((h2 << 17) | (h2 >>> 15)) + h3) | 0, 5) + 0x0bcaa747) | 0
          k3 = Math.imul(k3, C3)
          h3 ^= Math.imul((k3 << 17) | (k3 >>> 15), C4)
          h3 = (Math.imul((((h3 << 15) | (h3 >>> 17)) + h4) | 0, 5) + 0x96cd1c35) | 0
          k4 = Math.imul(k4, C4)
          h4 ^= Math.imul((k4 << 18) | (k4 >>> 14), C1)
          h4 = (Math.imul((((h4 << 13) | (h4 >>> 19)) + h1) | 0, 5) + 0x32ac3b17) | 0
        }
        p = (p + rest) | 0
        k1 &= MASKS[rest + 12]
        k2 &= MASKS[rest + 8]
        k3 &= MASKS[rest + 4]
        k4 &= MASKS[rest]
        if (bytes[p] === QUOTE) {
          length = (p - from) | 0
          hasBlock = rest !== 0
          p = (p + 1) | 0
        } else if (isLeftOut) p = (this.#scalars.endOfString(bytes, view, p, limit) + 1) | 0
        else {
          setWords(words, 0, b1, b2, b3, b4)
          p = this.#values.readScalar(bytes, view, (from - 1) | 0, limit, QUOTE)
          h1 = words[0]
          h2 = words[1]
          h3 = words[2]
          h4 = words[3]
          kind = HASHED
        }
        if (p <= 0) return INVALID
      } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        if (isLeftOut || watched !== 0 || level === MAX_LEVELS - 1) return INVALID
        // an object on the way to a place that is left out may not count
        if (level === 0 && hasPlacesInside(table, place)) return INVALID
        if (level >= 0) {
          this.#counts[level] = count
          this.#places[level] = place
          this.#areObjects[level] = isObject ? 1 : 0
          setWords(sums, level, s1, s2, s3, s4)
        }
        level = (level + 1) | 0
        setWords(heads, level, h1, h2, h3, h4)
        isObject = first === OPEN_BRACE
        count = 0
        p = (p + 1) | 0
        if (isObject) {
          s1 = s2 = s3 = s4 = 0
          place = level === 0 ? DOCUMENT : insideOf(table, place)
          if (place === NO_LAYOUT) return INVALID
        } else {
          h1 = ARRAY_SEED
          h2 = h3 = h4 = 0
        }
        if (bytes[p] !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
          isNameNext = isObject
          continue
        }
        // closed below, as if a value had ended
      } else if (first <= NINE && (first >= ZERO || first === MINUS)) {
        if (isLeftOut) {
          p = endOfWhole(bytes, p)
        } else {
          p = this.#scalars.endOfNumber(bytes, p, limit)
          this.#double.setFloat64(0, this.#scalars.number, true)
          k1 = this.#double.getInt32(0, true)
          k2 = this.#double.getInt32(4, true)
          kind = NUMBER
          length = 8
          hasBlock = true
        }
        if (p < 0) return INVALID
      } else {
        const word = view.getInt32(p, true)
        if (word === TRUE_WORD) kind = TRUE
        else if (word === NULL_WORD) kind = NULL
        else if (word === FALS_WORD && bytes[p + 4] === SMALL_E) {
          kind = FALSE
          p = (p + 1) | 0
        } else return INVALID
        p = (p + 4) | 0
      }
      if (watched !== 0) {
        found[2 * watched + 1] = p
        watched = 0
      }
      // a value has ended
      for (;;) {
        if (kind !== 0 && !isLeftOut) {
          if (hasBlock) {
            k1 = Math.imul(k1, C1)
            h1 ^= Math.imul((k1 << 15) | (k1 >>> 17), C2)
            h1 = (Math.imul((((h1 << 19) | (h1 >>> 13)) + h2) | 0, 5) + 0x561ccd1b) | 0
            k2 = Math.imul(k2, C2)
            h2 ^= Math.imul((k2 << 16) | (k2 >>> 16), C3)
            h2 = (Math.imul((((h2 << 17) | (h2 >>> 15)) + h3) | 0, 5) + 0x0bcaa747) | 0
            k3 = Math.imul(k3, C3)
            h3 ^= Math.imul((k3 << 17) | (k3 >>> 15), C4)
            h3 = (Math.imul((((h3 << 15) | (h3 >>> 17)) + h4) | 0, 5) + 0x96cd1c35) | 0
            k4 = Math.imul(k4, C4)
            h4 ^= Math.imul((k4 << 18) | (k4 >>> 14), C1)
            h4 = (Math.imul((((h4 << 13) | (h4 >>> 19)) + h1) | 0, 5) + 0x32ac3b17) | 0
          }
          if (kind !== HASHED) {
            h1 = h1 ^ length ^ Math.imul(kind, C3)
            h2 ^= length
            h3 ^= length
            h4 ^= length
            h1 = (h1 + h2 + h3 + h4) | 0
            h2 = avalanche((h2 + h1) | 0)
            h3 = avalanche((h3 + h1) | 0)
            h4 = avalanche((h4 + h1) | 0)
            h1 = (avalanche(h1) + h2 + h3 + h4) | 0
            h2 = (h2 + h1) | 0
            h3 = (h3 + h1) | 0
            h4 = (h4 + h1) | 0
          }
          if (level < 0) {
            setWords(words, 0, h1, h2, h3, h4)
            return p
          }
          count = (count + 1) | 0
          if (isObject) {
            s1 = (s1 + h1) | 0
            s2 = (s2 + h2) | 0
            s3 = (s3 + h3) | 0
            s4 = (s4 + h4) | 0
          }
        }
        const next = bytes[p]
        p = (p + 1) | 0
        if (next === COMMA) {
          isNameNext = isObject
          break
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return INVALID
        kind = isObject ? OBJECT : ARRAY
        length = count
        hasBlock = true
        k1 = isObject ? s1 : h1
        k2 = isObject ? s2 : h2
        k3 = isObject ? s3 : h3
        k4 = isObject ? s4 : h4
        const at = level << 2
        h1 = heads[at]
        h2 = heads[at + 1]
        h3 = heads[at + 2]
        h4 = heads[at + 3]
        isLeftOut = false
        level = (level - 1) | 0
        if (level >= 0) {
          const outer = level << 2
          s1 = sums[outer]
          s2 = sums[outer + 1]
          s3 = sums[outer + 2]
          s4 = sums[outer + 3]
          count = this.#counts[level]
          place = this.#places[level]
          isObject = this.#areObjects[level] === 1
        }
      }
    }
  }
}
