import { INVALID, ScalarReader } from '../json/json-scalars.ts'
import { HashState } from './hash-state.ts'

const QUOTE = 0x22
const NINE = 0x39

const NAME_SEED = 0x4a3e5eed

// kinds of values, and where the hashes of documents and arrays begin
export const OBJECT = 1
export const ARRAY = 2
export const STRING = 3
export const NUMBER = 4
export const TRUE = 5
export const FALSE = 6
export const NULL = 7
export const DOCUMENT_SEED = 0x2d0c5eed
export const ARRAY_SEED = 0x0a44a45d

/** Hashes names of members, and values that are no object or array, from the bytes of JSON. */
export class ValueHash {
  readonly hash: HashState = new HashState()
  readonly #scalars = new ScalarReader()
  readonly #double = new DataView(new ArrayBuffer(8))

  /** Begins the hash of a member with its name, as `readName` does. */
  beginText(name: string): HashState {
    this.#scalars.decodeText(name)
    return this.#beginDecoded()
  }

  /** Begins the hash of a member with the name after the quote at `at`. Gives the position of the quote after it. */
  readName(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
    const end = this.#scalars.endOfString(bytes, view, at + 1, limit)
    if (end < 0) return INVALID
    if (this.#scalars.hasEscapes) {
      this.#scalars.decode(bytes, at + 1, end)
      this.#beginDecoded()
    } else {
      this.hash.begin(NAME_SEED, end - at - 1)
      this.hash.bytes(view, at + 1, end)
    }
    return end
  }

  /** Ends the hash with the value at `at`, whose byte is `first`, and gives the position after it. */
  readScalar(bytes: Uint8Array, view: DataView, at: number, limit: number, first: number): number {
    if (first === QUOTE) return this.#string(bytes, view, at + 1, limit)
    const { hash } = this
    if (first <= NINE) {
      const end = this.#scalars.endOfNumber(bytes, at, limit)
      this.#double.setFloat64(0, this.#scalars.number, true)
      hash.block(this.#double.getInt32(0, true), this.#double.getInt32(4, true), 0, 0)
      hash.finish(NUMBER, 8)
      return end
    }
    if (isWord(bytes, at, 'true')) return this.#word(TRUE, at + 4)
    if (isWord(bytes, at, 'false')) return this.#word(FALSE, at + 5)
    return isWord(bytes, at, 'null') ? this.#word(NULL, at + 4) : INVALID
  }

  /** Position after the string that begins at `at`, without a hash. */
  skipString(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
    const end = this.#scalars.endOfString(bytes, view, at + 1, limit)
    return end < 0 ? INVALID : end + 1
  }

  #beginDecoded(): HashState {
    const { decoded, decodedLength } = this.#scalars
    this.hash.begin(NAME_SEED, decodedLength)
    this.hash.bytes(decoded, 0, decodedLength)
    return this.hash
  }

  #word(kind: number, end: number): number {
    this.hash.finish(kind, 0)
    return end
  }

  #string(bytes: Uint8Array, view: DataView, start: number, limit: number): number {
    const scalars = this.#scalars
    const end = scalars.endOfString(bytes, view, start, limit)
    if (end < 0) return INVALID
    if (scalars.hasEscapes) {
      scalars.decode(bytes, start, end)
      this.hash.bytes(scalars.decoded, 0, scalars.decodedLength)
      this.hash.finish(STRING, scalars.decodedLength)
    } else {
      this.hash.bytes(view, start, end)
      this.hash.finish(STRING, end - start)
    }
    return end + 1
  }
}

function isWord(bytes: Uint8Array, at: number, word: string): boolean {
  for (let each = 0; each < word.length; each++) if (bytes[at + each] !== word.charCodeAt(each)) return false
  return true
}
