import { wilsonInterval } from '../model/interval.ts'
import { formatCount, formatMany, formatPercent } from '../workload/quantity-text.ts'
import { BUSY_RANGE, HEAVY_KEY_PART, MIN_EVENTS, MIN_WINDOW_EVENTS, MIN_WINDOWS } from './check-table.ts'
import { type Checked, clear, type CheckResults, found, type FoundTrouble, UNSEEN } from './checked.ts'
import type { CountedLoad, LoadedKey } from './load-counter.ts'

/** A physical partition, as far as the checks of the load need it. */
export interface LoadedRange {
  readonly id: string
  readonly throughputFraction: number
  /** Null for version 1 of the hash. */
  readonly hashShare: number | null
  /** Null if the throughput is unknown. */
  readonly ruPerSecond: number | null
}

/** Words for a load in sentences. */
export interface LoadWords {
  /** Such as `writes`. */
  readonly noun: string
}

type LoadCheckName = 'hot-key' | 'many-keys-in-one-range' | 'moving-hot-spot' | 'unusable-throughput'

/** Checks how a load is spread over keys, physical partitions and time. */
export function checkLoad(
  load: CountedLoad | null,
  ranges: readonly LoadedRange[],
  words: LoadWords
): Pick<CheckResults, LoadCheckName> {
  if (load === null || load.events < MIN_EVENTS || load.total === 0)
    return {
      'hot-key': UNSEEN,
      'many-keys-in-one-range': UNSEEN,
      'moving-hot-spot': UNSEEN,
      'unusable-throughput': UNSEEN
    }
  const seen: Seen = { load, ranges, words }
  const moving = checkMoving(seen)
  const hot = hotKeysOf(seen)
  return {
    'hot-key': checkHotKeys(seen, hot),
    // a hot spot that moves leaves more in some physical partitions than in others, too
    'many-keys-in-one-range': moving.state === 'found' ? clear(busiest(seen).share) : checkManyKeys(seen, hot),
    'moving-hot-spot': moving,
    'unusable-throughput': checkUnusable(seen, moving)
  }
}

interface Seen {
  readonly load: CountedLoad
  readonly ranges: readonly LoadedRange[]
  readonly words: LoadWords
}

/** Share of the provisioned throughput that a load can use: its busiest physical partition is full first. */
export function usableShareOf(weights: Float64Array, ranges: readonly LoadedRange[]): number {
  const total = sumOf(weights)
  return Math.min(1, ...ranges.map(({ throughputFraction }, range) => (throughputFraction * total) / weights[range]))
}

/** The physical partition with the largest load relative to its part of the throughput. */
function busiest({ load, ranges }: Seen): {
  readonly range: number
  readonly share: number
  readonly relative: number
} {
  let range = 0
  const relativeOf = (each: number): number => load.byRange[each] / ranges[each].throughputFraction
  for (let each = 1; each < ranges.length; each++) if (relativeOf(each) > relativeOf(range)) range = each
  const share = load.byRange[range] / load.total
  return { range, share, relative: share / ranges[range].throughputFraction }
}

/** Writes of a hot key that must have been seen. */
const MIN_KEY_EVENTS = 50
/** A certain load of a physical partition relative to its even load, so that chance finds nothing. */
const CERTAIN = 1.2

function hotKeysOf({ load, ranges }: Seen): readonly LoadedKey[] {
  if (ranges.length === 1) return []
  return load.keys.filter((key) => {
    const share = key.weight / load.total
    const { throughputFraction } = ranges[key.range]
    const rangeShare = load.byRange[key.range] / load.total
    return (
      share >= HEAVY_KEY_PART * throughputFraction &&
      share * load.events >= MIN_KEY_EVENTS &&
      rangeShare >= BUSY_RANGE * throughputFraction &&
      lowerBound(rangeShare, load.events) >= CERTAIN * throughputFraction &&
      isLasting(key, load)
    )
  })
}

/** Whether the key has its share in most windows: a key of one moment belongs to a hot spot that moves. */
function isLasting(key: LoadedKey, load: CountedLoad): boolean {
  const counted = windowsOf(load)
  if (counted.length < 2) return true
  const share = key.weight / load.total
  const lasting = counted.filter((window) => key.windows[window] / sumOf(load.windows[window]) >= share / 2)
  return lasting.length >= counted.length / 2
}

function checkHotKeys(seen: Seen, hot: readonly LoadedKey[]): Checked {
  const { load, ranges, words } = seen
  const largest = load.keys.length === 0 ? 0 : load.keys[0].weight / load.total
  const threshold = HEAVY_KEY_PART * (ranges[load.keys[0]?.range ?? 0]?.throughputFraction ?? 1)
  if (hot.length === 0) return clear(largest, threshold)
  return found(
    hot.map((key) => {
      const range = ranges[key.range]
      const share = key.weight / load.total
      const { low, high } = wilsonInterval(share * load.events, load.events, null)
      const limit = range.ruPerSecond === null ? '' : `, which is ${formatCount(Math.round(range.ruPerSecond))} RU/s`
      return {
        value: share,
        range: range.id,
        key: key.hash,
        reason: `One key takes ${formatPercent(share)} of the ${words.noun} (${formatPercent(low)} to ${formatPercent(high)}), but its physical partition ${range.id} serves ${formatPercent(range.throughputFraction)} of the RU/s${limit}.`,
        remedy:
          'Give this key suffixes that are computed from another field, so that it becomes several keys; more RU/s do not help one key.'
      }
    }),
    threshold
  )
}

function checkManyKeys({ load, ranges, words }: Seen, hot: readonly LoadedKey[]): Checked {
  if (ranges.length === 1) return clear(1)
  const rest = Float64Array.from(load.byRange)
  for (const key of hot) rest[key.range] -= key.weight
  const total = sumOf(rest)
  const shares = Array.from(rest, (weight) => (total === 0 ? 0 : weight / total))
  const expected = (range: number): number => ranges[range].hashShare ?? ranges[range].throughputFraction
  const range = shares.reduce(
    (top, share, each) => (share / expected(each) > shares[top] / expected(top) ? each : top),
    0
  )
  const share = shares[range]
  const threshold = BUSY_RANGE * expected(range)
  const events = (load.events * total) / load.total
  const isFound =
    events >= MIN_EVENTS / 2 && share >= threshold && lowerBound(share, events) >= CERTAIN * expected(range)
  if (!isFound) return clear(share, threshold)
  const keys = load.keys.filter((key) => key.range === range && !hot.includes(key)).length
  return found(
    [
      {
        value: share,
        range: ranges[range].id,
        key: null,
        reason: `The physical partition ${ranges[range].id} has ${formatPercent(share)} of the ${words.noun}${hot.length > 0 ? ' of all other keys' : ''}, and ${formatPercent(expected(range))} of the hash space. No key of it is hot alone: ${formatCount(keys)} keys share this load, of ${formatCount(load.distinctKeys)} in all.`,
        remedy:
          'Use a key with many more values, so that the hash spreads them evenly, or split this physical partition by redistributing throughput to it.'
      }
    ],
    threshold
  )
}

/** Part of the windows in which one physical partition must be far ahead, and of its share that stays with it. */
const MIN_WINDOW_SHARE = 0.8
const STAYING = 0.8
const DEVIATIONS = 4

function checkMoving({ load, ranges, words }: Seen): Checked {
  const counted = windowsOf(load)
  if (ranges.length === 1) return clear(null)
  if (counted.length < MIN_WINDOWS) return UNSEEN
  const tops = counted.map((window) => topOf(load.windows[window], load.windowEvents[window], ranges))
  const median = medianOf(tops.map(({ share }) => share))
  const threshold = BUSY_RANGE / ranges.length
  const isAhead = tops.filter((top) => top.isAhead).length >= MIN_WINDOW_SHARE * tops.length
  const overall = Math.max(...load.byRange) / load.total
  const places = new Set(tops.map(({ range }) => range)).size
  const isFound = isAhead && median >= threshold && places > 1 && overall < STAYING * median
  // where one physical partition stays the busiest, nothing moves
  if (!isFound) return clear(places > 1 && overall < STAYING * median ? median : null, threshold)
  return found(
    [
      {
        value: median,
        range: null,
        key: null,
        reason: `In each window of time one physical partition has most of the ${words.noun} (in the median ${formatPercent(median)}), and it is another one after a while: ${formatMany(places, 'physical partition')} in ${formatCount(tops.length)} windows. The key follows the time.`,
        remedy:
          'Put a suffix that is computed from another field after the time in the key, or use a key without the time: at each moment, only one physical partition works.'
      }
    ],
    threshold
  )
}

interface Top {
  readonly range: number
  readonly share: number
  /** Whether it is ahead by more than chance. */
  readonly isAhead: boolean
}

function topOf(weights: Float64Array, events: number, ranges: readonly LoadedRange[]): Top {
  const total = sumOf(weights)
  const evenShare = (each: number): number => ranges[each].hashShare ?? ranges[each].throughputFraction
  let range = 0
  for (let each = 1; each < weights.length; each++)
    if (weights[each] / evenShare(each) > weights[range] / evenShare(range)) range = each
  const share = weights[range] / total
  const even = evenShare(range)
  return { range, share, isAhead: share >= Math.max(BUSY_RANGE * even, even + DEVIATIONS * Math.sqrt(even / events)) }
}

function checkUnusable(seen: Seen, moving: Checked): Checked {
  const { load, ranges, words } = seen
  if (ranges.length === 1) return clear(0)
  const isMoving = moving.state === 'found'
  const usable = isMoving
    ? medianOf(windowsOf(load).map((window) => usableShareOf(load.windows[window], ranges)))
    : usableShareOf(load.byRange, ranges)
  const top = busiest(seen)
  const { throughputFraction, ruPerSecond, id } = ranges[top.range]
  const certain = isMoving ? usable : Math.min(1, throughputFraction / lowerBound(top.share, load.events))
  if (1 - certain < MAX_UNUSABLE) return clear(1 - usable)
  const total = ranges.reduce((sum, each) => sum + (each.ruPerSecond ?? 0), 0)
  const rates =
    ruPerSecond === null
      ? ''
      : ` That is ${formatCount(Math.round(usable * total))} of ${formatCount(Math.round(total))} RU/s.`
  const where = isMoving ? 'the busiest physical partition of a moment' : `the physical partition ${id}`
  const trouble: FoundTrouble = {
    value: 1 - usable,
    range: isMoving ? null : id,
    key: null,
    reason: `With this spread of the ${words.noun}, ${where} reaches its part of the RU/s when the container uses ${formatPercent(usable)} of them.${rates}`,
    remedy:
      'Remove the cause, which the other findings name. Until then, additional RU/s help only by the part that the busiest physical partition gets.'
  }
  return found([trouble])
}

const MAX_UNUSABLE = 0.3

/** Windows with enough events to compare the physical partitions. */
function windowsOf(load: CountedLoad): readonly number[] {
  return [...load.windowEvents.keys()].filter((window) => load.windowEvents[window] >= MIN_WINDOW_EVENTS)
}

function lowerBound(share: number, events: number): number {
  return wilsonInterval(share * events, events, null).low
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

function sumOf(list: Float64Array): number {
  return list.reduce((sum, each) => sum + each, 0)
}
