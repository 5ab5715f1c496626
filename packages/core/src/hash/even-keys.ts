import { assertEvenLabels, notFound, slicerV2, TRIES_PER_LABEL } from './even-labels.ts'

/**
 * Keys of one base with even labels: two words of the hash of each slot, as `writeHashWords` writes them, then the label
 * of each slot, then the number of labels that were tried. A negative word: no label was found for the slot.
 */
export type KeysOfBase = Int32Array

/**
 * Labels and hashes of keys with even labels, version 2, for plans with the same components and separator. The hash of a
 * key is known with its label, so no key has to be written. Caches the keys of at least one base and number of suffixes.
 */
export class EvenKeys {
  readonly #separator: string
  readonly #generationSize: number
  // two generations instead of an order by last use: a hit in the young generation costs a single lookup
  #young = new Map<string, KeysOfBase[]>()
  #old = new Map<string, KeysOfBase[]>()
  #size = 0
  // several plans ask for the base of the same record
  #lastBase: string | undefined
  #last: KeysOfBase[] = []

  constructor(separator: string, maxKeys: number = MAX_KEYS) {
    this.#separator = separator
    this.#generationSize = maxKeys / 2
  }

  /** Writes the hash of the key of a base with `count` suffixes, by its slot: 1 to `count`. */
  writeHash(words: Int32Array, base: string, count: number, slot: number): void {
    const keys = this.#keysOf(base, count, slot)
    words[0] = words[2] = keys[2 * slot - 2]
    words[1] = words[3] = keys[2 * slot - 1]
  }

  /** Number after the separator in the key of a base with `count` suffixes, by its slot: 1 to `count`. */
  labelOf(base: string, count: number, slot: number): number {
    return this.#keysOf(base, count, slot)[2 * count + slot - 1]
  }

  /** Keys of a base, of which that in the slot is known. */
  #keysOf(base: string, count: number, slot: number): KeysOfBase {
    if (base !== this.#lastBase) {
      this.#last = this.#young.get(base) ?? this.#renew(base)
      this.#lastBase = base
    }
    const length = 3 * count + 1
    let keys: KeysOfBase | undefined
    for (const each of this.#last) if (each.length === length) keys = each
    keys ??= this.#add(base, count)
    if (keys[2 * slot - 2] < 0) findKey(keys, base + this.#separator, slot)
    return keys
  }

  #add(base: string, count: number): KeysOfBase {
    assertEvenLabels(base, count, 2)
    const keys = new Int32Array(3 * count + 1).fill(-1, 0, 2 * count)
    this.#last.push(keys)
    this.#size += count
    return keys
  }

  #renew(base: string): KeysOfBase[] {
    if (this.#size >= this.#generationSize) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
    }
    const keys = this.#old.get(base) ?? []
    this.#young.set(base, keys)
    for (const { length } of keys) this.#size += (length - 1) / 3
    return keys
  }
}

/** Takes about twelve megabytes, with twelve bytes for each key. */
const MAX_KEYS = 1_000_000

/**
 * Tries labels until the key in this slot has one. Most bases of a sample need few of their slots, which takes fewer
 * tries than all of them.
 */
function findKey(keys: KeysOfBase, prefix: string, slot: number): void {
  const tried = keys.length - 1
  const count = tried / 3
  const wanted = 2 * slot - 2
  const { sliceOf, hash } = slicerV2(prefix, count)
  for (let number = keys[tried] + 1; number <= count * TRIES_PER_LABEL; number++) {
    const at = 2 * sliceOf(number) - 2
    if (keys[at] >= 0) continue
    keys[at] = hash[2] & 0x3fff_ffff
    keys[at + 1] = hash[3]
    keys[2 * count + at / 2] = number
    if (at !== wanted) continue
    keys[tried] = number
    return
  }
  throw notFound(1, count)
}
