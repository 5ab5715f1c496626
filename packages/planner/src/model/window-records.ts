import { NO_KEY, type Reservoir, type ReservoirKeys } from '../sample/reservoir.ts'

/** Records of a window of time, by their numbers in the reservoir. */
export interface Window {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly records: Uint32Array
}

/** Records that have a time and a key, by window of time, in the order of time. */
export function windowsOf(reservoir: Reservoir, { positions }: ReservoirKeys, seconds: number): readonly Window[] {
  const { times } = reservoir
  if (times === null) return []
  const order = orderOf(reservoir, times)
  if (isAnyMissing(order, positions))
    return divide(
      order.records.filter((record) => positions[record] !== NO_KEY),
      times,
      seconds
    )
  // most candidates have a key for every record, and then all have the same windows
  let windows = order.windows.get(seconds)
  if (windows === undefined) {
    windows = divide(order.records, times, seconds)
    order.windows.set(seconds, windows)
  }
  return windows
}

function isAnyMissing({ records, missing }: TimeOrder, positions: Uint32Array): boolean {
  let isAny = missing.get(positions)
  if (isAny === undefined) {
    isAny = false
    for (let each = 0; each < records.length && !isAny; each++) isAny = positions[records[each]] === NO_KEY
    missing.set(positions, isAny)
  }
  return isAny
}

function divide(order: Uint32Array, times: Float64Array, seconds: number): readonly Window[] {
  const length = seconds * 1000
  const windows: Window[] = []
  for (let from = 0; from < order.length;) {
    const number = Math.floor(times[order[from]] / length)
    let to = from + 1
    while (to < order.length && Math.floor(times[order[to]] / length) === number) to++
    windows.push({ start: number * length, records: order.subarray(from, to) })
    from = to
  }
  return windows
}

/** Equal values, and how many there are of each. */
export interface Runs {
  readonly values: Uint32Array
  readonly counts: Uint32Array
}

/** Counts equal values of some records. */
export function countRuns(values: Uint32Array, records: Uint32Array): Runs {
  const sorted = records.map((record) => values[record]).toSorted()
  const counts = new Uint32Array(sorted.length)
  let runs = 0
  for (let from = 0; from < sorted.length; runs++) {
    let to = from + 1
    while (to < sorted.length && sorted[to] === sorted[from]) to++
    // the runs that were counted are never longer than what was read
    sorted[runs] = sorted[from]
    counts[runs] = to - from
    from = to
  }
  return { values: sorted.subarray(0, runs), counts: counts.subarray(0, runs) }
}

/**
 * Counts the pairs of records with equal values, each in both orders. Costs less than `countRuns`, since nothing is
 * sorted.
 */
export function countPairs(values: Uint32Array, records: Uint32Array): number {
  const slots = 2 ** Math.ceil(Math.log2(2 * records.length + 1))
  const kept = new Uint32Array(slots)
  const counts = new Uint32Array(slots)
  let pairs = 0
  for (let each = 0; each < records.length; each++) {
    const value = values[records[each]]
    let slot = value & (slots - 1)
    while (counts[slot] !== 0 && kept[slot] !== value) slot = (slot + 1) & (slots - 1)
    kept[slot] = value
    pairs += 2 * counts[slot]++
  }
  return pairs
}

interface TimeOrder {
  readonly records: Uint32Array
  /** Windows of all these records, by their length. */
  readonly windows: Map<number, readonly Window[]>
  /** Whether any of these records has no key, by the positions of the keys. */
  readonly missing: Map<Uint32Array, boolean>
}

// sorted once for all candidates and lengths of windows
const orders = new WeakMap<Reservoir, TimeOrder>()

function orderOf(reservoir: Reservoir, times: Float64Array): TimeOrder {
  let order = orders.get(reservoir)
  if (order === undefined) {
    const records = Uint32Array.from(times, (_time, record) => record)
      .filter((record) => !Number.isNaN(times[record]))
      .toSorted((a, b) => times[a] - times[b])
    order = { records, windows: new Map(), missing: new Map() }
    orders.set(reservoir, order)
  }
  return order
}
