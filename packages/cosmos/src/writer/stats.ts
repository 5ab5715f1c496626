import type { Lane } from '../dispatch/lane.ts'
import { LaneCounts } from '../dispatch/lane-counts.ts'
import type { Router } from '../dispatch/router.ts'
import type { Throughput } from '../budget/throughput-share.ts'

/** What a writer did so far, and what it is at. */
export interface WriterStats {
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  /** RU/s that may be spent over all ranges; undefined where only what the service refuses tells. */
  readonly budgetRuPerSecond: number | undefined
  /** Why no budget is known. */
  readonly budgetUnknown: string | undefined
  readonly pendingBytes: number
  readonly maxPendingBytes: number
  /** Ranges that have more to write than they may hold: others are not slowed by them until their share of the room is full. */
  readonly busyRanges: number
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, repeated ones included. */
  readonly operations: number
  readonly throttledOperations: number
  readonly superseded: number
  /** Repetitions by status; `lost` for answers that did not come. */
  readonly retries: Readonly<Record<string, number>>
  /** The ranges as they are now; the totals include those that were split or merged. */
  readonly ranges: readonly RangeStats[]
  /** Counters of the ranges that were split or merged. */
  readonly retiredRanges: readonly RangeCounters[]
}

/** Counters of one range since the writer knows it; none of them ever falls. */
export interface RangeCounters {
  readonly id: string
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, repeated ones included. */
  readonly operations: number
  readonly throttledOperations: number
  readonly throttledBatches: number
  readonly superseded: number
  readonly settled: number
  /** Batches by their number of operations: one count for each of `BATCH_SIZE_BOUNDS`. */
  readonly fill: readonly number[]
  /** Requests by the time of their answer: one count for each of `LATENCY_BOUNDS_MS`, and one for what took longer. */
  readonly latency: readonly number[]
  /** Time of all requests, from sending to the answer, in milliseconds. */
  readonly latencySumMs: number
  /** Answers by their charge: one count for each of `CHARGE_BOUNDS_RU`, and one for what cost more. Their sum is `chargedRu`. */
  readonly charge: readonly number[]
  /** By status; `lost` for answers that did not come. */
  readonly retries: Readonly<Record<string, number>>
}

/** Counters of one range, and its state at this moment. */
export interface RangeStats extends RangeCounters {
  /** Operations that stand in the queue, one a document. */
  readonly queued: number
  /** Requests that are out, and how many may be. */
  readonly inFlight: number
  readonly concurrency: number
  /** Bytes of all that is on its way to this range. */
  readonly bytes: number
}

/** Takes the numbers of a moment. */
export function statsOf(router: Router, throughput: Pick<Throughput, 'ruPerSecond' | 'unknown'>): WriterStats {
  const ranges = [...router.lanes].map(rangeStats)
  const total = new LaneCounts()
  for (const { counts } of router.retired) total.add(counts)
  for (const lane of router.lanes) total.add(lane.counts)
  return {
    ...router.outcomes,
    budgetRuPerSecond: throughput.ruPerSecond,
    budgetUnknown: throughput.unknown,
    pendingBytes: router.byteBudget.bytes,
    maxPendingBytes: router.byteBudget.maxBytes,
    busyRanges: ranges.filter(({ bytes }) => bytes >= router.byteBudget.laneBytes).length,
    chargedRu: total.chargedRu,
    batches: total.batches,
    operations: total.operations,
    throttledOperations: total.throttledOperations,
    superseded: total.superseded,
    retries: Object.fromEntries(total.retries),
    ranges,
    retiredRanges: router.retired.map(({ rangeId, counts }) => rangeCounters(rangeId, counts))
  }
}

function rangeStats({ range, counts, ready, inFlight, governor, bytes }: Lane): RangeStats {
  return {
    ...rangeCounters(range.id, counts),
    queued: ready.size,
    inFlight,
    concurrency: governor.concurrency.limit,
    bytes
  }
}

function rangeCounters(id: string, counts: LaneCounts): RangeCounters {
  return {
    id,
    chargedRu: counts.chargedRu,
    batches: counts.batches,
    operations: counts.operations,
    throttledOperations: counts.throttledOperations,
    throttledBatches: counts.throttledBatches,
    superseded: counts.superseded,
    settled: counts.settled,
    fill: [...counts.fill],
    latency: [...counts.latency],
    latencySumMs: counts.latencySumMs,
    charge: [...counts.charge],
    retries: Object.fromEntries(counts.retries)
  }
}
