import type { AllKeys, KeyProfile } from '../sample/key-profile.ts'

/**
 * Share of the sample's records in each range, in the order of the hash space. It describes the sample only, and does not
 * estimate the load of all data.
 */
export function loadByRange(profile: KeyProfile, ranges: number): number[] {
  const { records } = profile
  return Array.from(countByRange(profile, ranges).counts, (count) => (records === 0 ? 0 : count / records))
}

/** Shares with four significant digits: a report has thousands of them, for pictures only. */
export function roundedShares(shares: readonly number[]): readonly number[] {
  return shares.map((share) => Number(share.toPrecision(4)))
}

/** Records by range. */
export interface RangeCounts {
  readonly counts: Float64Array
  /** Maximum difference between a count and the real number of records in the range. */
  readonly error: number
}

/**
 * Counts the records by range: exactly if all keys are known, otherwise from the slices of the hash space. A slice can lie
 * in two ranges.
 */
export function countByRange(profile: KeyProfile, ranges: number): RangeCounts {
  const { all } = profile.placed
  return all === null ? countSlices(profile, ranges) : { counts: indexOf(all).count(ranges), error: 0 }
}

/** Most records that one range of the sample has, as `countByRange` counts them. */
export function mostInOneRange(profile: KeyProfile, ranges: number): number {
  const { all } = profile.placed
  return all === null ? maximum(countSlices(profile, ranges).counts) : indexOf(all).most(ranges)
}

export function maximum(values: Float64Array): number {
  let largest = 0
  for (let index = 0; index < values.length; index++) largest = Math.max(largest, values[index])
  return largest
}

/** Index of the range that contains a position of the hash space. `position` is at least 0 and below 1. */
export function rangeOf(position: number, ranges: number): number {
  return Math.min(ranges - 1, Math.floor(position * ranges))
}

// each index is built once, since a search counts the same keys for many different numbers of ranges
const indexes = new WeakMap<AllKeys, PositionIndex>()

function indexOf(all: AllKeys): PositionIndex {
  let index = indexes.get(all)
  if (index === undefined) {
    index = new PositionIndex(all)
    indexes.set(all, index)
  }
  return index
}

/** Keys by cells of the hash space, so that only those near a bound between ranges have to be looked at. */
class PositionIndex {
  readonly #shift: number
  readonly #starts: Uint32Array
  /** Records before each cell. */
  readonly #before: Float64Array
  readonly #positions: Uint32Array
  readonly #records: Uint32Array

  constructor({ positions, records }: AllKeys) {
    const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, Math.ceil(Math.log2(positions.length + 1))))
    const cells = 1 << bits
    this.#shift = 32 - bits
    this.#starts = new Uint32Array(cells + 1)
    this.#before = new Float64Array(cells + 1)
    countCells(positions, records, this.#shift, this.#starts, this.#before)
    addUp(this.#starts, this.#before)
    this.#positions = new Uint32Array(positions.length)
    this.#records = new Uint32Array(positions.length)
    sortIntoCells({ positions, records }, this.#shift, this.#starts.slice(), this.#positions, this.#records)
  }

  /** Records by range. */
  count(ranges: number): Float64Array {
    const counts = new Float64Array(ranges)
    let before = 0
    for (let range = 0; range < ranges; range++) {
      const end = this.#end(range, ranges)
      counts[range] = end - before
      before = end
    }
    return counts
  }

  /** Records of the range that has the most. */
  most(ranges: number): number {
    let [before, most] = [0, 0]
    for (let range = 0; range < ranges; range++) {
      const end = this.#end(range, ranges)
      if (end - before > most) most = end - before
      before = end
    }
    return most
  }

  /** Records up to the end of a range. */
  #end(range: number, ranges: number): number {
    return range === ranges - 1 ? this.#before[this.#before.length - 1] : this.#recordsBelow(range + 1, ranges)
  }

  #recordsBelow(range: number, ranges: number): number {
    const bound = Math.ceil((range * POSITIONS) / ranges)
    // a bound between ranges is inside the hash space, so it has 32 bits
    const cell = bound >>> this.#shift
    const positions = this.#positions
    const end = this.#starts[cell + 1]
    let records = this.#before[cell]
    for (let key = this.#starts[cell]; key < end; key++) if (positions[key] < bound) records += this.#records[key]
    return records
  }
}

// Loops over all keys are functions of their own: the code that V8 compiles for a long loop is then used again, since
// nothing follows the loop that it has not seen.

/** Counts the keys and their records by cell: those of a cell are at the number of the next one. */
function countCells(
  positions: Uint32Array,
  records: Uint32Array,
  shift: number,
  keysOf: Uint32Array,
  recordsOf: Float64Array
): void {
  for (let key = 0; key < positions.length; key++) {
    const next = (positions[key] >>> shift) + 1
    keysOf[next]++
    recordsOf[next] += records[key]
  }
}

function addUp(keys: Uint32Array, records: Float64Array): void {
  for (let cell = 1; cell < keys.length; cell++) {
    keys[cell] += keys[cell - 1]
    records[cell] += records[cell - 1]
  }
}

/** Copies keys in the order of their cells. `free`: the next place of each cell. */
function sortIntoCells(
  from: AllKeys,
  shift: number,
  free: Uint32Array,
  positions: Uint32Array,
  records: Uint32Array
): void {
  for (let key = 0; key < from.positions.length; key++) {
    const at = free[from.positions[key] >>> shift]++
    positions[at] = from.positions[key]
    records[at] = from.records[key]
  }
}

const POSITIONS = 0x1_0000_0000
const MIN_BITS = 4
const MAX_BITS = 16

// The positions of frequent keys are known. All other records of a slice are assumed to be spread evenly over it.
function countSlices({ placed, slices }: KeyProfile, ranges: number): RangeCounts {
  const rest = slices.slice()
  const counts = new Float64Array(ranges)
  for (const { position, records, error } of placed.heavy) {
    const slice = rangeOf(position, rest.length)
    const known = Math.min(rest[slice], records - error)
    rest[slice] -= known
    counts[rangeOf(position, ranges)] += known
  }
  let error = 0
  for (let slice = 0; slice < rest.length; slice++) {
    const from = (slice * ranges) / rest.length
    const to = ((slice + 1) * ranges) / rest.length
    const first = Math.floor(from)
    const boundary = first + 1
    if (to <= boundary) counts[first] += rest[slice]
    else {
      const before = (boundary - from) / (to - from)
      counts[first] += rest[slice] * before
      counts[boundary] += rest[slice] * (1 - before)
      error = Math.max(error, rest[slice])
    }
  }
  return { counts, error: 2 * error }
}
