import { NameStack } from './name-stack.ts'
import { scanNumber } from './scan-number.ts'
import { scanText } from './scan-text.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
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
/** From an opening brace or bracket to the one that closes it. */
const TO_CLOSER = 2

// documents may be nested this deep
const MAX_DEPTH = 128

/**
 * Tells of the JSON text of an object whether it is canonical: exactly what `JSON.stringify(JSON.parse(text))` gives. It says so only when
 * that is certain; what is unusual it leaves to JSON.parse, valid or not. What it found stands in its properties until the next scan.
 */
export class CanonicalScanner {
  isAscii = true
  /** Strings, numbers, booleans and nulls, at any depth. */
  scalars = 0
  /** The members of the object itself; the value of one begins two bytes behind its name. */
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

  /** Reads an object of valid UTF-8 at `at`. Gives the position behind it, or 0 when it is not certain. `view` covers the same bytes as `bytes`. */
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
    // the names of the object itself were not closed: they are still there
    this.memberCount = names.size
    return p
  }
}

/** Reads a name and its colon. Gives the position of the value, or 0. */
function scanName(bytes: Uint8Array, names: NameStack, at: number): number {
  const start = (at + 1) | 0
  if (bytes[at] !== QUOTE) return NOT_CANONICAL
  let p = start
  let c = bytes[p]
  // JavaScript moves names that are whole numbers to the front
  if (c >= ZERO && c <= NINE) return NOT_CANONICAL
  let hash = 0
  let seen = 0
  while (c !== QUOTE) {
    // also false for undefined, which stands behind the end
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

/** Reads a number or a word. */
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
