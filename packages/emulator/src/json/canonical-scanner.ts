import { scanNumber } from './scan-number.ts'

// V8 compiles constants of the same module into the code; imported ones are read from memory at each use
const CLOSE_BRACE = 0x7d
const COLON = 0x3a
const COMMA = 0x2c
const MINUS = 0x2d
const NINE = 0x39
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22
const SPACE = 0x20
const BACKSLASH = 0x5c
const ZERO = 0x30
const BEYOND_ASCII = 0x80
const NOT_CANONICAL = 0
/** Difference between an opening brace or bracket and its closing one. */
const TO_CLOSER = 2

// the service's limit for nested documents
const MAX_DEPTH = 128

/**
 * Detects whether the JSON of an object is canonical: exactly the result of `JSON.stringify(JSON.parse(text))`. The
 * scanner reports that only when it is certain; unusual JSON, valid or not, is left to JSON.parse. Its properties hold
 * the results of the last scan.
 */
export class CanonicalScanner {
  isAscii = true
  /** Strings, numbers, booleans and nulls, at any depth. */
  scalars = 0
  /** Number of properties of the object itself; each value begins two bytes after its name. */
  memberCount = 0
  readonly valueEnds: Int32Array = new Int32Array(64)
  readonly #names = new NameStack()
  readonly #closers = new Uint8Array(MAX_DEPTH + 1)

  get nameStarts(): Int32Array {
    return this.#names.starts
  }

  get nameLengths(): Int32Array {
    return this.#names.lengths
  }

  /**
   * Reads an object of valid UTF-8 at `at`. Returns the position after it, or 0 when the object is not certainly
   * canonical. `view` covers the same bytes as `bytes`.
   */
  scan(bytes: Buffer, view: DataView, at: number, limit: number): number {
    if (bytes[at] !== OPEN_BRACE) return NOT_CANONICAL
    const names = this.#names
    const closers = this.#closers
    names.clear()
    let p = at | 0
    let depth = 0
    let scalars = 0
    let isAscii = true
    value: for (;;) {
      let c = bytes[p]
      if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (depth === MAX_DEPTH) return NOT_CANONICAL
        depth += 1
        closers[depth] = c + TO_CLOSER
        if (c === OPEN_BRACE) names.open()
        p = (p + 1) | 0
        if (bytes[p] !== closers[depth]) {
          if (c === OPEN_BRACE && (p = scanName(bytes, names, p)) === NOT_CANONICAL) return NOT_CANONICAL
          continue
        }
      } else {
        scalars += 1
        p = c === QUOTE ? scanText(bytes, view, p + 1, limit) : scanBare(bytes, view, p, limit)
        if (p === NOT_CANONICAL) return NOT_CANONICAL
        if (p < 0) {
          isAscii = false
          p = ~p
        }
      }
      for (;;) {
        if (depth === 1) this.valueEnds[names.size - 1] = p
        c = bytes[p]
        p = (p + 1) | 0
        if (c === COMMA) {
          if (closers[depth] === CLOSE_BRACE && (p = scanName(bytes, names, p)) === NOT_CANONICAL) return NOT_CANONICAL
          continue value
        }
        if (c !== closers[depth]) return NOT_CANONICAL
        depth -= 1
        if (depth === 0) break value
        if (c === CLOSE_BRACE) names.close()
      }
    }
    this.isAscii = isAscii && names.isAscii
    this.scalars = scalars
    // the names of the outermost object are never closed
    this.memberCount = names.size
    return p
  }
}

/** Reads a name and its colon. Returns the position of the value, or 0. */
function scanName(bytes: Uint8Array, names: NameStack, at: number): number {
  const start = (at + 1) | 0
  if (bytes[at] !== QUOTE) return NOT_CANONICAL
  let p = start
  let c = bytes[p]
  // JavaScript moves integer names to the front
  if (c >= ZERO && c <= NINE) return NOT_CANONICAL
  let hash = 0
  let seen = 0
  while (c !== QUOTE) {
    // the comparison is also false for undefined, which is read beyond the end
    if (!(c >= SPACE) || c === BACKSLASH) return NOT_CANONICAL
    seen |= c
    hash = (Math.imul(hash, 31) + c) | 0
    p = (p + 1) | 0
    c = bytes[p]
  }
  if (bytes[p + 1] !== COLON || !names.add(bytes, start, p - start, hash)) return NOT_CANONICAL
  if (seen >= BEYOND_ASCII) names.isAscii = false
  return (p + 2) | 0
}

const TRUE = 0x65757274
const FALS = 0x736c6166
const NULL = 0x6c6c756e
const SMALL_E = 0x65

/** Reads a number, true, false or null. */
function scanBare(bytes: Buffer, view: DataView, at: number, limit: number): number {
  const c = bytes[at]
  return c === MINUS || (c >= ZERO && c <= NINE) ? scanNumber(bytes, at) : scanWord(bytes, view, at, limit)
}

function scanWord(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  if (at + 4 > limit) return NOT_CANONICAL
  const word = view.getInt32(at, true)
  if (word === TRUE || word === NULL) return at + 4
  return word === FALS && bytes[at + 4] === SMALL_E ? at + 5 : NOT_CANONICAL
}

const MAX_NAMES = 64
const MAX_OPEN_NAMES = 1024
const MAX_OBJECTS = 129

/** The property names of the objects that are not closed yet, innermost last. Detects repeated names. */
class NameStack {
  readonly starts: Int32Array = new Int32Array(MAX_OPEN_NAMES)
  readonly lengths: Int32Array = new Int32Array(MAX_OPEN_NAMES)
  /** Number of names. */
  size = 0
  /** Set to false by the scanner when it adds a name with characters beyond ASCII. */
  isAscii = true
  readonly #hashes = new Int32Array(MAX_OPEN_NAMES)
  // for each outer object: the start of its names, and a bit mask of their hashes
  readonly #bases = new Int32Array(MAX_OBJECTS)
  readonly #masks = new Int32Array(MAX_OBJECTS)
  #depth = 0
  #base = 0
  #mask = 0

  /** Removes all names. */
  clear(): void {
    this.size = 0
    this.isAscii = true
    this.#depth = 0
    this.#base = 0
    this.#mask = 0
  }

  /** Begins an object. */
  open(): void {
    this.#bases[this.#depth] = this.#base
    this.#masks[this.#depth] = this.#mask
    this.#depth += 1
    this.#base = this.size
    this.#mask = 0
  }

  /** Ends the innermost object. */
  close(): void {
    this.size = this.#base
    this.#depth -= 1
    this.#base = this.#bases[this.#depth]
    this.#mask = this.#masks[this.#depth]
  }

  /** Adds a name to the innermost object; false when the object has that name already, or the stack is full. */
  add(bytes: Uint8Array, start: number, length: number, hash: number): boolean {
    const at = this.size
    if (at === MAX_OPEN_NAMES || at - this.#base === MAX_NAMES) return false
    const bit = 1 << ((hash ^ (hash >>> 15)) & 31)
    if ((this.#mask & bit) !== 0 && this.#holds(bytes, start, length, hash)) return false
    this.#mask |= bit
    this.starts[at] = start
    this.lengths[at] = length
    this.#hashes[at] = hash
    this.size = at + 1
    return true
  }

  #holds(bytes: Uint8Array, start: number, length: number, hash: number): boolean {
    for (let at = this.#base; at < this.size; at++) {
      if (this.#hashes[at] === hash && this.lengths[at] === length && isSame(bytes, this.starts[at], start, length))
        return true
    }
    return false
  }
}

function isSame(bytes: Uint8Array, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[one + i] !== bytes[other + i]) return false
  return true
}

/**
 * Reads a JSON string after its opening quote. Returns the position after the closing quote, as its complement
 * (`~position`) when a byte is beyond ASCII; 0 for a string with a control, or with an escape that JSON.stringify would
 * not write.
 */
export function scanText(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastWord = (limit - 4) | 0
  let p = at | 0
  let isAscii = true
  for (;;) {
    while (p <= lastWord) {
      const word = view.getInt32(p, true)
      // sets the highest bit of each byte that is a control, a quote, a backslash or beyond ASCII; exact up to the
      // first such byte
      const stops = (word | ((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & 0x80808080
      if (stops !== 0) {
        p = (p + ((31 - Math.clz32(stops & -stops)) >> 3)) | 0
        break
      }
      p = (p + 4) | 0
    }
    const c = bytes[p]
    if (c === QUOTE) return isAscii ? (p + 1) | 0 : ~(p + 1)
    if (c === BACKSLASH) {
      if (SHORT_ESCAPES[bytes[p + 1]] !== 1) return NOT_CANONICAL
      p = (p + 2) | 0
    } else if (c >= BEYOND_ASCII) {
      isAscii = false
      p = (p + 1) | 0
      while (bytes[p] >= BEYOND_ASCII) p = (p + 1) | 0
    } else if (c >= SPACE) p = (p + 1) | 0
    else return NOT_CANONICAL
  }
}

// `\/` and `\u0041` are valid JSON, but JSON.stringify does not write them
const SHORT_ESCAPES = new Uint8Array(256)
for (const kind of Buffer.from('"\\bfnrt')) SHORT_ESCAPES[kind] = 1
