import { HashState, type Words128 } from './hash-state.ts'
import { compileLeftOut, type LeftOutPath } from './left-out-paths.ts'
import { INVALID, ScalarReader } from '../json/json-scalars.ts'
import { MemberSet } from './member-set.ts'
import { OpenLevels } from './open-levels.ts'

/** Members that a digest leaves out, in addition to the properties that Cosmos DB adds to every document. */
export interface DigestOptions {
  /** JSON pointers. An object on the way to one of them does not count if it has no other members. */
  readonly leaveOut?: readonly string[]
  /** Whether to leave out the member `ttl` of the document. Default: false. */
  readonly leaveOutTtl?: boolean
}

/**
 * Writes the 128-bit digest of the document in `bytes[start, end)` into `into`. False if these are no JSON object. It
 * does not check that strings are valid UTF-8.
 */
export type DocumentDigest = (bytes: Uint8Array, start: number, end: number, into: Words128) => boolean

/**
 * Creates a digest of the content of documents. Equal for documents that differ only in the order of members, in
 * whitespace, in escapes of strings, or in the form of numbers, which are doubles (-0 is another one than 0). Of members
 * with the same name, the last one counts. It does not protect against documents that were made to have equal digests.
 */
export function createDocumentDigest({ leaveOut = [], leaveOutTtl = false }: DigestOptions = {}): DocumentDigest {
  const scan = new DigestScan(leaveOutTtl ? [...leaveOut, '/ttl'] : leaveOut)
  return (bytes, start, end, into) => scan.run(bytes, start, end, into)
}

const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22
const NINE = 0x39
const SPACE = 0x20

const DOCUMENT_SEED = 0x2d0c5eed
const NAME_SEED = 0x4a3e5eed
const ARRAY_SEED = 0x0a44a45d

const OBJECT = 1
const ARRAY = 2
const STRING = 3
const NUMBER = 4
const TRUE = 5
const FALSE = 6
const NULL = 7
const LEFT_OUT = 8

/**
 * Scans one document after the other. The hash of a member begins with its name and goes on with its value; the hash of
 * an object has the sum of its members, so that their order does not matter. The hash of an element begins with the one
 * of the element before it. Keeps a reference to the last bytes.
 */
class DigestScan {
  readonly #hash = new HashState()
  readonly #scalars = new ScalarReader()
  readonly #members = new MemberSet()
  readonly #root: LeftOutPath
  readonly #double = new DataView(new ArrayBuffer(8))
  #bytes: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(this.#bytes.buffer)
  #limit = 0

  readonly #open = new OpenLevels()
  #level = -1

  constructor(leaveOut: readonly string[]) {
    this.#root = compileLeftOut(leaveOut, (name) => {
      this.#scalars.decodeText(name)
      return this.#hashDecodedName()
    })
  }

  run(bytes: Uint8Array, start: number, end: number, into: Words128): boolean {
    if (this.#bytes !== bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.#limit = end
    this.#level = -1
    this.#members.clear()
    this.#open.places[0] = this.#root
    this.#hash.begin(DOCUMENT_SEED, 0)
    const first = skipSpace(bytes, start)
    if (bytes[first] !== OPEN_BRACE) return false
    const after = this.#scan(bytes, first)
    if (after < 0 || after > end || (after < end && skipSpace(bytes, after) < end)) return false
    this.#hash.save(into, 0)
    return true
  }

  /** Reads the value at `start`, and gives the position after it, or INVALID. Its hash is then in `#hash`. */
  #scan(bytes: Uint8Array, start: number): number {
    let at = start | 0
    for (;;) {
      const first = bytes[at]
      if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        const kind = first === OPEN_BRACE ? OBJECT : ARRAY
        if (kind === OBJECT) this.#open.openObject(++this.#level, OBJECT, this.#members.addObject())
        else this.#open.openArray(++this.#level, ARRAY, ARRAY_SEED)
        at = skipSpace(bytes, at + 1)
        if (bytes[at] !== (kind === OBJECT ? CLOSE_BRACE : CLOSE_BRACKET)) {
          at = kind === OBJECT ? this.#beginMember(bytes, at) : this.#beginElement(at)
          if (at < 0 || at >= this.#limit) return INVALID
          continue
        }
      } else {
        at = this.#scalar(bytes, at, first)
        if (at < 0 || this.#level < 0) return at
        this.#add(true)
        at = skipSpace(bytes, at)
      }
      // after a value inside of an object or array
      for (;;) {
        const isObject = this.#open.kinds[this.#level] === OBJECT
        const next = bytes[at]
        if (next === COMMA) {
          at = skipSpace(bytes, at + 1)
          at = isObject ? this.#beginMember(bytes, at) : this.#beginElement(at)
          break
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return INVALID
        const counts = this.#close()
        if (this.#level < 0) return at + 1
        this.#add(counts)
        at = skipSpace(bytes, at + 1)
      }
      if (at < 0 || at >= this.#limit) return INVALID
    }
  }

  /** Reads a name and its colon. Gives the position of the value. */
  #beginMember(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== QUOTE) return INVALID
    const end = this.#scalars.endOfString(bytes, this.#view, at + 1, this.#limit)
    if (end < 0) return INVALID
    const hash = this.#hash
    if (this.#scalars.hasEscapes) {
      if (!this.#scalars.decode(bytes, at + 1, end)) return INVALID
      this.#hashDecodedName()
    } else {
      hash.begin(NAME_SEED, end - at - 1)
      hash.bytes(this.#view, at + 1, end)
    }
    const level = this.#level
    hash.save(this.#open.heads, level * 4)
    const place = this.#open.places[level]
    this.#open.places[level + 1] = place === undefined ? undefined : place.member(this.#open.heads, level * 4)
    const colon = skipSpace(bytes, end + 1)
    return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : INVALID
  }

  #hashDecodedName(): HashState {
    const { decoded, decodedLength } = this.#scalars
    this.#hash.begin(NAME_SEED, decodedLength)
    this.#hash.bytes(decoded, 0, decodedLength)
    return this.#hash
  }

  #beginElement(at: number): number {
    const level = this.#level
    this.#hash.load(this.#open.heads, level * 4)
    const place = this.#open.places[level]
    const isListed = place !== undefined && place.hasChildren
    this.#open.places[level + 1] = isListed ? place.element(this.#open.counts[level]) : undefined
    return at
  }

  #scalar(bytes: Uint8Array, at: number, first: number): number {
    if (first === QUOTE) return this.#string(bytes, at + 1)
    const hash = this.#hash
    if (first <= NINE) {
      const end = this.#scalars.endOfNumber(bytes, at, this.#limit)
      this.#double.setFloat64(0, this.#scalars.number, true)
      hash.block(this.#double.getInt32(0, true), this.#double.getInt32(4, true), 0, 0)
      hash.finish(NUMBER, 8)
      return end
    }
    if (isWord(bytes, at, 'true')) return this.#word(TRUE, at + 4)
    if (isWord(bytes, at, 'false')) return this.#word(FALSE, at + 5)
    return isWord(bytes, at, 'null') ? this.#word(NULL, at + 4) : INVALID
  }

  #word(kind: number, end: number): number {
    this.#hash.finish(kind, 0)
    return end
  }

  #string(bytes: Uint8Array, start: number): number {
    const scalars = this.#scalars
    const end = scalars.endOfString(bytes, this.#view, start, this.#limit)
    if (end < 0) return INVALID
    if (scalars.hasEscapes && !scalars.decode(bytes, start, end)) return INVALID
    // system properties are a large part of a small document
    if (this.#open.places[this.#level + 1]?.isLeftOut === true) return end + 1
    if (scalars.hasEscapes) {
      this.#hash.bytes(scalars.decoded, 0, scalars.decodedLength)
      this.#hash.finish(STRING, scalars.decodedLength)
    } else {
      this.#hash.bytes(this.#view, start, end)
      this.#hash.finish(STRING, end - start)
    }
    return end + 1
  }

  /**
   * Closes the innermost object or array: its hash is then in `#hash`. False if it does not count, because it is on the
   * way to a place that is left out and has nothing else.
   */
  #close(): boolean {
    const level = this.#level--
    const at = level * 4
    const kind = this.#open.kinds[level]
    const count = this.#open.counts[level]
    const hash = this.#hash
    if (level === 0) hash.begin(DOCUMENT_SEED, 0)
    else hash.load(this.#open.heads, at - 4)
    const inside = kind === OBJECT ? this.#open.sums : this.#open.heads
    hash.block(inside[at], inside[at + 1], inside[at + 2], inside[at + 3])
    hash.finish(kind, count)
    return count > 0 || kind === ARRAY || this.#open.places[level]?.hasChildren !== true
  }

  /** Adds the value whose hash is in `#hash` to the innermost object or array. */
  #add(counts: boolean): void {
    const level = this.#level
    const isLeftOut = this.#open.places[level + 1]?.isLeftOut === true
    if (this.#open.kinds[level] === OBJECT) {
      if (!isLeftOut) this.#addMember(level, counts)
      return
    }
    if (isLeftOut) {
      // the elements after it keep their positions
      this.#hash.load(this.#open.heads, level * 4)
      this.#hash.finish(LEFT_OUT, 0)
    }
    this.#hash.save(this.#open.heads, level * 4)
    this.#open.counts[level]++
  }

  #addMember(level: number, counts: boolean): void {
    const members = this.#members
    const { words } = this.#hash
    const sums = this.#open.sums
    const at = level * 4
    const object = this.#open.objects[level]
    const entry = members.place(object, this.#open.heads, at)
    if (!members.isNew(entry) && members.counts(entry)) {
      for (let word = 0; word < 4; word++) sums[at + word] -= members.wordOf(entry, word)
      this.#open.counts[level]--
    }
    members.set(entry, object, this.#open.heads, at, counts, words)
    if (!counts) return
    sums[at] += words[0]
    sums[at + 1] += words[1]
    sums[at + 2] += words[2]
    sums[at + 3] += words[3]
    this.#open.counts[level]++
  }
}

function isWord(bytes: Uint8Array, at: number, word: string): boolean {
  for (let each = 0; each < word.length; each++) if (bytes[at + each] !== word.charCodeAt(each)) return false
  return true
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  let byte = bytes[at]
  while (byte <= SPACE && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09)) byte = bytes[++at]
  return at
}
