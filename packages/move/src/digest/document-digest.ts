import type { Words128 } from './hash-state.ts'
import { compileLeftOut, type LeftOutPath } from './left-out-paths.ts'
import { INVALID, skipSpace } from '../json/json-scalars.ts'
import { MemberSet } from './member-set.ts'
import { LayoutDigest } from './layout-digest.ts'
import { DOCUMENT, NameLayouts, NO_LAYOUT } from './name-layouts.ts'
import { OpenLevels } from './open-levels.ts'
import { ARRAY, ARRAY_SEED, DOCUMENT_SEED, OBJECT, ValueHash } from './value-hash.ts'

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
export function createDocumentDigest(options: DigestOptions = {}): DocumentDigest {
  const scan = new DigestScan(options)
  return (bytes, start, end, into) => scan.run(bytes, start, end, into)
}

const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22

const LEFT_OUT = 8

const MAX_FITTING = 64
/** Documents that are scanned without a layout after one that has none. */
const MISFIT = 4

/**
 * Scans one document after the other. The hash of a member begins with its name and goes on with its value; the hash of
 * an object has the sum of its members, so that their order does not matter. The hash of an element begins with the one
 * of the element before it. Keeps a reference to the last bytes.
 */
export class DigestScan {
  readonly #values = new ValueHash()
  readonly #hash = this.#values.hash
  readonly #members = new MemberSet()
  readonly #root: LeftOutPath
  #bytes: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(this.#bytes.buffer)
  #limit = 0

  readonly #open = new OpenLevels()
  #level = -1

  readonly #layouts = new NameLayouts()
  readonly #follower = new LayoutDigest(this.#layouts, this.#values)
  /** Above 0 after documents that followed a layout, below 0 after others. */
  #fitting = 0

  /** `watched`: up to three members of the document whose positions `follow` finds. */
  constructor({ leaveOut = [], leaveOutTtl = false }: DigestOptions, watched: readonly string[] = []) {
    const pointers = leaveOutTtl ? [...leaveOut, '/ttl'] : leaveOut
    this.#root = compileLeftOut(pointers, (name) => this.#values.beginText(name), watched)
  }

  /** At 2n and 2n + 1: begin and end of the value of the watched member n, from 1 on; ABSENT if there is none. */
  get found(): Int32Array {
    return this.#follower.found
  }

  /**
   * Writes the digest of the document that begins at `start`, and returns the position after it, if its names are those
   * of an earlier one. Otherwise INVALID: then `run` tells whether it is valid.
   */
  follow(bytes: Uint8Array, start: number, limit: number, into: Int32Array, at: number): number {
    if (this.#fitting < 0) return INVALID
    this.#use(bytes)
    const after = this.#follower.run(bytes, this.#view, start, limit)
    if (after < 0 || after > limit) return INVALID
    if (this.#fitting < MAX_FITTING) this.#fitting++
    this.#hash.save(into, at)
    return after
  }

  run(bytes: Uint8Array, start: number, end: number, into: Words128): boolean {
    this.#use(bytes)
    this.#limit = end
    const first = skipSpace(bytes, start)
    if (bytes[first] !== OPEN_BRACE) return false
    const after = this.#scanDocument(bytes, first)
    if (after < 0 || after > end || (after < end && skipSpace(bytes, after) < end)) return false
    this.#hash.save(into, 0)
    return true
  }

  #use(bytes: Uint8Array): void {
    if (this.#bytes === bytes) return
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Follows a layout if there is one, and otherwise learns that of the document. */
  #scanDocument(bytes: Uint8Array, first: number): number {
    const triesLayout = this.#fitting >= 0
    if (triesLayout) {
      const after = this.#follower.run(bytes, this.#view, first, this.#limit)
      if (after >= 0) {
        if (this.#fitting < MAX_FITTING) this.#fitting++
        return after
      }
    }
    // documents without common layouts must not all be scanned twice
    this.#fitting = triesLayout ? this.#fitting - MISFIT : this.#fitting + 1
    this.#layouts.resetIfFull()
    this.#members.clear()
    this.#level = -1
    this.#open.places[0] = this.#root
    this.#hash.begin(DOCUMENT_SEED, 0)
    return this.#scan(bytes, first)
  }

  /** Reads the value at `start`, and gives the position after it, or INVALID. Its hash is then in `#hash`. */
  #scan(bytes: Uint8Array, start: number): number {
    let at = start | 0
    for (;;) {
      const first = bytes[at]
      if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        const kind = first === OPEN_BRACE ? OBJECT : ARRAY
        this.#openValue(kind)
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

  #openValue(kind: number): void {
    const open = this.#open
    const level = ++this.#level
    const outer = level === 0 ? NO_LAYOUT : open.layouts[level - 1]
    if (kind === OBJECT) {
      open.openObject(level, OBJECT, this.#members.addObject())
      if (level === 0) open.layouts[0] = DOCUMENT
      else open.layouts[level] = outer === NO_LAYOUT ? NO_LAYOUT : this.#layouts.inside(outer)
    } else {
      open.openArray(level, ARRAY, ARRAY_SEED)
      open.layouts[level] = outer
    }
  }

  /** Reads a name and its colon. Gives the position of the value. */
  #beginMember(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== QUOTE) return INVALID
    const end = this.#values.readName(bytes, this.#view, at, this.#limit)
    if (end < 0) return INVALID
    const { layouts, heads, places } = this.#open
    const level = this.#level
    const layout = layouts[level]
    if (layout !== NO_LAYOUT) layouts[level] = this.#layouts.learn(this.#view, at + 1, end, layout, this.#hash.words)
    this.#hash.save(heads, level * 4)
    places[level + 1] = places[level]?.member(heads, level * 4)
    const colon = skipSpace(bytes, end + 1)
    return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : INVALID
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
    // system properties are a large part of a small document
    if (first === QUOTE && this.#open.places[this.#level + 1]?.isLeftOut === true)
      return this.#values.skipString(bytes, this.#view, at, this.#limit)
    return this.#values.readScalar(bytes, this.#view, at, this.#limit, first)
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
      // of the same names in another object, some may be left out and others not
      else if (level > 0) this.#open.layouts[level] = NO_LAYOUT
      else this.#confirm(level)
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
    const { sums } = this.#open
    const at = level * 4
    const object = this.#open.objects[level]
    const entry = members.place(object, this.#open.heads, at)
    if (members.isNew(entry)) this.#confirm(level)
    else {
      this.#open.layouts[level] = NO_LAYOUT
      if (members.counts(entry)) {
        for (let word = 0; word < 4; word++) sums[at + word] -= members.wordOf(entry, word)
        this.#open.counts[level]--
      }
    }
    members.set(entry, object, this.#open.heads, at, counts, this.#hash.words)
    if (counts) this.#addToSum(level)
  }

  #confirm(level: number): void {
    const layout = this.#open.layouts[level]
    if (layout === NO_LAYOUT) return
    const place = this.#open.places[level + 1]
    this.#layouts.confirm(layout, place)
  }

  #addToSum(level: number): void {
    const { words } = this.#hash
    const { sums } = this.#open
    const at = level * 4
    sums[at] += words[0]
    sums[at + 1] += words[1]
    sums[at + 2] += words[2]
    sums[at + 3] += words[3]
    this.#open.counts[level]++
  }
}
