import { DistinctSketch } from './distinct-sketch.ts'
import { FrequentKeys } from './frequent-keys.ts'
import type { AllKeys, Frequency } from './key-profile.ts'
import { KeyTable } from './key-table.ts'

/** Count of one key: the two halves of its hash, and the head of its position. */
export interface CountedKey {
  readonly high: number
  readonly low: number
  readonly head: number
  readonly records: number
  readonly bytes: number
  readonly error: number
}

/**
 * Counts the keys of one candidate: all of them while there is room, then the number of distinct keys and the most
 * frequent keys by sketches, and the frequencies of a part of the keys.
 */
export class KeyCounter {
  #table = new KeyTable()
  #sketch: DistinctSketch | undefined
  #frequent: FrequentKeys | undefined
  /** Distinct keys that were counted before the sketches began. */
  #atLeast = 0

  /** Keys in memory. */
  get size(): number {
    return this.#table.size
  }

  get isExact(): boolean {
    return this.#sketch === undefined
  }

  /** Distinct keys, and the number that was certainly seen. */
  get distinct(): number {
    return this.#sketch === undefined ? this.#table.size : Math.max(this.#atLeast, Math.round(this.#sketch.estimate()))
  }

  get atLeast(): number {
    return this.#sketch === undefined ? this.#table.size : this.#atLeast
  }

  /** Counts a record of a key. Returns the records of this key so far; 0 if they are not known. */
  add(high: number, low: number, head: number, bytes: number): number {
    this.#sketch?.add(high, low)
    this.#frequent?.add(high, low, head, 1, bytes)
    return this.#table.add(high, low, head, bytes)
  }

  /** Frees about half of the memory, and counts by sketches from now on. */
  shrink(): void {
    if (this.#sketch === undefined) this.#beginSketches()
    this.#table.raiseLevel()
  }

  /** Frees the memory of all keys. */
  clear(): void {
    this.#table = new KeyTable()
    this.#sketch = undefined
    this.#frequent = undefined
  }

  /** The most frequent keys first, at most `most` of them, and how many keys have how many records. */
  count(most: number): { readonly top: readonly CountedKey[]; readonly frequencies: readonly Frequency[] } {
    const frequencies = this.#countFrequencies()
    if (this.#frequent === undefined) return { top: this.#top(most, frequencies), frequencies }
    // A frequent key is counted for itself, the others stand for those that were not kept.
    const top = this.#frequent.top(most)
    const limit = Math.max(MIN_FREQUENT, 8 * (top[0]?.error ?? 0))
    const frequent = top.filter(({ records }) => records >= limit)
    const rest = frequencies.filter(({ records }) => records < limit)
    const kept = rest.reduce((sum, { keys }) => sum + keys, 0)
    const scale = kept === 0 ? 1 : Math.max(1, (this.distinct - frequent.length) / kept)
    return {
      top,
      frequencies: [
        ...rest.map(({ records, keys }) => ({ records, keys: keys * scale })),
        ...frequent.map(({ records, error }) => ({ records: records - error / 2, keys: 1 })).toReversed()
      ]
    }
  }

  /** Every key; null if they are not all counted. */
  all(): AllKeys | null {
    return this.isExact ? this.#table.positions() : null
  }

  /** Adds the keys that are counted to the parts of the hash space that contain them: their records and bytes. */
  addTo(records: Float64Array, bytes: Float64Array, partBits: number): void {
    this.#table.addTo(records, bytes, partBits)
  }

  #beginSketches(): void {
    const sketch = new DistinctSketch()
    const frequent = new FrequentKeys()
    this.#table.forEach((high, low) => sketch.add(high, low))
    // every other key had at most as many records as the first one that is left out
    const frequencies = this.#countFrequencies()
    const missed = countOfRank(FREQUENT_AT_BEGIN + 1, frequencies)
    frequent.miss(missed)
    for (const { high, low, head, records, bytes } of this.#top(FREQUENT_AT_BEGIN, frequencies))
      if (records > missed) frequent.add(high, low, head, records - missed, bytes)
    this.#atLeast = this.#table.size
    this.#sketch = sketch
    this.#frequent = frequent
  }

  /** By ascending number of records. */
  #countFrequencies(): Frequency[] {
    const small = new Uint32Array(SMALL_COUNT)
    const large = new Map<number, number>()
    for (const records of this.#table.tally(small)) large.set(records, (large.get(records) ?? 0) + 1)
    const frequencies: Frequency[] = []
    // an empty slot has no records
    for (let records = 1; records < SMALL_COUNT; records++)
      if (small[records] > 0) frequencies.push({ records, keys: small[records] })
    const rest = [...large].toSorted(([a], [b]) => a - b)
    return [...frequencies, ...rest.map(([records, keys]) => ({ records, keys }))]
  }

  #top(most: number, frequencies: readonly Frequency[]): CountedKey[] {
    const least = countOfRank(most, frequencies)
    return this.#table
      .frequent(least, this.#hashOfRank(most, least, frequencies))
      .toSorted((a, b) => b.records - a.records || a.high - b.high || a.low - b.low)
      .slice(0, most)
  }

  /** Hash of the last key that is among the first ones: there may be very many that are equally frequent. */
  #hashOfRank(rank: number, least: number, frequencies: readonly Frequency[]): number {
    const above = frequencies.reduce((sum, { records, keys }) => (records > least ? sum + keys : sum), 0)
    const tied = frequencies.find(({ records }) => records === least)?.keys ?? 0
    if (above + tied <= rank) return Number.POSITIVE_INFINITY
    return this.#table.highsOf(least).toSorted()[rank - above - 1]
  }
}

const FREQUENT_AT_BEGIN = 6000
const MIN_FREQUENT = 64
const SMALL_COUNT = 4096

/** Records of the key with this rank; 0 if there are fewer keys. */
function countOfRank(rank: number, frequencies: readonly Frequency[]): number {
  let before = 0
  for (const { records, keys } of frequencies.toReversed()) {
    before += keys
    if (before >= rank) return records
  }
  return 0
}
