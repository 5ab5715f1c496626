import type { Words128 } from './hash-state.ts'

/** Words of one entry: object, name, whether it counts, hash of the member. */
const STRIDE = 10
const OBJECT = 0
const NAME = 1
const COUNTS = 5
const HASH = 6

const FIRST_SLOTS = 256
/** Takes 650 KB: enough for all but huge documents. */
const MAX_KEPT_SLOTS = 16_384

/**
 * The members of the objects of one document, by object and by hash of their names, to find names that occur twice. It
 * keeps its memory for the next document: objects have numbers that no earlier document had.
 */
export class MemberSet {
  #slots = FIRST_SLOTS
  #entries = new Int32Array(FIRST_SLOTS * STRIDE)
  #first = 1
  #next = 1
  #size = 0

  /** Forgets all members. */
  clear(): void {
    if (this.#slots > MAX_KEPT_SLOTS || this.#next > MAX_OBJECTS) this.#reset()
    this.#first = this.#next
    this.#size = 0
  }

  /** Number for an object of this document. */
  addObject(): number {
    return this.#next++
  }

  /**
   * Finds the member, or an unused place for it, which `set` has to fill. The result is valid until the next call.
   * `isNew` tells which of both.
   */
  place(object: number, names: Words128, at: number): number {
    if (this.#size * 2 >= this.#slots) this.#grow()
    const entries = this.#entries
    const mask = this.#slots - 1
    let slot = slotOf(object, names[at], names[at + 1], names[at + 2], names[at + 3]) & mask
    for (;;) {
      const entry = slot * STRIDE
      const owner = entries[entry + OBJECT]
      if (owner < this.#first) return entry
      const isSame =
        owner === object &&
        entries[entry + NAME] === names[at] &&
        entries[entry + NAME + 1] === names[at + 1] &&
        entries[entry + NAME + 2] === names[at + 2] &&
        entries[entry + NAME + 3] === names[at + 3]
      if (isSame) return entry
      slot = (slot + 1) & mask
    }
  }

  isNew(entry: number): boolean {
    return this.#entries[entry + OBJECT] < this.#first
  }

  /** Whether the member at an entry counts: an object that has only members that are left out does not count. */
  counts(entry: number): boolean {
    return this.#entries[entry + COUNTS] !== 0
  }

  set(entry: number, object: number, names: Words128, at: number, counts: boolean, hash: Words128): void {
    const entries = this.#entries
    if (entries[entry + OBJECT] < this.#first) this.#size++
    entries[entry + OBJECT] = object
    for (let word = 0; word < 4; word++) {
      entries[entry + NAME + word] = names[at + word]
      entries[entry + HASH + word] = hash[word]
    }
    entries[entry + COUNTS] = counts ? 1 : 0
  }

  /** One word of the hash of a member. */
  wordOf(entry: number, word: number): number {
    return this.#entries[entry + HASH + word]
  }

  /** One huge document must not keep its memory, and numbers of objects must stay below 2^31. */
  #reset(): void {
    this.#slots = FIRST_SLOTS
    this.#entries = new Int32Array(FIRST_SLOTS * STRIDE)
    this.#next = 1
  }

  #grow(): void {
    const old = this.#entries
    this.#slots *= 2
    const mask = this.#slots - 1
    const entries = (this.#entries = new Int32Array(this.#slots * STRIDE))
    for (let from = 0; from < old.length; from += STRIDE) {
      if (old[from + OBJECT] < this.#first) continue
      const name = from + NAME
      let slot = slotOf(old[from + OBJECT], old[name], old[name + 1], old[name + 2], old[name + 3]) & mask
      while (entries[slot * STRIDE + OBJECT] >= this.#first) slot = (slot + 1) & mask
      entries.set(old.subarray(from, from + STRIDE), slot * STRIDE)
    }
  }
}

const MAX_OBJECTS = 2 ** 30

function slotOf(object: number, one: number, two: number, three: number, four: number): number {
  const mixed = Math.imul(one ^ Math.imul(two, 0x85ebca6b) ^ (three + four) ^ Math.imul(object, 0xc2b2ae35), 0x9e3779b1)
  return mixed >>> 8
}
