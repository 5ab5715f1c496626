const MAX_NAMES = 64
const MAX_OPEN_NAMES = 1024
const MAX_OBJECTS = 129

/** The member names of the objects that are open, innermost last: finds names that are repeated. */
export class NameStack {
  readonly starts: Int32Array = new Int32Array(MAX_OPEN_NAMES)
  readonly lengths: Int32Array = new Int32Array(MAX_OPEN_NAMES)
  /** How many names are open. */
  size = 0
  /** Set to false by whoever adds a name that is not. */
  isAscii = true
  readonly #hashes = new Int32Array(MAX_OPEN_NAMES)
  // of each outer object: where its names begin, and which hashes it may hold
  readonly #bases = new Int32Array(MAX_OBJECTS)
  readonly #masks = new Int32Array(MAX_OBJECTS)
  #depth = 0
  #base = 0
  #mask = 0

  /** Forgets everything. */
  clear(): void {
    this.size = 0
    this.isAscii = true
    this.#depth = 0
    this.#base = 0
    this.#mask = 0
  }

  /** Begins an object. */
  open(): void {
    this.#bases[this.#depth] = this.#base
    this.#masks[this.#depth] = this.#mask
    this.#depth += 1
    this.#base = this.size
    this.#mask = 0
  }

  /** Ends the innermost object. */
  close(): void {
    this.size = this.#base
    this.#depth -= 1
    this.#base = this.#bases[this.#depth]
    this.#mask = this.#masks[this.#depth]
  }

  /** Adds a name to the innermost object; false when it holds that name already, or there is no room. */
  add(bytes: Uint8Array, start: number, length: number, hash: number): boolean {
    const at = this.size
    if (at === MAX_OPEN_NAMES || at - this.#base === MAX_NAMES) return false
    const bit = 1 << ((hash ^ (hash >>> 15)) & 31)
    if ((this.#mask & bit) !== 0 && this.#holds(bytes, start, length, hash)) return false
    this.#mask |= bit
    this.starts[at] = start
    this.lengths[at] = length
    this.#hashes[at] = hash
    this.size = at + 1
    return true
  }

  #holds(bytes: Uint8Array, start: number, length: number, hash: number): boolean {
    for (let at = this.#base; at < this.size; at++) {
      if (this.#hashes[at] === hash && this.lengths[at] === length && isSame(bytes, this.starts[at], start, length)) return true
    }
    return false
  }
}

function isSame(bytes: Uint8Array, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[one + i] !== bytes[other + i]) return false
  return true
}
