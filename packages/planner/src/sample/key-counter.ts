import { DistinctSketch } from './distinct-sketch.ts'
import { FrequentKeys } from './frequent-keys.ts'
import type { Frequency } from './key-profile.ts'
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

  /** Most frequent keys first; equally frequent ones by their hash, so that their order does not matter. */
  top(most: number): CountedKey[] {
    if (this.#frequent !== undefined) return this.#frequent.top(most)
    const least = this.#countOfRank(most)
    const lastHash = this.#hashOfRank(most, least)
    const keys: CountedKey[] = []
    this.#table.forEach((high, low, head, records, bytes) => {
      if (records > least || (records === least && high <= lastHash))
        keys.push({ high, low, head, records, bytes, error: 0 })
    })
    return keys.toSorted(byFrequency).slice(0, most)
  }

  /** How many keys have how many records, by ascending number of records. */
  frequencies(): Frequency[] {
    if (this.#frequent === undefined) return sortedFrequencies(this.#countFrequencies(), 1)
    // A frequent key is counted for itself, the others stand for those that were not kept.
    const frequent = this.#frequent.top(MAX_FREQUENT)
    const limit = Math.max(MIN_FREQUENT, 8 * (frequent[0]?.error ?? 0))
    const counted = frequent.filter(({ records }) => records >= limit)
    const rest = new Map([...this.#countFrequencies()].filter(([records]) => records < limit))
    const kept = [...rest.values()].reduce((sum, keys) => sum + keys, 0)
    const scale = kept === 0 ? 1 : Math.max(1, (this.distinct - counted.length) / kept)
    const single = counted.map(({ records, error }) => ({ records: records - error / 2, keys: 1 }))
    return [...sortedFrequencies(rest, scale), ...single.toReversed()]
  }

  /** Every key; nothing if they are not all counted. */
  forEach(visit: (head: number, low: number, records: number) => void): void {
    this.#table.forEach((_high, low, head, records) => visit(head, low, records))
  }

  #beginSketches(): void {
    const sketch = new DistinctSketch()
    const frequent = new FrequentKeys()
    this.#table.forEach((high, low) => sketch.add(high, low))
    // every other key had at most as many records as the first one that is left out
    const missed = this.#countOfRank(FREQUENT_AT_BEGIN + 1)
    frequent.miss(missed)
    for (const { high, low, head, records, bytes } of this.top(FREQUENT_AT_BEGIN))
      if (records > missed) frequent.add(high, low, head, records - missed, bytes)
    this.#atLeast = this.#table.size
    this.#sketch = sketch
    this.#frequent = frequent
  }

  #countFrequencies(): Map<number, number> {
    const frequencies = new Map<number, number>()
    this.#table.forEach((_high, _low, _head, records) => {
      frequencies.set(records, (frequencies.get(records) ?? 0) + 1)
    })
    return frequencies
  }

  /** Hash of the last key that is among the first ones: of equally frequent keys there may be very many. */
  #hashOfRank(rank: number, least: number): number {
    const highs: number[] = []
    let above = 0
    this.#table.forEach((high, _low, _head, records) => {
      if (records > least) above++
      else if (records === least) highs.push(high)
    })
    return Int32Array.from(highs).sort()[rank - above - 1] ?? Number.POSITIVE_INFINITY
  }

  /** Records of the key with this rank; 0 if there are fewer keys. */
  #countOfRank(rank: number): number {
    let before = 0
    for (const { records, keys } of sortedFrequencies(this.#countFrequencies(), 1).toReversed()) {
      before += keys
      if (before >= rank) return records
    }
    return 0
  }
}

const FREQUENT_AT_BEGIN = 6000
const MAX_FREQUENT = 1000
const MIN_FREQUENT = 64

function byFrequency(a: CountedKey, b: CountedKey): number {
  return b.records - a.records || a.high - b.high || a.low - b.low
}

function sortedFrequencies(frequencies: ReadonlyMap<number, number>, scale: number): Frequency[] {
  return [...frequencies].toSorted(([a], [b]) => a - b).map(([records, keys]) => ({ records, keys: keys * scale }))
}
