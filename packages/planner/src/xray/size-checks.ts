import { MAX_LOGICAL_PARTITION_GB, MAX_PARTITION_GB, MAX_PARTITION_RU } from '../service/limits.ts'
import { partitionsForStorage } from '../service/storage.ts'
import type { XrayedQuery } from '../report/xray-report.ts'
import { formatBytes, formatCount, formatMany, formatPercent, formatRate } from '../workload/quantity-text.ts'
import { CHECKS, wideShareLimit } from './check-table.ts'
import { type Checked, clear, type CheckResults, found, UNSEEN } from './checked.ts'

/** A physical partition with its size, as far as its statistics were seen. */
export interface SizedRange {
  readonly id: string
  readonly hashShare: number | null
  readonly throughputFraction: number
  readonly gb: number | null
  /** Largest first. */
  readonly largestKeys: readonly { readonly hash: string; readonly gb: number }[]
}

/** Checks that need no load: sizes, boundaries, and the number of physical partitions. */
export function checkSizes(
  ranges: readonly SizedRange[],
  { gb, ruPerSecond }: { readonly gb: number | null; readonly ruPerSecond: number | null }
): Pick<CheckResults, 'key-near-20-gb' | 'range-near-50-gb' | 'uneven-splits' | 'merge-possible'> {
  const isSized = ranges.every((range) => range.gb !== null)
  return {
    'key-near-20-gb': isSized ? checkKeys(ranges) : UNSEEN,
    'range-near-50-gb': isSized ? checkRanges(ranges) : UNSEEN,
    'uneven-splits': checkSplits(ranges),
    'merge-possible': checkMerge(ranges.length, gb, ruPerSecond)
  }
}

function thresholdOf(name: 'key-near-20-gb' | 'range-near-50-gb' | 'uneven-splits'): number {
  return CHECKS.find((check) => check.name === name)!.threshold
}

function checkKeys(ranges: readonly SizedRange[]): Checked {
  const keys = ranges
    .flatMap(({ id, largestKeys }) => largestKeys.map((key) => ({ ...key, range: id })))
    .toSorted((a, b) => b.gb - a.gb)
  const near = keys.filter((key) => key.gb >= thresholdOf('key-near-20-gb'))
  if (near.length === 0) return clear(keys[0]?.gb ?? 0)
  return found(
    near.map(({ gb, hash, range }) => ({
      value: gb,
      range,
      key: hash,
      reason: `The documents of one key have ${formatBytes(gb * 1e9)}. A logical partition holds at most ${MAX_LOGICAL_PARTITION_GB} GB: then Cosmos DB refuses every new document of this key (403/1014).`,
      remedy:
        'Move to a key with more values, such as this one with a suffix or a time bucket, or a hierarchical key that ends in /id; delete old documents of this key until then.'
    }))
  )
}

function checkRanges(ranges: readonly SizedRange[]): Checked {
  const sorted = ranges.map(({ id, gb }) => ({ id, gb: gb ?? 0 })).toSorted((a, b) => b.gb - a.gb)
  const near = sorted.filter((range) => range.gb >= thresholdOf('range-near-50-gb'))
  if (near.length === 0) return clear(sorted[0].gb)
  return found(
    near.map(({ id, gb }) => ({
      value: gb,
      range: id,
      key: null,
      reason: `The physical partition ${id} has ${formatBytes(gb * 1e9)}. Cosmos DB splits it at ${MAX_PARTITION_GB} GB, and then divides the same RU/s by one physical partition more.`,
      remedy: `Expect the split: raise the RU/s by ${formatPercent(1 / ranges.length)} so that each physical partition keeps its throughput, or delete data.`
    }))
  )
}

function checkSplits(ranges: readonly SizedRange[]): Checked {
  if (ranges.some(({ hashShare }) => hashShare === null)) return UNSEEN
  const shareOf = (range: SizedRange): number => range.throughputFraction / (range.hashShare ?? 1)
  const largest = ranges.reduce((least, range) => (shareOf(range) < shareOf(least) ? range : least))
  const usable = Math.min(1, shareOf(largest))
  if (usable >= thresholdOf('uneven-splits')) return clear(usable)
  const whole = ranges.filter((range) => shareOf(range) < thresholdOf('uneven-splits'))
  return found([
    {
      value: usable,
      range: largest.id,
      key: null,
      reason: `${whole.length === 1 ? 'One physical partition was' : `${formatCount(whole.length)} physical partitions were`} not split when others were: ${largest.id} has ${formatPercent(largest.hashShare ?? 0)} of the keys, but ${formatPercent(largest.throughputFraction)} of the RU/s. An even load can use ${formatPercent(usable)} of the RU/s.`,
      remedy:
        'Raise the RU/s once so far that every physical partition is split, and lower them afterwards: keystamp capacity computes the rate.'
    }
  ])
}

function checkMerge(partitions: number, gb: number | null, ruPerSecond: number | null): Checked {
  if (partitions === 1) return clear(0)
  if (gb === null || ruPerSecond === null) return UNSEEN
  const forStorage = partitionsForStorage(gb).planned
  const needed = Math.max(1, Math.ceil(ruPerSecond / MAX_PARTITION_RU), forStorage)
  const spare = partitions - needed
  if (spare <= 0) return clear(0)
  return found([
    {
      value: spare,
      range: null,
      key: null,
      reason: `The container has ${formatMany(partitions, 'physical partition')}. ${formatCount(ruPerSecond)} RU/s and ${formatBytes(gb * 1e9)} need ${formatCount(needed)}, so each one has only ${formatCount(Math.round(ruPerSecond / partitions))} RU/s.`,
      remedy: `Merge the physical partitions (az cosmosdb sql container merge): with ${formatCount(needed)}, each gets ${formatCount(Math.round(ruPerSecond / needed))} RU/s, and queries ask fewer of them. Do not merge if the RU/s will rise again soon.`
    }
  ])
}

/** Checks how many of the queries ask several physical partitions. */
export function checkQueries(queries: readonly XrayedQuery[], partitions: number): Checked {
  const total = queries.reduce((sum, { perSecond }) => sum + perSecond, 0)
  const threshold = wideShareLimit(partitions)
  if (total === 0) return UNSEEN
  if (partitions === 1) return clear(0, threshold)
  const wide = queries.filter(({ ranges }) => ranges > 1.5).toSorted((a, b) => b.perSecond - a.perSecond)
  const share = wide.reduce((sum, { perSecond }) => sum + perSecond, 0) / total
  if (share < threshold) return clear(share, threshold)
  const [first] = wide
  return found(
    [
      {
        value: share,
        range: null,
        key: null,
        reason: `${formatPercent(share)} of the queries ask several of the ${formatMany(partitions, 'physical partition')}. The most frequent: ${first.name} (${formatRate(first.perSecond)}, ${formatCount(first.ranges)} physical partitions).`,
        remedy:
          'Choose a key that these queries know, or keep an index container that tells them the key; each physical partition that is asked costs two to three RU.'
      }
    ],
    threshold
  )
}
