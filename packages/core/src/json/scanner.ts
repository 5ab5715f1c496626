import { isWhitespace, skipWhitespace } from './read-value.ts'
import {
  StructureCache,
  matchPredicted,
  factsOf,
  isStringNext,
  nameOffsetOf,
  pathOf,
  valueOffsetOf
} from './structure-cache.ts'
import { scanNumber, scanString, scanWord } from './scan-scalar.ts'
import { findChild, findChildAt, type WatchList } from './watch-list.ts'

const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const NINE = 0x39
const QUOTE = 0x22
const SPACE = 0x20
const ROOT = 0
const UNWATCHED = -1
const NO_PREFIX = 0
const OBJECT = 1
const WATCHED_INSIDE = 2

/** Cosmos DB stores at most this number of levels of objects and arrays. */
const MAX_DEPTH = 128

// Positions in the loop have 32 bits, including those a little after the end.
const MAX_POSITION = 2 ** 31 - 256

// Getters for two properties of a Uint8Array. V8 does not look through the prototype of a Buffer, so reading the
// properties from a Buffer would cost a generic call.
const bufferOf = getterOf('buffer') as (this: Uint8Array) => ArrayBufferLike
const offsetOf = getterOf('byteOffset') as (this: Uint8Array) => number

/** Position of a member that does not occur in the record. */
export const ABSENT = -1

/** An earlier occurrence of a property that may occur only once: from the quote of its name to the end of its value. */
export interface Repeated {
  readonly nameStart: number
  readonly valueEnd: number
}

/**
 * Reads one JSON value after the other, and finds the watched paths in each. The result is valid until the next scan.
 * It is a class with one function as its loop, because V8 optimizes these better than closures and small functions.
 * Each `| 0` tells V8 that a position has 32 bits, which saves boxing and checks.
 */
export class Scanner {
  /** Whether the last scan stopped at the maximum depth. */
  tooDeep = false
  /**
   * Position in `whole` of the value of each watched path, or ABSENT. For a repeated property, it is the position of
   * the last value, as with JSON.parse.
   */
  readonly valueStarts: Int32Array
  readonly valueEnds: Int32Array
  readonly repeated: Repeated[] = []
  readonly #watch: WatchList
  readonly #structure: StructureCache
  readonly #nameStarts: Int32Array
  readonly #hasInside: Uint8Array
  // One number for each open object or array: its path, whether a path inside is watched, and whether it is an object.
  readonly #frames = new Int32Array(MAX_DEPTH + 1)
  readonly #indexAt = new Int32Array(MAX_DEPTH + 1)
  #bytes: Uint8Array = new Uint8Array(0)
  #buffer: ArrayBufferLike = this.#bytes.buffer
  #isFar = false
  /** Offset of the given bytes in `whole` and `view`. */
  base = 0
  /** The whole buffer that contains the record. */
  whole: Uint8Array = this.#bytes
  view: DataView = new DataView(this.#buffer)

  constructor(watch: WatchList) {
    const { paths } = watch
    this.#watch = watch
    this.#structure = new StructureCache(paths)
    this.#hasInside = Uint8Array.from(paths, (path, number) => (path.children.length > 0 || number === ROOT ? 1 : 0))
    this.valueStarts = new Int32Array(paths.length)
    this.valueEnds = new Int32Array(paths.length)
    this.#nameStarts = new Int32Array(paths.length)
  }

  /**
   * Reads the value at `start`, which must not be whitespace. Returns the position after it, or `~position` of the
   * mistake; a position of `limit` or more means that the value has no end before `limit`. Requires that `bytes[limit -
   * 1]` is a closing brace, or that `bytes[limit]` exists and is zero.
   */
  scan(bytes: Uint8Array, start: number, limit: number): number {
    for (let path = 0; path < this.valueStarts.length; path++) this.valueStarts[path] = ABSENT
    if (this.repeated.length > 0) this.repeated.length = 0
    this.tooDeep = false
    if (this.#bytes !== bytes) this.#setBytes(bytes)
    this.#structure.resetIfFull()
    const base = this.base
    const scanEnd = this.#scanValue(this.whole, this.view, start + base, limit + base)
    return scanEnd < 0 ? scanEnd + base : scanEnd - base
  }

  #scanValue(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const { valueStarts, valueEnds } = this
    const structure = this.#structure
    const { table } = structure
    const frames = this.#frames
    const indexAt = this.#indexAt
    const limit = end | 0
    let p = start | 0
    let c = bytes[p]
    let depth = 0
    let inObject = false
    // The path whose properties are being read, and the path of the value being read.
    let inside = ROOT
    let path = ROOT
    // The prefix of the current value: a comma or an opening bracket, a name and its colon.
    let prefix = NO_PREFIX
    for (;;) {
      // A value begins at p, and c is its first byte.
      let opened = false
      if (path !== UNWATCHED) valueStarts[path] = p
      if (c !== OPEN_BRACE && c !== OPEN_BRACKET) {
        if (c === QUOTE) p = scanString(bytes, view, (p + 1) | 0, limit) | 0
        else if (c <= NINE) p = scanNumber(bytes, view, p, limit) | 0
        else p = scanWord(bytes, p) | 0
        if (p < 0) return p
        if (path !== UNWATCHED) valueEnds[path] = p
        if (depth === 0) return p
        c = bytes[p]
      } else {
        if (depth === MAX_DEPTH) {
          this.tooDeep = true
          return ~p
        }
        depth = (depth + 1) | 0
        opened = true
        inObject = c === OPEN_BRACE
        if (inside !== UNWATCHED) inside = path !== UNWATCHED && this.#hasInside[path] === 1 ? path : UNWATCHED
        frames[depth] = (path << 2) | (inside === UNWATCHED ? 0 : WATCHED_INSIDE) | (inObject ? OBJECT : 0)
        indexAt[depth] = 0
      }
      let expected = NO_PREFIX
      let prefixStart = p
      for (;;) {
        // oxlint-disable-next-line no-unmodified-loop-condition -- replaces an `if` around the loop
        while (c !== COMMA && !opened) {
          if (c === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
            p = (p + 1) | 0
            path = frames[depth] >> 2
            if (path !== UNWATCHED) valueEnds[path] = p
            depth = (depth - 1) | 0
            if (depth === 0) return p
            const frame = frames[depth]
            inObject = (frame & OBJECT) !== 0
            inside = (frame & WATCHED_INSIDE) === 0 ? UNWATCHED : frame >> 2
            c = bytes[p]
          } else if (c <= SPACE && isWhitespace(c)) c = bytes[(p = skipWhitespace(bytes, p) | 0)]
          else return ~p
        }
        // The byte at p is a comma or an opening bracket.
        if (inObject) {
          expected = matchPredicted(table, view, p, limit, prefix) | 0
          if (expected !== NO_PREFIX) break
        }
        prefixStart = p
        c = bytes[++p]
        if (c <= SPACE) c = bytes[(p = skipWhitespace(bytes, p) | 0)]
        if (!opened || c !== (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) break
        opened = false
      }
      if (expected !== NO_PREFIX) {
        prefix = expected
        const facts = factsOf(table, prefix) | 0
        path = (inside === UNWATCHED ? UNWATCHED : pathOf(table, prefix, facts, inside)) | 0
        if (path !== UNWATCHED) this.#beginMember(path, (p + nameOffsetOf(facts)) | 0)
        p = (p + valueOffsetOf(facts)) | 0
        if (isStringNext(facts)) c = QUOTE
        else {
          c = bytes[p]
          if (c <= SPACE) c = bytes[(p = skipWhitespace(bytes, p) | 0)]
        }
      } else if (inObject) {
        if (c !== QUOTE) return ~p
        const nameStart = p
        p = scanString(bytes, view, p + 1, limit) | 0
        if (p < 0) return p
        path =
          (inside === UNWATCHED ? UNWATCHED : findChildAt(this.#watch.paths, inside, bytes, nameStart + 1, p - 1)) | 0
        if (path !== UNWATCHED) this.#beginMember(path, nameStart)
        c = bytes[p]
        if (c <= SPACE) c = bytes[(p = skipWhitespace(bytes, p) | 0)]
        if (c !== COLON) return ~p
        c = bytes[++p]
        if (c <= SPACE) c = bytes[(p = skipWhitespace(bytes, p) | 0)]
        prefix = structure.learn(bytes, view, prefixStart, c === QUOTE ? p + 1 : p, prefix) | 0
      } else path = (inside === UNWATCHED ? UNWATCHED : this.#nextElement(inside, depth)) | 0
    }
  }

  /** Path of the next element of the array that is being read. */
  #nextElement(inside: number, depth: number): number {
    return findChild(this.#watch.paths, inside, String(this.#indexAt[depth]++))
  }

  /**
   * Sets the buffer that contains the record. Keeps the views of the last buffer, because views are expensive to create
   * and many records share one buffer.
   */
  #setBytes(bytes: Uint8Array): void {
    const buffer = bufferOf.call(bytes)
    const byteOffset = offsetOf.call(bytes)
    this.#bytes = bytes
    const isFar = byteOffset + bytes.length > MAX_POSITION
    if (buffer !== this.#buffer || isFar || this.#isFar) {
      this.whole = isFar ? new Uint8Array(buffer, byteOffset, bytes.length) : new Uint8Array(buffer)
      this.view = isFar ? new DataView(buffer, byteOffset, bytes.length) : new DataView(buffer)
    }
    this.#buffer = buffer
    this.#isFar = isFar
    this.base = isFar ? 0 : byteOffset
  }

  /** Converts the found positions from positions in the whole buffer to positions in the given bytes. */
  countFromBytes(): void {
    const { valueStarts, valueEnds, repeated, base } = this
    if (base === 0) return
    for (let path = 0; path < valueStarts.length; path++) {
      if (valueStarts[path] === ABSENT) continue
      valueStarts[path] -= base
      valueEnds[path] -= base
    }
    for (let each = 0; each < repeated.length; each++) {
      const { nameStart, valueEnd } = repeated[each]
      repeated[each] = { nameStart: nameStart - base, valueEnd: valueEnd - base }
    }
  }

  #beginMember(path: number, nameStart: number): void {
    if (this.valueStarts[path] !== ABSENT) {
      if (this.#watch.paths[path].unique)
        this.repeated.push({ nameStart: this.#nameStarts[path], valueEnd: this.valueEnds[path] })
      this.#forgetInside(path)
    }
    this.#nameStarts[path] = nameStart
  }

  #forgetInside(path: number): void {
    for (const child of this.#watch.paths[path].children) {
      this.valueStarts[child] = ABSENT
      this.#forgetInside(child)
    }
  }
}

function getterOf(name: 'buffer' | 'byteOffset'): (this: Uint8Array) => unknown {
  // oxlint-disable-next-line unbound-method -- it is only called with `this`
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!.get!
}
