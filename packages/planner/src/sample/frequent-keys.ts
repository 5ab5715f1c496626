import { KeyTable } from './key-table.ts'

/** A frequent key: `records` is an upper bound, and at most `error` too high. */
export interface FrequentKey {
  readonly high: number
  readonly low: number
  readonly head: number
  readonly records: number
  readonly bytes: number
  readonly error: number
}

/**
 * The most frequent keys of a stream, in a table of fixed size: SpaceSaving in the form of Anderson and others, "A
 * high-performance algorithm for identifying frequent items in data streams" (2017). A full table takes the median
 * count from all counts, so that about half of the keys leave; the sum of what was taken is the error of every count.
 */
export class FrequentKeys {
  #table = new KeyTable(SLOTS)
  #error = 0

  add(high: number, low: number, head: number, records: number, bytes: number): void {
    this.#table.put(high, low, head, records, bytes)
    if (this.#table.size >= MAX_KEYS) this.#purge()
  }

  /** Tells that keys which are not in the table may have had this number of records before. */
  miss(records: number): void {
    this.#error += records
  }

  /** Keys in descending order of their records, at most `most` of them. */
  top(most: number): FrequentKey[] {
    const keys: FrequentKey[] = []
    const error = this.#error
    this.#table.forEach((high, low, head, records, bytes) => {
      keys.push({ high, low, head, records: records + error, bytes, error })
    })
    return keys.toSorted((a, b) => b.records - a.records || a.high - b.high || a.low - b.low).slice(0, most)
  }

  #purge(): void {
    const counts: number[] = []
    this.#table.forEach((_high, _low, _head, records) => counts.push(records))
    const median = Uint32Array.from(counts).toSorted()[counts.length >> 1]
    this.#table.subtract(median)
    this.#error += median
  }
}

const SLOTS = 1 << 14
// below the load at which the table would grow
const MAX_KEYS = 12_000
