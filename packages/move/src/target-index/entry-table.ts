/**
 * Table in memory from hashes to places of entries in files: 8 bytes for an entry, at most a third of the slots empty.
 * It holds 40 bits of a hash, so an entry that it returns may be that of another hash.
 */
export class EntryTable {
  readonly #parts: Part[] = Array.from({ length: 256 }, () => new Part())

  /** Places of the entries with this hash, a string of bytes. */
  placesOf(hash: string): readonly number[] {
    return this.#partOf(hash).placesOf(tagOf(hash))
  }

  /** `place`: a number from 2 to 2^32 - 1. */
  insert(hash: string, place: number): void {
    this.#partOf(hash).insert(tagOf(hash), place)
  }

  /** Moves an entry, and returns false if there is none at this place. */
  move(hash: string, from: number, to: number): boolean {
    return this.#partOf(hash).replace(tagOf(hash), from, to)
  }

  remove(hash: string, place: number): void {
    if (this.#partOf(hash).replace(tagOf(hash), place, REMOVED)) this.#partOf(hash).live--
  }

  /** Number of entries. */
  get size(): number {
    return this.#parts.reduce((sum, { live }) => sum + live, 0)
  }

  #partOf(hash: string): Part {
    return this.#parts[hash.charCodeAt(0)]
  }
}

function tagOf(hash: string): number {
  return (
    ((hash.charCodeAt(1) << 24) | (hash.charCodeAt(2) << 16) | (hash.charCodeAt(3) << 8) | hash.charCodeAt(4)) >>> 0
  )
}

const NONE: readonly number[] = []
const EMPTY = 0
const REMOVED = 1
const MAX_LOAD = 0.9
const MIN_LOAD = 0.7
const MIN_SLOTS = 16

/** Open addressing with pairs of tag and place. Small parts that grow one by one take no second copy of the table. */
class Part {
  live = 0
  /** Slots that are not empty. */
  #used = 0
  #slots = MIN_SLOTS
  #pairs: Uint32Array = new Uint32Array(2 * MIN_SLOTS)

  placesOf(tag: number): readonly number[] {
    const pairs = this.#pairs
    let found: number[] | undefined
    for (let at = this.#first(tag); pairs[at + 1] !== EMPTY; at = this.#after(at)) {
      if (pairs[at] === tag && pairs[at + 1] !== REMOVED) (found ??= []).push(pairs[at + 1])
    }
    return found ?? NONE
  }

  insert(tag: number, place: number): void {
    if (this.#used >= this.#slots * MAX_LOAD - 1) this.#grow()
    this.#put(tag, place)
    this.live++
  }

  replace(tag: number, from: number, to: number): boolean {
    const pairs = this.#pairs
    for (let at = this.#first(tag); pairs[at + 1] !== EMPTY; at = this.#after(at)) {
      if (pairs[at] !== tag || pairs[at + 1] !== from) continue
      pairs[at + 1] = to
      return true
    }
    return false
  }

  #put(tag: number, place: number): void {
    let at = this.#first(tag)
    while (this.#pairs[at + 1] !== EMPTY) at = this.#after(at)
    this.#pairs[at] = tag
    this.#pairs[at + 1] = place
    this.#used++
  }

  #grow(): void {
    const before = this.#pairs
    this.#slots = Math.max(MIN_SLOTS, Math.ceil((this.live + 1) / MIN_LOAD))
    this.#pairs = new Uint32Array(2 * this.#slots)
    this.#used = 0
    for (let at = 0; at < before.length; at += 2) if (before[at + 1] > REMOVED) this.#put(before[at], before[at + 1])
  }

  #first(tag: number): number {
    return 2 * Math.floor((tag / 0x1_0000_0000) * this.#slots)
  }

  #after(at: number): number {
    return at + 2 === 2 * this.#slots ? 0 : at + 2
  }
}
