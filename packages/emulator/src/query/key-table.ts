import { type BlockMemory, ByteList, COLLECTED } from './block-lists.ts'
import { KeyBytes, readKeyBytes } from './key-bytes.ts'

/**
 * Numbers different keys from 0 in the order in which they come. A key is a list of values of JSON. The table is
 * outside the JavaScript heap, and grows in small steps: a query can have millions of keys.
 */
export class KeyTable {
  readonly #key: KeyBytes = new KeyBytes()
  readonly #keys: ByteList
  readonly #memory: BlockMemory
  #slots: Slots
  // the slots before the last growth; those from `#moved` on are not in the new ones yet
  #former: Slots | undefined = undefined
  #moved = 0
  #moves = 0

  constructor(memory: BlockMemory = COLLECTED) {
    this.#memory = memory
    this.#keys = new ByteList(memory)
    this.#slots = new Slots(FIRST_SLOTS, memory)
  }

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
    if (this.#former !== undefined) this.#moveSome(this.#former)
    const found = this.#find(this.#slots, hash) || (this.#former === undefined ? 0 : this.#find(this.#former, hash))
    return found > 0 ? found - 1 : this.#add(hash)
  }

  /** The values of a key. */
  valuesOf(number: number): unknown[] {
    return readKeyBytes(this.#keys.blockOf(number), this.#keys.offsetOf(number))
  }

  #find(slots: Slots, hash: number): number {
    const last = slots.count - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const block = slots.blocks[slot >>> SLOT_BITS]
      if (block === undefined) return 0
      const at = (slot & SLOT_MASK) << 1
      const entry = block[at + 1]
      if (entry === 0 || (block[at] === hash && this.#isKey(entry - 1))) return entry
    }
  }

  #isKey(number: number): boolean {
    const { bytes, compared } = this.#key
    const stored = this.#keys.blockOf(number)
    const start = this.#keys.offsetOf(number)
    // a stored key of another length differs in its first bytes, so the loop ends within it
    if (compared > LOOPED_BYTES)
      return start + compared <= stored.length && stored.compare(bytes, 0, compared, start, start + compared) === 0
    for (let at = 0; at < compared; at++) if (stored[start + at] !== bytes[at]) return false
    return true
  }

  #add(hash: number): number {
    if (2 * (this.size + 1) > this.#slots.count) this.#grow()
    const number = this.#keys.push(this.#key.bytes, this.#key.length)
    this.#slots.insert(hash, number + 1)
    return number
  }

  #grow(): void {
    this.#former = this.#slots
    this.#moved = 0
    this.#slots = new Slots(2 * this.#former.count, this.#memory)
  }

  // all are moved long before the next growth
  #moveSome(former: Slots): void {
    const end = Math.min(this.#moved + MOVED_SLOTS, former.count)
    for (; this.#moved < end; this.#moved++) {
      const block = former.blocks[this.#moved >>> SLOT_BITS]
      const at = (this.#moved & SLOT_MASK) << 1
      if (block === undefined || block[at + 1] === 0) continue
      this.#slots.insert(block[at], block[at + 1])
      this.#moves += 1
    }
    if (end === former.count) this.#former = undefined
  }
}

/** Slots, the number of which is a power of 2. Each has the hash of a key, and the number of the key plus one, or 0. */
class Slots {
  readonly count: number
  /** A block in which no key is yet is undefined: so no step clears all blocks. */
  readonly blocks: (Int32Array | undefined)[]
  readonly #memory: BlockMemory

  constructor(count: number, memory: BlockMemory) {
    this.count = count
    this.blocks = Array.from({ length: Math.ceil(count / BLOCK_SLOTS) }, () => undefined)
    this.#memory = memory
  }

  insert(hash: number, entry: number): void {
    const last = this.count - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const block = this.blocks[slot >>> SLOT_BITS] ?? this.#addBlock(slot >>> SLOT_BITS)
      const at = (slot & SLOT_MASK) << 1
      if (block[at + 1] !== 0) continue
      block[at] = hash
      block[at + 1] = entry
      return
    }
  }

  #addBlock(index: number): Int32Array {
    const isPart = this.count >= BLOCK_SLOTS
    const block = isPart ? new Int32Array(this.#memory.take()).fill(0) : new Int32Array(2 * this.count)
    this.blocks[index] = block
    return block
  }
}

const FIRST_SLOTS = 64
const MOVED_SLOTS = 8
// slots of 8 bytes in a block of memory
const SLOT_BITS = 13
const BLOCK_SLOTS: number = 2 ** SLOT_BITS
const SLOT_MASK: number = BLOCK_SLOTS - 1
// a call of the runtime takes longer than a short loop
const LOOPED_BYTES = 64

function hashOf(bytes: Buffer, length: number): number {
  let hash = length
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ bytes[at], 0x01_00_01_93)
  // the lowest bits choose a slot, and must depend on all bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return hash ^ (hash >>> 16)
}
