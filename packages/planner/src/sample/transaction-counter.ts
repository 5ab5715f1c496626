/** Counts of the groups of records with the same value of a transaction field, or of a uniform sample of the groups. */
export interface TransactionCounts {
  /** JSON pointer of the field. */
  readonly field: string
  /** Number of groups with at least two records. */
  readonly groups: number
  /** For each candidate: number of groups whose records have different keys. */
  readonly torn: readonly number[]
}

/**
 * Determines for each group of records and each candidate whether the records have different keys. If there are too
 * many groups, it keeps a random part of the groups, with all their records: the groups whose hash ends in enough zero
 * bits. A random part of the records would hide that a group has different keys.
 */
export class TransactionCounter {
  readonly #candidates: number
  readonly #maxGroups: number
  readonly #groups = new Map<number, number>()
  #level = 0
  #free: number[] = []
  #used = 0
  #ids: Uint32Array
  #torn: Uint8Array
  #sizes: Uint32Array
  #row = -1

  constructor(candidates: number, maxGroups: number = MAX_GROUPS) {
    this.#candidates = candidates
    this.#maxGroups = maxGroups
    this.#ids = new Uint32Array(candidates * FIRST_ROWS)
    this.#torn = new Uint8Array(candidates * FIRST_ROWS)
    this.#sizes = new Uint32Array(FIRST_ROWS)
  }

  /** Begins a record of the group with this hash. Returns whether it is kept; if so, the caller must set its keys. */
  begin(high: number, low: number): boolean {
    this.#row = -1
    if ((low & ((1 << this.#level) - 1)) !== 0) return false
    // 53 bits of the hash: a number can represent them exactly
    const name = (high & 0x1f_ffff) * 0x1_0000_0000 + (low >>> 0)
    this.#row = this.#groups.get(name) ?? this.#addGroup(name)
    if (this.#row < 0) return false
    this.#sizes[this.#row]++
    return true
  }

  setKey(candidate: number, id: number): void {
    const at = this.#row * this.#candidates + candidate
    if (this.#sizes[this.#row] === 1) this.#ids[at] = id
    else if (this.#ids[at] !== id >>> 0) this.#torn[at] = 1
  }

  finish(field: string): TransactionCounts {
    const torn = Array.from({ length: this.#candidates }, () => 0)
    let groups = 0
    for (const row of this.#groups.values()) {
      if (this.#sizes[row] < 2) continue
      groups++
      for (let candidate = 0; candidate < this.#candidates; candidate++)
        torn[candidate] += this.#torn[row * this.#candidates + candidate]
    }
    return { field, groups, torn }
  }

  #addGroup(name: number): number {
    if (this.#groups.size >= this.#maxGroups) {
      this.#removeHalf()
      if (name % 2 ** this.#level !== 0) return -1
    }
    const row = this.#free.pop() ?? this.#used++
    if (row >= this.#sizes.length) this.#grow()
    this.#ids.fill(0, row * this.#candidates, (row + 1) * this.#candidates)
    this.#torn.fill(0, row * this.#candidates, (row + 1) * this.#candidates)
    this.#sizes[row] = 0
    this.#groups.set(name, row)
    return row
  }

  #removeHalf(): void {
    this.#level++
    for (const [name, row] of this.#groups) {
      if (name % 2 ** this.#level === 0) continue
      this.#groups.delete(name)
      this.#free.push(row)
    }
  }

  #grow(): void {
    const rows = this.#sizes.length * 2
    this.#ids = extended(this.#ids, new Uint32Array(rows * this.#candidates))
    this.#torn = extended(this.#torn, new Uint8Array(rows * this.#candidates))
    this.#sizes = extended(this.#sizes, new Uint32Array(rows))
  }
}

const MAX_GROUPS = 32_768
const FIRST_ROWS = 256

function extended<T extends Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
