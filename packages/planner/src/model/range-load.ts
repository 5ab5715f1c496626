import type { KeyProfile } from '../sample/key-profile.ts'

/** Share of the records in each range, in the order of the hash space: what the sample has, without an estimate. */
export function loadByRange(profile: KeyProfile, ranges: number): number[] {
  const { records } = profile
  return Array.from(countByRange(profile, ranges).counts, (count) => (records === 0 ? 0 : count / records))
}

/** Records by range. */
export interface RangeCounts {
  readonly counts: Float64Array
  /** A range has at most this number of records more or less than its count. */
  readonly error: number
}

/** Counts the records by range: exactly, or from the slices of the hash space, some of which two ranges share. */
export function countByRange(profile: KeyProfile, ranges: number): RangeCounts {
  const { all } = profile.placed
  if (all === null) return countSlices(profile, ranges)
  const counts = new Float64Array(ranges)
  for (let key = 0; key < all.positions.length; key++)
    counts[rangeOf(all.positions[key] / POSITIONS, ranges)] += all.records[key]
  return { counts, error: 0 }
}

const POSITIONS = 0x1_0000_0000

export function rangeOf(position: number, ranges: number): number {
  return Math.min(ranges - 1, Math.floor(position * ranges))
}

// The positions of frequent keys are known; what else a slice has is taken to lie evenly in it.
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
