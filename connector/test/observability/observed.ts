import type { Sink } from '../../src/sink.ts'
import type { SinkStats } from '../../src/sink-stats.ts'

/** The parts of a sink that probes and metrics need. */
export type Observed = Pick<Sink, 'name' | 'state' | 'stats'>

/** A sink with records in flight. */
export function observed(state: Sink['state'], changes: Partial<SinkStats> = {}): Observed {
  const stats: SinkStats = {
    state,
    received: 12,
    receivedBytes: 1200,
    written: 7,
    unchanged: 1,
    ignored: 0,
    redelivered: 4,
    rejected: { DECODE_FAILED: 2 },
    open: 2,
    openBytes: 200,
    partitions: [
      { topic: 'vehicles', partition: 3, lag: 5, open: 2, openBytes: 200, isPaused: false, settledTimestampMs: 6000 }
    ],
    containers: [CONTAINER],
    pauses: 0,
    commits: 3,
    lateRequests: [{ topic: 'vehicles', partition: 2, stage: 'written', count: 1 }],
    commitAgeMs: 1000,
    heartbeatAgeMs: 100,
    waits: [],
    ...changes
  }
  return { name: 'fleet', state, stats: () => stats }
}

const RANGE = {
  id: '0',
  chargedRu: 61.5,
  batches: 2,
  operations: 10,
  throttledOperations: 0,
  throttledBatches: 0,
  superseded: 0,
  settled: 10,
  pending: 0,
  queued: 0,
  inFlight: 1,
  concurrency: 4,
  bytes: 0,
  fill: [0, 2, 0, 0, 0, 0, 0],
  latency: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  latencySumMs: 12_010,
  charge: [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0],
  retries: {}
}

const CONTAINER = {
  container: 'telemetry',
  written: 7,
  unchanged: 1,
  rejected: 0,
  twins: { deleted: 3, absent: 1, changed: 0, newer: 0 },
  withoutImage: 5,
  budgetRuPerSecond: 400,
  budgetUnknown: undefined,
  pendingBytes: 0,
  maxPendingBytes: 1000,
  busyRanges: 0,
  chargedRu: 61.5,
  batches: 2,
  operations: 10,
  throttledOperations: 0,
  superseded: 0,
  retries: { 410: 1 },
  throttledRanges: [],
  ranges: [RANGE],
  retiredRanges: []
} as const
