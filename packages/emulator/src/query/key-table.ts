import { ByteList } from './block-lists.ts'
import { KeyBytes, readKeyBytes } from './key-bytes.ts'

/**
 * Numbers different keys from 0 in the order in which they come. A key is a list of values of JSON. The table is
 * outside the JavaScript heap, and grows in small steps: a query can have millions of keys.
 */
export class KeyTable {
  readonly #key: KeyBytes = new KeyBytes()
  readonly #keys: ByteList = new ByteList()
  // each slot has two numbers: the hash of a key, and the number of the key plus one, or 0
  #slots: Int32Array = new Int32Array(2 * FIRST_SLOTS)
  // the slots before the last growth; those from `#moved` on are not in the new ones yet
  #former: Int32Array = NO_SLOTS
  #moved = 0
  #moves = 0

  /** The number of different keys. */
  get size(): number {
    return this.#keys.length
  }

  /** How often an entry was moved to larger slots so far. */
  get moves(): number {
    return this.#moves
  }

  /** The number of a key; a new key gets the next number. */
  numberOf(values: readonly unknown[]): number {
    const key = this.#key
    key.write(values)
    const hash = hashOf(key.bytes, key.compared)
    if (this.#moved < this.#former.length) this.#moveSome()
    const found = this.#find(this.#slots, hash) || this.#find(this.#former, hash)
    return found > 0 ? found - 1 : this.#add(hash)
  }

  /** The values of a key. */
  valuesOf(number: number): unknown[] {
    return readKeyBytes(this.#keys.blockOf(number), this.#keys.offsetOf(number))
  }

  #find(slots: Int32Array, hash: number): number {
    if (slots.length === 0) return 0
    const mask = slots.length - 2
    for (let at = (hash << 1) & mask; ; at = (at + 2) & mask) {
      const entry = slots[at + 1]
      if (entry === 0 || (slots[at] === hash && this.#isKey(entry - 1))) return entry
    }
  }

  #isKey(number: number): boolean {
    const { bytes, compared } = this.#key
    const stored = this.#keys.blockOf(number)
    const start = this.#keys.offsetOf(number)
    // the lengths first
    if (stored.readUInt32LE(start) !== compared) return false
    if (compared > LOOPED_BYTES) return stored.compare(bytes, 0, compared, start, start + compared) === 0
    for (let at = 0; at < compared; at++) if (stored[start + at] !== bytes[at]) return false
    return true
  }

  #add(hash: number): number {
    if (4 * (this.size + 1) > this.#slots.length) this.#grow()
    const number = this.#keys.push(this.#key.bytes, this.#key.length)
    insert(this.#slots, hash, number + 1)
    return number
  }

  #grow(): void {
    this.#former = this.#slots
    this.#moved = 0
    this.#slots = new Int32Array(2 * this.#former.length)
  }

  // all are moved long before the next growth
  #moveSome(): void {
    const former = this.#former
    const end = Math.min(this.#moved + 2 * MOVED_SLOTS, former.length)
    for (; this.#moved < end; this.#moved += 2) {
      const entry = former[this.#moved + 1]
      if (entry === 0) continue
      insert(this.#slots, former[this.#moved], entry)
      this.#moves += 1
    }
    if (end === former.length) {
      this.#former = NO_SLOTS
      this.#moved = 0
    }
  }
}

const FIRST_SLOTS = 64
const NO_SLOTS: Int32Array = new Int32Array(0)
const MOVED_SLOTS = 8
// a call of the runtime takes longer than a short loop
const LOOPED_BYTES = 64

function insert(slots: Int32Array, hash: number, entry: number): void {
  const mask = slots.length - 2
  let at = (hash << 1) & mask
  while (slots[at + 1] !== 0) at = (at + 2) & mask
  slots[at] = hash
  slots[at + 1] = entry
}

function hashOf(bytes: Buffer, length: number): number {
  let hash = length
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ bytes[at], 0x01_00_01_93)
  // the lowest bits choose a slot, and must depend on all bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return hash ^ (hash >>> 16)
}
