import type { Interval } from './interval.ts'
import { NO_KEY, type Reservoir, type ReservoirKeys } from '../sample/reservoir.ts'
import { type Window, windowsOf } from './window-records.ts'

/**
 * By how much the share of the busiest range is larger within a window of time than within as many records of any time.
 * A key that contains the date has few values at a time: all records of a day go to one range, although the days of a
 * year spread over all ranges. 0 where keys do not depend on time, and where no time is known.
 */
export type TimeConcentration = (ranges: number) => number

export const NO_CONCENTRATION: TimeConcentration = () => 0

/** Measures the concentration of one candidate. The function that it returns measures each number of ranges once. */
export function timeConcentration(
  reservoir: Reservoir,
  candidate: number,
  random: () => () => number
): TimeConcentration {
  const keys = reservoir.keys[candidate]
  if (keys === null || reservoir.times === null) return NO_CONCENTRATION
  const windows = shortestWindows(reservoir, keys)
  if (windows.length < 2) return NO_CONCENTRATION
  if (!isConcentrated(keys, windows, random())) return NO_CONCENTRATION
  const dealt = shuffles(windows, SHUFFLES, random())
  const measured = new Map<number, number>()
  return (ranges) => {
    let found = measured.get(ranges)
    if (found === undefined) {
      const ofAnyTime = meanOf(dealt.map((each) => busiest(keys, each, ranges)))
      found = Math.max(0, busiest(keys, windows, ranges) - ofAnyTime)
      measured.set(ranges, found)
    }
    return found
  }
}

/** Usable share of the throughput at one time: less than over all records where keys depend on time. */
export function usableInTime(share: Interval | null, concentration: number, ranges: number): Interval | null {
  if (share === null || concentration === 0) return share
  const at = (usable: number): number => 1 / (ranges * Math.min(1, 1 / (ranges * usable) + concentration))
  return { low: at(share.low), mid: at(share.mid), high: at(share.high) }
}

/** Lengths of windows in seconds: the shortest one counts in which most records have enough others near them. */
const LENGTHS: readonly number[] = [60, 600, 3600, 6 * 3600, 86_400, 7 * 86_400]
const MIN_RECORDS = 50
const SHUFFLES = 5
const TEST_RANGES = 16
const TEST_SHUFFLES = 20
/** Differences of less than this part do not matter. */
const MIN_EFFECT = 1.1
const MAX_DEVIATIONS = 4
/** Below this factor a difference is neither one that matters nor one that more shuffles could show. */
const CLEARLY_EQUAL = 1.03

function shortestWindows(reservoir: Reservoir, keys: ReservoirKeys): readonly Window[] {
  for (const seconds of LENGTHS) {
    const all = windowsOf(reservoir, keys, seconds)
    const judged = all.filter(({ records }) => records.length >= MIN_RECORDS)
    if (judged.length > 0 && countOf(judged) >= countOf(all) / 2) return someOf(judged)
  }
  return []
}

/** Windows at equal distances that have about `MAX_RECORDS` together: their mean is as good as that of all. */
function someOf(windows: readonly Window[]): readonly Window[] {
  const step = Math.ceil(countOf(windows) / MAX_RECORDS)
  const some = windows.filter((_window, index) => index % step === 0)
  return some.length < MIN_WINDOWS ? windows : some
}

const MAX_RECORDS = 20_000
const MIN_WINDOWS = 10

/** Whether windows of time differ from random windows by more than chance. */
function isConcentrated(keys: ReservoirKeys, windows: readonly Window[], random: () => number): boolean {
  const inTime = busiest(keys, windows, TEST_RANGES)
  // most keys do not depend on time, which one comparison shows
  const [first] = shuffles(windows, 1, random)
  if (inTime < CLEARLY_EQUAL * busiest(keys, first, TEST_RANGES)) return false
  const ofAnyTime = shuffles(windows, TEST_SHUFFLES, random).map((each) => busiest(keys, each, TEST_RANGES))
  const mean = meanOf(ofAnyTime)
  const deviation = Math.sqrt(meanOf(ofAnyTime.map((share) => (share - mean) ** 2)))
  return inTime > mean + MAX_DEVIATIONS * deviation && inTime > MIN_EFFECT * mean
}

/** Windows of the same sizes with the same records, dealt at random. */
function shuffles(windows: readonly Window[], times: number, random: () => number): readonly (readonly Window[])[] {
  const records = new Uint32Array(countOf(windows))
  let filled = 0
  for (const window of windows) {
    records.set(window.records, filled)
    filled += window.records.length
  }
  return Array.from({ length: times }, () => {
    for (let last = records.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      const kept = records[last]
      records[last] = records[other]
      records[other] = kept
    }
    let from = 0
    return windows.map(({ start, records: { length } }) => {
      from += length
      return { start, records: records.slice(from - length, from) }
    })
  })
}

/** Mean share of the busiest range of a window, weighted by its records. */
function busiest({ positions }: ReservoirKeys, windows: readonly Window[], ranges: number): number {
  const counts = new Uint32Array(ranges)
  let sum = 0
  for (const { records } of windows) sum += mostInRange(positions, records, counts)
  return sum / countOf(windows)
}

/** Records of the busiest range of a window. Overwrites `counts`, which has a number for each range. */
function mostInRange(positions: Uint32Array, records: Uint32Array, counts: Uint32Array): number {
  // exact, since the number of positions is a power of two; the range of a position below it is never `ranges`
  const rangesPerPosition = counts.length / POSITIONS
  counts.fill(0)
  for (let each = 0; each < records.length; each++) counts[Math.floor(positions[records[each]] * rangesPerPosition)]++
  let most = 0
  for (let range = 0; range < counts.length; range++) if (counts[range] > most) most = counts[range]
  return most
}

const POSITIONS = NO_KEY + 1

function countOf(windows: readonly Window[]): number {
  return windows.reduce((sum, { records }) => sum + records.length, 0)
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
