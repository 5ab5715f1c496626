import { type KeyComponent, type KeyDefinition, partitionHash } from '@keystamp/core'
import { type CountedKey, KeyCounter } from './key-counter.ts'
import type { Halves, KeyCount, KeyCounts, KeyProfile } from './key-profile.ts'
import { INVALID, isMissing, rejectionOf, type Rows } from './record-row.ts'

/** Equal slices of the hash space in which records are counted. */
const SLICE_BITS = 14
const SLICES = 1 << SLICE_BITS
/** Slices that are compared between the two parts of a sample. */
const COARSE_BITS = 6

/** Counts the records of one candidate by key and by position. */
export class CandidateCounter {
  /** Number of the candidate. */
  readonly number: number
  /** Logical partitions, and values that decide the range: the same for a key of one level. */
  readonly keys: KeyCounter = new KeyCounter()
  readonly placed: KeyCounter
  readonly #definition: KeyDefinition
  readonly #isVersion1: boolean
  /** Undefined while they follow from the keys, all of which are counted. */
  #slices: Slices | undefined
  readonly #coarse = new Float64Array(1 << COARSE_BITS)
  readonly #examples = new Map<number, readonly KeyComponent[]>()
  readonly #rejections = new Map<string, number>()
  #records = 0
  #bytes = 0
  #missing = 0

  constructor(number: number, definition: KeyDefinition) {
    this.number = number
    this.#definition = definition
    this.#isVersion1 = definition.kind !== 'MultiHash' && definition.version === 1
    this.placed = definition.kind === 'MultiHash' ? new KeyCounter() : this.keys
  }

  /** Keys in memory. */
  get size(): number {
    return this.keys.size + (this.placed === this.keys ? 0 : this.placed.size)
  }

  /** Position in units of 2^-32 of the key that is at `rows[at]`. */
  positionOf(rows: Int32Array, at: number): number {
    return positionOf(rows, at, this.#isVersion1)
  }

  /** Counts the keys of records; `keyAt` is where a row has the key of this candidate. Calls `need` for values to keep. */
  add({ numbers, begin, end, length }: Rows, keyAt: number, need: NeedValues): void {
    const isVersion1 = this.#isVersion1
    const coarse = this.#coarse
    for (let row = begin; row < end; row += length) {
      const bytes = numbers[row]
      if (bytes === INVALID) continue
      const at = row + keyAt
      const code = rejectionOf(numbers[at])
      if (code !== undefined) {
        this.#rejections.set(code, (this.#rejections.get(code) ?? 0) + 1)
        continue
      }
      this.#records++
      this.#bytes += bytes
      if (isMissing(numbers[at])) this.#missing++
      const position = positionOf(numbers, at, isVersion1)
      coarse[position >>> (32 - COARSE_BITS)]++
      if (this.#slices !== undefined) addToSlices(this.#slices, position, 1, bytes)
      const count = this.keys.add(numbers[at + 3], numbers[at + 4], position, bytes)
      if (this.placed !== this.keys) this.placed.add(numbers[at + 1], numbers[at + 2], position, bytes)
      // A frequent key passes a power of two at which it is at least half as frequent as at the end.
      if (count > 1 && (count & (count - 1)) === 0 && count * EXAMPLES >= this.#records)
        this.#needExample(nameOf(numbers[at + 3], numbers[at + 4]), row, need)
    }
  }

  /** Keeps the values of a key, for which `add` has called `need`. */
  keepExample(name: number, values: readonly KeyComponent[]): void {
    this.#examples.set(name, values)
  }

  coarseSlices(): Float64Array {
    return this.#coarse.slice()
  }

  /** Keys that would be counted by sketches after `shrink`. */
  get largest(): number {
    return Math.max(this.keys.size, this.placed.size)
  }

  /** Frees about half of the memory of the keys. */
  shrink(): void {
    const larger = this.placed.size > this.keys.size ? this.placed : this.keys
    if (larger === this.placed) this.#slices ??= this.#slicesOfKeys()
    larger.shrink()
  }

  /** Frees the memory of the keys; nothing is counted afterwards. */
  clear(): void {
    this.keys.clear()
    this.placed.clear()
    this.#examples.clear()
  }

  finish(halves: Halves | null): KeyProfile {
    const slices = this.#slices ?? this.#slicesOfKeys()
    const keys = this.#countsOf(this.keys, this.#definition)
    const isHierarchical = this.placed !== this.keys
    return {
      ...keys,
      placed: isHierarchical ? this.#countsOf(this.placed, { kind: 'Hash', version: 2 }) : keys,
      records: this.#records,
      rejected: [...this.#rejections.values()].reduce((sum, records) => sum + records, 0),
      rejections: [...this.#rejections].map(([code, records]) => ({ code, records })),
      missing: this.#missing,
      bytes: this.#bytes,
      slices: slices.records.slice(),
      sliceBytes: slices.bytes.slice(),
      halves
    }
  }

  #slicesOfKeys(): Slices {
    const slices = { records: new Float64Array(SLICES), bytes: new Float64Array(SLICES) }
    this.placed.addTo(slices.records, slices.bytes, SLICE_BITS)
    return slices
  }

  #needExample(name: number, row: number, need: NeedValues): void {
    if (this.#examples.size >= MAX_EXAMPLES || this.#examples.has(name)) return
    this.#examples.set(name, [])
    need(this, name, row)
  }

  #countsOf(counter: KeyCounter, definition: KeyDefinition): KeyCounts {
    const { top, frequencies } = counter.count(MAX_HEAVY)
    return {
      distinct: counter.distinct,
      once: Math.round(frequencies.find(({ records }) => records === 1)?.keys ?? 0),
      atLeast: counter.atLeast,
      isExact: counter.isExact,
      heavy: top.map((key) => this.#describe(key, definition)),
      frequencies,
      all: counter.all()
    }
  }

  #describe(key: CountedKey, definition: KeyDefinition): KeyCount {
    const { high, low, head, records, bytes, error } = key
    const values = this.#examples.get(nameOf(high, low)) ?? null
    return {
      hash: hashText(key, values, definition),
      values,
      position: head / POSITIONS,
      records,
      // records that were not counted are taken to be as large as the others
      bytes: records === error ? 0 : Math.round((bytes * records) / (records - error)),
      error
    }
  }
}

/** Requests the values of a key of a candidate; the row of a record that has the key begins at `row`. */
type NeedValues = (counter: CandidateCounter, name: number, row: number) => void

function positionOf(rows: Int32Array, at: number, isVersion1: boolean): number {
  return isVersion1 ? rows[at + 1] >>> 0 : ((rows[at + 1] << 2) | (rows[at + 2] >>> 30)) >>> 0
}

interface Slices {
  readonly records: Float64Array
  readonly bytes: Float64Array
}

function addToSlices(slices: Slices, position: number, records: number, bytes: number): void {
  const slice = position >>> (32 - SLICE_BITS)
  slices.records[slice] += records
  slices.bytes[slice] += bytes
}

const POSITIONS = 0x1_0000_0000
const MAX_HEAVY = 1000
const EXAMPLES = 2048
const MAX_EXAMPLES = 16_384

function nameOf(high: number, low: number): number {
  return (high & 0x1f_ffff) * POSITIONS + (low >>> 0)
}

function hashText(
  { high, low, head }: CountedKey,
  values: readonly KeyComponent[] | null,
  definition: KeyDefinition
): string {
  if (definition.kind !== 'MultiHash' && definition.version === 2) return digits(high) + digits(low)
  if (values === null) return digits(definition.kind === 'MultiHash' ? head >>> 2 : head)
  const hash = partitionHash(values, definition)
  if (definition.kind !== 'MultiHash') return hash.slice(0, 16)
  return values.map((_value, level) => hash.slice(level * 32, level * 32 + 8)).join('-')
}

function digits(word: number): string {
  return (word >>> 0).toString(16).toUpperCase().padStart(8, '0')
}
