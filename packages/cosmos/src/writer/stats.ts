import type { Lane } from '../dispatch/lane.ts'
import { LaneCounts } from '../dispatch/outcome.ts'
import type { Contention, NewestCounts } from '../dispatch/newest-writes.ts'
import type { TwinCounts } from '../dispatch/twins.ts'
import type { Router } from '../dispatch/router.ts'
import type { Throughput } from '../budget/throughput-share.ts'
import type { ThrottledRange } from '../throttle/throttled-range.ts'

/** Counters and current state of a writer. */
export interface WriterStats {
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  /** RU/s that the writer may spend on all ranges together; undefined if only throttling limits it. */
  readonly budgetRuPerSecond: number | undefined
  /** Reason why no budget is known. */
  readonly budgetUnknown: string | undefined
  /** Bytes of pending operations; 0 if `maxBytes` is Infinity. */
  readonly pendingBytes: number
  readonly maxPendingBytes: number
  /** Number of ranges whose share of the byte budget is used up. Only such a range slows the other ranges down. */
  readonly busyRanges: number
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, including retries. */
  readonly operations: number
  readonly throttledOperations: number
  readonly superseded: number
  /** Number of documents under old keys (`before`), by their end. */
  readonly twins: TwinCounts
  /** Counters of a writer with `newest`. */
  readonly newest?: NewestCounts | undefined
  /** Writes of a writer with `newest` that other writers came before several times; undefined if there are none. */
  readonly contention?: Contention | undefined
  /** Number of retries by status; `lost` for requests without an answer. */
  readonly retries: Readonly<Record<string, number>>
  /** The ranges that were throttled in the last ten seconds, with the reason. */
  readonly throttledRanges: readonly ThrottledRange[]
  /** The current ranges. The totals also include ranges that were split or merged. */
  readonly ranges: readonly RangeStats[]
  /** Counters of the ranges that were split or merged. */
  readonly retiredRanges: readonly RangeCounters[]
}

/** Counters of one range since the writer was opened. They never decrease. */
export interface RangeCounters {
  readonly id: string
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, including retries. */
  readonly operations: number
  readonly throttledOperations: number
  readonly throttledBatches: number
  readonly superseded: number
  readonly settled: number
  /** Batches by their number of operations: one count for each of `BATCH_SIZE_BOUNDS`. */
  readonly fill: readonly number[]
  /** Requests by latency: one count for each of `LATENCY_BOUNDS_MS`, and one for longer latencies. */
  readonly latency: readonly number[]
  /** Sum of the latencies of all requests, from sending to the answer, in milliseconds. */
  readonly latencySumMs: number
  /**
   * Answers by charge: one count for each of `CHARGE_BOUNDS_RU`, and one for higher charges. The sum of these charges
   * is `chargedRu`.
   */
  readonly charge: readonly number[]
  /** Number of retries by status; `lost` for requests without an answer. */
  readonly retries: Readonly<Record<string, number>>
}

/** Counters and current state of one range. */
export interface RangeStats extends RangeCounters {
  /** Operations without an outcome. */
  readonly pending: number
  /** Operations in the queue, at most one for each document. */
  readonly queued: number
  /** Requests in flight. */
  readonly inFlight: number
  readonly concurrency: number
  /** Bytes of the pending operations; 0 if bytes are not counted. */
  readonly bytes: number
}

/** Collects the current statistics. */
export function statsOf(router: Router, throughput: Pick<Throughput, 'ruPerSecond' | 'unknown'>): WriterStats {
  const ranges = [...router.lanes].map(rangeStats)
  const total = new LaneCounts()
  for (const { counts } of router.retired) total.add(counts)
  for (const lane of router.lanes) total.add(lane.counts)
  return {
    ...router.outcomes,
    budgetRuPerSecond: throughput.ruPerSecond,
    budgetUnknown: throughput.unknown,
    pendingBytes: router.byteBudget?.bytes ?? 0,
    maxPendingBytes: router.byteBudget?.maxBytes ?? Number.POSITIVE_INFINITY,
    busyRanges: ranges.filter(({ bytes }) => bytes >= (router.byteBudget?.laneBytes ?? Number.POSITIVE_INFINITY))
      .length,
    chargedRu: total.chargedRu,
    batches: total.batches,
    operations: total.operations,
    throttledOperations: total.throttledOperations,
    superseded: total.superseded,
    twins: { ...router.twins.counts },
    newest: router.newest && { ...router.newest.counts },
    contention: router.newest?.contention,
    retries: Object.fromEntries(total.retries),
    throttledRanges: router.throttleWatch.current,
    ranges,
    retiredRanges: router.retired.map(({ rangeId, counts }) => rangeCounters(rangeId, counts))
  }
}

function rangeStats({ range, counts, ready, pending, inFlight, governor, bytes }: Lane): RangeStats {
  return {
    ...rangeCounters(range.id, counts),
    pending,
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
