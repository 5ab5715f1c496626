import type { Candidate } from '../candidates/candidate.ts'
import type { Reservoir } from '../sample/reservoir.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import { daysUntil, type StorageForecast } from '../service/storage.ts'

/** Sizes of the keys of one candidate, from their share of the records of the sample. */
export interface KeySizes {
  /** Null if the amount of data is unknown. */
  readonly gbOf: (share: number) => number | null
  /** Date on which the key reaches the limit of a logical partition; null if it does not, or if growth is unknown. */
  readonly fullOn: (share: number, nowMs: number) => string | null
}

/**
 * Computes the sizes of keys. All documents of a key with a time bucket are from that bucket. So its share of the
 * sample is not its share of the stored documents if the sample covers another length of time than the stored documents.
 */
export function keySizes(
  candidate: Candidate,
  isTimeDependent: boolean,
  reservoir: Reservoir,
  storage: StorageForecast
): KeySizes {
  const { gb, growthBytesPerDay, kind } = storage
  const bucketSeconds = shortestBucket(candidate)
  const factor = sizeFactor(bucketSeconds, isTimeDependent, spanOf(reservoir), keptSeconds(storage))
  return {
    gbOf: (share) => (gb === null ? null : Math.min(1, share * factor) * gb),
    fullOn: (share, nowMs) => {
      // a key with a time bucket stops growing when its time ends
      if (gb === null || growthBytesPerDay === null || kind !== 'growing' || bucketSeconds !== null) return null
      const days = daysUntil(MAX_LOGICAL_PARTITION_GB, share * gb, share * growthBytesPerDay)
      return days === null || days > MAX_DAYS ? null : new Date(nowMs + days * 86_400_000).toISOString().slice(0, 10)
    }
  }
}

// a hundred years
const MAX_DAYS = 36_500

function shortestBucket({ levels }: Candidate): number | null {
  const buckets = levels.flatMap(({ parts }) => parts.flatMap(({ bucketSeconds }) => bucketSeconds ?? []))
  return buckets.length === 0 ? null : Math.min(...buckets)
}

function sizeFactor(
  bucketSeconds: number | null,
  isTimeDependent: boolean,
  span: number | null,
  kept: number | null
): number {
  if (span === null || kept === null) return 1
  // if the sample covers only a part of a bucket, the rest of the bucket will fill, too
  if (bucketSeconds !== null) return Math.max(span, bucketSeconds) / kept
  // without a bucket, it is not known how long a key receives documents, so this assumes the larger size
  return isTimeDependent ? Math.max(1, span / kept) : 1
}

// the same for all candidates
const spans = new WeakMap<Float64Array, number>()

/** Seconds between the first and the last record of the sample; null without times. */
function spanOf({ times }: Reservoir): number | null {
  if (times === null) return null
  let span = spans.get(times)
  if (span === undefined) {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let record = 0; record < times.length; record++) {
      if (times[record] < first) first = times[record]
      if (times[record] > last) last = times[record]
    }
    span = (last - first) / 1000
    spans.set(times, span)
  }
  return span > 0 ? span : null
}

/** Seconds for which documents are kept, or have been kept until now; null if unknown. */
function keptSeconds({ gb, growthBytesPerDay }: StorageForecast): number | null {
  return gb === null || gb === 0 || !growthBytesPerDay ? null : ((gb * 1e9) / growthBytesPerDay) * 86_400
}
