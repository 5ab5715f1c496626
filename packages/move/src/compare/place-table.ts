import type { Words128 } from '../digest/hash-state.ts'
import { type Identity, identityText, parseIdentityText } from '../documents/identity.ts'

// words of an entry
const IDENTITY = 0
const CONTENT = 4
const TEXT_AT = 8
const TEXT_LENGTH = 9
const STRIDE = 10

const MIN_SLOTS = 256
const MAX_LOAD = 0.7
/** Bytes of the text of a place, as a first guess. */
const TEXT_BYTES = 48

/**
 * The latest versions of documents of one container, by identity and place: 40 bytes and the text of the place for each,
 * so that a comparison can open many documents.
 */
export class PlaceTable {
  #slots: number
  #entries: Int32Array
  #size = 0
  #texts: Uint8Array
  #textEnd = 1

  /** `expected`: number of documents for which memory is reserved. */
  constructor(expected: number) {
    this.#slots = Math.max(MIN_SLOTS, Math.ceil(expected / MAX_LOAD) + 1)
    this.#entries = new Int32Array(this.#slots * STRIDE)
    this.#texts = new Uint8Array(Math.max(1024, expected * TEXT_BYTES))
  }

  get size(): number {
    return this.#size
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#entries.byteLength + this.#texts.byteLength
  }

  /** Adds a version, which replaces an earlier one with the same identity and place. */
  put(identity: Words128, place: Identity, content: Words128): void {
    const text = encoder.encode(identityText(place))
    let slot = this.first(identity, 0)
    while (slot >= 0 && !this.#hasText(slot, text)) slot = this.next(slot)
    if (slot < 0) slot = this.#add(identity, text)
    this.#entries.set(content, slot * STRIDE + CONTENT)
  }

  /** First entry of an identity, whose words begin at `at`; -1 if there is none. */
  first(words: Words128, at: number): number {
    return this.#find(homeOf(words, at, this.#slots), words, at)
  }

  /** Next entry with the same identity; -1 if there is none. */
  next(slot: number): number {
    return this.#find(slot + 1 === this.#slots ? 0 : slot + 1, this.#entries, slot * STRIDE + IDENTITY)
  }

  /** Calls `onIdentity` once for each identity, with its first entry. */
  forEach(onIdentity: (slot: number) => void): void {
    for (let slot = 0; slot < this.#slots; slot++)
      if (this.#isUsed(slot) && this.first(this.#entries, slot * STRIDE + IDENTITY) === slot) onIdentity(slot)
  }

  /** The words of all entries; those of the identity of an entry begin at `identityAt`. */
  get words(): Words128 {
    return this.#entries
  }

  identityAt(slot: number): number {
    return slot * STRIDE + IDENTITY
  }

  hasSameContent(slot: number, other: PlaceTable, otherSlot: number): boolean {
    const [one, two] = [slot * STRIDE + CONTENT, otherSlot * STRIDE + CONTENT]
    const [entries, others] = [this.#entries, other.#entries]
    for (let word = 0; word < 4; word++) if (entries[one + word] !== others[two + word]) return false
    return true
  }

  placeOf(slot: number): Identity {
    const at = this.#entries[slot * STRIDE + TEXT_AT]
    const bytes = this.#texts.subarray(at, at + this.#entries[slot * STRIDE + TEXT_LENGTH])
    return parseIdentityText(decoder.decode(bytes))
  }

  #find(from: number, words: Words128, at: number): number {
    const entries = this.#entries
    for (let slot = from; ; slot = slot + 1 === this.#slots ? 0 : slot + 1) {
      if (!this.#isUsed(slot)) return -1
      const entry = slot * STRIDE + IDENTITY
      const isSame =
        entries[entry] === words[at] &&
        entries[entry + 1] === words[at + 1] &&
        entries[entry + 2] === words[at + 2] &&
        entries[entry + 3] === words[at + 3]
      if (isSame) return slot
    }
  }

  #isUsed(slot: number): boolean {
    return this.#entries[slot * STRIDE + TEXT_AT] !== 0
  }

  #hasText(slot: number, text: Uint8Array): boolean {
    const at = this.#entries[slot * STRIDE + TEXT_AT]
    if (this.#entries[slot * STRIDE + TEXT_LENGTH] !== text.length) return false
    for (let each = 0; each < text.length; each++) if (this.#texts[at + each] !== text[each]) return false
    return true
  }

  #add(identity: Words128, text: Uint8Array): number {
    if (this.#size + 1 > this.#slots * MAX_LOAD) this.#grow()
    if (this.#textEnd + text.length > this.#texts.length) {
      const texts = new Uint8Array(Math.max(this.#texts.length * 1.5, this.#textEnd + text.length))
      texts.set(this.#texts)
      this.#texts = texts
    }
    this.#texts.set(text, this.#textEnd)
    const slot = this.#unused(identity, 0)
    this.#entries.set(identity, slot * STRIDE + IDENTITY)
    this.#entries[slot * STRIDE + TEXT_AT] = this.#textEnd
    this.#entries[slot * STRIDE + TEXT_LENGTH] = text.length
    this.#textEnd += text.length
    this.#size++
    return slot
  }

  #unused(words: Words128, at: number): number {
    let slot = homeOf(words, at, this.#slots)
    while (this.#isUsed(slot)) slot = slot + 1 === this.#slots ? 0 : slot + 1
    return slot
  }

  #grow(): void {
    const old = this.#entries
    this.#slots = Math.ceil(this.#slots * 1.5)
    this.#entries = new Int32Array(this.#slots * STRIDE)
    for (let from = 0; from < old.length; from += STRIDE) {
      if (old[from + TEXT_AT] === 0) continue
      this.#entries.set(old.subarray(from, from + STRIDE), this.#unused(old, from + IDENTITY) * STRIDE)
    }
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The first words decide about the bucket, so the place in the table follows from another one. */
function homeOf(words: Words128, at: number, slots: number): number {
  return (words[at + 2] >>> 0) % slots
}
