import { isWhitespace, skipWhitespace } from './characters.ts'
import { StructureCache, matchPredicted, factsOf, isStringNext, nameOffsetOf, pathOf, valueOffsetOf } from './structure-cache.ts'
import { scanNumber, scanString, scanWord } from './scan-scalar.ts'
import { findChild, findChildAt, type WatchList } from './watch-list.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
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

/** Cosmos DB stores at most so many levels of objects and arrays. */
const MAX_DEPTH = 128

// Positions in the loop are kept in 32 bits, those a little behind the end too.
const MAX_POSITION = 2 ** 31 - 256

// Asked of a Buffer, whose prototype V8 does not look through, each of these would cost a generic call.
const bufferOf = getterOf('buffer') as (this: Uint8Array) => ArrayBufferLike
const offsetOf = getterOf('byteOffset') as (this: Uint8Array) => number

/** Position of a member that does not occur in the record. */
export const ABSENT = -1

/** An earlier occurrence of a member that may occur only once: from its name's quote to the end of its value. */
export interface Repeated {
  readonly nameStart: number
  readonly valueEnd: number
}

/**
 * Reads one JSON value after the other and finds the watched places in them; what it found is valid until the next.
 * It is a class, and its loop one function, for the sake of speed: V8 optimizes both better than closures and small steps.
 * Each `| 0` tells V8 that a position fits 32 bits, which spares it boxing and checks.
 */
export class Scanner {
  /** True when the last scan ended because of the depth. */
  tooDeep = false
  /** Where in `whole` the value of each watched place begins, or ABSENT; the last occurrence counts, as with JSON.parse. */
  readonly valueStarts: Int32Array
  readonly valueEnds: Int32Array
  readonly repeated: Repeated[] = []
  readonly #watch: WatchList
  readonly #structure: StructureCache
  readonly #nameStarts: Int32Array
  readonly #hasInside: Uint8Array
  // Of every open object or array, in one number: its place, whether something inside is watched, and which of the two it is.
  readonly #frames = new Int32Array(MAX_DEPTH + 1)
  readonly #indexAt = new Int32Array(MAX_DEPTH + 1)
  #bytes: Uint8Array = new Uint8Array(0)
  #buffer: ArrayBufferLike = this.#bytes.buffer
  #isFar = false
  /** What has to be added to a position to make it one in `whole` and `view`. */
  base = 0
  /** The buffer in which the record lies. */
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
   * Reads the value at `start`, which is no whitespace. Gives the position behind it, or `~position` of what is wrong;
   * a position at or behind `limit` says that the bytes ran out.
   * Demands that `bytes[limit - 1]` is a closing brace or that `bytes[limit]` can be read and is zero.
   */
  scan(bytes: Uint8Array, start: number, limit: number): number {
    for (let path = 0; path < this.valueStarts.length; path++) this.valueStarts[path] = ABSENT
    if (this.repeated.length > 0) this.repeated.length = 0
    this.tooDeep = false
    if (this.#bytes !== bytes) this.#look(bytes)
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
    // The place whose members are being read, and the place of the value being read.
    let inside = ROOT
    let path = ROOT
    // The gap behind the value before: a comma or the bracket that opened, a name and its colon.
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
        // oxlint-disable-next-line no-unmodified-loop-condition -- it stands for an `if` round the loop
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
        // At p stands a comma or the bracket that opened.
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
        path = (inside === UNWATCHED ? UNWATCHED : findChildAt(this.#watch.paths, inside, bytes, nameStart + 1, p - 1)) | 0
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

  /** The place of the next element of the array that is being read. */
  #nextElement(inside: number, depth: number): number {
    return findChild(this.#watch.paths, inside, String(this.#indexAt[depth]++))
  }

  /** Views are dear to make: records that lie in one buffer share them. */
  #look(bytes: Uint8Array): void {
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

  /** Makes the positions that were found, which are those in the whole buffer, positions in the bytes that were given. */
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
      if (this.#watch.paths[path].unique) this.repeated.push({ nameStart: this.#nameStarts[path], valueEnd: this.valueEnds[path] })
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
  // oxlint-disable-next-line unbound-method -- it is only called with an object
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!.get!
}
