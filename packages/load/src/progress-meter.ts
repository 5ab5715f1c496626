import type { RangeStats, ThrottledRange, WriterStats } from '@keystamp/cosmos'
import { codecOf, type InputFile, type InputPosition } from '@keystamp/files/internal'
import type { LoadCounts } from './write-records.ts'

/** Progress of a load at one moment. */
export interface LoadProgress {
  readonly records: number
  readonly rejected: number
  /** Average since the last call. */
  readonly recordsPerSecond: number
  readonly ruPerSecond: number
  readonly budgetRuPerSecond: number | undefined
  /**
   * The physical partition that records wait for, and its share of the RU; undefined if the load on the partitions is
   * even, or if no record waits.
   */
  readonly slowest: { readonly range: string; readonly share: number } | undefined
  /** The throttled physical partition that gets most of the RU, with the reason; undefined if none is throttled. */
  readonly throttled: ThrottledRange | undefined
  /** Share of the inputs' bytes that is done; undefined if the size of the inputs is not known. */
  readonly share: number | undefined
  readonly secondsLeft: number | undefined
}

/** Dependencies of a progress meter. */
export interface MeterOptions {
  readonly inputs: readonly InputFile[]
  readonly counts: Readonly<LoadCounts>
  /** Position at which the load began. */
  readonly begin: InputPosition
  readonly stats: () => Pick<WriterStats, 'chargedRu' | 'budgetRuPerSecond' | 'busyRanges' | 'throttledRanges'> & {
    readonly ranges: readonly Pick<RangeStats, 'id' | 'chargedRu'>[]
  }
  /** Monotonic clock in milliseconds. */
  readonly now: () => number
}

/** Creates a function that measures the progress of a load. Rates cover the time since its previous call. */
export function createProgressMeter({ inputs, counts, begin, stats, now }: MeterOptions): () => LoadProgress {
  const startMs = now()
  const all = sizeOf(inputs)
  const before = bytesBefore(inputs, begin)
  const findSlowest = createSlowestFinder()
  let last = { atMs: startMs, settled: 0, chargedRu: 0 }
  return () => {
    const { chargedRu, budgetRuPerSecond, busyRanges, throttledRanges, ranges } = stats()
    const settled = counts.written + counts.unchanged + counts.rejected
    const atMs = now()
    const seconds = Math.max(0.001, (atMs - last.atMs) / 1000)
    const share = all === undefined ? undefined : Math.min(1, (before + counts.bytes) / all)
    const progress = {
      records: settled,
      rejected: counts.rejected,
      recordsPerSecond: (settled - last.settled) / seconds,
      ruPerSecond: (chargedRu - last.chargedRu) / seconds,
      budgetRuPerSecond,
      slowest: findSlowest(ranges, busyRanges > 0),
      throttled: throttledRanges.toSorted((one, other) => other.ruPerSecond - one.ruPerSecond)[0],
      share,
      secondsLeft: secondsLeft(
        all === undefined ? 0 : all - before - counts.bytes,
        counts.bytes,
        (atMs - startMs) / 1000
      )
    }
    last = { atMs, settled, chargedRu }
    return progress
  }
}

type FindSlowest = (
  ranges: readonly Pick<RangeStats, 'id' | 'chargedRu'>[],
  isWaiting: boolean
) => LoadProgress['slowest']

/**
 * Finds the range that slows the load down: recently it used clearly more RU than the average range, and records are
 * waiting for a range.
 */
function createSlowestFinder(): FindSlowest {
  const before = new Map<string, number>()
  const recent = new Map<string, number>()
  return (ranges, isWaiting) => {
    let all = 0
    let [busiest, most] = ['', 0]
    for (const { id, chargedRu } of ranges) {
      const ru = (recent.get(id) ?? 0) * OLD_WEIGHT + chargedRu - (before.get(id) ?? 0)
      before.set(id, chargedRu)
      recent.set(id, ru)
      all += ru
      if (ru > most) [busiest, most] = [id, ru]
    }
    const isUneven = most * ranges.length > UNEVEN * all
    return isWaiting && isUneven ? { range: busiest, share: most / all } : undefined
  }
}

// weight of the RU before the previous call
const OLD_WEIGHT = 0.8
const UNEVEN = 1.3

/**
 * Returns the size of all inputs in bytes; undefined if it cannot be known, because an input is compressed or is
 * standard input.
 */
export function sizeOf(inputs: readonly InputFile[]): number | undefined {
  let all = 0
  for (const { name, bytes } of inputs) {
    if (bytes === null || codecOf(name) !== undefined) return undefined
    all += bytes
  }
  return all === 0 ? undefined : all
}

function bytesBefore(inputs: readonly InputFile[], { input, from }: InputPosition): number {
  return inputs.slice(0, input).reduce((sum, { bytes }) => sum + (bytes ?? 0), from.byte)
}

function secondsLeft(left: number, done: number, seconds: number): number | undefined {
  return done === 0 || left <= 0 ? undefined : (seconds * left) / done
}
