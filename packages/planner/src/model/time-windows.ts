import type { KeyCount, KeyCounts } from '../sample/key-profile.ts'
import type { Reservoir, ReservoirKeys } from '../sample/reservoir.ts'
import { type Figure, known, type SampleBasis, unknown } from './interval.ts'
import { rangeOf } from './range-load.ts'
import { largestLoad } from './usable-share.ts'
import { formatMany } from '../workload/quantity-text.ts'
import { countPairs, countRuns, type Window, windowsOf } from './window-records.ts'

/** Number of keys that take load at the same time, over windows of one length. */
export interface WindowFigure {
  readonly p01: number
  readonly median: number
  readonly windows: number
}

export interface WindowOptions extends SampleBasis {
  /** Number of the candidate. */
  readonly candidate: number
  readonly ranges: number
  readonly random: () => number
}

/**
 * Effective number of keys that are active at once, over windows of `seconds`: 1 / the probability that two records of
 * a window have the same key.
 */
export function effectiveKeys(
  reservoir: Reservoir,
  options: WindowOptions & { readonly seconds: 1 | 60 | 3600 }
): Figure<WindowFigure> {
  const windows = judgedWindows(reservoir, options, options.seconds)
  if (windows.reason !== null) return windows
  const { ids } = reservoir.keys[options.candidate] as ReservoirKeys
  const effective = Float64Array.from(windows.value, ({ records }) => {
    const pairs = countPairs(ids, records)
    // without two records of one key, as if there had been one such pair
    return (records.length * (records.length - 1)) / Math.max(2, pairs)
  }).toSorted()
  const at = (share: number) => effective[Math.floor((effective.length - 1) * share)]
  return known({ p01: at(0.01), median: at(0.5), windows: effective.length })
}

/** The minute that needs the most throughput: that with the highest load of its busiest range. */
export interface WorstMinute {
  /** Start of the minute, ISO 8601. */
  readonly at: string
  readonly usableShare: number
  /** Load of the minute, divided by the mean load of the minutes that have records. */
  readonly relativeLoad: number
}

export function worstMinute(reservoir: Reservoir, options: WindowOptions): Figure<WorstMinute> {
  const windows = judgedWindows(reservoir, options, 60)
  if (windows.reason !== null) return windows
  const { random, ranges } = options
  const keys = reservoir.keys[options.candidate] as ReservoirKeys
  const needed = (records: Uint32Array) => records.length * loadOf(keys, records, ranges, random)
  // The largest counts are too large by chance, but the true maximum is among the first of them.
  const candidates = windows.value
    .map((window) => ({ ...window, busiest: Math.max(...countRanges(keys, window.records, ranges)) }))
    .toSorted((a, b) => b.busiest - a.busiest || a.start - b.start)
    .slice(0, FINALISTS)
    .map((window) => ({ ...window, needed: needed(window.records) }))
  const [worst] = candidates.toSorted((a, b) => b.needed - a.needed || a.start - b.start)
  const all = windowsOf(reservoir, keys, 60)
  const mean = all.reduce((sum, { records }) => sum + records.length, 0) / all.length
  return known({
    at: new Date(worst.start).toISOString(),
    usableShare: Math.min(1, worst.records.length / (ranges * worst.needed)),
    relativeLoad: worst.records.length / mean
  })
}

/** Load by window of time and range: at most 240 windows and 100 ranges; fewer ranges for a small sample. */
export interface TimeHeat {
  /** Start of each window, ISO 8601. */
  readonly minutes: readonly string[]
  readonly ranges: number
  /** For each window: the share of its load by range. */
  readonly values: readonly (readonly number[])[]
}

export function timeHeat(reservoir: Reservoir, options: WindowOptions): Figure<TimeHeat> {
  const keys = reservoir.keys[options.candidate]
  if (keys === null || reservoir.times === null) return unknown(NO_TIME)
  const byMinute = windowsOf(reservoir, keys, 60)
  if (byMinute.length === 0) return unknown('No record of the sample has a time and the key.')
  const minutes = (byMinute[byMinute.length - 1].start - byMinute[0].start) / 60_000 + 1
  const windows = windowsOf(reservoir, keys, 60 * Math.ceil(minutes / (MAX_HEAT_WINDOWS - 1)))
  const ranges = heatRanges(windows, options.ranges)
  return known({
    minutes: windows.map(({ start }) => new Date(start).toISOString()),
    ranges,
    values: windows.map(({ records }) =>
      Array.from(countRanges(keys, records, ranges), (count) => count / records.length)
    )
  })
}

// with fewer records than this in the mean, the cells of a map show little but chance
const MIN_PER_CELL = 20
const MIN_HEAT_RANGES = 10

function heatRanges(windows: readonly Window[], wanted: number): number {
  const records = windows.reduce((sum, window) => sum + window.records.length, 0)
  const meaningful = Math.floor(records / windows.length / MIN_PER_CELL)
  return Math.min(MAX_HEAT_RANGES, wanted, Math.max(MIN_HEAT_RANGES, meaningful))
}

const MAX_HEAT_WINDOWS = 240
const MAX_HEAT_RANGES = 100
const FINALISTS = 20
const NO_TIME = 'No time field is known: name one with --time.'

/** A window has at least this number of records in the sample, and ten for each range. */
const MIN_RECORDS = 100
const MIN_PER_RANGE = 10

function judgedWindows(
  reservoir: Reservoir,
  { candidate, ranges, method }: WindowOptions,
  seconds: number
): Figure<readonly Window[]> {
  const keys = reservoir.keys[candidate]
  if (reservoir.times === null) return unknown(NO_TIME)
  if (keys === null) return unknown('The candidate was dropped before the whole sample was read.')
  if (method === 'head')
    return unknown('The sample is the beginning of the data, which has only the first windows of time.')
  if (method === 'described') return unknown('The sample is generated, and has no time of its own.')
  const least = Math.max(MIN_RECORDS, MIN_PER_RANGE * ranges)
  const windows = windowsOf(reservoir, keys, seconds).filter(({ records }) => records.length >= least)
  const length = seconds === 1 ? 'second' : seconds === 60 ? 'minute' : 'hour'
  return windows.length === 0
    ? unknown(
        `No ${length} has ${least} records in the sample, which is the least for a statement on ${formatMany(ranges, 'range')}.`
      )
    : known(windows)
}

function countRanges({ positions }: ReservoirKeys, records: Uint32Array, ranges: number): Float64Array {
  const counts = new Float64Array(ranges)
  for (const record of records) counts[rangeOf(positions[record] / POSITIONS, ranges)]++
  return counts
}

const POSITIONS = 0x1_0000_0000

/** Share of the busiest range in the load of a window, by the same model as that of the whole sample. */
function loadOf(keys: ReservoirKeys, records: Uint32Array, ranges: number, random: () => number): number {
  const runs = countRuns(keys.positions, records)
  const counted = Array.from(runs.counts, (count, run): KeyCount => {
    return { hash: '', values: null, position: runs.values[run] / POSITIONS, records: count, bytes: 0, error: 0 }
  }).toSorted((a, b) => b.records - a.records || a.position - b.position)
  const sizes = countRuns(
    runs.counts,
    runs.counts.map((_count, run) => run)
  )
  const frequencies = Array.from(sizes.values, (size, each) => ({ records: size, keys: sizes.counts[each] }))
  const counts: Pick<KeyCounts, 'heavy' | 'frequencies' | 'distinct'> = {
    heavy: counted,
    frequencies,
    distinct: counted.length
  }
  return largestLoad(
    { counts, byRange: countRanges(keys, records, ranges), records: records.length, population: null },
    random
  ).mid
}
