import { assertEvenLabels, notFound, SlicerV2, TRIES_PER_LABEL } from './even-labels.ts'

/**
 * Labels and hashes of keys with even labels, version 2, for plans with the same components and separator. The hash of a
 * key is known with its label, so no key has to be written. Caches the keys of at least one base and number of suffixes.
 */
export class EvenKeys {
  readonly #separator: string
  readonly #generationSize: number
  // two generations instead of an order by last use: a hit in the young generation costs a single lookup
  #young = new Generation()
  #old = new Generation()
  // several plans ask for the base of the same record
  #lastBase: string | undefined
  #last = NONE

  constructor(separator: string, maxKeys: number = MAX_KEYS) {
    this.#separator = separator
    this.#generationSize = (maxKeys / 2) * WORDS_OF_KEY
  }

  /** Writes the hash of the key of a base with `count` suffixes, by its slot: 1 to `count`. */
  writeHash(words: Int32Array, base: string, count: number, slot: number): void {
    const at = this.#find(base, count, slot)
    const keys = this.#young.words
    words[0] = words[2] = keys[at]
    words[1] = words[3] = keys[at + 1]
  }

  /** Number after the separator in the key of a base with `count` suffixes, by its slot: 1 to `count`. */
  labelOf(base: string, count: number, slot: number): number {
    const at = this.#find(base, count, slot)
    return this.#young.words[at + 2]
  }

  /** Returns where the words of a key are in the young generation. */
  #find(base: string, count: number, slot: number): number {
    if (base !== this.#lastBase) {
      this.#last = this.#young.bases.get(base) ?? this.#renew(base)
      this.#lastBase = base
    }
    let keys = this.#last
    while (keys !== NONE && this.#young.words[keys + COUNT] !== count) keys = this.#young.words[keys + NEXT]
    if (keys === NONE) keys = this.#add(base, count)
    const at = keys + FIRST_KEY + (slot - 1) * WORDS_OF_KEY
    if (this.#young.words[at] < 0) findKey(this.#young.words, keys, base + this.#separator, slot)
    return at
  }

  #add(base: string, count: number): number {
    assertEvenLabels(base, count, 2)
    const keys = this.#young.add(base, count, this.#last)
    this.#last = keys
    return keys
  }

  /** Returns the keys of a base that is not in the young generation; `NONE` if they are in neither. */
  #renew(base: string): number {
    if (this.#young.end >= this.#generationSize) {
      this.#old = this.#young
      this.#young = new Generation()
    }
    const { bases, words } = this.#old
    let renewed = NONE
    for (let keys = bases.get(base) ?? NONE; keys !== NONE; keys = words[keys + NEXT])
      renewed = this.#young.copy(base, words, keys, renewed)
    return renewed
  }
}

/**
 * Keys of many bases, in one array: an array for each base would take several times the memory. The keys of a base with
 * a number of suffixes are that number, the number of labels that were tried, where the same base has keys with another
 * number of suffixes, and for each slot three words: two words of the hash, as `writeHashWords` writes them, and the
 * label. The first word is negative if no label was found for the slot.
 */
class Generation {
  readonly bases = new Map<string, number>()
  words = new Int32Array(FIRST_WORDS)
  /** Number of words in use. */
  end = 0

  /** Adds the slots of a base; no key is known yet. `next`: keys of the base with another number of suffixes. */
  add(base: string, count: number, next: number): number {
    const keys = this.#reserve(base, FIRST_KEY + count * WORDS_OF_KEY)
    const { words } = this
    words[keys + COUNT] = count
    words[keys + TRIED] = 0
    words[keys + NEXT] = next
    words.fill(-1, keys + FIRST_KEY, this.end)
    return keys
  }

  /** Copies the keys of a base from another generation. */
  copy(base: string, from: Int32Array, at: number, next: number): number {
    const length = FIRST_KEY + from[at + COUNT] * WORDS_OF_KEY
    const keys = this.#reserve(base, length)
    this.words.set(from.subarray(at, at + length), keys)
    this.words[keys + NEXT] = next
    return keys
  }

  #reserve(base: string, length: number): number {
    const keys = this.end
    this.end += length
    if (this.end > this.words.length) {
      const words = new Int32Array(Math.max(this.end, 2 * this.words.length))
      words.set(this.words)
      this.words = words
    }
    this.bases.set(base, keys)
    return keys
  }
}

const NONE = -1
const COUNT = 0
const TRIED = 1
const NEXT = 2
const FIRST_KEY = 3
const WORDS_OF_KEY = 3
const FIRST_WORDS = 1024

/** Takes about twelve megabytes, with twelve bytes for each key. */
const MAX_KEYS = 1_000_000

/**
 * Tries labels until the key in this slot has one. Most bases of a sample need few of their slots, which takes fewer
 * tries than all of them. `at`: where the keys of the base are in `words`.
 */
function findKey(words: Int32Array, at: number, prefix: string, slot: number): void {
  const count = words[at + COUNT]
  slicer.start(prefix, count)
  for (let number = words[at + TRIED] + 1; number <= count * TRIES_PER_LABEL; number++) {
    const found = slicer.sliceOf(number)
    const key = at + FIRST_KEY + (found - 1) * WORDS_OF_KEY
    if (words[key] >= 0) continue
    words[key] = slicer.hash[2] & 0x3fff_ffff
    words[key + 1] = slicer.hash[3]
    words[key + 2] = number
    if (found !== slot) continue
    words[at + TRIED] = number
    return
  }
  throw notFound(1, count)
}

const slicer = new SlicerV2()
